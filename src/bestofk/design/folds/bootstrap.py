"""Bootstrap: ``bootstrap-100`` tests on the full set, ``bootstrap-100-oob`` on the rows that were not drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold, Rows, generator_for
from bestofk.design.folds.checks import enough, refuse_groups, refuse_order, within


@dataclass(frozen=True)
class Bootstrap:
    """Train on as many rows as there are, drawn with replacement; each replication is one fold.

    Tested on the full set the error is too low, for two thirds of the rows were trained on; out of bag it is not. With
    groups, whole groups are drawn, out of bag only.
    """

    examples: ClassVar[tuple[str, ...]] = ("bootstrap-100", "bootstrap-100-oob")

    replications: int
    out_of_bag: bool = False

    def __post_init__(self) -> None:
        within(self.replications, 1, what="replications", spec=self.spec)

    @classmethod
    def parse(cls, text: str) -> Bootstrap | None:
        """Read ``bootstrap-N`` and ``bootstrap-N-oob``."""
        found = re.fullmatch(r"bootstrap-(\d+)(-oob)?", text)
        return cls(int(found[1]), bool(found[2])) if found else None

    @property
    def tests_on_training(self) -> bool:
        """Whether rows are tested that were trained on, as the paper has it."""
        return not self.out_of_bag

    @property
    def folds(self) -> int:
        """One per replication."""
        return 1

    @property
    def spec(self) -> str:
        """The name in plans and fingerprints."""
        return f"bootstrap-{self.replications}" + "-oob" * self.out_of_bag

    def split(self, dataset: Dataset, replication: int, seed: int) -> list[Fold]:
        """Return the one fold of a replication; drawn again in the rare case that every row was drawn."""
        refuse_order(dataset, spec=self.spec)
        enough(dataset, 2, spec=self.spec)
        if not self.out_of_bag:
            refuse_groups(dataset, spec=self.spec, fix=f'use folds = "{self.spec}-oob", which tests on other groups.')
        rng = generator_for(dataset, replication, seed)
        while True:
            train, rest = _drawn(dataset, rng)
            if not self.out_of_bag:
                return [Fold(train, np.arange(dataset.rows))]
            if len(rest):
                return [Fold(train, rest)]


def _drawn(dataset: Dataset, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Rows drawn, as often as they were drawn, and rows not drawn, both in file order."""
    units = np.arange(dataset.rows)
    if dataset.groups is not None:
        units = np.unique(dataset.groups, return_inverse=True)[1]
    count = int(units.max()) + 1
    times = np.bincount(rng.integers(count, size=count), minlength=count)[units]
    return np.repeat(np.arange(dataset.rows), times), np.flatnonzero(times == 0)
