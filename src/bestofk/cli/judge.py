"""``bestofk judge``: from results to a verdict."""

from __future__ import annotations

import sys
from typing import Any

import click

from bestofk.cli.errors import three_lines
from bestofk.cli.evidence import evidence_from
from bestofk.cli.options import FAIL_ON, exit_code, names_of, shared
from bestofk.cli.printing import show_json, show_table
from bestofk.settings import Judging


@click.command()
@shared(Judging)
@FAIL_ON
@click.option("--full", is_flag=True, help="Everything that is known, in sections.")
@click.option("--quiet", "-q", is_flag=True, help="The name of the best or chosen learner alone.")
@click.pass_context
def judge(
    context: click.Context,
    /,
    files: tuple[str, ...],
    prior: str | None,
    as_json: bool,
    full: bool,
    quiet: bool,
    fail_on: str | None,
    **options: Any,
) -> None:
    """Judge the results in FILES: which learner is best, in what order the others follow, and how sure that is.

    With --on several measures are judged at once: what differs between learners, and who is better in all.

    Ends with 0 whenever a verdict is reached, whatever its status (--fail-on asks for 1), and with 2 when the input is
    wrong.
    """
    from bestofk import verbs

    with three_lines(as_json):
        evidence = evidence_from(files, options)
        exit_code("", fail_on)  # a wrong word is one before the work
        verdict = verbs.judge(evidence, prior=names_of(prior), **options)
        code = exit_code(verdict.status, fail_on)
        if as_json:
            from bestofk.reporting.formats.json_document import document_of

            show_json(document_of(verdict))
        elif quiet:
            click.echo(verdict.best or verdict.status)
        elif full:
            from bestofk.reporting.report import report_text

            click.echo(report_text(verdict, "txt"), nl=False)
        else:
            _show(verdict)
    context.exit(code)


def _show(verdict: Any) -> None:
    """The first screen: sentences, the table, what to be careful about. In a pipe the table is in tabs."""
    from bestofk.reporting.tables import first_table
    from bestofk.reporting.words import best_set_sentence, headline, notes, verdict_text

    if sys.stdout.isatty():
        click.echo(verdict_text(verdict))
        return
    click.echo("\n".join(line for line in (headline(verdict), best_set_sentence(verdict)) if line) + "\n")
    show_table(first_table(verdict))
    click.echo("\n" + "\n".join(notes(verdict)))
