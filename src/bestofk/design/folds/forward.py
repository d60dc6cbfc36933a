"""Folds for rows in the order of time: ``forward-5`` trains on the past and tests on what comes next, five times."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold
from bestofk.design.folds.checks import refuse_leaks, within


@dataclass(frozen=True)
class Forward:
    """K test blocks of equal size at the end of the rows, each trained on all rows before it; nothing is random.

    The blocks are those of scikit-learn's ``TimeSeriesSplit``.
    """

    examples: ClassVar[tuple[str, ...]] = ("forward-5",)

    folds: int

    def __post_init__(self) -> None:
        within(self.folds, 1, what="folds", spec=self.spec)

    @classmethod
    def parse(cls, text: str) -> Forward | None:
        """Read ``forward-K``."""
        found = re.fullmatch(r"forward-(\d+)", text)
        return cls(int(found[1])) if found else None

    @property
    def replications(self) -> int:
        """One: time runs once."""
        return 1

    @property
    def in_order(self) -> bool:
        """The order of the rows is taken for time."""
        return True

    @property
    def spec(self) -> str:
        """The name in plans and fingerprints."""
        return f"forward-{self.folds}"

    def split(self, dataset: Dataset, replication: int, seed: int) -> list[Fold]:
        """Return the folds, the earliest first."""
        if dataset.rows <= self.folds:
            raise InputError(
                f"{self.spec} needs at least {self.folds + 1} rows; {dataset.name} has {dataset.rows}.",
                f"data set {dataset.name}, folds {self.spec}",
                "ask for fewer folds, or give more data.",
            )
        size = dataset.rows // (self.folds + 1)
        starts = dataset.rows - size * np.arange(self.folds, 0, -1)
        folds = [Fold(np.arange(start), np.arange(start, start + size)) for start in starts]
        refuse_leaks(dataset, folds, spec=self.spec)
        return folds
