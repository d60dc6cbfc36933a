"""K-fold, once or R times: ``5x2``, ``10-fold``, ``10x10-stratified``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold, Rows, generator_for
from bestofk.design.folds.checks import enough, refuse_order, within
from bestofk.design.folds.parts import random_parts, stratified_parts
from bestofk.design.folds.streams import streams_for

FORMS = (r"(?P<r>\d+)x(?P<k>\d+)", r"(?P<k>\d+)-?fold", r"kfold-(?P<k>\d+)")


@dataclass(frozen=True)
class RepeatedFolds:
    """R times, the rows are divided into K parts at random, and each part is tested once.

    With K = 2 these are the random halves of the 5 × 2 design: each half is trained on and tested on once. The halves
    of an odd number of rows differ by one. Whole groups stay together where the data set has groups.
    """

    examples: ClassVar[tuple[str, ...]] = ("5x2", "5x2-stratified", "10-fold", "10-fold-stratified", "10x10", "kfold-5")

    replications: int
    folds: int
    stratified: bool = False

    def __post_init__(self) -> None:
        within(self.replications, 1, what="replications", spec=self.spec)
        within(self.folds, 2, what="folds", spec=self.spec)

    @classmethod
    def parse(cls, text: str) -> RepeatedFolds | None:
        """Read ``RxK``, ``K-fold`` or ``kfold-K``, with ``-stratified`` behind it or not."""
        plain = text.removesuffix("-stratified")
        for form in FORMS:
            if found := re.fullmatch(form, plain):
                given = {"r": "1", **found.groupdict()}
                return cls(int(given["r"]), int(given["k"]), plain != text)
        return None

    @property
    def spec(self) -> str:
        """The name in plans and fingerprints."""
        plain = f"{self.folds}-fold" if self.replications == 1 else f"{self.replications}x{self.folds}"
        return plain + "-stratified" * self.stratified

    def split(self, dataset: Dataset, replication: int, seed: int) -> list[Fold]:
        """Return the folds of one replication."""
        refuse_order(dataset, spec=self.spec)
        enough(dataset, self.folds, spec=self.spec)
        rng = generator_for(dataset, replication, seed)
        if self.stratified:
            parts = stratified_parts(dataset, self.folds, rng, spec=self.spec)
        else:
            parts = random_parts(dataset, self.folds, rng)
        return [Fold(_others(part, dataset.rows), part) for part in parts]

    def split_many(self, dataset: Dataset, replications: range, seed: int) -> list[list[Fold]]:
        """Return what ``split`` does of each replication; of small data in a fraction of the time."""
        if self.stratified or dataset.groups is not None or len(replications) < 2:
            return [self.split(dataset, replication, seed) for replication in replications]
        refuse_order(dataset, spec=self.spec)
        enough(dataset, self.folds, spec=self.spec)
        streams = streams_for(dataset, replications, seed)
        part_of = np.array([stream.permutation(dataset.rows) for stream in streams]) % self.folds
        sides = [_both_sides(part_of == part) for part in range(self.folds)]
        return [[Fold(others[line], part[line]) for others, part in sides] for line in range(len(replications))]


def _both_sides(tested: np.typing.NDArray[np.bool_]) -> tuple[Rows, Rows]:
    """Rows that are not tested and rows that are, one line per replication; all replications have as many."""
    lines = len(tested)
    return np.nonzero(~tested)[1].reshape(lines, -1), np.nonzero(tested)[1].reshape(lines, -1)


def _others(part: Rows, rows: int) -> Rows:
    """All rows but these, in file order."""
    other = np.ones(rows, dtype=bool)
    other[part] = False
    return np.flatnonzero(other)
