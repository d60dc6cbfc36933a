"""Every way to divide rows by its name; ``folds_of`` finds the one that a plan or a splitter means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from bestofk.core.arrays import glimpse
from bestofk.core.errors import UnknownName
from bestofk.core.names import unknown
from bestofk.core.shelf import Shelf
from bestofk.design.folds.base import Folds
from bestofk.design.folds.splitter import SplitterFolds


class FoldsKind(Protocol):
    """A class of folds: the texts of a plan that it understands."""

    @property
    def examples(self) -> Sequence[str]:
        """Texts that name such folds."""
        ...

    def parse(self, text: str) -> Folds | None:
        """Return the folds that a text names; None: it names none of these."""
        ...


def _folds() -> dict[str, FoldsKind]:
    from bestofk.design.folds.bootstrap import Bootstrap
    from bestofk.design.folds.forward import Forward
    from bestofk.design.folds.holdout import Holdout
    from bestofk.design.folds.learning_curve import LearningCurve
    from bestofk.design.folds.repeated import RepeatedFolds

    return {
        "bootstrap": Bootstrap,
        "forward": Forward,
        "holdout": Holdout,
        "learning-curve": LearningCurve,
        "repeated": RepeatedFolds,
    }


FOLDS: Shelf[FoldsKind] = Shelf("folds", _folds)


WHERE = "plan, folds"


def folds_of(source: Any) -> Folds:
    """Return the folds of a text such as ``5x2`` or ``bootstrap-100``, or of a splitter of scikit-learn.

    Examples
    --------
    >>> folds = folds_of("5x2")
    >>> folds.replications, folds.folds
    (5, 2)
    """
    if isinstance(source, str):
        return _folds_of_text(source)
    if all(hasattr(source, name) for name in ("spec", "replications", "folds", "split")):
        return source  # type: ignore[no-any-return]
    if callable(getattr(source, "split", None)) and callable(getattr(source, "get_n_splits", None)):
        return SplitterFolds.of(source)
    raise _no_folds(source)


def _no_folds(source: Any) -> UnknownName:
    """A number of folds gets its name; of arrays a glimpse is enough."""
    if isinstance(source, int) and not isinstance(source, bool) and source > 1:
        return UnknownName(f"unknown folds {source}.", WHERE, f"did you mean '{source}-fold'?")
    fix = f"give a name ({', '.join(_examples())}) or a splitter, an object with split and get_n_splits."
    return UnknownName(f"unknown folds {glimpse(source)}.", WHERE, fix)


def _folds_of_text(text: str) -> Folds:
    plain = text.strip().lower().replace("×", "x")
    for kind in FOLDS.values():
        found = kind.parse(plain)
        if found is not None:
            return found
    raise unknown(text, _examples(), what="folds", where=WHERE)


def _examples() -> list[str]:
    return [text for kind in FOLDS.values() for text in kind.examples]
