"""``bestofk judge``, ``compare``, ``order`` and ``report``: from results to a verdict, to its parts, and to a page."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from bestofk.cli.options import FAIL_ON, Verb, evidence_from, exit_code, names_of, outputs, shared, source_of
from bestofk.cli.printing import say, show_json, show_table, show_words, styled, terminal_width, with_room
from bestofk.core.errors import InputError
from bestofk.core.passwords import shown_address
from bestofk.core.phrases import listed
from bestofk.settings import Comparing, Judging, Ordering, Reading, options_of


@click.command(cls=Verb)
@shared(Judging)
@FAIL_ON
@click.option("--full", is_flag=True, help="Everything that is known, in sections.")
@click.option("--quiet", "-q", is_flag=True, help="The name of the best or chosen learner alone, if there is one.")
@click.pass_context
def judge(
    context: click.Context, /, files: tuple[str, ...], as_json: bool, full: bool, quiet: bool, **options: Any
) -> None:
    """Judge the results in FILES: which learner is best, in what order the others follow, and how sure that is.

    With --on several measures are judged at once: what differs between learners, and who is better in all.

    Ends with 0 whenever a verdict is reached, whatever its status (--fail-on asks for 1), and with 2 when the input is
    wrong.
    """
    asked = [name for name, given in {"--json": as_json, "--full": full, "-q": quiet}.items() if given]
    if len(asked) > 1:
        raise InputError(f"{' and '.join(asked)} are given.", "judge", f"ask for one answer: {' or '.join(asked)}.")
    verdict, code = _judged(files, options)
    if as_json:
        from bestofk.reporting.formats.json_document import document_of

        show_json(document_of(verdict))
    elif quiet:
        say(verdict.best) if verdict.best else say(f"{verdict.status}: there is no name to print.", err=True)
    elif full:
        from bestofk.reporting.report import report_text

        say(report_text(verdict, "txt", width=terminal_width() if sys.stdout.isatty() else None), nl=False)
    else:
        _show_first_screen(verdict, context.obj)
    context.exit(code)


def _judged(files: tuple[str, ...], options: dict[str, Any]) -> tuple[Any, int]:
    """The verdict, and the code to end with."""
    from bestofk import verbs

    fail_on, prior = options.pop("fail_on"), names_of(options.pop("prior"))
    exit_code("", fail_on)  # a wrong word is one before the work
    verdict = verbs.judge(evidence_from(files, options, prior), prior=prior, **options)
    return verdict, exit_code(verdict.status, fail_on)


def _show_first_screen(verdict: Any, words: list[str]) -> None:
    """The first screen: sentences, the table, what to be careful about. In a pipe the table is in tabs."""
    from bestofk.reporting.first_screen import first_table
    from bestofk.reporting.words import OPTION, best_set_sentence, headline, notes, verdict_lines

    if sys.stdout.isatty():
        then = shlex.join(["bestofk", "report", *map(shown_address, words[1:]), "-o", "verdict.html"])
        say("\n".join(verdict_lines(verdict, width=terminal_width(), then=then, styled=styled())), styled=True)
        return
    say("\n".join(line for line in (headline(verdict), best_set_sentence(verdict)) if line) + "\n")
    show_table(first_table(verdict))
    say("\n" + "\n".join(notes(verdict, rest=OPTION)))


@click.command(cls=Verb)
@shared(Comparing)
def compare(files: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Compare all pairs of learners in FILES: difference, interval, effect, raw and adjusted p.

    In a pipe the table goes to stdout, tab-separated, and the words to stderr.
    """
    from bestofk import verbs

    comparison = verbs.compare(evidence_from(files, options), **options)
    if as_json:
        show_json(comparison.to_dict())
        return
    from bestofk.reporting.tables import comparison_table
    from bestofk.reporting.words import comparison_lines

    table = comparison_table(comparison)
    intervals = "low" in with_room(table).columns
    show_words([*comparison_lines(comparison, intervals=intervals), ""], beside_table=True)
    show_table(table)


@click.command(cls=Verb)
@shared(Ordering)
def order(files: tuple[str, ...], prior: str | None, as_json: bool, **options: Any) -> None:
    """Order the learners in FILES by a method: what the data say first, the preference second.

    In a pipe the table goes to stdout, tab-separated, and the words to stderr.
    """
    from bestofk import verbs

    preferred = names_of(prior)
    ordering = verbs.order(evidence_from(files, options, preferred), prior=preferred, **options)
    if as_json:
        show_json(ordering.to_dict())
    else:
        from bestofk.reporting.tables import ordering_table
        from bestofk.reporting.words import ordering_lines

        show_words([*ordering_lines(ordering), ""], beside_table=True)
        show_table(ordering_table(ordering))


