"""Errors as the command shows them: three lines or JSON, and exit code 2."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import click

from bestofk.core.errors import BestOfKError


@contextmanager
def three_lines(as_json: bool) -> Iterator[None]:
    """Turn an error of bestofk into its three lines; anything else is a bug and keeps its traceback."""
    try:
        yield
    except BestOfKError as error:
        show_error(error.to_dict(), as_json=as_json)
        raise click.exceptions.Exit(2) from None


def show_error(parts: dict[str, str], *, as_json: bool) -> None:
    """Three lines on stderr, or one JSON object on stdout."""
    if as_json:
        click.echo(json.dumps(parts, indent=2, ensure_ascii=False))
    else:
        click.echo(f"{parts['wrong']}\n  where: {parts['where']}\n  to do: {parts['fix']}", err=True)
