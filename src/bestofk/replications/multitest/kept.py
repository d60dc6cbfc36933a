"""A file that keeps finished parts of the experiment, one row each, so that a run that was stopped goes on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.version import __version__
from bestofk.design.datasets.dataset import Dataset
from bestofk.replications.multitest.experiment import Part

#: Grows when a learner of the experiment, or the order of its random numbers, changes: older parts are then not used.
FORM = 1
_MARK = 0x626B7270  # "bkrp" in the header of the file: nothing else is ever written into
_TABLE = """CREATE TABLE IF NOT EXISTS parts (
    key TEXT, start INTEGER, stop INTEGER, rates TEXT, others BLOB, logistic BLOB, sum TEXT,
    PRIMARY KEY (key, start, stop)) WITHOUT ROWID"""


def key_of(dataset: Dataset, seed: int) -> str:
    """What a part belongs to: the data to the last value, the seed, the form of the learners and the version."""
    digest = sha256(f"{dataset.name}|{dataset.classes}|".encode())
    digest.update(np.ascontiguousarray(dataset.y, dtype=np.float64).tobytes())
    for feature in dataset.features:
        digest.update(f"{feature.name}|{feature.categories}|".encode())
        digest.update(np.ascontiguousarray(feature.values, dtype=np.float64).tobytes())
    return f"{dataset.name}|{seed}|{FORM}|{__version__}|{digest.hexdigest()[:24]}"


@dataclass(frozen=True)
class Kept:
    """The file of finished parts; every call opens it anew, so that processes share it."""

    path: Path

    @classmethod
    def open(cls, path: str | Path) -> Kept:
        """Open or make the file; another file, or a folder that is not there, is refused."""
        kept = cls(Path(path))
        try:
            with kept._connected() as connection:
                connection.execute(_TABLE)
        except sqlite3.Error as error:
            raise kept._refused(str(error)) from None
        return kept

    def add(self, key: str, part: Part) -> None:
        """Keep a part: the whole row or nothing."""
        blobs = (part.others.tobytes(), part.logistic.tobytes())
        row = (key, part.start, part.stop, json.dumps(part.rates), *blobs, _sum(*blobs))
        with self._connected() as connection:
            connection.execute("INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def part(self, key: str, start: int, stop: int) -> Part | None:
        """The part of these runs, None where it is not there or not whole."""
        asked = "SELECT rates, others, logistic, sum FROM parts WHERE key = ? AND start = ? AND stop = ?"
        with self._connected() as connection:
            row = connection.execute(asked, (key, start, stop)).fetchone()
        if row is None or _sum(row[1], row[2]) != row[3]:
            return None
        rates, others, logistic = tuple(json.loads(row[0])), np.frombuffer(row[1]), np.frombuffer(row[2])
        return Part(start, stop, others.reshape(4, -1), rates, logistic.reshape(len(rates), -1))

    def runs(self, key: str, within: int) -> int:
        """How many of the first runs of a key are there."""
        asked = "SELECT coalesce(sum(stop - start), 0) FROM parts WHERE key = ? AND stop <= ?"
        with self._connected() as connection:
            return int(connection.execute(asked, (key, within)).fetchone()[0])

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=60)) as connection:
            mark = connection.execute("PRAGMA application_id").fetchone()[0]
            if mark != _MARK:
                if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    raise self._refused("it is a database of something else")
                connection.execute(f"PRAGMA application_id = {_MARK}")
            with connection:
                yield connection

    def _refused(self, why: str) -> InputError:
        return InputError(
            f"{self.path} cannot keep parts of a replication: {why}.",
            "replicate multitest, option --into",
            "name a new file, or one that an earlier replication wrote.",
        )


def _sum(*blobs: bytes) -> str:
    digest = sha256()
    for blob in blobs:
        digest.update(blob)
    return digest.hexdigest()[:16]
