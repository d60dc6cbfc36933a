"""Every way to divide rows by its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bestofk.core.shelf import Shelf
from bestofk.design.folds.base import Folds


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
