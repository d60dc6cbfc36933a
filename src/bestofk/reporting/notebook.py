"""Small pages for notebooks: the verdict, a comparison, an order, evidence. They carry their own look and no script."""

from __future__ import annotations

from collections.abc import Sequence

from bestofk.comparing import Comparison
from bestofk.core.phrases import counted
from bestofk.evidence import Evidence
from bestofk.judging import Verdict
from bestofk.ordering import Ordering
from bestofk.reporting.first_screen import LearnersTable, first_table
from bestofk.reporting.formats.rendering import rendered
from bestofk.reporting.tables import PlainTable, comparison_table, mean_text, ordering_table
from bestofk.reporting.words import best_set_sentence, comparison_lines, headline, notes, ordering_lines

#: Rows that a notebook shows; ``frame()`` has all of them.
MOST_ROWS = 30


def verdict_html(verdict: Verdict) -> str:
    """The first screen."""
    lines = [best_set_sentence(verdict), *notes(verdict, width=10_000)]
    return _small_page(headline(verdict), lines, first_table(verdict, most=MOST_ROWS))


def comparison_html(comparison: Comparison) -> str:
    """What was compared and found, and the pairs."""
    first, *rest = comparison_lines(comparison)
    return _small_page(first, rest, comparison_table(comparison))


def ordering_html(ordering: Ordering) -> str:
    """The order and what overrides the preference."""
    first, *rest = ordering_lines(ordering, width=10_000)
    return _small_page(first, rest, ordering_table(ordering))


def evidence_html(evidence: Evidence) -> str:
    """What was understood, how it was read, and the mean of every learner."""
    lines = [f"From {evidence.origin.source}.", *(f"Read: {note}." for note in evidence.origin.said)]
    missing = evidence.missing()
    if missing:
        lines.append(f"Missing: {counted(len(missing), 'result')}, first: {missing[0]}.")
    rows = tuple((name, "missing" if mean != mean else mean_text(mean)) for name, mean in evidence.means().items())
    column = f"mean {evidence.measure}"
    return _small_page(repr(evidence), lines, PlainTable(("learner", column), rows, frozenset({column})))


def _small_page(heading: str, lines: Sequence[str], table: PlainTable) -> str:
    hidden = len(table.rows) - MOST_ROWS
    more = f"{counted(hidden, 'more row')}: see frame()." if hidden > 0 else ""
    said = [line for line in lines if line]
    drawn = table.drawn if isinstance(table, LearnersTable) else None
    names = [row[table.row_name] for row in table.rows]
    values = {"heading": heading, "lines": said, "drawn": drawn, "most": MOST_ROWS, "more": more, "names": names}
    return rendered("notebook.html", table=table, **values)
