"""The first table as CSV, for a spreadsheet or a board."""

from __future__ import annotations

import csv
from io import StringIO

from bestofk.core.errors import InputError
from bestofk.reporting.document import Document, Request
from bestofk.tables.cells import guarded


def csv_report(request: Request) -> Document:
    """Make the text: a line per learner."""
    rows = getattr(request.subject, "rows", None)
    if rows is None:
        raise InputError("there is no table of this result.", "report, format csv", "use .json, .html or .md.")
    lines, text = rows(), StringIO()
    writer = csv.DictWriter(text, lines[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _plain(value) for key, value in line.items()} for line in lines)
    return Document(text.getvalue())


def _plain(value: object) -> object:
    """A rank interval as from-to, and no formula."""
    return "-".join(map(str, value)) if isinstance(value, tuple) else guarded(value)
