"""``bestofk report``: a verdict to read, to show and to check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bestofk.cli.errors import three_lines
from bestofk.cli.evidence import evidence_from
from bestofk.cli.options import FAIL_ON, exit_code, names_of, shared
from bestofk.cli.printing import show_json
from bestofk.settings import Judging, Reading, options_of


@click.command()
@shared(Judging)
@FAIL_ON
@click.option("-o", "--output", help="Where to write, verdict.html without it; - prints.")
@click.option("--format", "format", help="html, md, tex, json or txt; without it the suffix of the output says.")
@click.pass_context
def report(
    context: click.Context,
    /,
    files: tuple[str, ...],
    prior: str | None,
    as_json: bool,
    output: str | None,
    format: str | None,
    fail_on: str | None,
    **options: Any,
) -> None:
    """Judge the results in FILES, tables or a store, and write a report: one file that needs no network.

    LaTeX and Markdown have their figures beside them. Ends like judge: 0 whenever a verdict is reached, 2 when the
    input is wrong; then nothing is written.
    """
    from bestofk import verbs
    from bestofk.reporting.report import format_of, report_text

    with three_lines(as_json):
        _refuse_two_answers(output, as_json)
        path = Path(output or f"verdict.{format or 'html'}")
        name = format_of(Path(f"verdict.{format or 'html'}") if output == "-" else path, format)
        reading = _reading(files, options)
        exit_code("", fail_on)
        verdict = verbs.judge(evidence_from(files, options), prior=names_of(prior), **options)
        code = exit_code(verdict.status, fail_on)
        if output == "-":
            click.echo(report_text(verdict, name, reading=reading), nl=False)
        else:
            verbs.report(verdict, path, format=name, reading=reading)
    if output != "-":
        _say(path, name, verdict, as_json)
    context.exit(code)


def _refuse_two_answers(output: str | None, as_json: bool) -> None:
    if output == "-" and as_json:
        from bestofk.core.errors import InputError

        raise InputError(
            "-o - prints the report, and --json prints where it is.",
            "bestofk report, options",
            "give one of them; --format json -o - prints the verdict as JSON.",
        )


def _reading(files: tuple[str, ...], options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of ``read``, for the lines that make the verdict again."""
    given = {name: options[name] for name in options_of(Reading) if options.get(name) is not None}
    if "learners" in given:
        given["learners"] = names_of(given["learners"])
    if options["larger"] or options["smaller"]:
        given["larger_is_better"] = bool(options["larger"])
    return {"source": files[0] if len(files) == 1 else list(files), **given}


def _say(path: Path, format: str, verdict: Any, as_json: bool) -> None:
    if as_json:
        show_json({"report": str(path), "format": format, "best": verdict.best, "status": verdict.status})
        return
    from bestofk.reporting.words import headline

    click.echo(f"{headline(verdict)}\nThe report is in {path}")
