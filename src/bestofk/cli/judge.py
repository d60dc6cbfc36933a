"""``bestofk judge``: from a file of results to a verdict."""

from __future__ import annotations

import csv
import json

import click

from bestofk.cli.errors import three_lines


def names_of(prior: str | None) -> list[str] | None:
    """Split a,b,c; quotes keep a comma inside a name."""
    return None if prior is None else [name.strip() for name in next(csv.reader([prior], skipinitialspace=True), [])]


@click.command()
@click.argument("file", type=click.Path())
@click.option("--prior", help="Learners, most preferred first: a,b,c (quote a name that has a comma).")
@click.option("--test", default="auto", show_default=True, help="A pairwise test: bestofk list pairwise.")
@click.option("--adjust", default="bonferroni", show_default=True, help="An adjustment: bestofk list adjust.")
@click.option("--alpha", default=0.05, show_default=True, help="Family-wise level.")
@click.option("--larger-is-better/--smaller-is-better", default=None, help="Direction of the measure.")
@click.option("--seed", default=0, show_default=True, help="For tests that shuffle.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict, or the error, as JSON.")
@click.pass_context
def judge(
    context: click.Context,
    file: str,
    prior: str | None,
    test: str,
    adjust: str,
    alpha: float,
    larger_is_better: bool | None,
    seed: int,
    as_json: bool,
) -> None:
    """Judge the results in FILE, a CSV with the columns learner, replication, fold and one measure.

    Ends with 0 when a learner is best or preferred, 1 when the top is tied, 2 when the input is wrong.
    """
    from bestofk import verbs

    with three_lines(as_json):
        scores = verbs.read(file, larger_is_better=larger_is_better)
        learners = names_of(prior)
        verdict = verbs.judge(scores, prior=learners, test=test, alpha=alpha, adjust=adjust, seed=seed)
    click.echo(json.dumps(verdict.to_dict(), indent=2) if as_json else verdict.text())
    context.exit(0 if verdict.status in ("decided", "preferred") else 1)
