"""Collecting: run what a store does not have yet of a plan, and write it as it finishes."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bestofk.collecting.destination import store_for
from bestofk.collecting.engines import Engine, engine_of
from bestofk.collecting.interrupts import Interrupts, stop_if_signalled
from bestofk.collecting.job import Done, Setting
from bestofk.collecting.limits import checked_limits
from bestofk.collecting.measuring import measures_to_take
from bestofk.collecting.pairing import Pairing
from bestofk.collecting.progress import Progress
from bestofk.collecting.shared_listing import sharing_lines
from bestofk.collecting.shared_reasons import sharing_of
from bestofk.collecting.shared_ways import WAYS
from bestofk.collecting.troubles import Troubles, troubles_of
from bestofk.collecting.work import TARGET, Jobs, missing_work, series_of, unbegun_datasets
from bestofk.core.phrases import counted
from bestofk.design.folds.checks import refuse_undividable
from bestofk.stores.sharing import SharedCells, SharedWork
from bestofk.stores.store import PlanRecord, Store

if TYPE_CHECKING:
    from bestofk.design.plan.plan import Plan


#: Seconds of compiling from which on they are worth a line.
WORTH_TELLING = 0.5


@dataclass(frozen=True, repr=False)
class CollectReport:
    """What a run did: cells, folds and failed folds of this run, seconds, and folds that were there before.

    ``shared`` is the work that folds of the plan in the store have shared, whenever they ran; ``compiling`` are the
    seconds in which workers compiled loops for it, which are kept on disk. ``failed_in_store`` counts the failed folds
    of the plan that are in the store after the run; ``troubles`` say by learner what went wrong in them.
    """

    cells: int
    folds: int
    failures: int
    seconds: float
    resumed: int
    shared: tuple[SharedWork, ...] = ()
    failed_in_store: int = 0
    troubles: Troubles = field(default_factory=Troubles)
    compiling: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values."""
        return {**asdict(self), "shared": [asdict(each) for each in self.shared]}

    def __repr__(self) -> str:
        failed = f", {self.failures:,} of them failed" if self.failures else ""
        were = "was" if self.resumed == 1 else "were"
        before = f"; {counted(self.resumed, 'fold')} {were} there before" if self.resumed else ""
        made = f"{counted(self.folds, 'fold')} in {counted(self.cells, 'cell')}"
        done = f"collected {made}{failed} ({self.seconds:.1f} s){before}"
        shared = sum(each.folds for each in self.shared)
        done += f"; work was shared across {shared:,} folds" if shared else ""
        done += f"; {_failed_in_words(self.failed_in_store)}" if self.failed_in_store else ""
        return "\n".join([done, *self.lines()])

    def lines(self) -> list[str]:
        """What went wrong or took its time, a line each."""
        told = (*self.troubles.failures, *self.troubles.unscored, *self.troubles.warnings)
        mixed = (f"several versions were at work, and results may differ: {each}" for each in self.troubles.mixed)
        loops = f"compiling loops took {self.compiling:.1f} s; they are kept on disk for the next run"
        return [f"  {each}" for each in (*told, *mixed, *([loops] if self.compiling >= WORTH_TELLING else []))]


def _failed_in_words(folds: int) -> str:
    if folds == 1:
        return "1 fold of this plan failed; --retry-failed runs it again"
    return f"{folds:,} folds of this plan failed; --retry-failed runs them again"


class Interrupted(KeyboardInterrupt):
    """The run was stopped; what had finished is in the store, and ``report`` says how much."""

    def __init__(self, said: str, report: CollectReport) -> None:
        super().__init__(f"{said} Run the same again to resume.")
        self.report = report


