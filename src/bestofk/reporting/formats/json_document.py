"""The report as data: every field of the result; of a verdict under a numbered schema (docs/reference/schema.md)."""

from __future__ import annotations

import json
from typing import Any

from bestofk.judging import Verdict
from bestofk.reporting.document import Document, Request

#: Grows when a field is taken away, renamed or given another meaning; a new field leaves it as it is.
SCHEMA = 2


def document_of(subject: Any) -> dict[str, Any]:
    """The result as plain values, ready for JSON; the scores themselves stay in their file."""
    fields = subject.to_dict()
    fields.pop("evidence", None)
    return {"schema": SCHEMA, **fields} if isinstance(subject, Verdict) else fields


def json_report(request: Request) -> Document:
    """Make the text."""
    return Document(json.dumps(document_of(request.subject), indent=2, ensure_ascii=False, allow_nan=False) + "\n")
