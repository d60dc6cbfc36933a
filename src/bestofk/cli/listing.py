"""``bestofk list``: the names that can be used."""

from __future__ import annotations

import json

import click

from bestofk.cli.errors import three_lines

KINDS = (
    *("pairwise", "omnibus", "ranges", "curves", "adjust", "ordering", "advice"),
    *("learners", "datasets", "folds", "measures", "plots", "reports", "replications"),
)


@click.command("list")
@click.argument("kind", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the names, or the error, as JSON.")
def listing(kind: str | None, as_json: bool) -> None:
    """List the names of KIND (pairwise, adjust, learners, datasets, …); all kinds without KIND."""
    from bestofk.core.names import unknown
    from bestofk.core.registry import registry

    with three_lines(as_json):
        if kind is not None and kind not in KINDS:
            raise unknown(kind, KINDS, what="kind", where="bestofk list")
        found = {name: list(registry(name).names()) for name in ([kind] if kind else KINDS)}
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for name, entries in found.items():
        click.echo(f"{name}: {', '.join(entries)}" if kind is None else "\n".join(entries))
