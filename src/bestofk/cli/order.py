"""``bestofk order``: the learners from best to worst."""

from __future__ import annotations

from typing import Any

import click

from bestofk.cli.errors import three_lines
from bestofk.cli.evidence import evidence_from
from bestofk.cli.options import names_of, shared
from bestofk.cli.printing import show_json, show_table, show_words
from bestofk.settings import Ordering


@click.command()
@shared(Ordering)
@click.pass_context
def order(context: click.Context, /, files: tuple[str, ...], prior: str | None, as_json: bool, **options: Any) -> None:
    """Order the learners in FILES by a method: what the data say first, the preference second.

    In a pipe the table goes to stdout, tab-separated, and the words to stderr. Ends with 1 when the method finds no
    best.
    """
    from bestofk import verbs

    with three_lines(as_json):
        evidence = evidence_from(files, options)
        ordering = verbs.order(evidence, prior=names_of(prior), **options)
    if as_json:
        show_json(ordering.to_dict())
    else:
        from bestofk.reporting.tables import ordering_table
        from bestofk.reporting.words import ordering_lines

        show_words([*ordering_lines(ordering), ""], beside_table=True)
        show_table(ordering_table(ordering))
    context.exit(1 if ordering.best is None else 0)
