"""kill -9 of the parent or of a worker at any moment, then the same call again: nothing lost, nothing twice."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

psutil = pytest.importorskip("psutil")

KILLS = 20
HERE = Path(__file__).parents[1]
SCRIPT = """
import sys
sys.path.insert(0, {here!r})
from collecting_toys import GlobalDraw, Nearest, Sleeping, toy_learner, toy_plan
from bestofk.collecting import collect_plan
from bestofk.collecting.run import collect
from bestofk.stores.address import open_store

# many small cells: many moments at which a kill can hurt
collect.TARGET = float(sys.argv[3]) if len(sys.argv) > 3 else 0.05

if __name__ == "__main__":
    makers = {{"nearest": Nearest, "draw": GlobalDraw, "slow": lambda: Sleeping(0.01)}}
    plan = toy_plan({replications}, *(toy_learner(name, make) for name, make in makers.items()))
    print("started", flush=True)
    store = open_store(sys.argv[1])
    collect_plan(plan, store, engine=sys.argv[2], progress=False)
    store.close()
    print("finished", flush=True)
"""
REPLICATIONS = 120


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "collecting.py"
    path.write_text(SCRIPT.format(here=str(HERE), replications=REPLICATIONS))
    return path


def started(script: Path, store: Path | str, engine: str = "local:2", target: float = 0.05) -> subprocess.Popen[str]:
    command = [sys.executable, str(script), str(store), engine, str(target)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n", process.communicate()[1]
    return process


def finished(process: subprocess.Popen[str]) -> None:
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert out == "finished\n"


def gone(processes: list[psutil.Process], within: float = 60.0) -> bool:
    """Whether all have ended (or are only waiting to be reaped)."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        if not any(each.is_running() and each.status() != psutil.STATUS_ZOMBIE for each in _alive(processes)):
            return True
        time.sleep(0.1)
    return False


def _alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    return [each for each in processes if psutil.pid_exists(each.pid)]


def rows_in(path: Path | str):
    from bestofk.stores.address import open_store
    from collecting_toys import rows_of

    if isinstance(path, Path):
        with sqlite3.connect(path) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
    store = open_store(path)
    try:
        return rows_of(store.read())
    finally:
        store.close()


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


def cells_in(path: Path | str) -> int:
    from bestofk.stores.address import open_store

    with closing(open_store(path)) as store:
        return len(store.finished())


def wait_for_cells(process: subprocess.Popen[str], store: Path | str, *, more_than: int) -> None:
    end = time.monotonic() + 60
    while process.poll() is None and cells_in(store) <= more_than and time.monotonic() < end:
        time.sleep(0.2)


def kill_a_worker(parent: int, draw: random.Random) -> int:
    try:
        family = psutil.Process(parent).children()
        workers = [each for each in family if any("LokyProcess" in word or "loky" in word for word in each.cmdline())]
        workers = [each for each in workers if not any("resource_tracker" in word for word in each.cmdline())]
        if not workers:
            return 0
        draw.choice(workers).kill()
    except psutil.Error:
        return 0
    return 1


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
def test_killed_workers_with_children_are_cleared_up_without_a_word(tmp_path):
    path = tmp_path / "limited.py"
    text = SCRIPT.format(here=str(HERE), replications=2)
    path.write_text(text.replace("progress=False", "progress=False, cell_timeout=60"))
    process = started(path, tmp_path / "results.db", "local:1")
    out, errors = process.communicate(timeout=300)
    assert (out, process.returncode) == ("finished\n", 0), errors
    assert errors == ""
