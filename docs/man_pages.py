"""Manual pages of the command, made from its own help: ``python docs/man_pages.py build/man``."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from bestofk.cli import BUG, BY_USE, COMMANDS, EXAMPLES, main
from bestofk.core.version import __version__

ENVIRONMENT = {
    "BESTOFK_DATA": "The folder in which data sets are looked up by name.",
    "BESTOFK_CACHE": "Where data sets of OpenML are kept.",
    "BESTOFK_KERNELS": "With the value numpy, numba is left out.",
    "NO_COLOR": "If set, nothing is coloured.",
}
EXIT = {
    "0": "The question is answered, whatever the answer.",
    "1": "The answer is one that was to fail (--fail-on, gate, doctor).",
    "2": "The input is wrong.",
    "3": "The gate is undecided.",
    str(BUG): "bestofk has a bug.",
}


def pages() -> dict[str, str]:
    """Every page by the name of its file."""
    root = click.Context(main, info_name="bestofk")
    made = {"bestofk.1": _front(root)}
    for verb in COMMANDS:
        context = click.Context(main.get_command(root, verb), info_name=verb, parent=root)
        made[f"bestofk-{verb}.1"] = _page(verb, context)
    return {name: "\n".join(lines) + "\n" for name, lines in made.items()}


def _front(root: click.Context) -> Iterator[str]:
    """The page of the whole command: verbs by use, environment, exit codes."""
    yield from _head("bestofk", (main.help or "").strip())
    yield from (".SH SYNOPSIS", ".B bestofk", _plain("COMMAND [OPTIONS] [ARGS]..."), ".SH COMMANDS")
    for use, verbs in BY_USE.items():
        yield f".SS {_plain(use)}"
        for verb in verbs:
            yield from _item(f"bestofk-{verb}(1)", main.get_command(root, verb).get_short_help_str(1_000))
    for heading, lines in (("ENVIRONMENT", ENVIRONMENT), ('"EXIT STATUS"', EXIT)):
        yield f".SH {heading}"
        for name, text in lines.items():
            yield from _item(name, text)


def _page(verb: str, context: click.Context) -> Iterator[str]:
    """The page of a verb: its help, the options under their headings, the commands under it."""
    command = context.command
    first, *rest = inspect.cleandoc(command.help or "").split("\n\n")
    yield from _head(f"bestofk-{verb}", first)
    yield from (".SH SYNOPSIS", f".B bestofk {verb}", _plain(" ".join(command.collect_usage_pieces(context))))
    yield from (".SH DESCRIPTION", _plain(first))
    for paragraph in rest:
        yield from (".PP", _plain(paragraph))
    yield ".SH OPTIONS"
    yield from _options(context)
    if isinstance(command, click.Group):
        yield ".SH COMMANDS"
        for name, under in command.commands.items():
            inner = click.Context(under, info_name=name, parent=context)
            yield f".SS {_plain(' '.join([name, *under.collect_usage_pieces(inner)]))}"
            yield _plain(under.help or "")
            yield from _options(inner)
    yield from (".SH EXAMPLES", ".nf")
    yield from (_plain(f"bestofk {verb} {words}") for words in EXAMPLES[verb])
    yield from (".fi", '.SH "SEE ALSO"', ".BR bestofk (1)")


def option_sections(context: click.Context) -> dict[str, list[tuple[str, str]]]:
    """The options of a command with what they do, under their headings; those without one come first."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for param in context.command.get_params(context):
        record = param.get_help_record(context) if isinstance(param, click.Option) else None
        if record is not None:
            sections.setdefault(getattr(param, "section", ""), []).append(record)
    return dict(sorted(sections.items(), key=lambda each: bool(each[0])))


def _options(context: click.Context) -> Iterator[str]:
    for heading, records in option_sections(context).items():
        if heading:
            yield f".SS {_plain(heading)}"
        for names, text in records:
            yield from _item(names, text)


def _head(name: str, text: str) -> Iterator[str]:
    yield f'.TH {name.upper()} 1 "" "bestofk {__version__}" "bestofk"'
    yield from (".SH NAME", f"{_plain(name)} \\- {_plain(text)}")


def _item(name: str, text: str) -> tuple[str, ...]:
    return ".TP", f".B {_plain(name)}", _plain(text)


def _plain(text: str) -> str:
    """Words for roff: one line, hyphens as they are typed, nothing that it takes for a request."""
    line = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", line)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in pages().items():
        (folder / name).write_text(page, encoding="utf-8")
