"""Ways to divide rows: K-fold, random splits, bootstrap samples, and forward in time.

``5x2``, ``10-fold`` and ``10x10-stratified`` divide into K parts, once or R times; ``holdout-0.3x20`` makes 20 random
splits with 30 % of the rows to test on; ``bootstrap-100`` tests on the full set, ``bootstrap-100-oob`` on the rows that
were not drawn; ``forward-5`` trains on the past and tests on what comes next, five times.
"""

from __future__ import annotations

import math
import re
from heapq import heapreplace
from typing import ClassVar

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds import checks
from bestofk.design.folds.base import Fold, Rows, generator_for, streams_for

FORMS = (r"(?P<r>\d+)x(?P<k>\d+)", r"(?P<k>\d+)-?fold", r"kfold-(?P<k>\d+)")


@frozen
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
        checks.within(self.replications, 1, what="replications", spec=self.spec)
        checks.within(self.folds, 2, what="folds", spec=self.spec)

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
        rng = _generator(dataset, replication, seed, parts=self.folds, spec=self.spec)
        if self.stratified:
            checks.refuse_unstratifiable(dataset, self.folds, spec=self.spec)
            part_of = _parts_of_classes(dataset, self.folds, rng)
        elif dataset.groups is not None:
            part_of = _parts_of_groups(dataset.groups, self.folds, rng)
        else:
            part_of = rng.permutation(dataset.rows) % self.folds
        return [_tested_on(part_of == part) for part in range(self.folds)]

    def split_many(self, dataset: Dataset, replications: range, seed: int) -> list[list[Fold]]:
        """Return what ``split`` does of each replication; of small data in a fraction of the time."""
        if self.stratified or dataset.groups is not None or len(replications) < 2:
            return [self.split(dataset, replication, seed) for replication in replications]
        checks.refuse_order(dataset, spec=self.spec)
        checks.enough(dataset, self.folds, spec=self.spec)
        streams = streams_for(dataset, replications, seed)
        part_of = np.array([stream.permutation(dataset.rows) for stream in streams]) % self.folds
        sides = [_both_sides(part_of == part) for part in range(self.folds)]
        return [[Fold(others[line], part[line]) for others, part in sides] for line in range(len(replications))]


@frozen
class Holdout:
    """Each replication tests on a share of the rows (rounded up) chosen anew, and trains on the others.

    With groups it is a share of the groups; stratified, a share of each class.
    """

    examples: ClassVar[tuple[str, ...]] = ("holdout-0.3x20", "holdout-0.3x20-stratified")
    folds: ClassVar[int] = 1

    share: float
    replications: int
    stratified: bool = False

    def __post_init__(self) -> None:
        checks.within(self.replications, 1, what="replications", spec=self.spec)
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
    def spec(self) -> str:
        """The name in plans and fingerprints."""
        share = repr(self.share).removesuffix(".0")  # of one that is refused: as it was typed
        return f"holdout-{share}x{self.replications}" + "-stratified" * self.stratified

    def split(self, dataset: Dataset, replication: int, seed: int) -> list[Fold]:
        """Return the one fold of a replication."""
        rng = _generator(dataset, replication, seed, parts=2, spec=self.spec)
        if self.stratified:
            return [_tested_on(np.isin(np.arange(dataset.rows), self._of_classes(dataset, rng)))]
        units = _units(dataset)
        count = int(units.max()) + 1
        return [_tested_on(np.isin(units, rng.permutation(count)[: self._rounded_up(count)]))]

    def _of_classes(self, dataset: Dataset, rng: np.random.Generator) -> Rows:
        checks.refuse_unstratifiable(dataset, 2, spec=self.spec)
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


@frozen
class Bootstrap:
    """Train on as many rows as there are, drawn with replacement; each replication is one fold.

    Tested on the full set the error is too low, for two thirds of the rows were trained on; out of bag it is not. With
    groups, whole groups are drawn, out of bag only.
    """

    examples: ClassVar[tuple[str, ...]] = ("bootstrap-100", "bootstrap-100-oob")
    folds: ClassVar[int] = 1

    replications: int
    out_of_bag: bool = False

    def __post_init__(self) -> None:
        checks.within(self.replications, 1, what="replications", spec=self.spec)

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
    def spec(self) -> str:
        """The name in plans and fingerprints."""
        return f"bootstrap-{self.replications}" + "-oob" * self.out_of_bag

    def split(self, dataset: Dataset, replication: int, seed: int) -> list[Fold]:
        """Return the one fold of a replication; drawn again in the rare case that every row was drawn."""
        rng = _generator(dataset, replication, seed, parts=2, spec=self.spec)
        if not self.out_of_bag:
            checks.refuse_groups(
                dataset, spec=self.spec, fix=f'use folds = "{self.spec}-oob", which tests on other groups.'
            )
        units, rows = _units(dataset), np.arange(dataset.rows)
        count = int(units.max()) + 1
        while True:
            times = np.bincount(rng.integers(count, size=count), minlength=count)[units]
            test = np.flatnonzero(times == 0) if self.out_of_bag else rows
            if len(test):
                return [Fold(np.repeat(rows, times), test)]


