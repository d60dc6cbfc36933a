"""Every way to divide rows by its name; ``folds_of`` finds the one that a plan or a splitter means.

Learning curves stand here, for they consist of any other way: ``learning-curve-5x2-8`` gives each of the 5 × 2 folds
eight growing training sizes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from bestofk.core.errors import UnknownName, glimpse
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.core.shelf import Shelf
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold, Folds, generator_for
from bestofk.design.folds.checks import refusal, refuse_order, within
from bestofk.design.folds.resampling import Bootstrap, Forward, Holdout, RepeatedFolds
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


SMALLEST = 0.1


@frozen
class LearningCurve:
    """Every fold of ``inner`` again and again with more of its training rows, from a tenth of them up to all.

    Sizes are spaced as in scikit-learn's ``learning_curve``, by the smallest training set of the replication, so that
    all folds share them. The smaller sets are parts of the larger ones. Fold f at point p is number f · points + p.
    """

    examples: ClassVar[tuple[str, ...]] = ("learning-curve-5x2-8", "learning-curve-10-fold-5")

    inner: Folds
    points: int

    def __post_init__(self) -> None:
        within(self.points, 2, what="training sizes", spec=self.spec)

    @classmethod
    def parse(cls, text: str) -> LearningCurve | None:
        """Read ``learning-curve-FOLDS-POINTS``."""
        found = re.fullmatch(r"learning-curve-(.+)-(\d+)", text)
        inner = _inner(found[1]) if found else None
        return cls(inner, int(found[2])) if found and inner else None

    @property
    def spec(self) -> str:
        """The name in plans and fingerprints."""
        return f"learning-curve-{self.inner.spec}-{self.points}"

    @property
    def tests_on_training(self) -> bool:
        """Whether the inner folds do."""
        return bool(getattr(self.inner, "tests_on_training", False))

    @property
    def replications(self) -> int:
        """Those of the inner folds."""
        return self.inner.replications

    @property
    def folds(self) -> int:
        """Inner folds times training sizes."""
        return self.inner.folds * self.points

    def split(self, dataset: Dataset, replication: int, seed: int) -> list[Fold]:
        """Return the folds of one replication, the sizes of the first inner fold first."""
        refuse_order(dataset, spec=self.spec)
        inner = self.inner.split(dataset, replication, seed)
        sizes = self._sizes(min(len(fold.train) for fold in inner), dataset)
        # A stream of its own: the folds are those that the inner way makes without the curve.
        rng = generator_for(dataset, replication, seed).spawn(1)[0]
        shuffled = [rng.permutation(fold.train) for fold in inner]
        return [
            Fold(np.sort(train[:size]), fold.test, size)
            for fold, train in zip(inner, shuffled, strict=True)
            for size in sizes
        ]

    def _sizes(self, most: int, dataset: Dataset) -> list[int]:
        sizes = [max(int(share * most), 1) for share in np.linspace(SMALLEST, 1.0, self.points)]
        if len(set(sizes)) < self.points:
            wrong = f"{most} training rows give no {self.points} different sizes between a tenth of them and all."
            raise refusal(wrong, dataset, self.spec, "ask for fewer sizes, or give more data.")
        return sizes


def _inner(text: str) -> Folds | None:
    found = (kind.parse(text) for name, kind in FOLDS.items() if name not in ("learning-curve", "forward"))
    return next((folds for folds in found if folds is not None), None)


FOLDS: Shelf[FoldsKind] = Shelf(
    "folds",
    {
        "bootstrap": Bootstrap,
        "forward": Forward,
        "holdout": Holdout,
        "learning-curve": LearningCurve,
        "repeated": RepeatedFolds,
    },
)
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
