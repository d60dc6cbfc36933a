"""``bestofk read``: what was understood of results, and the same as a long table."""

from __future__ import annotations

import shlex
from typing import Any

import click

from bestofk.cli.options import Output, Verb, reading_of, shared, source_of
from bestofk.cli.printing import say, show_json, terminal_width
from bestofk.settings import Reading


@click.command(cls=Verb)
@shared(Reading)
@click.option(
    *("--convert", "output"),
    type=Output(),
    help="Write a long table too: out.csv, .tsv, .jsonl (also .gz) or .parquet.",
)
def read(files: tuple[str, ...], as_json: bool, output: str | None, **options: Any) -> None:
    """Show what is understood of the results in FILES, without judging them.

    With --convert they are written as a long table that every program reads: learner, dataset, item, group,
    replication, fold, run or step, the measures and the costs. Read again, it gives the same evidence.
    """
    from bestofk import verbs
    from bestofk.reporting.page import option_words

    source, reading = source_of(files), reading_of(options)
    evidence, unsaid = verbs.read_to_show(source, **reading)
    if output is not None and unsaid.keys() - {"larger_is_better"}:
        verbs.read(source, **reading)  # refused by what is to be said: what is written must not be a guess
    summary = evidence.summary(unsaid)
    made = None if output is None else evidence.convert(output)
    if as_json:
        show_json({**summary.to_dict(), **({} if made is None else {"converted": made.to_dict()})})
        return
    say("\n".join(summary.lines(terminal_width())))
    if made is not None:
        said = {name: value for name, value in made.options.items() if name not in unsaid}
        again = [word for name, value in said.items() for word in option_words(name, value)]
        again += ["--groups", "fixed"] if getattr(evidence, "fixed_groups", False) else []
        say(f"\n{made.rows:,} rows are in {made.path}")
        if made.left_out:
            say(f"Left out   {'; '.join(made.left_out)}")
        say(f"Next       {shlex.join(['bestofk', 'judge', made.path, *again])}")
