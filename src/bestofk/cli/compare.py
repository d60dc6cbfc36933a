"""``bestofk compare``: every pair of learners."""

from __future__ import annotations

from typing import Any

import click

from bestofk.cli.errors import three_lines
from bestofk.cli.evidence import evidence_from
from bestofk.cli.options import shared
from bestofk.cli.printing import show_json, show_table, show_words
from bestofk.settings import Comparing


@click.command()
@shared(Comparing)
def compare(files: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Compare all pairs of learners in FILES: difference, interval, effect, raw and adjusted p.

    In a pipe the table goes to stdout, tab-separated, and the words to stderr.
    """
    from bestofk import verbs

    with three_lines(as_json):
        evidence = evidence_from(files, options)
        comparison = verbs.compare(evidence, **options)
    if as_json:
        show_json(comparison.to_dict())
        return
    from bestofk.reporting.tables import comparison_table
    from bestofk.reporting.words import comparison_lines

    show_words([*comparison_lines(comparison), ""], beside_table=True)
    show_table(comparison_table(comparison))
