"""Random splits into a training and a test set: ``holdout-0.3x20`` makes 20 with 30 % of the rows to test on."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold, Rows, generator_for
from bestofk.design.folds.checks import enough, refuse_order, within
from bestofk.design.folds.parts import refuse_unstratifiable


@dataclass(frozen=True)
class Holdout:
    """Each replication tests on a share of the rows (rounded up) chosen anew, and trains on the others.

    With groups it is a share of the groups; stratified, a share of each class.
    """

    examples: ClassVar[tuple[str, ...]] = ("holdout-0.3x20", "holdout-0.3x20-stratified")

    share: float
    replications: int
    stratified: bool = False

    def __post_init__(self) -> None:
        within(self.replications, 1, what="replications", spec=self.spec)
        if not 0.0 < self.share < 1.0:
            raise InputError(
                f"the share to test on is {self.share:g}.", f"plan, folds {self.spec}", "choose one between 0 and 1."
            )

    @classmethod
    def parse(cls, text: str) -> Holdout | None:
        """Read ``holdout-SHARE`` and ``holdout-SHARExR``, with ``-stratified`` behind it or not."""
        found = re.fullmatch(r"holdout-(\d*\.?\d+)(?:x(\d+))?(-stratified)?", text)
        return cls(float(found[1]), int(found[2] or 1), bool(found[3])) if found else None

    @property
    def folds(self) -> int:
        """One per replication."""
        return 1

    @property
    def spec(self) -> str:
        """The name in plans and fingerprints."""
        share = repr(self.share).removesuffix(".0")  # of one that is refused: as it was typed
        return f"holdout-{share}x{self.replications}" + "-stratified" * self.stratified

    def split(self, dataset: Dataset, replication: int, seed: int) -> list[Fold]:
        """Return the one fold of a replication."""
        refuse_order(dataset, spec=self.spec)
        enough(dataset, 2, spec=self.spec)
        rng = generator_for(dataset, replication, seed)
        test = self._of_classes(dataset, rng) if self.stratified else self._of_units(dataset, rng)
        tested = np.zeros(dataset.rows, dtype=bool)
        tested[test] = True
        return [Fold(np.flatnonzero(~tested), np.flatnonzero(tested))]

    def _of_units(self, dataset: Dataset, rng: np.random.Generator) -> Rows:
        units = np.arange(dataset.rows)
        if dataset.groups is not None:
            units = np.unique(dataset.groups, return_inverse=True)[1]
        count = int(units.max()) + 1
        chosen = rng.permutation(count)[: self._rounded_up(count)]
        return np.flatnonzero(np.isin(units, chosen))

    def _of_classes(self, dataset: Dataset, rng: np.random.Generator) -> Rows:
        refuse_unstratifiable(dataset, 2, spec=self.spec)
        members = [rng.permutation(np.flatnonzero(dataset.y == code)) for code in np.unique(dataset.y)]
        exact = np.array([self.share * len(rows) for rows in members])
        counts = np.floor(exact).astype(np.intp)
        # Largest remainder: the rows still missing go to the classes that rounding robbed most.
        short = self._rounded_up(dataset.rows) - int(counts.sum())
        counts[np.argsort(counts - exact, kind="stable")[:short]] += 1
        return np.concatenate([rows[:count] for rows, count in zip(members, counts, strict=True)])

    def _rounded_up(self, count: int) -> int:
        # A hair less, so that 0.3 of 10 is 3 although 0.3 is a little more than three tenths.
        return min(max(math.ceil(self.share * count - 1e-9), 1), count - 1)
