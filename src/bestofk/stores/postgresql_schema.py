"""The tables of a PostgreSQL store: made once, whoever comes first."""

from __future__ import annotations

from typing import Any

from bestofk.core.errors import InputError

VERSION = 1
_LOCK = 0x626B7374  # an advisory lock of our own: two people may start at once

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


def settle(connection: Any, url: str, *, create: bool) -> None:
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
    if version > VERSION:
        raise InputError(
            f"the store was written by a newer bestofk (format {version}, this one knows {VERSION}).",
            url,
            "install that version or a later one: pip install --upgrade bestofk.",
        )
    if version < 1:
        raise InputError("the tables bestofk_* are no store of bestofk.", url, "name another database.")


def _is_there(connection: Any) -> bool:
    # Not to_regclass: it answers from a cache that may not know what another session has just made.
    query = "SELECT count(*) FROM pg_class WHERE relname = 'bestofk_meta' AND pg_table_is_visible(oid)"
    return bool(connection.execute(query).fetchone()[0])
