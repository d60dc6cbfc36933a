"""Runs of ``collect`` that are killed at random moments, and go on: nothing lost, nothing twice, the same results.

A hundred kills, or as many as fit into ten minutes, with the figures at the end::

    PYTHONPATH=src:tests python tests/kill_storms.py --store sqlite --engine local --rounds 100 --minutes 10
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any

import psutil

HERE = Path(__file__).parent
#: Ray takes 127.0.0.1 for whatever else this machine is called in its network.
LOOPBACK = "127.0.0.2"
SECONDS = 300  # until a run that nobody kills any more is at its end
SCRIPT = """
import sys
sys.path.insert(0, {here!r})
from collecting_toys import GlobalDraw, Nearest, Sleeping, toy_learner, toy_plan
from bestofk.collecting.run.collect import collect_plan
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


def started(
    script: Path, store: Path | str, engine: str = "local:2", target: float = 0.05, *, group: bool = False
) -> subprocess.Popen[str]:
    command = [sys.executable, str(script), str(store), engine, str(target)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, **pipes, text=True, start_new_session=group)
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n", process.communicate()[1]
    return process


def finished(process: subprocess.Popen[str]) -> None:
    out, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, errors
    assert out == "finished\n", out


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


def rows_in(path: Path | str) -> dict[Any, Any]:
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


@contextmanager
def dask_programs(workers: int = 2) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and scheduler and workers as programs of their own, as people start them."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    started = [_dask("dask_scheduler", "--host", "127.0.0.1", "--port", str(port))]
    try:
        _wait_for_port(port)
        started += [dask_worker(address) for _ in range(workers)]
        yield address, started
    finally:
        for each in started:
            each.kill()
            each.wait()


def _wait_for_port(port: int, host: str = "127.0.0.1") -> None:
    """On a machine with much other work a program takes long to start."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            socket.create_connection((host, port), timeout=SECONDS).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError(f"nothing listens at port {port} after {SECONDS} seconds")


def dask_worker(address: str) -> subprocess.Popen[bytes]:
    return _dask("dask_worker", address, "--nworkers", "1", "--nthreads", "1", "--no-nanny")


def _dask(program: str, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.{program}", *words, "--no-dashboard"]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])}
    return subprocess.Popen(command, env=paths, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextmanager
def ray_programs(folder: Path) -> Iterator[psutil.Process]:
    """A Ray of two cores as a program of its own, which the engine ray finds by the environment; it calls nobody."""
    with socket.socket() as free:
        free.bind((LOOPBACK, 0))
        port = free.getsockname()[1]
    words = ["start", "--head", "--block", f"--node-ip-address={LOOPBACK}", f"--port={port}", "--num-cpus=2"]
    words += ["--include-dashboard=false", "--disable-usage-stats", f"--temp-dir={folder / 'ray'}"]
    # Ray lets in who knows a token: one of this storm alone.
    shared = {"RAY_ADDRESS": f"{LOOPBACK}:{port}", "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token_hex(32)}
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "ray.scripts.scripts", *words]
    told = {name: shared[name] for name in shared if name != "RAY_ADDRESS"}
    head = psutil.Popen(command, env={**paths, **told}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for_port(port, LOOPBACK)
        os.environ.update(shared)
        yield head
    finally:
        for name in shared:
            os.environ.pop(name, None)
        family = [head, *head.children(recursive=True)]
        for each in family:
            with suppress(psutil.NoSuchProcess):
                each.kill()
        head.wait()
        assert gone(family), "Ray is left behind"


def _kill_of_ray(head: psutil.Process, chance: random.Random) -> int:
    """Kill a worker of Ray that runs a cell, if there is one; Ray starts another."""
    workers = []
    for each in head.children(recursive=True):
        with suppress(psutil.Error):  # it has just ended
            if each.cmdline()[:1] == ["ray::_work"]:
                workers.append(each)
    if workers:
        with suppress(psutil.NoSuchProcess):
            chance.choice(workers).kill()
            return 1
    return 0


@contextmanager
def workers_of(engine: str, folder: Path, chance: random.Random) -> Iterator[tuple[str, Callable[[int], int]]]:
    """What the engine is called, and a function that kills one of its workers, given the parent's id."""
    if engine == "dask":
        with dask_programs() as (address, programs):
            yield address, lambda parent: _kill_of_dask(address, programs, chance)
    elif engine == "ray":
        with ray_programs(folder) as head:
            yield engine, lambda parent: _kill_of_ray(head, chance)
    else:
        yield "local:2", lambda parent: kill_a_worker(parent, chance)


