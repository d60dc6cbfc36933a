"""``bestofk collect``: run what a plan still lacks."""

from __future__ import annotations

import shlex
import sys
from contextlib import closing
from typing import Any

import click

from bestofk.cli.options import AS_JSON, DATA
from bestofk.cli.printing import as_argument, say, show_json, wrapped
from bestofk.core.passwords import shown_address

MENDED = (
    "Mended code counts as another learner and a new plan, which the same command runs; --retry-failed is for causes "
    "outside the code."
)
#: Digits of a fingerprint that name a plan.
SHOWN = 12


@click.command()
@click.argument("plan", type=click.Path())
@click.option(
    "--into", "store", required=True, type=click.Path(), help="Where results are kept: a file, or postgresql://…"
)
@click.option(
    "--engine", default="local", show_default=True, help="local, local:4, serial, tcp://host:port (Dask), ray."
)
@click.option("--retry-failed", is_flag=True, help="Run failed cells again.")
@click.option(
    "--cell-timeout",
    help="Time that a cell (learner × data set × chunk of replications) may take: seconds, or 90s, 10m, 2h.",
)
@click.option("--cell-memory", help="Memory that one cell may take: bytes, or 500MB, 1GB.")
@click.option(
    "--sharing/--no-sharing", default=True, show_default=True, help="Share work across many folds; results are equal."
)
@click.option("--verbose", is_flag=True, help="Say which learners share work across folds, and why others do not.")
@click.option("--allow-code", is_flag=True, help="Let learners come from module:factory in the plan.")
@DATA
@AS_JSON
def collect(plan: str, store: str, folder: str | None, verbose: bool, as_json: bool, **options: Any) -> None:
    """Run the experiment of PLAN: only what the store lacks, so the same command resumes.

    Ends with 0 when all is collected, 1 when some folds failed, 2 when the input is wrong, 130 when interrupted.
    """
    if sys.stderr.isatty():
        _say(f"reading {shown_address(plan)}")
    from bestofk.collecting.engines.process import printing_to_stderr
    from bestofk.collecting.run.collect import collect_into
    from bestofk.design.datasets.files import looking_in

    with looking_in(folder):
        try:
            with printing_to_stderr():
                fixed, report = collect_into(plan, store, told=_say if verbose else None, **options)
        except KeyboardInterrupt:
            _say(f"stopped; what is finished is kept. To go on: {_command()}")
            raise click.exceptions.Exit(130) from None
    if as_json:
        show_json(report.to_dict())
    else:
        say("\n".join(wrapped(line, sys.stdout) for line in repr(report).splitlines()))
        for each in report.shared if verbose else ():
            _say(str(each))
        if report.failed_in_store:
            _say(MENDED)
            _say(f"To run what failed again: {_command('--retry-failed')}")
        else:
            _say(_next(store, fixed.fingerprint), begin="Next     ")
    raise click.exceptions.Exit(1 if report.failed_in_store else 0)


def _say(line: str, begin: str = "") -> None:
    say(wrapped(line, sys.stderr, begin), err=True)


def _next(store: str, fingerprint: str) -> str:
    """The command that judges what was collected; it names the plan where the store has several."""
    from bestofk.stores.address import open_store

    with closing(open_store(store)) as opened:
        plan = ["--plan", fingerprint[:SHOWN]] if len(opened.plans()) > 1 else []
    return shlex.join(["bestofk", "judge", as_argument(store), *plan])


def _command(*more: str) -> str:
    """The command as it was typed, and more options."""
    verb, *typed = click.get_current_context().obj
    words = [*(word for word in more if word not in typed), *typed]
    return shlex.join(["bestofk", verb, *map(shown_address, words)])
