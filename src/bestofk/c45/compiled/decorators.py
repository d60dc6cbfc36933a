"""How the loops are compiled, and kept from one run to the next."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from bestofk.core.extras import need

numba: Any = need("numba", purpose="the compiled loops of C4.5")


def _version() -> str:
    """A name for the state of all source files of C4.5.

    numba looks for changes in a function's own file, not in those of the functions and margins that it uses; under
    another name it finds nothing that is out of date.
    """
    folder = Path(__file__).resolve().parents[1]
    files = sorted([*folder.glob("*.py"), *folder.glob("compiled/*.py")])
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


VERSION = _version()


def compiled(function: Callable[..., Any]) -> Any:
    """Return the function compiled, from the cache where it is; no fastmath, so that ties are those of plain numpy.

    It may make no arrays: those that it is given are not counted as in use, for that takes longer than many a node.
    """
    return numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False)(_named(function))


def inlined(function: Callable[..., Any]) -> Any:
    """The same for functions that are put in the place of every call: many arrays take long to hand over."""
    options = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False, "forceinline": True}
    return numba.njit(**options)(_named(function))


def allocating(function: Callable[..., Any]) -> Any:
    """Return a function that makes arrays compiled."""
    return numba.njit(cache=True, nogil=True, error_model="numpy")(_named(function))


def _named(function: Callable[..., Any]) -> Callable[..., Any]:
    assert isinstance(function, FunctionType)
    named = FunctionType(function.__code__, function.__globals__, function.__name__)
    named.__qualname__ = f"{function.__name__}_{VERSION}"
    named.__module__ = function.__module__
    return named
