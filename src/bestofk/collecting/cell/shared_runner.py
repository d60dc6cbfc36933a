"""Folds of one cell with their work shared: a few by themselves, to measure and to compare, the others together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.collecting.cell.failures import reason_of
from bestofk.collecting.cell.fold_runner import FoldRunner, Place
from bestofk.collecting.cell.shared_ways import Found
from bestofk.collecting.cell.tally import Tally, confusions
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold
from bestofk.sharing.plain_fold import Codes
from bestofk.sharing.way import Way, plain_predictions

#: The first folds of a plan run by themselves: times and sizes come from them.
MEASURED = 10
#: Training sets of one replication that differ by more than this share are all measured, as those of learning curves.
UNEVEN = 1.1
#: Rows in all folds that are asked for together, and folds that at least are (a machine word), within so many rows.
ROWS, WORD, MOST_ROWS = 1_000_000, 64, 8_000_000
#: Stands for the answer of a fold that a tie leaves open.
OPEN = object()


class Distrusted(Exception):
    """Sharing went wrong, or answered otherwise than the plain way: the whole cell is to run the plain way."""


def replications_together(dataset: Dataset, folds: int) -> int:
    """How many replications are asked for at once: whole words of folds, in memory that their number does not change.

    Examples
    --------
    >>> from bestofk.design.datasets import dataset_of
    >>> replications_together(dataset_of("iris"), 2)
    3328
    """
    rows = dataset.rows * folds
    word = -(-WORD // folds)
    whole = ROWS // (rows * word) * word
    return max(whole, min(word, MOST_ROWS // rows), 1)


class SharedRunner:
    """Runs folds of one cell; ``ties`` counts predictions of shared folds that an exact tie left open."""

    def __init__(self, found: Found, way: Way, runner: FoldRunner, tally: Tally) -> None:
        self.found, self.way, self.runner, self.tally = found, way, runner, tally
        self.exact = getattr(way, "exact", True)  # in ties it decides as the plain way does
        self.ties, self.error = 0, ""

    def run(self, places: Sequence[Place]) -> None:
        """Run folds; raises ``Distrusted`` where sharing and the plain way do not agree."""
        measured = self._measured(places)
        alone = [place for place in places if place.at in measured]
        together = [place for place in places if place.at not in measured]
        with self.found.guard:
            answers = self._answers([place.fold for place in alone])
            self.runner.run(alone)
            self._compare(alone, answers)
            before = self.way.ties
            answers = self._answers([place.fold for place in together])
            ties = self.way.ties - before
        self.ties += ties if self.exact else 0
        given = [pair for pair in zip(together, answers, strict=True) if pair[1] is not None and pair[1] is not OPEN]
        left = [pair for pair in zip(together, answers, strict=True) if pair[1] is None or pair[1] is OPEN]
        self.runner.run([place for place, _ in left])
        self._compare(*zip(*left, strict=True) if left else ((), ()))
        if given and not self.found.checked:
            self._compare_first(*given[0])
        self.found.checked = self.found.checked or bool(places)
        self._count(given)

    def _measured(self, places: Sequence[Place]) -> set[tuple[int, int]]:
        """Places of the folds that have times of their own: which ones they are does not depend on the cell."""
        folds = self.tally.fit_seconds.shape[1]
        if not places or (self.tally.key.start + places[0].at[0]) * folds >= MEASURED:
            return set()
        sizes: dict[int, list[int]] = {}
        for place in places:
            sizes.setdefault(place.at[0], []).append(len(place.fold.train))
        found = set()
        for line, number in (place.at for place in places):
            first = (self.tally.key.start + line) * folds
            uneven = max(sizes[line]) > UNEVEN * min(sizes[line])
            if first + (0 if uneven else number) < MEASURED:
                found.add((line, number))
        return found

    def _answers(self, folds: Sequence[Fold]) -> list[Any]:
        """Codes of the test rows of each fold; None where the way refuses a fold, ``OPEN`` where ties decide it."""
        if self.exact:
            return self._asked(folds)
        return [each for at in range(0, len(folds), WORD) for each in self._untied(folds[at : at + WORD])]

    def _untied(self, folds: Sequence[Fold]) -> list[Any]:
        """What scikit-learn makes of equally near rows is not stated: such folds run the plain way."""
        before = self.way.ties
        answers = self._asked(folds)
        return answers if self.way.ties == before else [OPEN] * len(folds)

    def _asked(self, folds: Sequence[Fold]) -> list[Any]:
        """Ask for all at once; where that fails, for halves of them, so that one bad fold costs no other."""
        if not folds:
            return []
        try:
            return list(self.way.predict(folds))
        except Exception as error:
            self.error = reason_of(error).splitlines()[-1]
            half = len(folds) // 2
            return self._asked(folds[:half]) + self._asked(folds[half:]) if half else [None]

    def _compare(self, places: Sequence[Place], answers: Sequence[Any]) -> None:
        """A fold that fails by itself must have been refused, any other must have the same predictions."""
        for place, answer in zip(places, answers, strict=True):
            failed = bool(self.tally.failures[place.at[0]][place.at[1]])
            if answer is OPEN:
                continue
            if answer is None and not failed:
                raise Distrusted(f"{self.way.name} failed ({self.error})")
            if answer is not None and (failed or not np.array_equal(answer, self.tally.last[place.at])):
                raise Distrusted(f"{self.way.name} gave other predictions than the fold by itself")

    def _compare_first(self, place: Place, answer: Codes) -> None:
        """Compare one fold where none is measured: this process may have other loops than the one that measured."""
        plain = plain_predictions(self.runner.learner, self.runner.dataset, place.fold)
        if not np.array_equal(answer, plain):
            raise Distrusted(f"{self.way.name} gave other predictions than the fold by itself")

    def _count(self, given: Sequence[tuple[Place, Codes]]) -> None:
        """Confusion counts of all folds in one go."""
        if not given:
            return
        classes, lengths = len(self.tally.classes), [len(place.fold.test) for place, _ in given]
        if [np.shape(answer) for _, answer in given] != [(length,) for length in lengths]:
            raise Distrusted(f"{self.way.name} gave predictions of the wrong number")
        predicted = np.concatenate([answer for _, answer in given])
        if predicted.min() < 0 or predicted.max() >= classes:
            raise Distrusted(f"{self.way.name} gave classes that are not there")
        truth = self.runner.y[np.concatenate([place.fold.test for place, _ in given])]
        counts = confusions(truth, predicted, lengths, classes)
        self.tally.count([place.at for place, _ in given], counts, [answer for _, answer in given])