@contextmanager
def stores(kind: str, folder: Path) -> Iterator[Callable[[], Path | str]]:
    """A function that makes one empty store after another."""
    numbers = count()
    if kind == "sqlite":
        yield lambda: folder / f"results{next(numbers)}.db"
        return
    from postgresql_server import running_server

    with running_server() as server:
        yield lambda: server.database(f"storm{next(numbers)}")


def storm(
    store: str = "sqlite", engine: str = "local", *, rounds: int, seed: int = 0, minutes: float = 60.0, size: int = 120
) -> Counter[str]:
    """Kill so many times a worker, the parent or all together; each time what is in the store must be right and whole.

    A run that comes to its end has the results of a serial run that nobody disturbed, and another one begins. Returns
    how many were killed of each, and how many runs were whole.
    """
    chance, figures, end = random.Random(seed), Counter[str](), time.monotonic() + 60 * minutes
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        script = folder / "collecting.py"
        script.write_text(SCRIPT.format(here=str(HERE), replications=size))
        finished(started(script, folder / "undisturbed.db", "serial"))
        right = rows_in(folder / "undisturbed.db")
        make = stack.enter_context(stores(store, folder))
        address, kill = stack.enter_context(workers_of(engine, folder, chance))
        while sum(figures[each] for each in ("worker", "parent", "group")) < rounds and time.monotonic() < end:
            _one_run(script, make(), address, kill, right, chance, figures, rounds, end)
    return figures


def _one_run(
    script: Path,
    store: Path | str,
    engine: str,
    kill: Callable[[int], int],
    right: dict[Any, Any],
    chance: random.Random,
    figures: Counter[str],
    rounds: int,
    end: float,
) -> None:
    """From an empty store to a whole one, killed and started again."""
    process = started(script, store, engine, group=True)
    while process.poll() is None:
        killed = sum(figures[each] for each in ("worker", "parent", "group"))
        if killed >= rounds or time.monotonic() > end:
            break
        time.sleep(chance.uniform(0.0, 4.0))
        what = chance.choice(("worker", "worker", "parent", "group"))
        if what == "worker":
            figures["worker"] += kill(process.pid)
            wait_for_cells(process, store, more_than=cells_in(store) if _there(store) else 0)
            continue
        if process.poll() is not None:
            break
        family = psutil.Process(process.pid).children(recursive=True)
        os.kill(process.pid, signal.SIGKILL) if what == "parent" else os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        figures[what] += 1
        assert gone(family, within=20), f"left behind: {[each.cmdline() for each in _alive(family)]}"
        for place, row in (rows_in(store) if _there(store) else {}).items():
            assert right[place] == row
        process = started(script, store, engine, group=True)
    finished(process)
    assert rows_in(store) == right
    figures["whole runs"] += 1


def _there(store: Path | str) -> bool:
    return isinstance(store, str) or store.exists()


def _kill_of_dask(address: str, programs: list[subprocess.Popen[bytes]], chance: random.Random) -> int:
    """Kill a worker of the cluster, and start another in its place."""
    place = chance.randrange(1, len(programs))
    programs[place].kill()
    programs[place].wait()
    programs[place] = dask_worker(address)
    return 1


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite")
    words.add_argument("--engine", choices=("local", "dask", "ray"), default="local")
    words.add_argument("--rounds", type=int, default=100)
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--minutes", type=float, default=60.0)
    said = words.parse_args()
    start = time.monotonic()
    figures = storm(said.store, said.engine, rounds=said.rounds, seed=said.seed, minutes=said.minutes)
    told = ", ".join(f"{number} {what}" for what, number in sorted(figures.items()))
    print(f"{said.store}, {said.engine}: {told}; nothing lost, nothing twice; {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
