"""Options that the verbs share, made from their declarations."""

from __future__ import annotations

import csv
from collections.abc import Callable
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin

import click

from bestofk.core.names import unknown
from bestofk.settings import Option, Reading, options_of

Command = TypeVar("Command", bound=Callable[..., Any])

_FILES = click.argument("files", nargs=-1, required=True, type=click.Path())
_JSON = click.option("--json", "as_json", is_flag=True, help="Print the answer, or the error, as JSON.")

#: Where data sets are looked for by name.
DATA = click.option("--data", "folder", type=click.Path(), help="A folder of data sets, instead of BESTOFK_DATA.")


def shared(settings: Any) -> Callable[[Command], Command]:
    """Add the files, the options of reading and those of a verb."""

    def add(command: Command) -> Command:
        every = [_FILES, *_options(options_of(Reading)), *_options(options_of(settings)), _JSON]
        for option in reversed(every):
            command = option(command)
        return command

    return add


def _options(known: Any) -> list[Any]:
    made = []
    for name, (hint, option) in known.items():
        if name == "larger_is_better":
            made.append(click.option("--larger-is-better", "larger", is_flag=True, help=option.help))
            made.append(click.option("--smaller-is-better", "smaller", is_flag=True, help="The other direction."))
        elif name == "on":
            made.append(click.option("--on", multiple=True, callback=_joined, help=option.help))
        else:
            made.append(_option(name, hint, option))
    return made


def _option(name: str, hint: Any, option: Option) -> Any:
    flag = "--" + name.replace("_", "-")
    kinds = get_args(hint) if get_origin(hint) in (UnionType, None) and get_args(hint) else (hint,)
    if bool in kinds:
        return click.option(flag, is_flag=True, help=option.help)
    kind = next((each for each in (int, float) if each in kinds), None)
    text = f"{option.help.rstrip('.')}: {', '.join(option.choices)}." if option.choices else option.help
    shown = option.default is not None
    return click.option(flag, name, type=kind, default=option.default, show_default=shown, help=text)


def _joined(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> str | None:
    return ",".join(names) if names else None


#: Statuses of a verdict for which a command is to end with 1.
FAIL_ON = click.option(
    "--fail-on", "fail_on", help="End with 1 for these statuses: tied, undecided, preferred (a,b for several)."
)


def exit_code(status: str, fail_on: str | None) -> int:
    """0 for every verdict, 1 for those that somebody asked to fail on."""
    known = ("decided", "preferred", "tied", "undecided")
    asked = names_of(fail_on) or []
    for name in asked:
        if name not in known:
            raise unknown(name, known, what="status", where="bestofk, option --fail-on")
    return 1 if status in asked else 0


def names_of(text: str | None) -> list[str] | None:
    """Split a,b,c; quotes keep a comma inside a name."""
    return None if text is None else [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]
