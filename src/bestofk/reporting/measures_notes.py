"""How the input of a verdict on several measures was read, and where its preference comes from."""

from __future__ import annotations

from bestofk.judging.measures_verdict import MeasuresVerdict


def note_lines(verdict: MeasuresVerdict) -> list[str]:
    """One line per thing that was not plain from the names alone."""
    lines = [f"Read: {note}." for note in verdict.provenance.notes]
    if verdict.ordering.prior_from:
        lines.append(f"Preference: by {verdict.ordering.prior_from}, smaller first: {', '.join(verdict.prior or ())}.")
    return lines
