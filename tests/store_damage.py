"""Stores with changed bytes, and disks that are full: what is read is right, or three lines say that it is not.

The figures of a thousand rounds each::

    PYTHONPATH=src:tests python tests/store_damage.py --rounds 1000
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bestofk.core.errors import InputError
from bestofk.design.plan.cell import CellResult
from bestofk.stores.address import open_store
from bestofk.stores.exchange.recovery import rescued, verify_store
from bestofk.testing.store import same_cell, sample_cell

#: Writes cells until the system refuses to let a file grow beyond a size; says each id once ``write`` has returned.
LIMITED = """
import resource, signal, sys
from bestofk.core.errors import InputError
from bestofk.stores.address import open_store
from bestofk.testing.store import sample_cell
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    store = open_store(sys.argv[1])
    for number in range(10**4):
        cell = sample_cell(f"learner {number}", stop=10)
        store.write([cell])
        print(cell.key.id, flush=True)
except InputError as error:
    sys.exit(str(error))
"""


def damaged(rounds: int, seed: int = 0) -> Counter[str]:
    """Change bytes of a store so many times; return how often it was harmless, and how often what told of it."""
    chance, figures = Random(seed), Counter[str]()
    with TemporaryDirectory() as folder:
        path = Path(folder, "results.db")
        with closing(open_store(path)) as store:
            store.write([sample_cell(f"learner {number}", stop=5) for number in range(40)])
            right = {cell.key.id: cell for cell in store.read()}
        whole = path.read_bytes()
        for _ in range(rounds):
            path.write_bytes(_changed(chance, whole))
            figures[_found(path, right)] += 1
            for left in path.parent.glob("results.db-*"):
                left.unlink()
    return figures


def _changed(chance: Random, content: bytes) -> bytes:
    """Some bytes changed, a block of zeros, or the end cut off."""
    spoilt, place = bytearray(content), chance.randrange(len(content))
    kind = chance.randrange(6)
    if kind == 0:
        del spoilt[place:]
    elif kind == 1:
        spoilt[place : place + 4096] = bytes(len(spoilt[place : place + 4096]))
    else:
        for _ in range(chance.choice((1, 1, 2, 16))):
            spoilt[chance.randrange(len(spoilt))] ^= 1 << chance.randrange(8)
    return bytes(spoilt)


def _found(path: Path, right: dict[str, CellResult]) -> str:
    """How the damage showed; cells that are read, also by a rescue, must be right."""
    try:
        with closing(open_store(path, create=False)) as store:
            try:
                cells, told = list(store.read()), False
            except InputError:
                cells, told = [], True
            sound = verify_store(store).sound
    except InputError:
        cells, told, sound = [], True, False
    try:
        kept = list(rescued(path).read())
    except InputError:
        kept = []
    for cell in (*cells, *kept):
        assert same_cell(cell, right[cell.key.id]), f"{cell.key.id} was read and is wrong"
    if told:
        assert not sound, "reading fails, and verifying says that all is sound"
        return "told when read"
    if not sound:
        return "told when verified"
    assert len(cells) == len(right), "cells are lost, and nothing says so"
    return "harmless"


def full(rounds: int, seed: int = 0) -> Counter[str]:
    """Let files grow up to some size only; return how many cells were acknowledged, all of which must be there."""
    chance, figures = Random(seed), Counter[str]()
    for _ in range(rounds):
        with TemporaryDirectory() as folder:
            path = Path(folder, "results.db")
            words = [sys.executable, "-c", LIMITED, str(path), str(chance.randrange(1_000, 1_000_000))]
            answer = subprocess.run(words, capture_output=True, text=True, timeout=300)
            assert answer.returncode == 1, answer
            assert len(answer.stderr.splitlines()) == 3, answer.stderr
            said = answer.stdout.split()
            figures["times full"] += 1
            figures["cells acknowledged"] += len(said)
            if not said:
                continue
            with closing(open_store(path, create=False)) as store:
                assert {each.key.id for each in store.finished()} >= set(said)
                assert verify_store(store).sound
    return figures


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--rounds", type=int, default=1000)
    words.add_argument("--full", type=int, default=20, help="rounds of a full disk")
    said = words.parse_args()
    for what, figures in (("damaged", damaged(said.rounds)), ("full", full(said.full))):
        print(f"{what}: " + ", ".join(f"{number:,} {how}" for how, number in sorted(figures.items())), flush=True)


if __name__ == "__main__":
    main()
