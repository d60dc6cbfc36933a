"""Code of a script, a notebook or a prompt: what a class or function reaches by name, not all that stands around it."""

from __future__ import annotations

import ast
import dis
import hashlib
import inspect
import symtable
import sys
import textwrap
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from bestofk.design.learners.own_modules import imports_in, is_own, own_modules

#: Values deeper than this in lists and tables are counted by their kind.
DEEPEST = 6


def typed_code(part: Any) -> dict[str, str]:
    """Hashes by name of a class or function of ``__main__`` and of all that it names there, however far."""
    found: dict[str, str] = {}
    waiting: list[tuple[str, Any]] = [(f"__main__:{part.__qualname__}", part)]
    while waiting:
        name, value = waiting.pop()
        if name in found:
            continue
        found[name] = hashlib.sha256(_text(value).encode()).hexdigest()
        for module in _modules(value):
            found |= own_modules(module)
        waiting += _named(value)
    return found


def _modules(value: Any) -> Iterator[str]:
    """The user's own modules behind a value, and those that its code imports when it runs."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    for each in (name, type(value).__module__):
        if isinstance(each, str) and each != "__main__" and is_own(each):
            yield each
    text = _source(value)
    for level, name, parts in imports_in(ast.parse(text)) if text else ():
        if not level:
            yield from (name, *(f"{name}.{part}" for part in parts))


def _named(value: Any) -> Iterator[tuple[str, Any]]:
    """What code of ``__main__`` names there, and the class of an object that was made there."""
    kind = type(value)
    if kind.__module__ == "__main__":
        yield f"__main__:{kind.__qualname__}", kind
    if not _is_typed(value):
        return
    if isinstance(value, type):
        yield from ((f"__main__:{each.__qualname__}", each) for each in value.__mro__ if _is_typed(each))
    known = vars(sys.modules["__main__"])
    yield from ((f"__main__:{name}", known[name]) for name in sorted(_names(value)) if name in known)


def _is_typed(value: Any) -> bool:
    return isinstance(value, FunctionType | type) and value.__module__ == "__main__"


def _names(value: Any) -> set[str]:
    """Global names that code reads; arguments and variables that are called alike are others."""
    text = _source(value)
    if text:
        return set(_read_globally(symtable.symtable(text, "__main__", "exec")))
    steps = (step for code in _codes(value) for step in dis.get_instructions(code))
    return {str(step.argval) for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}


def _read_globally(table: symtable.SymbolTable) -> Iterator[str]:
    outermost = table.get_type() == "module"
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (outermost or symbol.is_global()):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _read_globally(inner)


def _source(value: Any) -> str:
    """The text of code of ``__main__``, where it can be had."""
    try:
        text = textwrap.dedent(inspect.getsource(value)) if _is_typed(value) else ""
        ast.parse(text)
        return text
    except (OSError, TypeError, SyntaxError):
        return ""


def _text(value: Any) -> str:
    """The text of code, or its compiled form where a prompt did not keep it; the value of anything else."""
    if isinstance(value, ModuleType):
        return value.__name__
    if _is_typed(value):
        compiled = [(code.co_qualname, code.co_code.hex(), code.co_names, _constants(code)) for code in _codes(value)]
        held = vars(value).items() if isinstance(value, type) else ()
        kept = [(name, _value(part, 0)) for name, part in held if not name.startswith("__")]
        return _source(value).replace("\r\n", "\n") or repr((compiled, kept))
    if isinstance(value, FunctionType | type):
        return f"{value.__module__}:{value.__qualname__}"
    return _value(value, 0)


def _codes(value: Any) -> Iterator[CodeType]:
    """Compiled code of a function or of the methods of a class, and of functions inside them."""
    parts = list(vars(value).values()) if isinstance(value, type) else [value]
    parts += [each for part in parts if isinstance(part, property) for each in (part.fget, part.fset, part.fdel)]
    waiting = [part.__code__ for part in map(inspect.unwrap, parts) if hasattr(part, "__code__")]
    while waiting:
        code = waiting.pop(0)
        yield code
        waiting += [each for each in code.co_consts if isinstance(each, CodeType)]


def _constants(code: CodeType) -> list[str]:
    return [_value(each, 0) for each in code.co_consts if not isinstance(each, CodeType)]


def _value(value: Any, depth: int) -> str:
    """A value in words that are the same in every process; what cannot be told so is told by its kind."""
    kind = f"{type(value).__module__}:{type(value).__qualname__}"
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic):
        return f"{kind} {value!r}"
    if isinstance(value, np.ndarray) and value.dtype != object:
        return f"{kind} {value.dtype} {value.shape} {hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    if depth < DEEPEST and isinstance(value, dict):
        return f"{kind} {[(_value(k, depth + 1), _value(v, depth + 1)) for k, v in value.items()]}"
    if depth < DEEPEST and isinstance(value, list | tuple):
        return f"{kind} {[_value(each, depth + 1) for each in value]}"
    if depth < DEEPEST and isinstance(value, set | frozenset):
        return f"{kind} {sorted(_value(each, depth + 1) for each in value)}"
    return kind
