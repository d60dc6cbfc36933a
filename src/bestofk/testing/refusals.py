"""Bad input must be refused with the three lines, never answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bestofk.core.errors import InputError


def refuses(call: Callable[[], Any], *, what: str) -> None:
    """Assert that a call raises an ``InputError`` that says what is wrong, where, and what to do."""
    try:
        answer = call()
    except InputError as error:
        assert error.wrong and error.where and error.fix, f"{what}: the error lacks one of its three lines"
    else:
        raise AssertionError(f"{what} was answered with {answer!r} instead of an InputError")
