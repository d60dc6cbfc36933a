"""``bestofk list``: the names that can be used."""

from __future__ import annotations

import click

from bestofk.cli.options import AS_JSON, completed, shelf_of
from bestofk.cli.printing import say, show_json
from bestofk.core.names import unknown
from bestofk.core.shelf import SHELVES


@click.command("list")
@click.argument("kind", required=False, shell_complete=completed(None, list(SHELVES)))
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
        say(f"{name}: {', '.join(entries)}" if kind is None else "\n".join(entries))
