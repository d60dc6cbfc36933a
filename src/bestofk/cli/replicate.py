"""``bestofk replicate``: a paper's experiment run again, ours beside theirs."""

from __future__ import annotations

import shlex
from typing import Any

import click

from bestofk.cli.options import AS_JSON, DATA, Command, completed, names_of, outputs
from bestofk.cli.printing import Waiting, say, show_json, show_table
from bestofk.core.passwords import shown_address


@click.command(cls=Command)
@click.argument("paper", shell_complete=completed("replications"))
@click.option("--runs", type=click.IntRange(min=1), help="Runs of the experiment; the paper's own number without it.")
@click.option("--datasets", help="These data sets only: a,b.")
@DATA
@click.option("--into", type=click.Path(), help="A file that keeps what is done: the same command goes on from there.")
@click.option(
    "--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Processes (multitest, curves)."
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Same seed, same answer.")
@outputs("Write a report too: html, md, tex, json or txt by its suffix; any of them.")
@AS_JSON
def replicate(
    paper: str, datasets: str | None, folder: str | None, outputs: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Run the experiment of PAPER (multitest, curves, multivariate, bramer) and set ours beside the published figures.

    Without a folder of data (--data, BESTOFK_DATA) the data sets that need none are used, and the answer says what is
    left out. The answer depends on the seed, never on the number of workers.
    """
    from bestofk.replications.shelf import replicate as run

    try:
        with Waiting("begun") as waiting:
            made = run(paper, datasets=names_of(datasets) or (), data=folder, progress=waiting.at, **options)
    except KeyboardInterrupt:
        say(_stopped(options["into"]), err=True)
        raise click.exceptions.Exit(130) from None
    for output in outputs:
        made.report(output)
    _show(made, outputs, as_json)


def _stopped(into: str | None) -> str:
    if into is None:
        return "stopped; nothing is kept. With --into FILE what is done would be."
    words = map(shown_address, click.get_current_context().obj)
    return f"stopped; what is done is kept. To go on: {shlex.join(['bestofk', *words])}"


def _show(made: Any, outputs: tuple[str, ...], as_json: bool) -> None:
    from bestofk.replications.replication import agreement_table, left_out_lines, opening

    if as_json:
        show_json(made.to_dict())
        return
    say("\n".join([*opening(made), ""]))
    show_table(agreement_table(made.agreement))
    say("\n".join(["", *left_out_lines(made), *(f"Report: {output}" for output in outputs)]))
