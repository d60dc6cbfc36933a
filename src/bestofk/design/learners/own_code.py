"""The code of the user's own classes and functions, in one hash: changed, it is another learner."""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
from typing import Any

from bestofk.design.learners.own_modules import is_own, own_modules


def code_of(part: Any) -> dict[str, str]:
    """The hash of what a class or function consists of, where any of it is the user's own; else nothing.

    Counted are the whole modules of a class, of its base classes and of a function, and every module that those import
    and that is the user's own. Of a script's or notebook's own code, what is reached by name is counted, not all of it.
    Installed packages, and Python itself, are told by their names.
    """
    if _module(part).partition(".")[0] == "bestofk":
        return _own_text(part)
    found: dict[str, str] = {}
    for each in inspect.getmro(part) if isinstance(part, type) else (part,):
        name = _module(each)
        if name == "__main__":
            from bestofk.design.learners.typed_code import typed_code

            found |= typed_code(each)
        elif is_own(name):
            found |= own_modules(name)
    if not found:
        return {}
    return {"code": hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()[:16]}


def _module(part: Any) -> str:
    return str(getattr(part, "__module__", None) or "")


def _own_text(part: Any) -> dict[str, str]:
    """Of a class of bestofk, its own text alone, and only where bestofk itself is worked on."""
    try:
        file = inspect.getsourcefile(part)
        if file is None or "site-packages" in file or file.startswith((sys.prefix, sys.base_prefix)):
            return {}
        return {"code": hashlib.sha256(inspect.getsource(part).encode()).hexdigest()[:16]}
    except (OSError, TypeError):
        return {}
