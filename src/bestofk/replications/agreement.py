"""How near a replication comes: one line per figure, ours beside what was asked for."""

from __future__ import annotations

from collections.abc import Sequence

from bestofk.core.phrases import counted
from bestofk.core.record import Record
from bestofk.reporting.tables import PlainTable


class Agreement(Record):
    """One measure of agreement; ``met`` is None where nothing was asked for and the figure is only told."""

    what: str
    ours: str
    asked: str = ""
    met: bool | None = None


def counted_met(lines: Sequence[Agreement]) -> str:
    """How many of the figures asked for were reached, as a sentence.

    Examples
    --------
    >>> counted_met([Agreement("t", "2.26", "2.26", True), Agreement("p", "0.03", "0.05", False), Agreement("n", "5")])
    '1 of 2 figures asked for are reached.'
    """
    asked = [line for line in lines if line.met is not None]
    if not asked:
        return "No figure was asked for."
    reached = sum(bool(line.met) for line in asked)
    verb = "is" if len(asked) == 1 else "are"
    return f"{reached} of {counted(len(asked), 'figure')} asked for {verb} reached."


def agreement_table(lines: Sequence[Agreement]) -> PlainTable:
    """One row per figure: what, ours, what was asked for, whether it is reached."""
    words = {True: "yes", False: "no", None: ""}
    rows = tuple((line.what, line.ours, line.asked, words[line.met]) for line in lines)
    return PlainTable(("agreement", "ours", "asked for", "reached"), rows, frozenset())
