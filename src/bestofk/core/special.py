"""The functions of ``scipy.special``; a command loads the compiled ones alone, which takes a third of the time."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

PACKAGE = "scipy.special"
#: Whether the compiled functions may be loaded without the rest of the package, which supports other array libraries:
#: for a program that has no other thread yet, since for a moment the package is an empty one.
alone = False


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    compiled = _compiled() if alone else None
    source = compiled if compiled is not None and hasattr(compiled, name) else import_module(PACKAGE)
    found = globals()[name] = getattr(source, name)
    return found


@cache
def _compiled() -> ModuleType | None:
    """The compiled functions; who imports the package later gets all of it."""
    scipy = find_spec("scipy")
    if PACKAGE in sys.modules or scipy is None or not scipy.submodule_search_locations:
        return None
    empty = ModuleType(PACKAGE)
    empty.__path__ = [f"{folder}/special" for folder in scipy.submodule_search_locations]
    sys.modules[PACKAGE] = empty
    try:
        return import_module(f"{PACKAGE}._ufuncs")
    except ImportError:  # another version of scipy
        return None
    finally:
        del sys.modules[PACKAGE]
