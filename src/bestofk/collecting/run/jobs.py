"""The jobs of a run: what cells have in common, and the replications that a store lacks, cut into a few seconds."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from bestofk.collecting.cell.cell import divided_or_reason, key_of, run_cell
from bestofk.collecting.cell.scores import measures_to_take
from bestofk.collecting.cell.shared_ways import Sharing
from bestofk.collecting.cell.tally import Tally
from bestofk.core.frozen import frozen
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Folds
from bestofk.design.learners.learner import Learner
from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.stores.cells import stretches
from bestofk.stores.notes import notes_of
from bestofk.stores.plans import series_keys
from bestofk.stores.store import Finished, Store, by_series


@frozen
class Job:
    """One cell to run: places of the data set and the learner in the setting, and the replications."""

    dataset: int
    learner: int
    start: int
    stop: int


@frozen
class Done:
    """A finished job: its cell, and how long the worker took over it, and over compiling loops meanwhile."""

    job: Job
    result: CellResult
    seconds: float
    compiling: float = 0.0


@frozen(eq=False)
class Setting:
    """All that the cells of a plan have in common; ``timeout`` (seconds) and ``memory`` (bytes) limit each cell."""

    learners: tuple[Learner, ...]
    datasets: tuple[Dataset, ...]
    folds: Folds
    seed: int
    measures: tuple[str, ...] = ()
    keep_predictions: bool = False
    timeout: float | None = None
    memory: int | None = None
    sharing: Sharing = "never"

    def key(self, job: Job) -> CellKey:
        """The key of a job's cell."""
        return key_of(*self._cell(job))

    def run(self, job: Job) -> CellResult:
        """Run a job here and now, without limits."""
        return run_cell(*self._cell(job), sharing=self.sharing)

    def _cell(self, job: Job) -> tuple[Dataset, Learner, Folds, int, int, int, tuple[str, ...], bool]:
        """What ``key_of`` and ``run_cell`` are given."""
        parts = (self.datasets[job.dataset], self.learners[job.learner], self.folds, self.seed)
        return (*parts, job.start, job.stop, self.measures, self.keep_predictions)

    def failed(self, job: Job, reason: str) -> CellResult:
        """The cell of a job that could not be run, with the reason in every fold."""
        dataset = self.datasets[job.dataset]
        kept = [each.name for each in measures_to_take(self.measures, dataset)]
        tally = Tally(self.key(job), dataset.classes, self.folds.folds, kept, self.keep_predictions)
        for line, replication in enumerate(range(job.start, job.stop)):
            divided = divided_or_reason(dataset, self.folds, replication, self.seed)
            for number in range(self.folds.folds):
                tally.fail((line, number), reason)
                if not isinstance(divided, str):
                    tally.divide((line, number), *divided[number])
        return tally.result()


#: Seconds that a job should take, and the largest growth from one job of a series to the next.
TARGET, GROWTH = 2.0, 16
#: Replications of a job whose folds share work: whole multiples of it, where so many fit.
WORD = 64


@dataclass
class Series:
    """One learner on one data set: the stretches of replications still to run, and how long one of them takes.

    ``again`` are whole cells to run once more: with their own borders they replace what is in the store.
    """

    dataset: int
    learner: int
    key: CellKey
    missing: deque[range]
    again: deque[range] = field(default_factory=deque)
    pace: float | None = None  # seconds per replication
    last: int = 0  # replications of the last job that was measured
    shared: bool = False  # its folds share work
    waiting: bool = field(default=False)  # its probe is under way
    under_way: int = 0  # jobs

    @property
    def replications(self) -> int:
        """How many are still to run."""
        return sum(len(each) for each in (*self.missing, *self.again))

    def leave_out(self, there: list[Finished]) -> None:
        """Forget what is in the store already."""
        done = {replication for each in there for replication in range(each.key.start, each.key.stop)}
        left = [replication for stretch in self.missing for replication in stretch if replication not in done]
        self.missing = deque(stretches(left))
        failed = {(each.key.start, each.key.stop) for each in there if each.failed}
        self.again = deque(cell for cell in self.again if (cell.start, cell.stop) in failed)

    def cut(self, most: int) -> Job:
        """Take the next replications off: at most so many, or a whole cell that runs again."""
        if self.again:
            cell = self.again.popleft()
            return Job(self.dataset, self.learner, cell.start, cell.stop)
        stretch = self.missing.popleft()
        taken = stretch[:most]
        if len(stretch) > len(taken):
            self.missing.appendleft(stretch[most:])
        return Job(self.dataset, self.learner, taken.start, taken.stop)


