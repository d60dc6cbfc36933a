"""Collecting: run what a store does not have yet of a plan, and write it as it finishes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bestofk.collecting.cell.interrupts import Interrupts, stop_if_signalled
from bestofk.collecting.cell.scores import measures_to_take
from bestofk.collecting.cell.shared_ways import WAYS, Found, sharing_of, way_or_why, why_of_plan
from bestofk.collecting.engines import Engine, engine_of
from bestofk.collecting.engines.worker import checked_limits
from bestofk.collecting.run.jobs import TARGET, Done, Jobs, Setting, missing_work, series_of, unbegun_datasets
from bestofk.collecting.run.progress import Progress
from bestofk.collecting.run.report import CollectReport, Interrupted, troubles_of
from bestofk.core.compiled import compiled_wanted
from bestofk.core.errors import BestOfKError, InputError, glimpse
from bestofk.core.phrases import counted
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.checks import refuse_undividable
from bestofk.design.learners.learner import Learner
from bestofk.design.plan.cell import CellResult
from bestofk.stores.address import is_store, open_store
from bestofk.stores.notes import SharedCells
from bestofk.stores.store import PlanRecord, Store

#: Seconds between two looks whether another run has finished its part, and how long it may take over a result.
LOOK_EVERY, PATIENCE = 1.0, 3_600.0

if TYPE_CHECKING:
    from bestofk.design.plan.plan import Plan


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
    if told is not None:
        for line in sharing_lines(setting):
            told(line)
    _record(plan, setting, store, locked)
    run = _Run(setting, store, retry_failed=retry_failed, shown=progress)
    try:
        run.through(chosen)
    except BaseException as error:
        with suppress(BestOfKError):  # a store that is away has forgotten them
            run.jobs.abandon()
        if isinstance(error, KeyboardInterrupt):
            raise Interrupted(run.said(), run.report()) from None
        raise
    finally:
        WAYS.clear()  # of cells that ran in this very process
    return run.report()


def collect_into(
    plan: Any, url: str | Path, *, engine: str = "local", allow_code: bool = False, **options: Any
) -> tuple[Plan, CollectReport]:
    """Collect a plan, or that of a TOML file, into a store by its path or URL; a lock beside the file is kept."""
    from bestofk.design.plan.file import read_plan
    from bestofk.design.plan.lock import kept_lock
    from bestofk.design.plan.plan import Plan

    chosen, lock = engine_of(engine), None
    if isinstance(plan, str | Path):  # read once: what it names may be edited while it runs
        path, plan = plan, read_plan(plan, allow_code=allow_code)
        lock = kept_lock(path, plan)
    elif not isinstance(plan, Plan):
        raise InputError(f"the plan is {glimpse(plan)}.", "collect, argument plan", "give bestofk.Plan(...) or a path.")
    with closing(store_for(plan, url, chosen)) as store:
        return plan, collect_plan(plan, store, engine=chosen, locked=None if lock is None else lock.locked, **options)


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
        self.jobs = Jobs(series, store, target=target)
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
        self.progress.steps = _steps(self.setting, engine)
        with self.interrupts.heard(), self.progress:
            while self._waited_for_others():
                with closing(engine.run(self.setting, self.jobs)) as finished:
                    for batch in finished:
                        with self.interrupts.held():
                            self._write(batch)
                        stop_if_signalled()  # also where somebody caught it on its way

    def _waited_for_others(self) -> bool:
        """Wait while other runs are at work on all that is left; False when nothing is left."""
        until, seen = time.monotonic() + PATIENCE, -1
        while not self.jobs.ready() and self.jobs.turn:
            there = len(self.store.finished([each.key.series for each in self.jobs.turn]))
            if there > seen:
                until, seen = time.monotonic() + PATIENCE, there
            if time.monotonic() > until:
                left = f"{len(self.jobs.turn):,} series"
                raise InputError(
                    f"another run has held {left} of this plan for {PATIENCE / 60:.0f} minutes without a result.",
                    self.store.url,
                    "end that run if it hangs, and run the same command again: everything that was finished is kept.",
                )
            self.progress.wait_for("another run that is at work on the rest")
            time.sleep(LOOK_EVERY)
            stop_if_signalled()
        self._count_others()
        return bool(self.jobs.ahead)

    def _count_others(self) -> None:
        """What other runs have finished is not for this one to do."""
        folds = self.jobs.elsewhere * self.setting.folds.folds
        self.resumed += folds
        self.progress.lessen(folds)
        self.jobs.elsewhere = 0

    def _write(self, batch: list[Done]) -> None:
        results = [done.result for done in batch]
        for done in batch:
            self.pairing.check(done.result)
            self.jobs.learn(done)
            self.compiling += done.compiling
        better = [each for each in results if each.failed <= self.failed.get(each.key.id, each.failed)]
        if better:
            self.store.write(better)
        for done in batch:
            self.jobs.finished(done.job)
        self._count_others()
        folds = sum(len(each.failures) * self.setting.folds.folds for each in results)
        seconds = sum(done.seconds for done in batch)
        self.progress.add(len(results), folds, sum(each.failed for each in results), seconds)

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


def _steps(setting: Setting, engine: Engine) -> tuple[str, str]:
    """What is done before a worker is at work, and before the first fold is finished."""
    from bestofk.collecting.engines.local import Local

    starting = f"starting {counted(engine.workers, 'worker')}" if isinstance(engine, Local) else "starting"
    return starting, "compiling loops at first use" if _compiles(setting) else "at work on the first"


def _compiles(setting: Setting) -> bool:
    """Whether a learner may need compiled loops: C4.5, or where folds share work."""
    c45 = any(str(each.settings.get("class")).endswith(":C45Classifier") for each in setting.learners)
    pairs = product(setting.learners, setting.datasets)
    return compiled_wanted() and (c45 or any(not _why_alone(setting, *pair, keep=False) for pair in pairs))


def store_for(plan: Plan, url: str | Path, engine: Engine | None = None) -> Store:
    """Open the store that a plan goes into; no new file is left by a plan that cannot run or an engine not there."""
    if not is_store(url):
        refuse_undividable(plan.folds, plan.datasets, plan.seed)
        look = getattr(engine, "look", None)
        if look is not None:
            look()
    return open_store(url)


class Pairing:
    """Fingerprints of the folds seen so far; zero where none was seen."""

    def __init__(self, replications: int, folds: int) -> None:
        self.shape = (replications, folds)
        self.seen: dict[str, np.ndarray[tuple[int, int], np.dtype[np.int64]]] = {}

    def check(self, result: CellResult) -> None:
        """Refuse a cell whose folds are not those of the other learners."""
        seen = self.seen.setdefault(result.key.dataset, np.zeros(self.shape, dtype=np.int64))
        part = seen[result.key.start : result.key.stop]
        if ((part != 0) & (result.fingerprints != 0) & (part != result.fingerprints)).any():
            raise InputError(
                f"{result.key.learner} was given other folds of {result.key.dataset} than the learners before it.",
                f"collect, replications {result.key.start + 1} to {result.key.stop}",
                "give all workers the same versions of bestofk, numpy and scikit-learn.",
            )
        part[...] = np.where(result.fingerprints != 0, result.fingerprints, part)


def sharing_lines(setting: Setting) -> Iterator[str]:
    """Say for every learner on every data set of a plan whether its folds share work."""
    for learner in setting.learners:
        for dataset in setting.datasets:
            found = _found(setting, learner, dataset)
            how = f"shared ({found.way.name})" if found.way is not None else f"fold by fold ({found.why})"
            yield f"{learner.name} on {dataset.name}: {how}"


def _found(setting: Setting, learner: Learner, dataset: Dataset) -> Found:
    if setting.timeout is not None or setting.memory is not None:
        return Found(None, "a cell has limits of time or memory, which are for single folds")
    why = _why_alone(setting, learner, dataset, keep=setting.keep_predictions)
    return Found(None, why) if why else way_or_why(learner, dataset)


def _why_alone(setting: Setting, learner: Learner, dataset: Dataset, *, keep: bool) -> str:
    taken = measures_to_take(setting.measures, dataset)
    return why_of_plan(setting.sharing, dataset, learner, setting.folds, taken, keep)
