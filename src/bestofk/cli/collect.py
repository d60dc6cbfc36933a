"""``bestofk collect``: run what a plan still lacks."""

from __future__ import annotations

import shlex
import sys
from typing import Any

import click

from bestofk.cli.errors import three_lines
from bestofk.cli.printing import show_json


@click.command()
@click.argument("plan", type=click.Path())
@click.option("--into", "store", required=True, help="Where results are kept: a file, or postgresql://…")
@click.option(
    "--on", "engine", default="local", show_default=True, help="local, local:4, serial, tcp://host:port (Dask), ray."
)
@click.option("--retry-failed", is_flag=True, help="Run failed cells again.")
@click.option("--cell-timeout", type=float, help="Seconds that one cell may take.")
@click.option("--cell-memory", type=int, help="Bytes that one cell may take.")
@click.option("--allow-code", is_flag=True, help="Let learners come from module:factory in the plan.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer, or the error, as JSON.")
def collect(plan: str, as_json: bool, **options: Any) -> None:
    """Run the experiment of PLAN: only what the store lacks, so the same command resumes.

    Ends with 0 when all is collected, 1 when some folds failed, 2 when the input is wrong, 130 when interrupted.
    """
    from bestofk.collecting.collect import collect_file
    from bestofk.stores.postgresql_errors import without_password

    with three_lines(as_json):
        try:
            report = collect_file(plan, **options)
        except KeyboardInterrupt:
            again = shlex.join(["bestofk", *(without_password(word) for word in sys.argv[1:])])
            click.echo(f"stopped; what is finished is kept. To go on: {again}", err=True)
            raise click.exceptions.Exit(130) from None
    if as_json:
        show_json(report.to_dict())
    else:
        click.echo(repr(report))
    raise click.exceptions.Exit(1 if report.failed_in_store else 0)
