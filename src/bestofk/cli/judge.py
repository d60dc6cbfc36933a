"""``bestofk judge``: from results to a verdict."""

from __future__ import annotations

from typing import Any

import click

from bestofk.cli.errors import three_lines
from bestofk.cli.evidence import evidence_from
from bestofk.cli.options import names_of, shared
from bestofk.cli.printing import show_json, show_table


@click.command()
@shared(ordering=True, several=True)
@click.pass_context
def judge(context: click.Context, /, files: tuple[str, ...], prior: str | None, as_json: bool, **options: Any) -> None:
    """Judge the results in FILES: which learner is best, in what order the others follow, and how sure that is.

    With --on several measures are judged at once: what differs between learners, and who is dominated.

    Ends with 0 when a learner is best or preferred, 1 when the top is tied or no best is found, 2 when the input is
    wrong.
    """
    from bestofk import verbs

    with three_lines(as_json):
        evidence = evidence_from(files, options)
        verdict = verbs.judge(evidence, prior=names_of(prior), **options)
        if as_json:
            from bestofk.reporting.json_document import document_of

            show_json(document_of(verdict))
        elif hasattr(verdict, "measures"):
            _show_measures(verdict)
        else:
            from bestofk.reporting.tables import verdict_table
            from bestofk.reporting.words import verdict_words

            click.echo("\n".join(verdict_words(verdict)) + "\n")
            show_table(verdict_table(verdict))
    context.exit(0 if verdict.status in ("decided", "preferred") else 1)


def _show_measures(verdict: Any) -> None:
    """Words, then the learners, the pairs, and which pairs are not told apart."""
    from bestofk.reporting.measures_tables import acceptance_table, learners_table, measures_pairs_table
    from bestofk.reporting.measures_words import measures_words

    click.echo("\n".join(measures_words(verdict)) + "\n")
    for table in (learners_table(verdict), measures_pairs_table(verdict)):
        show_table(table)
        click.echo()
    click.echo(f"1: not told apart by {', '.join(verdict.names)}; 0: told apart.")
    show_table(acceptance_table(verdict))
