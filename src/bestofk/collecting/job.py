"""What workers are told: once, everything the cells have in common; then job after job, which cell is next."""

from __future__ import annotations

from dataclasses import dataclass

from bestofk.collecting.measuring import measures_to_take
from bestofk.collecting.one_cell import divided_or_reason, key_of, run_cell
from bestofk.collecting.shared_reasons import Sharing
from bestofk.collecting.tally import Tally
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Folds
from bestofk.design.learners.learner import Learner
from bestofk.design.plan.cell import CellKey, CellResult


@dataclass(frozen=True)
class Job:
    """One cell to run: places of the data set and the learner in the setting, and the replications."""

    dataset: int
    learner: int
    start: int
    stop: int


@dataclass(frozen=True)
class Done:
    """A finished job: its cell, and how long the worker took over it, and over compiling loops meanwhile."""

    job: Job
    result: CellResult
    seconds: float
    compiling: float = 0.0


@dataclass(frozen=True, eq=False)
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
        dataset, learner = self.datasets[job.dataset], self.learners[job.learner]
        place = (self.seed, job.start, job.stop, self.measures, self.keep_predictions)
        return key_of(dataset, learner, self.folds, *place)

    def run(self, job: Job) -> CellResult:
        """Run a job here and now, without limits."""
        dataset, learner = self.datasets[job.dataset], self.learners[job.learner]
        place = (self.seed, job.start, job.stop, self.measures, self.keep_predictions)
        return run_cell(dataset, learner, self.folds, *place, sharing=self.sharing)

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
