"""Only what a store lacks is run: failed cells again on demand, jobs of a fitting size, interruption and progress."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import replace

import pytest

from bestofk.collecting.cell.cell import run_cell
from bestofk.collecting.run.collect import Pairing, collect_plan
from bestofk.collecting.run.jobs import GROWTH, Done, Job, Jobs, missing_work
from bestofk.collecting.run.report import Interrupted
from bestofk.core.errors import InputError
from bestofk.stores.memory import MemoryStore
from collecting_toys import (
    NB,
    NEAREST,
    TREE,
    Constant,
    Exiting,
    Halves,
    Raising,
    Sleeping,
    rows_and_report,
    rows_of,
    setting_of,
    toy_dataset,
    toy_learner,
    toy_plan,
)
from makers import slow

# loky says that a worker stopped, which here is what we want to happen
pytestmark = pytest.mark.filterwarnings("ignore:A worker stopped while some jobs:UserWarning")


def test_only_what_a_store_lacks_is_run():
    plan, store = toy_plan(6), MemoryStore()
    setting = setting_of(plan)
    store.write([setting.run(Job(0, 0, 1, 3)), setting.run(Job(0, 1, 0, 6))])
    gaps = {(each.dataset, each.learner): list(each.missing) for each in missing_work(setting, store)}
    whole = [range(6)]
    assert gaps == {(0, 0): [range(1), range(3, 6)], (0, 1): [], (1, 0): whole, (1, 1): whole}
    report = collect_plan(plan, store, engine="serial", progress=False)
    assert (report.resumed, report.folds) == (16, 32)
    assert rows_of(store.read()) == rows_and_report(plan, engine="serial")[0]
    again = collect_plan(plan, store, engine="serial", progress=False)
    assert (again.folds, again.cells, again.resumed) == (0, 0, 48)


@pytest.mark.parametrize("change", [{"seed": 2}, {"folds": Halves(7)}, {"keep_predictions": True}])
def test_a_changed_plan_does_not_mix_with_old_cells(change):
    plan, store = toy_plan(2), MemoryStore()
    collect_plan(plan, store, engine="serial", progress=False)
    before = {each.key.id for each in store.finished()}
    report = collect_plan(replace(plan, **change), store, engine="serial", progress=False)
    assert report.resumed == 0
    assert before < {each.key.id for each in store.finished()}


def test_failed_cells_run_again_when_asked(tmp_path):
    plan, store = toy_plan(2, NB, toy_learner("flaky", lambda: Raising())), MemoryStore()
    first = collect_plan(plan, store, engine="serial", progress=False)
    assert first.failures > 0
    assert collect_plan(plan, store, engine="serial", progress=False).folds == 0
    mended = replace(plan, learners=(NB, toy_learner("flaky", Constant)))
    again = collect_plan(mended, store, engine="serial", progress=False, retry_failed=True)
    assert 0 < again.folds <= first.folds
    assert again.failures == 0
    assert sum(each.failed for each in store.finished()) == 0
    assert len(rows_of(store.read())) == 16


def test_failed_cells_stay_until_new_ones_replace_them():
    plan, store = toy_plan(8, NB, toy_learner("flaky", lambda: Raising()), datasets=1), MemoryStore()
    collect_plan(plan, store, engine="serial", progress=False)
    before = rows_of(store.read())
    cells = {each.key.id for each in store.finished()}

    class Stopped:
        workers = 1

        def run(self, setting, jobs):
            next(jobs)
            raise KeyboardInterrupt
            yield

    with pytest.raises(Interrupted) as caught:
        collect_plan(plan, store, engine=Stopped(), progress=False, retry_failed=True)
    assert {each.key.id for each in store.finished()} == cells
    assert rows_of(store.read()) == before
    assert caught.value.report.failed_in_store > 0
    mended = replace(plan, learners=(NB, toy_learner("flaky", Constant)))
    again = collect_plan(mended, store, engine="local:1", progress=False, retry_failed=True)
    assert (again.failures, again.failed_in_store) == (0, 0)
    assert {each.key.id for each in store.finished()} == cells, "with their own borders"


def test_a_new_try_that_fails_in_more_folds_changes_nothing():
    plan, store = toy_plan(12, NB, toy_learner("flaky", lambda: Raising()), datasets=1), MemoryStore()
    first = collect_plan(plan, store, engine="serial", progress=False)
    before = rows_of(store.read())
    worse = replace(plan, learners=(NB, toy_learner("flaky", Exiting)))
    again = collect_plan(worse, store, engine="serial", progress=False, retry_failed=True)
    assert again.failures > again.failed_in_store == first.failures
    assert {place: row for place, row in rows_of(store.read()).items() if not row[3]}.keys() == {
        place for place, row in before.items() if not row[3]
    }


def test_a_report_names_the_failures_that_are_in_the_store():
    plan, store = toy_plan(5, NB, toy_learner("exiting", Exiting), datasets=1), MemoryStore()
    first = collect_plan(plan, store, engine="serial", progress=False)
    assert (first.failures, first.failed_in_store) == (10, 10)
    again = collect_plan(plan, store, engine="serial", progress=False)
    assert (again.folds, again.failures, again.failed_in_store) == (0, 0, 10)
    said, reason = repr(again).splitlines()
    assert said.endswith("10 folds of this plan failed; --retry-failed runs them again")
    assert reason == "  exiting: 10 failed folds on toy0: SystemExit: nothing to do"
    assert again.to_dict()["failed_in_store"] == 10
    assert "failed" not in repr(collect_plan(toy_plan(1), MemoryStore(), engine="serial", progress=False))


def test_jobs_begin_with_a_probe_and_grow_to_the_target():
    setting = setting_of(toy_plan(1000, NB, datasets=1))
    jobs = Jobs(missing_work(setting, MemoryStore()), MemoryStore(), target=2.0)
    lengths = []
    for job in jobs:
        lengths.append(job.stop - job.start)
        jobs.learn(Done(job, None, 0.01 * lengths[-1]))
    assert lengths[:3] == [1, GROWTH, 200]
    assert sum(lengths) == 1000


def test_series_wait_for_their_probe_while_others_have_work():
    setting = setting_of(toy_plan(10, NB, TREE, datasets=1))
    jobs = Jobs(missing_work(setting, MemoryStore()), MemoryStore(), target=1.0)
    line = iter(jobs)
    first, second = next(line), next(line)
    assert (first, second) == (Job(0, 0, 0, 1), Job(0, 1, 0, 1))
    jobs.learn(Done(second, None, 0.25))
    assert next(line) == Job(0, 1, 1, 5)


def test_unequal_folds_are_refused():
    pairing = Pairing(2, 2)
    one = run_cell(toy_dataset(), NB, Halves(2), 1, 0, 2)
    pairing.check(one)
    pairing.check(replace(run_cell(toy_dataset(), TREE, Halves(2), 1, 1, 2)))
    with pytest.raises(InputError, match="other folds"):
        pairing.check(replace(one, fingerprints=one.fingerprints + 1))


@pytest.mark.parametrize(
    ("engine", "number"),
    [
        ("serial", signal.SIGTERM),
        ("local:2", signal.SIGINT),
        *slow(("serial", signal.SIGINT), ("local:2", signal.SIGTERM)),
    ],
)
def test_an_interrupted_run_keeps_what_is_finished_and_resumes(engine, number):
    plan = toy_plan(100, NEAREST, toy_learner("slow", lambda: Sleeping(0.02)), datasets=1)
    store = MemoryStore()
    before = signal.getsignal(signal.SIGTERM)
    timer = threading.Timer(2.5 if engine == "local:2" else 1.0, os.kill, (os.getpid(), number))
    timer.start()
    with pytest.raises(Interrupted) as caught:
        collect_plan(plan, store, engine=engine, progress=False)
    timer.join()
    kept = rows_of(store.read())
    assert caught.value.report.folds == len(kept) < 400
    assert f"{len(kept):,} of 400 folds" in str(caught.value)
    assert signal.getsignal(signal.SIGTERM) is before
    again = replace(plan, learners=(NEAREST, toy_learner("slow", Constant)))
    assert collect_plan(again, store, engine="serial", progress=False).resumed == len(kept)
    assert len(rows_of(store.read())) == 400


def test_a_signal_during_a_write_waits_for_its_end():
    class Slow(MemoryStore):
        def write(self, results):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            super().write(results)

    store = Slow()
    with pytest.raises(Interrupted):
        collect_plan(toy_plan(4), store, engine="serial", progress=False)
    assert len(rows_of(store.read())) == 2
