"""kill -9 of the parent or of a worker at any moment, then the same call again: nothing lost, nothing twice."""

from __future__ import annotations

import os
import random
import signal
import time
from contextlib import closing
from pathlib import Path

import pytest

psutil = pytest.importorskip("psutil")

from kill_storms import (  # noqa: E402
    HERE,
    SCRIPT,
    _alive,
    cells_in,
    finished,
    gone,
    kill_a_worker,
    rows_in,
    started,
    storm,
    wait_for_cells,
)

KILLS = 20
SEMAPHORES = Path("/dev/shm")
REPLICATIONS = 120


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "collecting.py"
    path.write_text(SCRIPT.format(here=str(HERE), replications=REPLICATIONS))
    return path


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The results of a run that nobody disturbs."""
    folder = tmp_path_factory.mktemp("undisturbed")
    script = folder / "collecting.py"
    script.write_text(SCRIPT.format(here=str(HERE), replications=REPLICATIONS))
    finished(started(script, folder / "results.db", "serial"))
    rows = rows_in(folder / "results.db")
    assert len(rows) == 2 * 3 * REPLICATIONS * 2
    return rows


@pytest.mark.slow
def test_killing_the_parent_twenty_times_loses_and_doubles_nothing(script, tmp_path, undisturbed):
    kill_parents(script, tmp_path / "results.db", undisturbed)


@pytest.mark.slow
@pytest.mark.xdist_group("postgresql")
def test_killing_the_parent_twenty_times_on_postgresql(script, server, undisturbed):
    kill_parents(script, server.database("killed"), undisturbed)


@pytest.mark.slow
@pytest.mark.xdist_group("postgresql")
def test_two_parents_at_once_on_postgresql(script, server, undisturbed):
    from bestofk.stores.address import open_store
    from bestofk.stores.exchange.recovery import verify_store

    url = server.database("shared")
    both = [started(script, url, "serial", 0.05), started(script, url, "local:2", 0.31)]
    for process in both:
        finished(process)
    with closing(open_store(url, create=False)) as store:
        assert verify_store(store).problems == ()
    assert rows_in(url) == undisturbed


def kill_parents(script, store, undisturbed):
    draw = random.Random(1)
    for number in range(KILLS):
        engine = ("serial", "local:2")[number % 2]  # processes take a while to start: kill in and after that time
        process = started(script, store, engine)
        time.sleep(draw.uniform(0.0, 0.5 if engine == "serial" else 2.5))
        family = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        process.kill()
        process.communicate()
        assert gone(family), f"left behind: {[each.cmdline() for each in _alive(family)]}"
        there = isinstance(store, str) or store.exists()
        for place, row in (rows_in(store) if there else {}).items():
            assert undisturbed[place] == row
    finished(started(script, store))
    assert rows_in(store) == undisturbed


@pytest.mark.slow
def test_killing_workers_twenty_times_loses_and_doubles_nothing(script, tmp_path, undisturbed):
    kill_workers(script, (tmp_path / f"results{number}.db" for number in range(KILLS)), undisturbed)


@pytest.mark.slow
@pytest.mark.xdist_group("postgresql")
def test_killing_workers_twenty_times_on_postgresql(script, server, undisturbed):
    kill_workers(script, (server.database(f"workers-killed-{number}") for number in range(KILLS)), undisturbed)


def kill_workers(script, stores, undisturbed):
    """Run into one store after another, killing workers now and then, until enough have died."""
    kills, draw = 0, random.Random(2)
    for store in stores:
        if kills >= KILLS:
            break
        process = started(script, store)
        while process.poll() is None and kills < KILLS:
            if kills % 4 == 3:  # on a busy machine new workers take long to begin, and a run gives up that never does
                wait_for_cells(process, store, more_than=cells_in(store))
            time.sleep(draw.uniform(0.2, 3.0))
            kills += kill_a_worker(process.pid, draw)
        finished(process)
        assert rows_in(store) == undisturbed
    assert kills >= KILLS


def test_a_worker_dies_with_its_parent(script, tmp_path):
    process = started(script, tmp_path / "results.db")
    family: list[psutil.Process] = []
    end = time.monotonic() + 60
    while len(family) < 2 and time.monotonic() < end:
        time.sleep(0.05)
        family = psutil.Process(process.pid).children(recursive=True)
    assert len(family) >= 2
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert gone(family)


@pytest.mark.skipif(not SEMAPHORES.is_dir(), reason="semaphores are no files here")
def test_nothing_is_left_of_a_killed_group(script, tmp_path):
    store = tmp_path / "results.db"
    process = started(script, store, group=True)
    wait_for_cells(process, store, more_than=0)
    family = psutil.Process(process.pid).children(recursive=True)
    assert semaphores(process.pid), "nothing to clear up: nothing is tried"
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert gone(family, within=20)
    assert semaphores(process.pid) == []


def semaphores(process: int) -> list[Path]:
    return list(SEMAPHORES.glob(f"sem.loky-{process}-*"))


def test_ctrl_c_ends_the_workers_too_and_the_store_is_whole(script, tmp_path):
    store = tmp_path / "results.db"
    process = started(script, store)
    wait_for_cells(process, store, more_than=0)
    family = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    assert "Interrupted" in errors
    assert "same again to resume." in errors
    assert gone(family)
    rows_in(store)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["local", "dask", "ray"])
@pytest.mark.parametrize("store", ["sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql"))])
def test_storms_of_kills(store, engine):
    if engine != "local":
        pytest.importorskip({"dask": "distributed", "ray": "ray"}[engine])
    assert storm(store, engine, rounds=8, size=60)["whole runs"] > 0


@pytest.mark.slow
def test_killed_workers_with_children_are_cleared_up_without_a_word(tmp_path):
    path = tmp_path / "limited.py"
    text = SCRIPT.format(here=str(HERE), replications=2)
    path.write_text(text.replace("progress=False", "progress=False, cell_timeout=60"))
    process = started(path, tmp_path / "results.db", "local:1")
    out, errors = process.communicate(timeout=300)
    assert (out, process.returncode) == ("finished\n", 0), errors
    assert errors == ""
