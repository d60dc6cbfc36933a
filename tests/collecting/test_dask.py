"""A real Dask cluster on loopback: the same results as here, also when a worker is killed in the middle."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from bestofk.collecting.engines import dask, engine_of, pool
from bestofk.core.errors import InputError
from collecting_toys import (
    NB,
    TREE,
    Constant,
    Deadly,
    Raising,
    Sleeping,
    SlowDraw,
    rows_and_report,
    toy_learner,
    toy_plan,
)
from kill_storms import dask_programs

distributed = pytest.importorskip("distributed")
HERE = Path(__file__).parents[1]


pytestmark = pytest.mark.filterwarnings("ignore")  # of Dask's own, about ports, clocks and lost connections


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=50
    ) as made:
        yield made


def test_results_are_those_of_the_serial_run(cluster):
    plan = replace(toy_plan(4, NB, TREE, toy_learner("raising", Raising)), keep_predictions=True)
    here, report = rows_and_report(plan, engine="serial")
    there, other = rows_and_report(plan, engine=cluster.scheduler_address)
    assert here == there
    assert report.failures == other.failures > 0


@pytest.fixture(scope="module")
def threads():
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=50
    ) as made:
        yield made


@pytest.mark.slow
def test_threads_of_a_worker_do_not_share_what_is_random(threads, tmp_path):
    once = str(tmp_path / "once")
    names = ("draw", "drawn")
    plan = toy_plan(30, NB, *(toy_learner(name, SlowDraw) for name in names), toy_learner("deadly", Constant))
    here, _ = rows_and_report(plan, engine="serial")
    deadly = replace(plan, learners=(*plan.learners[:-1], toy_learner("deadly", lambda: Deadly(once))))
    there, report = rows_and_report(deadly, engine=threads.scheduler_address)
    assert here == there
    assert report.failures == 0
    with distributed.Client(threads, set_as_default=False) as client:
        assert set(client.run(left_in_worker).values()) == {(0, 0, 0)}


def left_in_worker():
    """What a run leaves behind in a worker: settings, threads, children."""
    from bestofk.collecting.engines import process, worker

    return len(process.SETTINGS), len(process.THREADS), len(worker._ALIVE)


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_changes_nothing(cluster):
    plan = toy_plan(60, NB, TREE, toy_learner("slow", lambda: Sleeping(0.02)), datasets=1)
    with distributed.Client(cluster, set_as_default=False) as client:
        before = sorted(client.run(os.getpid).values())
    timer = threading.Timer(1.0, os.kill, (before[0], 9))
    timer.start()
    there, report = rows_and_report(plan, engine=cluster.scheduler_address)
    timer.join()
    assert report.failures == 0
    assert report.seconds > 1.0, "the run was over before the worker was killed"
    here, _ = rows_and_report(replace(plan, learners=(NB, TREE, toy_learner("slow", Constant))), engine="serial")
    assert there == here


@pytest.mark.slow
def test_a_cell_that_kills_workers_fails_and_the_others_do_not(cluster):
    plan = toy_plan(1, NB, toy_learner("deadly", Deadly), datasets=1)
    with distributed.Client(cluster, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=120)
    found, report = rows_and_report(plan, engine=cluster.scheduler_address)
    assert report.failures == 2
    assert "KilledWorker: the worker died" in found["toy0", "deadly", 0, 0][3]
    assert found["toy0", "nb", 0, 0][3] == ""


@pytest.mark.slow
def test_limits_hold_in_the_workers_of_a_cluster(cluster):
    plan = toy_plan(1, NB, toy_learner("asleep", lambda: Sleeping(60.0)), datasets=1)
    found, report = rows_and_report(plan, engine=cluster.scheduler_address, cell_timeout=12)
    assert report.failures == 2
    assert "limit of 12 s" in found["toy0", "asleep", 0, 0][3]


def test_the_number_of_workers_is_that_of_the_cluster(cluster):
    assert engine_of(cluster.scheduler_address, workers=1).workers == 1


def test_no_scheduler_is_a_clear_error(monkeypatch):
    monkeypatch.setattr("bestofk.collecting.engines.dask.WAIT", 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(InputError, match="scheduler answers at tcp://127"):
            rows_and_report(toy_plan(1), engine=address)


def test_a_port_that_takes_calls_and_is_silent_is_a_clear_error(monkeypatch):
    monkeypatch.setattr(dask, "WAIT", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as port, pytest.raises(InputError, match="no Dask scheduler answers"):
        engine_of(f"tcp://127.0.0.1:{port.getsockname()[1]}").look()


@pytest.fixture
def empty():
    """A cluster that has no worker yet."""
    with distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None, silence_logs=50) as made:
        yield made


def test_no_worker_is_a_clear_error(empty, monkeypatch):
    monkeypatch.setattr("bestofk.collecting.engines.dask.WAIT", 1)
    monkeypatch.setattr("bestofk.collecting.engines.dask.LOOKS", 2)
    with (
        pytest.warns(pool.Idle, match="waiting for one"),
        pytest.raises(InputError, match="has no worker, 2 seconds long"),
    ):
        rows_and_report(toy_plan(1), engine=empty.scheduler_address)


@pytest.mark.slow
def test_a_worker_that_starts_late_is_waited_for(empty, monkeypatch):
    monkeypatch.setattr("bestofk.collecting.engines.dask.WAIT", 2)
    threading.Timer(3, empty.scale, [1]).start()
    with pytest.warns(pool.Idle, match="waiting for one"):
        rows, _ = rows_and_report(toy_plan(1), engine=empty.scheduler_address)
    assert rows == rows_and_report(toy_plan(1), engine="serial")[0]


class Cluster:
    """A client of Dask whose workers die so many times while they are told the setting."""

    def __init__(self, deaths):
        self.deaths, self.told = deaths, 0

    def register_plugin(self, plugin, name):
        self.told += 1
        if self.told <= self.deaths:
            raise OSError("in <closed TCP>: Stream is closed")  # what CommClosedError is


def test_workers_of_dask_that_die_while_the_run_begins_are_told_again(monkeypatch):
    from bestofk.collecting.engines import dask

    monkeypatch.setattr(dask, "PAUSES", (0.0, 0.0, 0.0))
    cluster = Cluster(2)
    dask._tell_workers(cluster, None, "run", "tcp://here")
    assert cluster.told == 3
    with pytest.raises(InputError, match=r"tcp://here went away 3 times while the run began \(OSError: in"):
        dask._tell_workers(Cluster(9), None, "run", "tcp://here")


def test_a_closed_connection_is_among_the_errors_that_are_tried_again():
    distributed = pytest.importorskip("distributed")
    assert issubclass(distributed.comm.CommClosedError, OSError)


def test_cells_that_nobody_works_on_are_handed_out_again(cluster, monkeypatch):
    plan = toy_plan(3, NB)
    submit, forgotten = dask._Cluster.submit, []

    def forget_the_first(self, job):
        if not forgotten:
            forgotten.append(Future())
            self.handed_out.add(job)
            return forgotten[0]
        return submit(self, job)

    monkeypatch.setattr(dask._Cluster, "submit", forget_the_first)
    monkeypatch.setattr(pool, "STILL", 1.0)
    here, _ = rows_and_report(plan, engine="serial")
    with pytest.warns(pool.Idle):
        there, _ = rows_and_report(plan, engine=cluster.scheduler_address)
    assert here == there
    assert forgotten[0].cancelled()


def test_cells_that_wait_for_a_worker_are_left_alone(cluster, monkeypatch):
    """Handed out again, a cell that kills its workers would never be told from others on a busy machine."""
    looks, idle = iter(range(6)), dask._Cluster.idle
    none = pool.Rest("the Dask cluster has no worker", waiting=True)
    monkeypatch.setattr(dask._Cluster, "idle", lambda self: none if next(looks, None) is not None else idle(self))
    monkeypatch.setattr(pool, "STILL", 0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", pool.Idle)
        _, report = rows_and_report(
            toy_plan(1, toy_learner("slow", lambda: Sleeping(1.0)), NB), engine=cluster.scheduler_address
        )
    assert report.failures == 0
    assert next(looks, None) is None


def test_a_cluster_that_never_works_is_a_clear_error(cluster, monkeypatch):
    monkeypatch.setattr(dask._Cluster, "submit", lambda self, job: self.handed_out.add(job) or Future())
    monkeypatch.setattr(pool, "STILL", 0.2)
    with pytest.raises(InputError, match="anything") as error:
        rows_and_report(toy_plan(2, NB), engine=cluster.scheduler_address)
    assert "same command again" in error.value.fix


LOST = """
import sys
sys.path.insert(0, {here!r})
import bestofk as bk
from bestofk.collecting.run.collect import collect_plan
from bestofk.collecting.engines import dask, pool
from bestofk.stores.memory import MemoryStore
from collecting_toys import Sleeping, toy_learner, toy_plan