def missing_work(setting: Setting, store: Store, *, retry_failed: bool = False) -> list[Series]:
    """Compare a plan with a store; with ``retry_failed`` cells with failed folds run again.

    They stay in the store until the new ones replace them: a run that is stopped in between loses nothing.
    """
    finished = by_series(store.finished(series_of(setting)))
    return [
        _series(place, key, finished.get(key.series, []), setting.folds.replications, retry_failed)
        for place, key in _keys(setting).items()
    ]


def _series(place: tuple[int, int], key: CellKey, there: list[Finished], whole: int, retry_failed: bool) -> Series:
    """What is to run of one series, of which some cells are there."""
    cells = [range(each.key.start, each.key.stop) for each in there]
    covered = {replication for cell in cells for replication in cell}
    missing = stretches([replication for replication in range(whole) if replication not in covered])
    failed = [cell for cell, each in zip(cells, there, strict=True) if each.failed and cell.stop <= whole]
    return Series(*place, key, deque(missing), deque(failed if retry_failed else ()))


def unbegun_datasets(setting: Setting, store: Store) -> list[Dataset]:
    """Data sets of a setting of which a store has no cell yet."""
    begun = {each.key.series for each in store.finished(series_of(setting))}
    there = {place for (place, _), key in _keys(setting).items() if key.series in begun}
    return [dataset for place, dataset in enumerate(setting.datasets) if place not in there]


def series_of(setting: Setting) -> list[str]:
    """Ids of the series that a setting consists of."""
    return [key.series for key in _keys(setting).values()]


def _keys(setting: Setting) -> dict[tuple[int, int], CellKey]:
    learners, datasets = (
        [(each.name, each.fingerprint) for each in kind] for kind in (setting.learners, setting.datasets)
    )
    folds = setting.folds
    kept = (setting.seed, setting.measures, setting.keep_predictions, folds.replications)
    places = [(d, k) for d in range(len(datasets)) for k in range(len(learners))]
    return dict(zip(places, series_keys(learners, datasets, folds.spec, *kept), strict=True))


class Jobs(Iterator[Job]):
    """The jobs of a run: first a probe of one replication of every series, then chunks by the pace that was measured.

    Series take turns, so that an interrupted run has something of all learners. A series is claimed in the store while
    a job of it is under way: runs of one plan into one store share the work. Where another run is at work on all
    that is left, there is no job for the moment, and there may be one later.
    """

    def __init__(self, series: list[Series], store: Store, *, target: float = TARGET) -> None:
        self.turn = deque(each for each in series if each.replications)
        self.by_place = {(each.dataset, each.learner): each for each in series}
        self.store, self.target = store, target
        self.ahead: deque[Job] = deque()
        self.elsewhere = 0  # replications that another run has finished meanwhile

    def __next__(self) -> Job:
        if self.ahead:
            return self.ahead.popleft()
        for _ in range(len(self.turn)):
            series = self._next()
            if not self._claimed(series):
                self.turn.append(series)
            elif series.replications:
                series.under_way += 1
                job = series.cut(self._length(series))
                if series.replications:
                    self.turn.append(series)
                return job
        raise StopIteration

    def ready(self) -> bool:
        """Whether there is a job now."""
        self.ahead.extend(islice(self, 1))
        return bool(self.ahead)

    def finished(self, job: Job) -> None:
        """Let others have the series of a job that was written, unless more of it is under way."""
        series = self.by_place[job.dataset, job.learner]
        series.under_way -= 1
        if not series.under_way:
            self.store.release(series.key.series)

    def abandon(self) -> None:
        """Let others have what was under way when the run ended before its time."""
        for series in self.by_place.values():
            if series.under_way:
                self.store.release(series.key.series)

    def _claimed(self, series: Series) -> bool:
        """Claim a series, and leave out what another run has finished of it; False where another is at work on it."""
        if series.under_way:
            return True
        if not self.store.claim(series.key.series):
            return False
        before = series.replications
        series.leave_out(self.store.finished([series.key.series]))
        self.elsewhere += before - series.replications
        if not series.replications:
            self.store.release(series.key.series)
        return True

    def _next(self) -> Series:
        """The next series whose pace is known or not yet asked for; when all wait for their probes, the first."""
        for _ in range(len(self.turn)):
            series = self.turn.popleft()
            if series.pace is not None or not series.waiting:
                return series
            self.turn.append(series)
        return self.turn.popleft()

    def _length(self, series: Series) -> int:
        if series.pace is None:
            series.waiting = True
            return 1
        fitting = int(self.target / max(series.pace, 1e-9))
        most = max(1, min(fitting, max(GROWTH * series.last, WORD * series.shared)))
        return most - most % WORD if series.shared and most > WORD else most

    def learn(self, done: Done) -> None:
        """Take the pace of a series from a job of it."""
        series = self.by_place[done.job.dataset, done.job.learner]
        replications = done.job.stop - done.job.start
        series.pace, series.last = max(0.0, done.seconds - done.compiling) / replications, replications
        series.shared = bool(notes_of(done.result).shared)
