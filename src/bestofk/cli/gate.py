"""``bestofk gate``: may the new model take the place of the old one?"""

from __future__ import annotations

from typing import Any

import click

from bestofk.cli.options import Verb, direction_of, outputs, shared, source_of
from bestofk.cli.printing import say, show_json, terminal_width
from bestofk.settings import NOT_OF_GATES, Gating


@click.command(cls=Verb)
@click.option("--against", metavar="OLD", type=click.Path(), help="The old model: a file, or with --results a name.")
@shared(Gating, without=NOT_OF_GATES, files=click.argument("new", type=click.Path()))
@outputs("Where to write: gate.md, .xml (JUnit), .json, .html; any of them.")
@click.pass_context
def gate(
    context: click.Context, /, new: str, against: str | None, as_json: bool, outputs: tuple[str, ...], **options: Any
) -> None:
    """Ask whether the model NEW may take the place of OLD: whether it is not worse by more than a margin.

    NEW and OLD are two files with the results of one model each, one of which may be - for the standard input, or with
    --results two names in a table.

    Ends with 0 where the gate is passed, with 1 where NEW is worse, with 3 where that is undecided (--fail-on worse
    makes it 0), and with 2 when the input is wrong. Several measures (--measure accuracy,f1) must all pass.
    """
    from bestofk import verbs
    from bestofk.core.errors import InputError

    if against is None:
        raise InputError("no old model is given.", "bestofk gate", "say against which: --against old.csv.")
    options["larger_is_better"] = direction_of(options.pop("larger"), options.pop("smaller"))
    models: list[Any] = [new, against]
    if options["results"] is not None:
        options["results"] = source_of((options["results"],))
    elif new == against == "-":
        raise InputError(
            "both models are -, and there is one standard input.", "bestofk gate", "name a file for one of them."
        )
    else:
        models = [source_of((each,)) for each in models]
    found = verbs.gate(*models, **options)
    for output in outputs:
        found.report(output)
    if as_json:
        from bestofk.reporting.formats.json_document import document_of

        show_json(document_of(found))
    else:
        from bestofk.reporting.gate import gate_lines

        say("\n".join(gate_lines(found, terminal_width())))
    context.exit(found.exit_code)
