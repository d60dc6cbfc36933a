"""A PostgreSQL database as the store of several people and machines: any number of writers, cells are upserts."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import RLock
from time import monotonic, sleep
from typing import Any, TypeVar

from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.core.passwords import remember, shown_address, without_passwords
from bestofk.design.plan.cell import CellResult
from bestofk.stores import packed_store
from bestofk.stores.store import Finished, PlanRecord, too_new

_AGAIN = "then run the same command again: everything that was acknowledged is kept."

#: beginning of SQLSTATE → what is wrong, what to do.
_TOLD = {
    "42501": (
        "the user of the database may not do this",
        "GRANT the user CREATE on the schema, or SELECT, INSERT, UPDATE and DELETE on the tables bestofk_*.",
    ),
    "25006": ("the database is read-only", "name a server that may be written to."),
    "53100": ("the server has no space left", f"free some space there, {_AGAIN}"),
    "53300": ("the server has too many connections", f"close some, {_AGAIN}"),
    "40P01": ("other writers were in the way", _AGAIN),
    "40001": ("other writers were in the way", _AGAIN),
    "57": ("the server was shut down", f"start it, {_AGAIN}"),
    "08": ("the connection to the server was lost", f"see that it runs, {_AGAIN}"),
}
_VERSION = 1
_TABLES = """
CREATE TABLE bestofk_meta (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE bestofk_plans (fingerprint text PRIMARY KEY, text text NOT NULL, created text NOT NULL, locked text);
CREATE TABLE bestofk_series (
    id text COLLATE "C" PRIMARY KEY,
    dataset text NOT NULL, dataset_fingerprint text NOT NULL,
    learner text NOT NULL, learner_fingerprint text NOT NULL,
    folds text NOT NULL, seed text NOT NULL, measures text NOT NULL
);
CREATE TABLE bestofk_cells (
    series text COLLATE "C" NOT NULL REFERENCES bestofk_series (id), start integer NOT NULL, stop integer NOT NULL,
    failed integer NOT NULL, blob bytea NOT NULL, PRIMARY KEY (series, start, stop)
);
ALTER TABLE bestofk_cells ALTER COLUMN blob SET STORAGE EXTERNAL;
INSERT INTO bestofk_meta VALUES
    ('version', '1'), ('created', to_char(now() AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'));
"""
_CELLS = "FROM bestofk_cells JOIN bestofk_series ON series = id"
_CHOSEN = "WHERE series = ANY(%s)"
_ORDER = "ORDER BY series, start, stop"
_AT_ONCE = 64  # cells fetched together: bounded memory
#: Seconds until a server counts as not there, and until a silent connection counts as lost (milliseconds the last).
_LIMITS = {
    "connect_timeout": 10,
    "keepalives_idle": 20,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
#: Seconds that a server which was there may be away, and the longest pause between two tries meanwhile.
_AWAY, _LONGEST_PAUSE = 120.0, 10.0
#: Advisory locks of our own: one for making the tables, since two people may start at once, and those of the series.
_LOCK = 0x626B7374
_FIRST_LOCK, _SERIES_LOCKS = _LOCK << 16, 256

Answer = TypeVar("Answer")


class Away(UserWarning):
    """The server of a store does not answer, and is asked again."""


class PostgreSQLStore(packed_store.PackedStore):
    """Cells in the tables ``bestofk_*`` of a database, in the first schema of the user's search path."""

    def __init__(self, url: str, *, create: bool = True) -> None:
        self._psycopg = need("psycopg", purpose="a PostgreSQL store")
        remember(url)
        self._address = url
        self._guard = RLock()
        self._patience = _AWAY
        self._claimed: set[str] = set()
        self._open = True
        try:
            self._connection = self._connected()
        except (self._psycopg.Error, UnicodeError) as error:  # of the host's name
            raise _not_reached(error, self._address) from None
        try:
            self._asked(lambda connection: _settle(connection, self.url, create=create))
        except BaseException:
            self.close()
            raise

    @property
    def url(self) -> str:
        """The URL without its password."""
        return shown_address(self._address)

    def record_plan(self, plan: PlanRecord) -> None:
        """Keep a plan; the same fingerprint again changes nothing but a lock that was not there."""
        statement = (
            "INSERT INTO bestofk_plans AS known VALUES (%s, %s, %s, %s) "
            "ON CONFLICT (fingerprint) DO UPDATE SET locked = coalesce(known.locked, excluded.locked)"
        )
        row = (plan.fingerprint, plan.text, plan.created, plan.locked)
        self._asked(lambda connection: connection.execute(statement, row))

    def plans(self) -> list[PlanRecord]:
        """All plans, oldest first."""
        query = 'SELECT fingerprint, text, created, locked FROM bestofk_plans ORDER BY created COLLATE "C", fingerprint'
        rows = self._asked(lambda connection: connection.execute(query).fetchall())
        return [packed_store.plan_of_row(row) for row in rows]

    def forget_plan(self, fingerprint: str) -> None:
        """Take a plan out; its cells stay, and one that is not there is no fault."""
        statement = "DELETE FROM bestofk_plans WHERE fingerprint = %s"
        self._asked(lambda connection: connection.execute(statement, (fingerprint,)))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While it lasts nobody else can record a plan: all of it is one transaction, and others wait for its end."""
        with self._guard, self._one_transaction() as connection:
            # Writers of plans wait, and so does whoever else wants to be alone; readers do not.
            connection.execute("LOCK TABLE bestofk_plans IN SHARE ROW EXCLUSIVE MODE")
            yield

    def finished(self, series: Sequence[str] | None = None) -> list[Finished]:
        """Cells in the store, of these series or of all, without their results."""
        query, values = _query(f"{packed_store.KEY_COLUMNS}, failed", series)
        rows = self._asked(lambda connection: connection.execute(query, values).fetchall())
        return [packed_store.finished_of_row(row, where=self.url) for row in rows]

    def write(self, results: Sequence[CellResult]) -> None:
        """Add cells in one transaction; the same id replaces, other replications that are there are cut off."""
        new = packed_store.packed(results)
        series = {each.key.series: each.key for each in new}
        if new:
            known = [(id, *packed_store.series_row(series[id])) for id in sorted(series)]
            self._asked(lambda connection: _upsert(connection, known, new, self.url))

    def claim(self, series: str) -> bool:
        """Keep other runs from a series: an advisory lock, which ends with the connection at the latest."""
        if series not in self._claimed and self._asked(lambda connection: _locked(connection, series)):
            self._claimed.add(series)
        return series in self._claimed

    def release(self, series: str) -> None:
        """Let other runs have a series that was claimed."""
        if series in self._claimed:
            self._claimed.remove(series)
            with self._guard, suppress(self._psycopg.Error):  # of a server that is away the claims are gone
                self._connection.execute("SELECT pg_advisory_unlock(%s, %s)", _claim(series))

    def remove(self, ids: Sequence[str]) -> None:
        """Take cells out, so that they run again; ids that are not there are no fault."""
        rows = sorted(self._parts_of_id(id) for id in ids)
        statement = "DELETE FROM bestofk_cells WHERE series = %s AND start = %s AND stop = %s"

        def delete(connection: Any) -> None:
            with connection.transaction(), connection.cursor() as cursor:
                cursor.executemany(statement, rows)

        self._asked(delete)

    def packed(self, series: Sequence[str] | None = None) -> Iterator[packed_store.Packed]:
        """Cells with their bytes, sorted by series, start and stop; a snapshot of the moment of the first one."""
        if not self._open:
            raise self._closed()
        return self._snapshot(*_query(f"{packed_store.KEY_COLUMNS}, failed, blob", series))

    def faults(self) -> list[str]:
        """Wrong ids and names."""
        query = f"SELECT {packed_store.SERIES_COLUMNS} FROM bestofk_series ORDER BY id"  # noqa: S608  names of ours
        series = self._asked(lambda connection: connection.execute(query).fetchall())
        meta = self._asked(lambda connection: connection.execute("SELECT name, value FROM bestofk_meta").fetchall())
        return [
            *packed_store.faults_of_series(series, where=self.url),
            *packed_store.faults_of_meta(meta, "version", "created"),
        ]

    def close(self) -> None:
        """Let go of the connection."""
        self._open = False
        self._connection.close()

    def _snapshot(self, query: str, values: tuple[Any, ...]) -> Iterator[packed_store.Packed]:
        """A connection of its own, so that writing in between does not disturb the reading."""
        with self._asked(lambda _: self._connected()) as connection:
            try:
                with connection.transaction(), connection.cursor("bestofk_cells", binary=True) as cursor:
                    cursor.itersize = _AT_ONCE
                    for row in cursor.execute(query, values):
                        yield packed_store.packed_of_row(row, where=self.url)
            except self._psycopg.Error as error:
                raise _told(error, self._address) from None

    @contextmanager
    def _one_transaction(self) -> Iterator[Any]:
        """What is asked inside belongs together, so that none of it is tried again by itself."""
        connection = self._asked(lambda connection: connection.execute("SELECT 1") and connection)
        self._patience = 0.0
        try:
            with connection.transaction():
                yield connection
        except self._psycopg.Error as error:
            raise _told(error, self._address) from None
        finally:
            self._patience = _AWAY

    def _asked(self, work: Callable[[Any], Answer]) -> Answer:
        """Do the work; again after a deadlock or while the server is away, since all of it is idempotent."""
        with self._guard:
            until, pause = monotonic() + self._patience, 0.1
            while True:
                if not self._open:
                    raise self._closed()
                try:
                    if self._connection.closed:
                        self._connection = self._connected()
                        # Claims ended with the old connection; another run may have taken a series meanwhile.
                        self._claimed = {each for each in self._claimed if _locked(self._connection, each)}
                    return work(self._connection)
                except self._psycopg.Error as error:
                    if not _is_passing(error) or monotonic() + pause > until:
                        raise _told(error, self._address) from None
                    if pause > 1:
                        warnings.warn(f"{_told(error, self._address).wrong} Trying again.", Away, stacklevel=2)
                sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _connected(self) -> Any:
        """A connection whose commits are on the server's disk, even where the server's own default is laxer."""
        waiting = {name: value for name, value in _LIMITS.items() if f"{name}=" not in self._address}
        connection = self._psycopg.connect(self._address, autocommit=True, **waiting)
        try:
            # What another writer has committed while we waited for a lock must be seen, whatever the server's default.
            connection.isolation_level = self._psycopg.IsolationLevel.READ_COMMITTED
            connection.execute(
                "SELECT set_config('synchronous_commit', 'on', false) WHERE "
                "current_setting('synchronous_commit') = 'off'"
            )
            # A machine that vanished keeps its claims until the server notices.
            for name, value in (("idle", "60"), ("interval", "20"), ("count", "3")):
                connection.execute("SELECT set_config(%s, %s, false)", (f"tcp_keepalives_{name}", value))
        except BaseException:
            connection.close()
            raise
        return connection


def _upsert(connection: Any, series: list[tuple[str, ...]], new: list[packed_store.Packed], where: str) -> None:
    ids = [row[0] for row in series]
    with connection.transaction(), connection.cursor() as cursor:
        # Under the lock of their series, what is there stays as it is until the commit.
        cursor.executemany("SELECT pg_advisory_xact_lock(%s)", [(number,) for number in _locks(ids)])
        there = cursor.execute(
            "SELECT series, start, stop FROM bestofk_cells WHERE series = ANY(%s)", (ids,)
        ).fetchall()
        cells = [
            (each.key.series, each.key.start, each.key.stop, each.failed, each.blob)
            for each in packed_store.trimmed(new, there, where=where)
        ]
        cursor.executemany(
            "INSERT INTO bestofk_series VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (id) DO NOTHING", series
        )
        cursor.executemany(
            "INSERT INTO bestofk_cells VALUES (%s, %s, %s, %s, %b) "
            "ON CONFLICT (series, start, stop) DO UPDATE SET failed = excluded.failed, blob = excluded.blob",
            cells,
        )


def _locks(series: list[str]) -> list[int]:
    """Numbers of the locks of some series, in one order for all writers, so that two wait for each other in turn.

    Series share a few hundred locks: a write of any number of them stays within the server's table of locks.
    """
    return sorted({_FIRST_LOCK + int(id[:8], 16) % _SERIES_LOCKS for id in series})


def _locked(connection: Any, series: str) -> bool:
    return bool(connection.execute("SELECT pg_try_advisory_lock(%s, %s)", _claim(series)).fetchone()[0])


def _claim(series: str) -> tuple[int, int]:
    """The lock of a series: two numbers, which are never those of one."""
    return _LOCK, int(series[:8], 16) - 2**31


def _query(columns: str, series: Sequence[str] | None) -> tuple[str, tuple[Any, ...]]:
    if series is None:
        return f"SELECT {columns} {_CELLS} {_ORDER}", ()
    return f"SELECT {columns} {_CELLS} {_CHOSEN} {_ORDER}", (list(series),)


def _settle(connection: Any, url: str, *, create: bool) -> None:
    """See that the tables are there and of a version that is known; make them where there are none."""
    if not _is_there(connection):
        if not create:
            raise InputError(
                "there is no store in the database.", url, "check the name, or collect into it: bestofk collect."
            )
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            if not _is_there(connection):
                connection.execute(_TABLES)
    row = connection.execute("SELECT value FROM bestofk_meta WHERE name = 'version'").fetchone()
    version = int(row[0]) if row and str(row[0]).isdecimal() else 0
    if version > _VERSION:
        raise too_new("the store", version, _VERSION, url)
    if version < 1:
        raise InputError("the tables bestofk_* are no store of bestofk.", url, "name another database.")


def _is_there(connection: Any) -> bool:
    # Not to_regclass: it answers from a cache that may not know what another session has just made.
    query = "SELECT count(*) FROM pg_class WHERE relname = 'bestofk_meta' AND pg_table_is_visible(oid)"
    return bool(connection.execute(query).fetchone()[0])


def _told(error: Exception, url: str) -> InputError:
    """Return the three lines for an error of psycopg while the store was in use."""
    state = getattr(error, "sqlstate", None) or ("08" if type(error).__name__ == "OperationalError" else "")
    found = [lines for start, lines in _TOLD.items() if state.startswith(start)]
    wrong, fix = found[0] if found else ("the database does not do what is asked", "see that it is a store of bestofk.")
    return InputError(f"{wrong} ({_said(error)}).", shown_address(url), fix)


def _not_reached(error: Exception, url: str) -> InputError:
    """Return the three lines for a connection that could not be made."""
    if type(error).__name__ != "OperationalError" and "Timeout" not in type(error).__name__:
        # libpq quotes the URL with all its parts, so its words are not repeated
        return InputError(
            "the URL of the store is not understood.",
            shown_address(url),
            "write postgresql://user@host:5432/database; other characters of a password as %40, %2F …",
        )
    said = _said(error)
    fix = next(fix for words, fix in _REMEDIES.items() if re.search(words, said))
    return InputError(f"PostgreSQL cannot be reached ({said}).", shown_address(url), fix)


#: Words of the server about a connection that it refuses → what to do.
_REMEDIES = {
    "password|authentication": "check the user and the password: in the URL, in PGPASSWORD or in ~/.pgpass.",
    "database.*does not exist": "check the name, or make the database: createdb.",
    "role.*does not exist": "check the name of the user, or make it: createuser.",
    "permission": "GRANT the user CONNECT on the database.",
    "": "see that the server runs, and that host and port are right: postgresql://user@host:5432/database.",
}


def _said(error: Exception) -> str:
    """The server's first sentence, on one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return without_passwords(lines[0].rstrip("."))


def _is_passing(error: Any) -> bool:
    """Whether the same work may be tried again: a deadlock, or a server that is away."""
    state = getattr(error, "sqlstate", None)
    if state is not None:
        return state in ("40P01", "40001") or state.startswith(("08", "57P"))
    away = any(kind.__name__ in ("OperationalError", "InterfaceError") for kind in type(error).__mro__)
    return away and not any(re.search(words, str(error)) for words in _REMEDIES if words)
