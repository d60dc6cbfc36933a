"""``bestofk data``: the data sets that can be used, one of them closely, and those of elsewhere fetched."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from bestofk.cli.options import AS_JSON, DATA, Verbs, completed, names_of
from bestofk.cli.printing import show_json, show_table

if TYPE_CHECKING:
    from bestofk.design.datasets.sources import Description, Summary

_COLUMNS = ("name", "rows", "numeric", "nominal", "classes", "missing", "licence", "origin", "notes")
_NUMERIC = frozenset({"rows", "numeric", "nominal", "classes", "missing"})


@click.group(cls=Verbs)
def data() -> None:
    """List, show or fetch data sets."""


@data.command("list")
@DATA
@AS_JSON
def list_(folder: str | None, as_json: bool) -> None:
    """List every name that a plan can use: of the package, of the folder of data, of the papers at OpenML."""
    from bestofk.design.datasets.files import looking_in
    from bestofk.design.datasets.sources import listed

    with looking_in(folder):
        found = listed()
    if as_json:
        show_json({"datasets": [asdict(each) for each in found]})
    else:
        kept = _COLUMNS[:-1] if sys.stdout.isatty() else _COLUMNS  # notes would make a screen of each line
        _show(kept, [_cells(each)[: len(kept)] for each in found], _NUMERIC)


@data.command()
@click.argument("name", shell_complete=completed("datasets"))
@click.option("--target", help="The column to predict, of a file.")
@click.option("--drop", help="Columns to leave out: a,b.")
@click.option("--nominal", help="Columns of numbers that are codes of categories: a,b.")
@DATA
@AS_JSON
def show(name: str, folder: str | None, as_json: bool, **options: str | None) -> None:
    """Show NAME, a data set or a file: shape, types, classes, missing values, licence, where it comes from."""
    from bestofk.design.datasets.files import looking_in
    from bestofk.design.datasets.sources import describe

    with looking_in(folder):
        found = describe(name, **_given(options))
    if as_json:
        show_json(found.to_dict())
    else:
        _show(("what", name), _lines(found), frozenset())


@data.command()
@click.argument("names", nargs=-1, required=True, shell_complete=completed("datasets"))
@DATA
@AS_JSON
def fetch(names: tuple[str, ...], folder: str | None, as_json: bool) -> None:
    """Open every one of NAMES, verified; what comes from OpenML is kept for the next time."""
    from bestofk.design.datasets.files import looking_in
    from bestofk.design.datasets.sources import describe

    with looking_in(folder):
        found = [describe(name) for name in names]
    if as_json:
        show_json({"datasets": [{**asdict(each.summary), "fingerprint": each.fingerprint} for each in found]})
    else:
        rows = [(*_cells(each.summary), each.fingerprint[:12]) for each in found]
        _show((*_COLUMNS, "fingerprint"), rows, _NUMERIC)


def _given(options: dict[str, str | None]) -> dict[str, Any]:
    """Options of a file as a plan has them."""
    lists = {key: names_of(options[key]) for key in ("drop", "nominal") if options[key]}
    return {**lists, **({"target": options["target"]} if options["target"] else {})}


def _show(columns: tuple[str, ...], rows: list[tuple[str, ...]], numeric: frozenset[str]) -> None:
    from bestofk.reporting.tables import PlainTable

    show_table(PlainTable(columns, tuple(rows), numeric))


def _cells(summary: Summary) -> tuple[str, ...]:
    return tuple(_text(getattr(summary, column)) for column in _COLUMNS)


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _lines(found: Description) -> list[tuple[str, ...]]:
    """What there is to say, one line each; columns by name where they are nominal, empty or constant."""
    summary = found.summary
    classes = ", ".join(f"{name} {count}" for name, count in found.classes.items())
    gaps = [column["name"] for column in found.columns if column["missing"] == summary.rows]
    constant = [column["name"] for column in found.columns if column["constant"] and column["name"] not in gaps]
    lines = {
        "rows": _text(summary.rows),
        "numeric": _text(summary.numeric),
        "nominal": _text(summary.nominal),
        "task": found.task,
        "target": found.target,
        "classes": classes,
        "missing": _text(summary.missing),
        "all missing": ", ".join(gaps),
        "constant": ", ".join(constant),
        "licence": summary.licence,
        "origin": summary.origin,
        "notes": summary.notes,
        "fingerprint": found.fingerprint,
    }
    levels = ((column["name"], _types(column)) for column in found.columns)
    return [
        *((what, told) for what, told in lines.items() if told),
        *((f"column {name}", told) for name, told in levels),
    ]


def _types(column: dict[str, Any]) -> str:
    missing = f", {column['missing']} missing" if column["missing"] else ""
    levels = f": {', '.join(column['levels'])}" if column["levels"] else ""
    return f"{column['type']}{levels}{missing}"
