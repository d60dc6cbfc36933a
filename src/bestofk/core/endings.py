"""Endings of files that are read, each listed once; packed ones have that of gzip behind it."""

from __future__ import annotations

#: An object per line.
JSON_LINES = (".jsonl", ".ndjson")
#: Tables in a folder of runs.
TABLES = (".csv", ".tsv", ".parquet")
#: Logs of evaluations; tables among them are of one learner each.
LOGS = (".json", *JSON_LINES, ".eval")
#: All of which a folder of results may be made up.
IN_FOLDERS = (*TABLES, *LOGS)


def ends(name: str, endings: tuple[str, ...]) -> bool:
    """Whether the name of a file ends so, packed or not.

    Examples
    --------
    >>> ends("Runs.CSV.gz", TABLES), ends("verdict.html", IN_FOLDERS)
    (True, False)
    """
    return name.lower().removesuffix(".gz").endswith(endings)
