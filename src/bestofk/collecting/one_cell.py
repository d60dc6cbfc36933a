"""One cell: train and test one learner on the folds of some replications of one data set."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bestofk.collecting.failures import reason_of
from bestofk.collecting.fold_runner import FoldRunner, Place
from bestofk.collecting.interrupts import let_through
from bestofk.collecting.measuring import measures_to_take
from bestofk.collecting.seeds import borrowed_global_random
from bestofk.collecting.shared_folds import SHARED
from bestofk.collecting.shared_reasons import Sharing, why_of_plan
from bestofk.collecting.shared_runner import Distrusted, SharedRunner, replications_together
from bestofk.collecting.shared_ways import WAYS, Found
from bestofk.collecting.tally import Tally
from bestofk.core.errors import InputError
from bestofk.design.cell import CellKey, CellResult, kept_in_cells
from bestofk.design.dataset import Dataset
from bestofk.design.folds.base import Fold, Folds
from bestofk.design.learner import Learner
from bestofk.measures.measure import Measure

#: Numbers in the rows of all folds that are prepared together: much for small data, one replication for large.
TOGETHER = 2**18


def key_of(
    dataset: Dataset,
    learner: Learner,
    folds: Folds,
    seed: int,
    start: int,
    stop: int,
    measures: Sequence[str] = (),
    keep_predictions: bool = False,
) -> CellKey:
    """Name a cell by the fingerprints of all that decides its results."""
    return CellKey(
        *(dataset.name, dataset.fingerprint, learner.name, learner.fingerprint, folds.spec, seed, start, stop),
        measures=kept_in_cells(measures, keep_predictions),
    )


def run_cell(
    dataset: Dataset,
    learner: Learner,
    folds: Folds,
    seed: int,
    start: int,
    stop: int,
    measures: Sequence[str] = (),
    keep_predictions: bool = False,
    *,
    sharing: Sharing = "never",
) -> CellResult:
    """Train and test a learner on every fold of replications ``start`` to ``stop`` (not included).

    A fold that raises is kept with the reason and the others go on. A measure that cannot be taken of a fold (its
    learner gives no probabilities, its test rows have one class) is NaN there with the reason in the cell's notes, and
    the fold is no failure. Seconds are those of ``fit`` and of ``predict`` alone; the size of a model is the count of
    numbers that fitting left in it. Warnings of learners are counted in the notes, not shown.

    With ``sharing`` the folds share work where a way is known and the predictions are the same: the first ones of a
    plan run by themselves, are compared and have times and sizes, the others have none (NaN).
    """
    key = key_of(dataset, learner, folds, seed, start, stop, measures, keep_predictions)
    taken = measures_to_take(measures, dataset)
    plain = why_of_plan(sharing, dataset, learner, folds, taken, keep_predictions)
    found = Found(None, plain) if plain else WAYS.of(learner, dataset)
    cell = _Cell(key, dataset, learner, folds, taken, keep_predictions)
    with warnings.catch_warnings(), borrowed_global_random():
        warnings.simplefilter("ignore")
        if found.way is None:
            return cell.plain()
        try:
            return cell.shared(found)
        except Distrusted as error:
            found.distrust(f"{error} before")
            return cell.plain(f"sharing was given up: {error}")


@dataclass(frozen=True)
class _Cell:
    """One cell that is to run, the plain way or with shared work."""

    key: CellKey
    dataset: Dataset
    learner: Learner
    folds: Folds
    measures: Sequence[Measure]
    keep: bool

    def plain(self, remark: str = "") -> CellResult:
        """Every fold by itself."""
        tally, runner = self._begun()
        for some in self._stretches(TOGETHER // (self.dataset.rows * len(self.dataset.features) * self.folds.folds)):
            runner.run(_divided(tally, self.dataset, self.folds, some))
        if remark:
            runner.remarks.warnings[remark] += 1
        return tally.result(runner.remarks.notes())

    def shared(self, found: Found) -> CellResult:
        """As many folds together as memory allows."""
        tally, runner = self._begun()
        way = found.way
        assert way is not None
        shared = SharedRunner(found, way, runner, tally)
        for some in self._stretches(replications_together(self.dataset, self.folds.folds)):
            shared.run(_divided(tally, self.dataset, self.folds, some))
        WAYS.weigh(found)
        return tally.result(replace(runner.remarks.notes(), shared=way.name, ties=shared.ties))

    def _begun(self) -> tuple[Tally, FoldRunner]:
        names = [each.name for each in self.measures]
        tally = Tally(self.key, self.dataset.classes, self.folds.folds, names, self.keep, self.dataset.y)
        return tally, FoldRunner(self.dataset, self.learner, tally, self.measures)

    def _stretches(self, step: int) -> Iterator[range]:
        for first in range(self.key.start, self.key.stop, max(1, step)):
            yield range(first, min(first + max(1, step), self.key.stop))


def _divided(tally: Tally, dataset: Dataset, folds: Folds, replications: range) -> list[Place]:
    """Folds of some replications at their places; those of one that cannot be divided fail."""
    places: list[Place] = []
    with suppress(Exception):  # each replication will meet its own fault
        SHARED.make_ready(folds, dataset, replications, tally.key.seed)
    for replication in replications:
        line = replication - tally.key.start
        divided = divided_or_reason(dataset, folds, replication, tally.key.seed)
        for number in range(folds.folds):
            if isinstance(divided, str):
                tally.fail((line, number), divided)
                continue
            fold, fingerprint = divided[number]
            tally.divide((line, number), fold, fingerprint)
            places.append(Place((line, number), fold))
    return places


def divided_or_reason(dataset: Dataset, folds: Folds, replication: int, seed: int) -> list[tuple[Fold, int]] | str:
    """Return the folds of a replication with their fingerprints, or why the data set cannot be divided like this."""
    try:
        divided = SHARED.split(folds, dataset, replication, seed)
        if len(divided) != folds.folds:
            raise InputError(
                f"{folds.spec} gave {len(divided)} folds instead of {folds.folds}.",
                f"data set {dataset.name}, replication {replication}",
                "use folds that divide every replication into the same number.",
            )
        return divided
    except BaseException as error:
        let_through(error)
        return reason_of(error)
