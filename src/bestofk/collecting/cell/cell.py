"""One cell: train and test one learner on the folds of some replications of one data set."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from threading import Lock

from bestofk.collecting.cell import shared_ways
from bestofk.collecting.cell.failures import reason_of
from bestofk.collecting.cell.fold_runner import FoldRunner, Place, borrowed_global_random
from bestofk.collecting.cell.interrupts import let_through
from bestofk.collecting.cell.scores import measures_to_take
from bestofk.collecting.cell.tally import Tally
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold, Folds
from bestofk.design.learners.learner import Learner
from bestofk.design.plan.cell import CellKey, CellResult, kept_in_cells
from bestofk.measures.catalogue import Measure

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
    sharing: shared_ways.Sharing = "never",
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
    plain = shared_ways.why_of_plan(sharing, dataset, learner, folds, taken, keep_predictions)
    found = shared_ways.Found(None, plain) if plain else shared_ways.WAYS.of(learner, dataset)
    cell = _Cell(key, dataset, learner, folds, taken, keep_predictions)
    with warnings.catch_warnings(), borrowed_global_random():
        warnings.simplefilter("ignore")
        if found.way is None:
            return cell.plain()
        try:
            return cell.shared(found)
        except shared_ways.Distrusted as error:
            found.distrust(f"{error} before")
            return cell.plain(f"sharing was given up: {error}")


@frozen
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

    def shared(self, found: shared_ways.Found) -> CellResult:
        """As many folds together as memory allows."""
        tally, runner = self._begun()
        way = found.way
        assert way is not None
        shared = shared_ways.SharedRunner(found, way, runner, tally)
        for some in self._stretches(shared_ways.replications_together(self.dataset, self.folds.folds)):
            shared.run(_divided(tally, self.dataset, self.folds, some))
        shared_ways.WAYS.weigh(found)
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


#: Rows of all folds that are kept; beyond it the folds that were not asked for longest go (8 bytes a row).
ROWS_KEPT = 4_000_000

_Place = tuple[str, int, int, int]
_Made = list[tuple[Fold, int]]


class SharedFolds:
    """Folds by data set, way of dividing, seed and replication, up to a number of rows.

    A way of dividing is the very object, not its name: two splitters of one name may divide differently. The object is
    kept with its folds, so that no other one can have its number meanwhile.
    """

    def __init__(self, most: int = ROWS_KEPT) -> None:
        self.most, self.rows = most, 0
        self._kept: OrderedDict[_Place, tuple[Folds, _Made]] = OrderedDict()
        self._guard = Lock()  # a worker of a cluster may have several threads

    def split(self, folds: Folds, dataset: Dataset, replication: int, seed: int) -> _Made:
        """Return the folds of one replication, each with its fingerprint."""
        place = (dataset.fingerprint, id(folds), seed, replication)
        with self._guard:
            if place in self._kept:
                self._kept.move_to_end(place)
                return self._kept[place][1]
        made = [(fold, fold.fingerprint) for fold in folds.split(dataset, replication, seed)]
        self._keep([place], folds, [made])
        return made

    def make_ready(self, folds: Folds, dataset: Dataset, replications: range, seed: int) -> None:
        """Make the folds of several replications that are not here together, where their way of dividing can."""
        many = getattr(folds, "split_many", None)
        places = [(dataset.fingerprint, id(folds), seed, replication) for replication in replications]
        if many is None or any(place in self._kept for place in places):
            return
        together = [[(fold, fold.fingerprint) for fold in made] for made in many(dataset, replications, seed)]
        self._keep(places, folds, together)

    def clear(self) -> None:
        """Forget all folds."""
        with self._guard:
            self._kept.clear()
            self.rows = 0

    def _keep(self, places: Sequence[_Place], folds: Folds, together: Sequence[_Made]) -> None:
        with self._guard:
            for place, made in zip(places, together, strict=True):
                if place not in self._kept:
                    self._kept[place] = (folds, made)
                    self.rows += _rows_of(made)
            while self.rows > self.most:
                self.rows -= _rows_of(self._kept.popitem(last=False)[1][1])


def _rows_of(made: _Made) -> int:
    return sum(len(fold.train) + len(fold.test) for fold, _ in made)


SHARED = SharedFolds()
