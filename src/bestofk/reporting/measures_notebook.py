"""The verdict on several measures as a small page for notebooks."""

from __future__ import annotations

from bestofk.judging.measures_verdict import MeasuresVerdict
from bestofk.reporting.measures_areas import roc_lines
from bestofk.reporting.measures_page import measures_title
from bestofk.reporting.measures_tables import learners_table
from bestofk.reporting.measures_words import MEASURES_STATUS_MEANS, difference_lines, group_lines, order_lines
from bestofk.reporting.rendering import rendered

#: Rows that a notebook shows; ``frame()`` has all of them.
MOST_ROWS = 30


def measures_html(verdict: MeasuresVerdict) -> str:
    """What differs, who is dominated, every measure by itself, advice, and the learners."""
    groups = [line.removeprefix("- ") for line in group_lines(verdict)]
    lines = [
        *difference_lines(verdict),
        *groups,
        *order_lines(verdict),
        *roc_lines(verdict),
        *(repr(advice) for advice in verdict.advice),
    ]
    table = learners_table(verdict)
    more = f"{len(table.rows) - MOST_ROWS} more rows: see frame()." if len(table.rows) > MOST_ROWS else ""
    heading = f"{measures_title(verdict)}: {MEASURES_STATUS_MEANS[verdict.status]}"
    return rendered("notebook.html", heading=heading, lines=lines, table=table, most=MOST_ROWS, more=more)
