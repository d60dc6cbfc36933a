"""A process that writes cells and is killed without warning, again and again; what it acknowledged must be there."""

from __future__ import annotations

import random
import subprocess
import sys
import time

from bestofk.stores.address import open_store
from bestofk.stores.exchange.recovery import verify_store

#: Writes one cell after another and says each id once ``write`` has returned.
WRITER = """
import sys
from bestofk.stores.address import open_store
from bestofk.testing.store import sample_cell
store = open_store(sys.argv[1])
print("ready", flush=True)
for number in range(int(sys.argv[2]), 10**6):
    learner, replication = divmod(number, 900)
    cell = sample_cell(f"learner {learner}", start=replication, stop=replication + 1, folds=10)
    store.write([cell])
    print(cell.key.id, flush=True)
"""


def survive_kills(url: str, *, rounds: int, seed: int) -> None:
    """Kill a writer so many times at random moments; assert that all it acknowledged is there, once and whole."""
    chance = random.Random(seed)
    acknowledged: list[str] = []
    for _ in range(rounds):
        acknowledged += _one_life(url, len(acknowledged), chance)
        store = open_store(url, create=False)
        found = [each.key.id for each in store.finished()]
        store.close()
        assert len(found) == len(set(found)), "a cell is there twice"
        assert set(acknowledged) <= set(found), "an acknowledged cell is lost"
    assert len(acknowledged) > 5 * rounds, "the writers hardly wrote: nothing was tried"
    store = open_store(url, create=False)
    answer = verify_store(store)
    store.close()
    assert answer.problems == ()
    assert answer.cells >= len(acknowledged)


def _one_life(url: str, start: int, chance: random.Random) -> list[str]:
    """Start a writer, kill it between or within two writes; return what it acknowledged until its last moment."""
    process = subprocess.Popen([sys.executable, "-c", WRITER, url, str(start)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process:
        try:
            assert process.stdout.readline() == "ready\n", "the writer could not open the store"
            said = [process.stdout.readline().strip() for _ in range(chance.randrange(1, 25))]
            assert all(said), "the writer ended by itself: a killed one must not lock out the next"
            time.sleep(chance.random() * 0.005)
        finally:
            process.kill()
        rest = process.stdout.read().splitlines(keepends=True)
    return said + [line.strip() for line in rest if line.endswith("\n")]
