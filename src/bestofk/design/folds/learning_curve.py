"""Growing training sizes within each fold: ``learning-curve-5x2-8`` gives each of the 5 × 2 folds eight sizes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold, Folds, generator_for
from bestofk.design.folds.checks import refuse_order, within
from bestofk.design.folds.shelf import FOLDS

SMALLEST = 0.1


@dataclass(frozen=True)
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
            raise InputError(
                f"{most} training rows give no {self.points} different sizes between a tenth of them and all.",
                f"data set {dataset.name}, folds {self.spec}",
                "ask for fewer sizes, or give more data.",
            )
        return sizes


def _inner(text: str) -> Folds | None:
    parsers = (kind for name, kind in FOLDS.items() if name != "learning-curve")
    found = (parser.parse(text) for parser in parsers)
    return next((folds for folds in found if folds is not None and not folds.spec.startswith("forward")), None)