@click.command(cls=Verb)
@shared(Comparing)
@outputs("Where to write: board.csv, .html, .md, .tex, .json; any of them. Without it the board is printed.")
def rank(files: tuple[str, ...], as_json: bool, outputs: tuple[str, ...], **options: Any) -> None:
    """Rank the learners in FILES: between which ranks each is, all of them at once.

    In a pipe the table goes to stdout, tab-separated, and the words to stderr.
    """
    from bestofk import verbs
    from bestofk.reporting.formats.json_document import document_of
    from bestofk.reporting.words import notes

    board = verbs.rank(evidence_from(files, options), **options)
    for output in outputs:
        board.report(output)
    if as_json:
        show_json(document_of(board))
    elif outputs:
        say(_where("board", outputs))
    else:
        show_words([*board.page().lines, *notes(board.verdict, rest="--json"), ""], beside_table=True)
        show_table(board.table)


@click.command(cls=Verb)
@shared(Judging)
@FAIL_ON
@outputs("Where to write, verdict.html without it; - prints. It may be given several times.", by_suffix=False)
@click.option("--format", "format", help="html, md, tex, json, txt or png; without it the suffix of the output says.")
@click.option("--card", is_flag=True, help="A card to share, card.png: the verdict in a picture of 1200 x 630 pixels.")
@click.option("--table", is_flag=True, help="The first table alone, for a paper, table.tex: in LaTeX or Markdown.")
@click.pass_context
def report(
    context: click.Context,
    /,
    files: tuple[str, ...],
    as_json: bool,
    outputs: tuple[str, ...],
    format: str | None,
    card: bool,
    table: bool,
    **options: Any,
) -> None:
    """Judge the results in FILES, tables or a store, and write a report: one file that needs no network.

    LaTeX and Markdown have their figures beside them. Ends like judge: 0 whenever a verdict is reached, 2 when the
    input is wrong; then nothing is written.
    """
    from bestofk import verbs
    from bestofk.reporting.report import format_of, report_text

    written = {}
    for output in outputs or (None,):
        _refuse_two_answers(output, as_json)
        to, said = _of_card(output, format) if card else (output, format)
        unnamed = f"table.{said or 'tex'}" if table else f"verdict.{said or 'html'}"
        written[to or unnamed] = format_of(Path(unnamed if to in (None, "-") else to), said, table=table)
    reading = _reading(files, options)
    verdict, code = _judged(files, options)
    for to, name in written.items():
        if to == "-":
            say(report_text(verdict, name, reading=reading, table=table), nl=False)
        else:
            verbs.report(verdict, Path(to), format=name, reading=reading, table=table)
    _say(written, verdict, as_json)
    context.exit(code)


def _refuse_two_answers(output: str | None, as_json: bool) -> None:
    if output == "-" and as_json:
        raise InputError(
            "-o - prints the report, and --json prints where it is.",
            "bestofk report, options",
            "give one of them; --format json -o - prints the verdict as JSON.",
        )


def _of_card(output: str | None, format: str | None) -> tuple[str, str]:
    """Where a card goes, and its format."""
    output = output or "card.png"
    if (format or "png") != "png" or Path(output).suffix.lower() != ".png":
        said = f"--format {format}" if (format or "png") != "png" else f"-o {output}"
        raise InputError(
            f"--card makes a PNG picture, and {said} is given.", "bestofk report, option --card", "say -o card.png."
        )
    return output, "png"


def _reading(files: tuple[str, ...], options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of ``read``, for the lines that make the verdict again."""
    given = {name: options[name] for name in options_of(Reading) if options.get(name) is not None}
    if "learners" in given:
        given["learners"] = names_of(given["learners"])
    if options["larger"] or options["smaller"]:
        given["larger_is_better"] = bool(options["larger"])
    return {"source": source_of(files), **given}


def _say(written: dict[str, str], verdict: Any, as_json: bool) -> None:
    """Where every report is, beside one that is printed on stderr."""
    files = [path for path in written if path != "-"]
    if as_json:
        reports = [{"report": path, "format": written[path]} for path in files]
        show_json({"reports": reports, "best": verdict.best, "status": verdict.status})
    elif files:
        from bestofk.reporting.words import headline

        say(f"{headline(verdict)}\n{_where('report', files)}", err="-" in written)


def _where(what: str, files: Sequence[str]) -> str:
    return f"The {what}{' is' if len(files) == 1 else 's are'} in {listed(files)}"