@frozen
class Forward:
    """K test blocks of equal size at the end of the rows, each trained on all rows before it; nothing is random.

    The blocks are those of scikit-learn's ``TimeSeriesSplit``; the order of the rows is taken for time.
    """

    examples: ClassVar[tuple[str, ...]] = ("forward-5",)
    replications: ClassVar[int] = 1
    in_order: ClassVar[bool] = True

    folds: int

    def __post_init__(self) -> None:
        checks.within(self.folds, 1, what="folds", spec=self.spec)

    @classmethod
    def parse(cls, text: str) -> Forward | None:
        """Read ``forward-K``."""
        found = re.fullmatch(r"forward-(\d+)", text)
        return cls(int(found[1])) if found else None

    @property
    def spec(self) -> str:
        """The name in plans and fingerprints."""
        return f"forward-{self.folds}"

    def split(self, dataset: Dataset, replication: int, seed: int) -> list[Fold]:
        """Return the folds, the earliest first."""
        if dataset.rows <= self.folds:
            wrong = f"{self.spec} needs at least {self.folds + 1} rows; {dataset.name} has {dataset.rows}."
            raise checks.refusal(wrong, dataset, self.spec, "ask for fewer folds, or give more data.")
        size = dataset.rows // (self.folds + 1)
        starts = dataset.rows - size * np.arange(self.folds, 0, -1)
        folds = [Fold(np.arange(start), np.arange(start, start + size)) for start in starts]
        checks.refuse_leaks(dataset, folds, spec=self.spec)
        return folds


def _generator(dataset: Dataset, replication: int, seed: int, *, parts: int, spec: str) -> np.random.Generator:
    """What divides the rows of a replication; rows in the order of time, or too few, are refused."""
    checks.refuse_order(dataset, spec=spec)
    checks.enough(dataset, parts, spec=spec)
    return generator_for(dataset, replication, seed)


def _tested_on(tested: np.typing.NDArray[np.bool_]) -> Fold:
    """Test on some rows and train on all others, both in file order."""
    return Fold(np.flatnonzero(~tested), np.flatnonzero(tested))


def _both_sides(tested: np.typing.NDArray[np.bool_]) -> tuple[Rows, Rows]:
    """Rows that are not tested and rows that are, one line per replication; all replications have as many."""
    lines = len(tested)
    return np.nonzero(~tested)[1].reshape(lines, -1), np.nonzero(tested)[1].reshape(lines, -1)


def _units(dataset: Dataset) -> Rows:
    """What is drawn as a whole: the group of every row, or the row itself."""
    if dataset.groups is None:
        return np.arange(dataset.rows)
    return np.unique(dataset.groups, return_inverse=True)[1]


def _parts_of_classes(dataset: Dataset, parts: int, rng: np.random.Generator) -> Rows:
    """Part of every row, classes spread evenly: sizes differ by one at most, of each class and in all."""
    shuffled = rng.permutation(dataset.rows)
    part_of = np.empty(dataset.rows, dtype=np.intp)
    # Dealt like cards, one class after the other: no part is ahead of another by more than one card.
    part_of[shuffled[np.argsort(dataset.y[shuffled], kind="stable")]] = np.arange(dataset.rows) % parts
    return part_of


def _parts_of_groups(groups: np.typing.NDArray[np.int64], parts: int, rng: np.random.Generator) -> Rows:
    """Part of every row; sizes differ by what whole groups need."""
    names, members = np.unique(groups, return_inverse=True)
    sizes = np.bincount(members)
    shuffled = rng.permutation(len(names))
    part_of = np.empty(len(names), dtype=np.intp)
    smallest = [(0, part) for part in range(parts)]
    # Largest group first, each into the smallest part so far: as even as whole groups allow.
    for group in shuffled[np.argsort(-sizes[shuffled], kind="stable")]:
        rows, part = smallest[0]
        part_of[group] = part
        heapreplace(smallest, (rows + int(sizes[group]), part))
    return part_of[members]
