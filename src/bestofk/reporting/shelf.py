"""Every format of a report by its name, which is also the suffix of a file."""

from __future__ import annotations

from collections.abc import Callable

from bestofk.core.shelf import Shelf
from bestofk.reporting.document import Document, Request

#: Makes a report in one format.
Maker = Callable[[Request], Document | str]


def _formats() -> dict[str, Maker]:
    from bestofk.reporting.formats.html import html_report
    from bestofk.reporting.formats.json_document import json_report
    from bestofk.reporting.formats.latex import latex_report
    from bestofk.reporting.formats.markdown import markdown_report
    from bestofk.reporting.formats.text import text_report

    return {
        "html": html_report,
        "json": json_report,
        "md": markdown_report,
        "tex": latex_report,
        "txt": text_report,
    }


FORMATS: Shelf[Maker] = Shelf("reports", _formats)
