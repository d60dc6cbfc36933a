"""Workers: the same results in processes as serially, lost workers, and limits of time and memory."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import pytest

from bestofk.collecting.engines import engine_of, worker
from bestofk.collecting.engines.pool import Keeper
from bestofk.collecting.engines.process import SETTINGS
from bestofk.collecting.run.jobs import Done, Job, Setting
from bestofk.core.errors import InputError, UnknownName
from collecting_toys import (
    NB,
    NEAREST,
    Constant,
    Deadly,
    GlobalDraw,
    Greedy,
    Raising,
    Sleeping,
    rows_and_report,
    setting_of,
    toy_learner,
    toy_plan,
)
from makers import slow

# loky says that a worker stopped, which here is what we want to happen
pytestmark = pytest.mark.filterwarnings("ignore:A worker stopped while some jobs:UserWarning")


def test_engines_by_name():
    assert engine_of("local", workers=3).workers == 3
    assert engine_of("serial").workers == 1
    with pytest.raises(UnknownName, match="did you mean 'local'"):
        engine_of("locl")
    for wrong in ("local:", "local:0", "local:x"):
        with pytest.raises(InputError, match="not say how many"):
            engine_of(wrong)
    with pytest.raises(InputError, match="say the number once"):
        engine_of("local:2", workers=3)
    with pytest.raises(InputError):
        engine_of("local", workers=0)


def test_results_are_the_same_serially_and_in_processes():
    plan = toy_plan(12, NEAREST, toy_learner("raising", Raising), toy_learner("draw", GlobalDraw))
    plan = replace(plan, keep_predictions=True)
    serial, report = rows_and_report(plan, engine="serial")
    local, other = rows_and_report(plan, engine="local:2")
    assert serial == local
    assert len(serial) == 2 * 3 * 12 * 2 == report.folds == other.folds
    assert report.failures == other.failures > 0


def test_a_learner_that_cannot_travel_is_named():
    lock = threading.Lock()
    plan = toy_plan(1, NB, toy_learner("locked", lambda: Constant(lock)))
    with pytest.raises(InputError, match="locked cannot be sent") as caught:
        rows_and_report(plan, engine="local:2")
    assert "serial" in caught.value.fix


def test_a_worker_that_is_lost_costs_nothing_but_time(tmp_path):
    once = str(tmp_path / "once")
    plan = toy_plan(3, NEAREST, toy_learner("deadly", lambda: Deadly(once)), datasets=1)
    found, report = rows_and_report(plan, engine="local:2")
    assert report.failures == 0
    harmless = replace(plan, learners=(NEAREST, toy_learner("deadly", Constant)))
    assert found == rows_and_report(harmless, engine="serial")[0]


def test_a_cell_that_kills_its_worker_fails_and_the_others_do_not():
    plan = toy_plan(1, NEAREST, toy_learner("deadly", Deadly), toy_learner("steady", Constant), datasets=2)
    found, report = rows_and_report(plan, engine="local:1")  # with two cells under way, never both deadly ones
    assert report.failures == 4
    said = {place: row[3] for place, row in found.items() if "died with this cell" in row[3]}
    assert {place[1] for place in said} == {"deadly"}
    assert len(said) == 4
    assert {reason.rpartition("cell ")[2] for reason in said.values()} == {"4 times.", "1 time."}  # known by then


class Breaking:
    """A pool that breaks at its third job and tells of it late: renewing it ends what was still under way."""

    lost, again = (ConnectionError,), 3

    def __init__(self, setting):
        self.setting, self.futures, self.renewed, self.handed_out = setting, [], 0, 0

    def submit(self, job):
        self.handed_out += 1
        if not self.renewed and self.handed_out == 3:
            self.futures[0].set_exception(ConnectionError())
            raise ConnectionError
        future = Future()
        self.futures.append(future)
        if self.renewed:
            future.set_result(Done(job, self.setting.run(job), 0.1))
        return future

    def begun(self):
        return set()

    def renew(self):
        self.renewed += 1
        for future in self.futures:
            if not future.done():
                future.set_exception(ConnectionError())


def test_a_pool_that_breaks_is_renewed_once_for_all_its_jobs():
    setting = setting_of(toy_plan(6, NB, datasets=1))
    pool = Breaking(setting)
    jobs = [Job(0, 0, number, number + 1) for number in range(6)]
    done = [each for batch in Keeper(pool, setting, iter(jobs), 3).run() for each in batch]
    assert sorted(each.job.start for each in done) == list(range(6))
    assert not any(each.result.failed for each in done)
    assert pool.renewed == 1


@pytest.mark.parametrize("engine", ["local:1", *slow("serial")])
def test_a_cell_over_its_time_fails_and_the_run_goes_on(engine):
    plan = toy_plan(1, NEAREST, toy_learner("asleep", lambda: Sleeping(60.0)), datasets=1)
    found, report = rows_and_report(plan, engine=engine, cell_timeout=4)  # the other is done in time on any machine
    assert report.failures == 2
    reasons = {row[3] for place, row in found.items() if place[1] == "asleep"}
    assert reasons == {"TimeoutError: over the limit of 4 s for a cell (cell_timeout)."}
    assert {row[3] for place, row in found.items() if place[1] == "nearest"} == {""}
    assert all(row[2] != 0 for row in found.values())


@pytest.mark.slow
def test_what_is_finished_before_the_time_is_over_is_kept():
    setting = setting_of(toy_plan(6, toy_learner("slow", lambda: Sleeping(0.5)), datasets=1))
    [[], [done]] = engine_of("serial").run(replace(setting, timeout=4.5), iter([Job(0, 0, 0, 6)]))
    failed = [bool(line[0]) for line in done.result.failures]
    assert failed == sorted(failed)
    assert 0 < sum(failed) < 6


def test_a_cell_over_its_memory_fails_with_the_limit_named():
    plan = toy_plan(1, NEAREST, toy_learner("greedy", Greedy), datasets=1)
    found, report = rows_and_report(plan, engine="serial", cell_memory=500_000_000)
    assert report.failures == 2
    reason = found["toy0", "greedy", 0, 0][3]
    assert "MemoryError" in reason
    assert reason.endswith("(cell_memory is 500,000,000 bytes)")


def test_a_process_that_dies_within_limits_is_a_failed_row():
    plan = toy_plan(1, NEAREST, toy_learner("deadly", Deadly), datasets=1)
    found, report = rows_and_report(plan, engine="serial", cell_timeout=30)
    assert report.failures == 2
    assert "ran the cell died" in found["toy0", "deadly", 0, 0][3]


@pytest.mark.parametrize("limits", [{"cell_timeout": 0}, {"cell_timeout": float("nan")}, {"cell_memory": -1}])
def test_limits_that_mean_nothing_are_refused(limits):
    with pytest.raises(InputError, match="cell_"):
        rows_and_report(toy_plan(1), engine="serial", **limits)


class NeverMade(Constant):
    """Hangs while it is made."""

    def __init__(self, answer: int = 0) -> None:
        time.sleep(60.0)
        super().__init__(answer)


class DeadWhenMade(Constant):
    """Ends its process while it is made."""

    def __init__(self, answer: int = 0) -> None:
        os._exit(1)


@pytest.fixture
def run_of(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., tuple[str, Setting]]]:
    """The token and the setting of a run with one learner, whose children have a second to load it."""
    monkeypatch.setattr(worker, "READY", 1.0)

    def begin(learner: Any, **changes: Any) -> tuple[str, Setting]:
        plan = toy_plan(4, toy_learner("own", learner), datasets=1)
        setting = Setting(plan.learners, plan.datasets, plan.folds, plan.seed, (), False, **changes)
        SETTINGS["run"] = setting
        return "run", setting

    yield begin
    SETTINGS.pop("run", None)
    worker.end_children("run")


@pytest.mark.parametrize("run", [worker.run_within_limits, *slow(worker.run_apart)])
def test_a_learner_that_never_loads_is_waited_for_twice(run: Any, run_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    started, begin = [], worker._Child.__init__
    monkeypatch.setattr(worker._Child, "__init__", lambda *given: (started.append(given), begin(*given))[1])
    token, setting = run_of(NeverMade, timeout=1.0 if run is worker.run_within_limits else None)
    cell = run(token, setting, Job(0, 0, 0, 1))
    assert {*cell.failures[0]} == {"TimeoutError: the learner was not loaded within 1 s, and no fold of it was tried."}
    assert len(started) == 2
    assert run(token, setting, Job(0, 0, 1, 4)).failed == 6
    assert len(started) == 2  # known by now
    worker.end_children(token)
    assert token not in worker._NEVER_LOADED


@pytest.mark.parametrize("run", [worker.run_apart, *slow(worker.run_within_limits)])
def test_a_learner_that_kills_its_process_while_it_loads_says_so(
    run: Any, run_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "READY", 60.0)
    token, setting = run_of(DeadWhenMade, timeout=60.0 if run is worker.run_within_limits else None)
    cell = run(token, setting, Job(0, 0, 0, 1))
    assert "process died while" in cell.failures[0][0]
