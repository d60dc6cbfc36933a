"""The report of a replication, before any format: agreement first, then ours beside theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bestofk.replications.agreement import agreement_table, counted_met
from bestofk.replications.replication import Replication
from bestofk.replications.words import how_made
from bestofk.reporting.blocks import Block, Bullets, Section, Sentences, TableBlock, Terms
from bestofk.reporting.page import Page


def page_of_replication(made: Replication, reading: Mapping[str, Any] | None = None) -> Page:
    """Gather everything that a report says of a replication."""
    missed = any(line.met is False for line in made.agreement)
    return Page(
        title=made.title,
        status="preferred" if missed else "decided",
        lines=(counted_met(made.agreement), how_made(made), *_answers(made)),
        sections=(_agreement(made), *made.sections, _left_out(made), _making(made)),
        about=made.reference,
        version=made.versions["bestofk"],
    )


def _answers(made: Replication) -> tuple[str, ...]:
    missed = [f"{line.what}: {line.ours}, asked for {line.asked}" for line in made.agreement if line.met is False]
    said = "; ".join(missed) + "." if missed else "Nothing that was asked for is missed."
    left = " ".join(made.left_out) or "Nothing is left out."
    return (made.headline, f"Where ours differ: {said}", f"Left out: {left}")


def _agreement(made: Replication) -> Section:
    table = TableBlock(
        "agreement-table",
        "How near ours come to the published figures.",
        agreement_table(made.agreement),
        frozenset({"agreement", "ours", "asked for"}),
    )
    return Section("agreement", "Agreement", (table,))


def _left_out(made: Replication) -> Section:
    block: Block = Bullets(made.left_out) if made.left_out else Sentences(("Nothing is left out.",))
    return Section("left-out", "Left out", (block,))


def _making(made: Replication) -> Section:
    runs = (("runs", f"{made.runs:,}"),) if made.runs is not None else ()
    pairs = (("paper", made.reference), *runs, ("seed", str(made.seed)), ("date", made.made), *made.versions.items())
    return Section("provenance", "Make it again", (Terms(pairs),))