dask.WAIT, pool.STILL, pool.RESCUES = {wait}, 1.0, 1
plan = toy_plan(300, *(toy_learner(name, lambda: Sleeping(0.05)) for name in "ab"))
try:
    collect_plan(plan, MemoryStore(), engine={address!r}, progress=False)
except bk.InputError as error:
    sys.exit(str(error))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "wait", "told"),
    [(signal.SIGTERM, 60, "was lost"), (signal.SIGKILL, 60, "was lost"), (signal.SIGSTOP, 5, "does not answer")],
)
def test_a_scheduler_that_ends_or_is_silent_is_three_lines_and_no_log(how, wait, told):
    with dask_programs() as (address, (scheduler, *_)):
        code = LOST.format(here=str(HERE), address=address, wait=wait)
        run = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
        with distributed.Client(address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            while not client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)):
                assert run.poll() is None, run.communicate()[1]
                time.sleep(0.1)
        scheduler.send_signal(how)
        said = run.communicate(timeout=120)[1]
        scheduler.kill()
    assert told in said
    assert len(said.splitlines()) == 3, said


def test_workers_that_lack_a_module_are_a_clear_error(cluster, tmp_path, monkeypatch):
    (tmp_path / "only_here.py").write_text("from collecting_toys import Constant\nclass Own(Constant):\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    import only_here

    with pytest.raises(InputError, match=r"cannot take the plan: .*only_here") as caught:
        rows_and_report(toy_plan(1, NB, toy_learner("own", only_here.Own)), engine=cluster.scheduler_address)
    assert len(str(caught.value).splitlines()) == 3
