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
        if as_json:
            click.echo(json.dumps(error.to_dict(), indent=2))
        else:
            click.echo(str(error), err=True)
        raise click.exceptions.Exit(2) from None
