"""Options that the verbs share, made from their declarations, and the evidence that they ask for."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin

import click

from bestofk.core.endings import TABLES, ends
from bestofk.core.errors import InputError
from bestofk.core.names import names_in, unknown
from bestofk.core.outputs import refuse_source
from bestofk.core.shelf import SHELVES, Shelf
from bestofk.settings import Comparing, Gating, Judging, Option, Ordering, Reading, options_of

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class SectionedOption(click.Option):
    """An option that help shows under a heading."""

    def __init__(self, *declared: Any, section: str = "", **settings: Any) -> None:
        super().__init__(*declared, **settings)
        self.section = section


class Output(click.Path):
    """The name of a file that a command writes."""


class Command(click.Command):
    """A command that does not write over what it is given to read."""

    def invoke(self, context: click.Context) -> Any:
        """Run it, once no output is one of the inputs: whatever else is given may be the name of one."""
        written = [each for each in self.params if isinstance(each.type, Output)]
        others = [value for name, value in context.params.items() if name not in {each.name for each in written}]
        sources = ["/dev/stdin" if each == "-" else each for value in others for each in _several(value)]
        for param in written:
            for output in _several(context.params[param.name or ""]):
                refuse_source(output, sources, where=f"{context.command_path}, {param.get_error_hint(context)}")
        return super().invoke(context)


def _several(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else () if value is None else (value,)


class Verb(Command):
    """A command whose help has headings for its options."""

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings, those without one first."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(context):
            record = param.get_help_record(context)
            if record is not None and isinstance(param, click.Option):
                sections.setdefault(getattr(param, "section", "") or "Answer", []).append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)


class Verbs(click.Group):
    """Commands under a verb, each with its whole first sentence."""

    command_class = Command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(1_000)) for name, each in self.commands.items()])


#: Every command can answer a program.
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print the answer, or the error, as JSON.")


def outputs(text: str, *, by_suffix: bool = True) -> Callable[[Decorated], Decorated]:
    """Files that a command writes, as many as are named; a suffix that is no format is refused before the work."""
    said: Any = {"type": Output(), "multiple": True, "help": text, "callback": _by_suffix if by_suffix else None}
    return click.option("-o", "--output", "outputs", **said)


def _by_suffix(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    if names:
        from bestofk.reporting.report import format_of

        for name in names:
            format_of(Path(name))
    return names


#: Where data sets are looked for by name.
DATA = click.option("--data", "folder", type=click.Path(), help="A folder of data sets, instead of BESTOFK_DATA.")


def larger_is_better(text: str, section: str = "") -> Callable[[Decorated], Decorated]:
    """The direction of a measure as an option; ``smaller_is_better`` stands beside it."""
    return click.option("--larger-is-better", "larger", is_flag=True, help=text, cls=SectionedOption, section=section)


def smaller_is_better(section: str = "") -> Callable[[Decorated], Decorated]:
    """The other direction."""
    said: Any = {"is_flag": True, "help": "The other direction.", "cls": SectionedOption, "section": section}
    return click.option("--smaller-is-better", "smaller", **said)


def shared(
    settings: Any, *, required: bool = True, without: tuple[str, ...] = (), files: Any = None
) -> Callable[[Decorated], Decorated]:
    """Add the files, the options of reading and those of a verb, but for some that it has not, or of its own."""
    files = files or click.argument("files", nargs=-1, required=required, type=click.Path(allow_dash=True))

    def add(command: Decorated) -> Decorated:
        every = [files, *_options(settings, without), AS_JSON]
        for option in reversed(every):
            command = option(command)
        return command

    return add


#: The heading of the options that each class declares.
HEADINGS = {
    Reading: "Reading the results",
    Comparing: "Test",
    Ordering: "Preference and order",
    Judging: "More",
    Gating: "Gate",
}
#: Options whose values are the names of a shelf.
SHELF_OF = {"test": "pairwise", "adjust": "adjust", "method": "ordering"}


def _options(settings: Any, without: tuple[str, ...]) -> list[Any]:
    made: list[Any] = []
    for name, (hint, option) in {**options_of(Reading), **options_of(settings)}.items():
        if name in without:
            continue
        section = next(heading for kind, heading in HEADINGS.items() if name in kind.__annotations__)
        if name == "larger_is_better":
            made += [larger_is_better(option.help, section), smaller_is_better(section)]
        elif name in REPEATED:
            said: dict[str, Any] = {"cls": SectionedOption, "section": section, "help": option.help}
            said |= {"metavar": option.metavar or None, "callback": REPEATED[name]}
            made.append(click.option(f"--{name}", multiple=True, **said))
        else:
            made.append(_option(name, hint, option, section))
    return made


def _option(name: str, hint: Any, option: Option, section: str) -> Any:
    flag = "--" + name.replace("_", "-")
    said: dict[str, Any] = {"cls": SectionedOption, "section": section, "help": option.help}
    kinds = get_args(hint) if get_origin(hint) in (UnionType, None) and get_args(hint) else (hint,)
    if bool in kinds:
        return click.option(flag, is_flag=True, default=option.default, **said)
    kind = None if str in kinds else next((each for each in (int, float) if each in kinds), None)
    said |= {"metavar": "|".join(option.choices) or option.metavar or None}
    said |= {"shell_complete": completed(SHELF_OF.get(name), option.choices)}
    return click.option(flag, name, type=kind, default=option.default, show_default=option.default is not None, **said)


def completed(shelf: str | None, choices: Sequence[str] = ()) -> Callable[..., list[str]]:
    """How the shell completes a word: the names of a shelf, or the choices, that begin like it."""

    def names(context: click.Context, option: click.Parameter, begun: str) -> list[str]:
        return [name for name in (sorted(shelf_of(shelf)) if shelf else choices) if name.startswith(begun)]

    return names


def shelf_of(kind: str) -> Shelf[Any]:
    """Import the shelf of a kind."""
    module, name = SHELVES[kind].split(":")
    shelf: Shelf[Any] = getattr(import_module(module), name)
    return shelf


def _joined(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> str | None:
    return ",".join(names) if names else None


def _listed(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> list[str] | None:
    return list(values) or None


#: Options that may be said several times, and what becomes of them.
REPEATED = {"on": _joined, "filter": _listed}


#: Statuses of a verdict for which a command is to end with 1.
FAIL_ON = click.option(
    "--fail-on", "fail_on", help="End with 1 for these statuses: decided, within, preferred, tied, undecided (a,b)."
)


def exit_code(status: str, fail_on: str | None) -> int:
    """0 for every verdict, 1 for those that somebody asked to fail on."""
    from bestofk.judging.verdict import STATUSES

    asked = names_of(fail_on) or []
    for name in asked:
        if name not in STATUSES:
            raise unknown(name, STATUSES, what="status", where="bestofk, option --fail-on")
    return 1 if status in asked else 0


def names_of(text: str | None) -> list[str] | None:
    """Split a,b,c; quotes keep a comma inside a name."""
    return None if text is None else names_in(text)


#: Options of reading that go to ``bk.read`` as they are.
_PLAIN = tuple(name for name in options_of(Reading) if name not in ("larger_is_better", "learners", "costs"))


def _costs_of(text: str | None) -> str | list[str] | None:
    """A file with a row for every learner, or names of columns."""
    if text and (ends(text, TABLES) or (os.path.exists(text) and not os.path.isdir(text))):
        return text
    return names_of(text)


def evidence_from(files: tuple[str, ...], options: dict[str, Any], prior: list[str] | None = None) -> Any:
    """Read the files with the reading options, which are taken out of ``options``; a ``prior`` may name a cost."""
    from bestofk import verbs

    return verbs.read_for(prior, source_of(files), **reading_of(options))


def reading_of(options: dict[str, Any]) -> dict[str, Any]:
    """The keywords of ``read`` by the options of a command, which are taken out."""
    return dict(
        larger_is_better=direction_of(options.pop("larger"), options.pop("smaller")),
        learners=names_of(options.pop("learners")),
        costs=_costs_of(options.pop("costs")),
        **{name: options.pop(name) for name in _PLAIN if name in options},
    )


def source_of(files: tuple[str, ...]) -> str | list[str]:
    """What ``read`` is given: one file, or a list of them; - is the standard input."""
    if not all(name.strip() for name in files):
        raise InputError("the name of a file is empty.", "FILES", "name a file, a folder or a store.")
    named = ["/dev/stdin" if name == "-" else name for name in files]
    return named[0] if len(named) == 1 else named


def direction_of(larger: bool, smaller: bool) -> bool | None:
    """Whether larger values are better, as two flags say it; None where neither does."""
    if larger and smaller:
        raise InputError(
            "both --larger-is-better and --smaller-is-better are given.", "bestofk, options", "give one of them."
        )
    return larger if larger or smaller else None


def numbers_of(text: str, option: str) -> list[float]:
    """Split 0.2,0.5 into numbers; ``option`` says where a word stands that is none."""
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise InputError(f"{option} is {text!r}.", f"bestofk, option {option}", "give numbers: 0.2,0.5.") from None
