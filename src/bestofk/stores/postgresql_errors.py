"""What PostgreSQL complains about, in three lines and without a password."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from bestofk.core.errors import InputError

_IN_AUTHORITY = re.compile(r"(?P<before>://[^/@?#:]*):(?P<password>.*)@")
_IN_QUERY = re.compile(r"(?P<before>[?&](?:ssl)?password)=(?P<password>[^&#]*)", re.IGNORECASE)

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


def without_password(url: str) -> str:
    """Return a URL that may be shown.

    Examples
    --------
    >>> without_password("postgresql://ann:secret@host/results?sslpassword=other")
    'postgresql://ann@host/results?sslpassword=***'
    """
    return _IN_QUERY.sub(r"\g<before>=***", _IN_AUTHORITY.sub(r"\g<before>@", url))


def told(error: Exception, url: str) -> InputError:
    """Return the three lines for an error of psycopg while the store was in use."""
    state = getattr(error, "sqlstate", None) or ("08" if type(error).__name__ == "OperationalError" else "")
    found = [lines for start, lines in _TOLD.items() if state.startswith(start)]
    wrong, fix = found[0] if found else ("the database does not do what is asked", "see that it is a store of bestofk.")
    return InputError(f"{wrong} ({_said(error, url)}).", without_password(url), fix)


def not_reached(error: Exception, url: str) -> InputError:
    """Return the three lines for a connection that could not be made."""
    if type(error).__name__ != "OperationalError" and "Timeout" not in type(error).__name__:
        # libpq quotes the URL with all its parts, so its words are not repeated
        return InputError(
            "the URL of the store is not understood.",
            without_password(url),
            "write postgresql://user@host:5432/database; other characters of a password as %40, %2F …",
        )
    said = _said(error, url)
    return InputError(f"PostgreSQL cannot be reached ({said}).", without_password(url), _remedy(said))


def _remedy(said: str) -> str:
    if "password" in said or "authentication" in said:
        return "check the user and the password: in the URL, in PGPASSWORD or in ~/.pgpass."
    if "database" in said and "does not exist" in said:
        return "check the name, or make the database: createdb."
    if "role" in said and "does not exist" in said:
        return "check the name of the user, or make it: createuser."
    if "permission" in said:
        return "GRANT the user CONNECT on the database."
    return "see that the server runs, and that host and port are right: postgresql://user@host:5432/database."


def _said(error: Exception, url: str) -> str:
    """The server's first sentence, on one line, with every password of the URL blotted out."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    said = lines[0].rstrip(".")
    for pattern in (_IN_AUTHORITY, _IN_QUERY):
        for match in pattern.finditer(url):
            for secret in {match["password"], unquote(match["password"])} - {""}:
                said = said.replace(secret, "***")
    return said


def is_passing(error: Any) -> bool:
    """Whether the same work may be tried again at once: a deadlock, or a connection that was lost."""
    state = getattr(error, "sqlstate", None)
    return state in ("40P01", "40001") or (state is None or state[:2] in ("08", "57"))
