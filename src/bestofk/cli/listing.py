"""``bestofk list``: the names that can be used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from bestofk.cli.options import AS_JSON
from bestofk.cli.printing import show_json
from bestofk.core.names import unknown
from bestofk.core.shelf import Shelf

#: Where the shelf of a kind is, in the order in which they are listed: a list of one kind imports no other.
SHELVES = {
    "pairwise": "bestofk.stats.pairwise:PAIRWISE",
    "omnibus": "bestofk.stats.omnibus:OMNIBUS",
    "ranges": "bestofk.stats.omnibus:RANGES",
    "curves": "bestofk.stats.curves:CURVES",
    "adjust": "bestofk.stats.adjust:ADJUST",
    "ordering": "bestofk.ordering:ORDERINGS",
    "advice": "bestofk.advice.shelf:ADVICE",
    "learners": "bestofk.design.learners.shelf:LEARNERS",
    "datasets": "bestofk.design.datasets.shelf:DATASETS",
    "folds": "bestofk.design.folds.shelf:FOLDS",
    "layouts": "bestofk.evidence.layouts.shelf:LAYOUTS",
    "measures": "bestofk.measures.catalogue:MEASURES",
    "plots": "bestofk.plots.gallery:FIGURES",
    "reports": "bestofk.reporting.report:FORMATS",
    "stores": "bestofk.stores.address:STORES",
    "sharing": "bestofk.sharing.shelf:SHARING",
    "replications": "bestofk.replications.shelf:REPLICATIONS",
}


@click.command("list")
@click.argument("kind", required=False)
@AS_JSON
def listing(kind: str | None, as_json: bool) -> None:
    """List the names of KIND (pairwise, adjust, learners, datasets, …); all kinds without KIND."""
    if kind is not None and kind not in SHELVES:
        raise unknown(kind, SHELVES, what="kind", where="bestofk list")
    found = {name: sorted(shelf_of(name)) for name in ([kind] if kind else SHELVES)}
    if as_json:
        show_json(found)
        return
    for name, entries in found.items():
        click.echo(f"{name}: {', '.join(entries)}" if kind is None else "\n".join(entries))


def shelf_of(kind: str) -> Shelf[Any]:
    """Import the shelf of a kind."""
    module, name = SHELVES[kind].split(":")
    shelf: Shelf[Any] = getattr(import_module(module), name)
    return shelf
