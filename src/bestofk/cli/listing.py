"""``bestofk list``: the names that can be used."""

from __future__ import annotations

import json
from typing import Any

import click

from bestofk.cli.errors import three_lines
from bestofk.core.shelf import Shelf


@click.command("list")
@click.argument("kind", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the names, or the error, as JSON.")
def listing(kind: str | None, as_json: bool) -> None:
    """List the names of KIND (pairwise, adjust, learners, datasets, …); all kinds without KIND."""
    from bestofk.core.names import unknown

    with three_lines(as_json):
        shelves = shelves_by_kind()
        if kind is not None and kind not in shelves:
            raise unknown(kind, shelves, what="kind", where="bestofk list")
        found = {name: sorted(shelves[name]) for name in ([kind] if kind else shelves)}
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for name, entries in found.items():
        click.echo(f"{name}: {', '.join(entries)}" if kind is None else "\n".join(entries))


def shelves_by_kind() -> dict[str, Shelf[Any]]:
    """Return every shelf that a user can choose from, in the order in which they are listed."""
    from bestofk.advice.shelf import ADVICE
    from bestofk.design.datasets.shelf import DATASETS
    from bestofk.design.folds.shelf import FOLDS
    from bestofk.design.learners.shelf import LEARNERS
    from bestofk.design.measures.shelf import MEASURES
    from bestofk.ordering import ORDERINGS
    from bestofk.plots.shelf import FIGURES
    from bestofk.replications.shelf import REPLICATIONS
    from bestofk.reporting.shelf import FORMATS
    from bestofk.stats.adjust import ADJUST
    from bestofk.stats.curves import CURVES
    from bestofk.stats.omnibus import OMNIBUS, RANGES
    from bestofk.stats.pairwise import PAIRWISE

    shelves: tuple[Shelf[Any], ...] = (
        *(PAIRWISE, OMNIBUS, RANGES, CURVES, ADJUST, ORDERINGS, ADVICE),
        *(LEARNERS, DATASETS, FOLDS, MEASURES, FIGURES, FORMATS, REPLICATIONS),
    )
    return {shelf.kind: shelf for shelf in shelves}
