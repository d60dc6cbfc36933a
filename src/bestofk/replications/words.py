"""Sentences about a replication. Words read fields and never compute."""

from __future__ import annotations

from bestofk.replications.agreement import agreement_table, counted_met
from bestofk.replications.replication import Replication
from bestofk.reporting.tables import aligned


def replication_text(made: Replication) -> str:
    """Headline, how it was made, agreement, what is left out."""
    return "\n".join([*opening(made), "", aligned(agreement_table(made.agreement)), "", *left_out_lines(made)])


def opening(made: Replication) -> list[str]:
    """What it replicates, what was reached and how it was made."""
    return [made.title, made.headline, counted_met(made.agreement), how_made(made)]


def how_made(made: Replication) -> str:
    """Runs, seed, date and versions in a sentence."""
    runs = "" if made.runs is None else f"{made.runs:,} run{'' if made.runs == 1 else 's'}, "
    versions = ", ".join(f"{name} {number}" for name, number in made.versions.items())
    return f"Made on {made.made}: {runs}seed {made.seed}; {versions}."


def left_out_lines(made: Replication) -> list[str]:
    """What this run did not do, a line each."""
    return ["Left out:", *(f"- {line}" for line in made.left_out)] if made.left_out else ["Nothing is left out."]