def collect_plan(
    plan: Plan,
    store: Store,
    *,
    engine: str | Engine = "local",
    workers: int | None = None,
    retry_failed: bool = False,
    cell_timeout: float | str | None = None,
    cell_memory: float | str | None = None,
    progress: bool = True,
    locked: str | None = None,
    sharing: bool | str = True,
    told: Callable[[str], None] | None = None,
) -> CollectReport:
    """Run the cells of a plan that a store does not have, and write each as it finishes.

    Run again to resume. ``engine`` is ``local`` (processes of this machine), ``serial``, the address of a Dask
    scheduler or ``ray``. A cell over ``cell_timeout`` seconds, or over ``cell_memory`` bytes beyond what the bare
    worker takes (also ``"10m"``, ``"500MB"``), is stopped, and its unfinished folds fail with that reason.
    ``retry_failed`` runs cells with failed folds again; a new result replaces the old one unless more folds fail than
    before. ``locked`` is when the plan was fixed; it is kept if the store has no result of the plan yet.
    A data set that no replication can divide is refused before anything runs, unless the store has begun with it.
    ``sharing``: folds of known learners share work where there are enough of them (``"always"``: however few), with the
    same results; cells with limits run fold by fold. ``told`` is told, learner by learner, what will be shared or why
    not.
    Ctrl-C (or SIGTERM) raises ``Interrupted`` when what has finished is written and all workers are gone.
    """
    limits = checked_limits(cell_timeout, cell_memory)
    parts = (plan.learners, plan.datasets, plan.folds, plan.seed, tuple(plan.measures), plan.keep_predictions)
    setting = Setting(*parts, *limits, sharing_of(sharing) if limits == (None, None) else "never")
    for dataset in setting.datasets:
        measures_to_take(setting.measures, dataset)  # a measure that does not fit is told before anything runs
    refuse_undividable(setting.folds, unbegun_datasets(setting, store), setting.seed)
    chosen = engine_of(engine, workers=workers)
    for line in sharing_lines(setting) if told is not None else ():
        told(line)  # type: ignore[misc]
    _record(plan, setting, store, locked)
    run = _Run(setting, store, retry_failed=retry_failed, shown=progress)
    try:
        run.through(chosen)
    except KeyboardInterrupt:
        raise Interrupted(run.said(), run.report()) from None
    finally:
        WAYS.clear()  # of cells that ran in this very process
    return run.report()


def collect_file(plan: str | Path, *, store: str | Path, allow_code: bool = False, **options: Any) -> CollectReport:
    """Collect the plan of a TOML file into the store at a path or URL; a lock beside the plan is kept with it."""
    from bestofk.design.plan.file import read_plan
    from bestofk.design.plan.lock import kept_lock

    made = read_plan(plan, allow_code=allow_code)
    lock = kept_lock(plan, made)
    locked = None if lock is None else lock.locked
    chosen = engine_of(options.pop("engine", "local"), workers=options.pop("workers", None))
    with closing(store_for(made, store, chosen)) as opened:
        return collect_plan(made, opened, engine=chosen, locked=locked, **options)


def _record(plan: Plan, setting: Setting, store: Store, locked: str | None) -> None:
    """Keep the plan; a lock counts only before there are results."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    begun = bool(store.finished(series_of(setting)))
    store.record_plan(PlanRecord(plan.fingerprint, plan.to_text(), now, None if begun else locked))


class _Run:
    """One run over what is missing."""

    def __init__(self, setting: Setting, store: Store, *, retry_failed: bool, shown: bool) -> None:
        self.setting, self.store, self.started = setting, store, time.monotonic()
        series = missing_work(setting, store, retry_failed=retry_failed)
        # A chunk well below the limit, so that a slow cell is the learner's doing and not ours.
        target = TARGET if setting.timeout is None else min(TARGET, setting.timeout / 4)
        self.jobs = Jobs(series, target=target)
        replications, folds = setting.folds.replications, setting.folds.folds
        missing = sum(each.replications for each in series) * folds
        self.resumed = len(series) * replications * folds - missing
        self.failed = {each.key.id: each.failed for each in store.finished(series_of(setting)) if each.failed}
        self.pairing = Pairing(replications, folds)
        self.progress = Progress(missing, shown=shown)
        self.interrupts = Interrupts()
        self.compiling = 0.0

    def through(self, engine: Engine) -> None:
        """Run everything that is missing."""
        if not self.progress.total:
            return
        finished = engine.run(self.setting, iter(self.jobs))
        with self.interrupts.heard(), self.progress, closing(finished):
            for batch in finished:
                with self.interrupts.held():
                    self._write(batch)
                stop_if_signalled()  # also where somebody caught it on its way

    def _write(self, batch: list[Done]) -> None:
        results = [done.result for done in batch]
        for done in batch:
            self.pairing.check(done.result)
            self.jobs.learn(done)
            self.compiling += done.compiling
        better = [each for each in results if each.failed <= self.failed.get(each.key.id, each.failed)]
        if better:
            self.store.write(better)
        folds = sum(len(each.failures) * self.setting.folds.folds for each in results)
        self.progress.add(len(results), folds, sum(each.failed for each in results))

    def report(self) -> CollectReport:
        """What was done so far."""
        done, seconds = self.progress, time.monotonic() - self.started
        series = series_of(self.setting)
        failed = sum(each.failed for each in self.store.finished(series))
        counts, shared = (done.cells, done.folds, done.failures, seconds, self.resumed), SharedCells()
        troubles = troubles_of(shared.through(self.store.read(series)))
        return CollectReport(*counts, shared.works(), failed, troubles, self.compiling)

    def said(self) -> str:
        """Where the run stands, in a sentence."""
        whole = self.resumed + self.progress.total
        return f"{self.resumed + self.progress.folds:,} of {whole:,} folds are in {self.store.url}."
