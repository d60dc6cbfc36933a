"""Code of a script, a notebook or a prompt: what a class or function reaches by name, not all that stands around it."""

from __future__ import annotations

import ast
import hashlib
import symtable
import sys
import textwrap
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from bestofk.design.learners.own_code import imports_in, is_own, own_modules
from bestofk.design.learners.script_values import (
    CHANGING,
    Telling,
    all_in,
    codes_in,
    globals_read,
    imported,
    is_fixed,
    is_typed,
    source_of,
    written,
)


def typed_code(part: Any) -> dict[str, str]:
    """Hashes by name of a class or function of ``__main__`` and of all that it names there, however far."""
    reached, parts = _reached(part)
    functions = [each for each in parts if isinstance(each, FunctionType) and is_typed(each)]
    changed = written(code for each in functions for code in codes_in(each))
    found: dict[str, str] = {}
    for name, value in reached.items():
        text = _text(name, value, ("global", name) in changed, Telling(changed))
        found[f"__main__:{name}"] = hashlib.sha256(text.encode()).hexdigest()
    for module in sorted({module for each in parts for module in _modules(each)}):
        found |= own_modules(module)
    return found


def _reached(part: Any) -> tuple[dict[str, Any], list[Any]]:
    """Values by the names that lead to them, and all that is in those values."""
    reached: dict[str, Any] = {}
    parts: dict[int, Any] = {}
    waiting: list[tuple[str, Any]] = [(part.__qualname__, part)]
    while waiting:
        name, value = waiting.pop()
        if name in reached:
            continue
        reached[name] = value
        fresh = {id(each): each for each in all_in(value) if id(each) not in parts}
        parts |= fresh
        waiting += [pair for each in fresh.values() for pair in _named(each)]
        waiting += _known(_names_in(assignments_to(name)) if not is_fixed(value) else set())
    return reached, list(parts.values())


def _named(value: Any) -> Iterator[tuple[str, Any]]:
    """What code of ``__main__`` names there, and the class of an object that was made there."""
    kinds = value.__mro__ if isinstance(value, type) else [type(value)]
    yield from ((each.__qualname__, each) for each in kinds if is_typed(each))
    if is_typed(value):
        function = isinstance(value, FunctionType)
        yield from _known(globals_read(codes_in(value)) if function else set())
        if not function or not value.__code__.co_freevars:  # text of an inner function does not tell what is around it
            yield from _known(_names_in(source_of(value)))


def _known(names: set[str]) -> list[tuple[str, Any]]:
    known = vars(sys.modules["__main__"])
    return [(name, known[name]) for name in sorted(names) if name in known]


def _names_in(text: str) -> set[str]:
    """Global names that code reads; arguments and variables that are called alike are others."""
    return set(_read_globally(symtable.symtable(textwrap.dedent(text), "__main__", "exec"))) if text else set()


def _read_globally(table: symtable.SymbolTable) -> Iterator[str]:
    outermost = table.get_type() == "module"
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (outermost or symbol.is_global()):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _read_globally(inner)


def _modules(value: Any) -> Iterator[str]:
    """The user's own modules behind a value, and those that its code imports when it runs."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    for each in (name, type(value).__module__):
        if isinstance(each, str) and each != "__main__" and is_own(each):
            yield each
    text = source_of(value) if is_typed(value) else ""
    for level, name, parts in imports_in(ast.parse(text)) if text else ():
        if not level:
            yield from (name, *(f"{name}.{part}" for part in parts))
    if isinstance(value, FunctionType) and is_typed(value):
        yield from imported(codes_in(value))


def _text(name: str, value: Any, changed: bool, telling: Telling) -> str:
    """What a name stands for; what can be written into counts by its text, or as it is where no code writes into it.

    A table that a learner fills while it runs is the same learner's, before and after. Code in it counts always.
    """
    text = "" if is_fixed(value) else assignments_to(name)
    if not text and (is_fixed(value) or not changed):
        return telling.of(value)
    code = [telling.of(each) for each in all_in(value) if is_typed(each)]
    return str((text, type(value).__qualname__, sorted(code)))


#: Statements that only stand around others; a loop counts as a whole, for it says how often.
AROUND = (ast.If, ast.With, ast.Try)


def assignments_to(name: str) -> str:
    """The statements that make or fill a global name of the script; nothing at a prompt, which keeps no text."""
    file = getattr(sys.modules["__main__"], "__file__", None)
    try:
        return _assignments(Path(file).read_text(encoding="utf-8")).get(name, "") if file else ""
    except (OSError, ValueError, SyntaxError):
        return ""


@lru_cache(maxsize=16)
def _assignments(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for statement in _statements(ast.parse(text)):
        segment = ast.get_source_segment(text, statement) or ""
        for name in sorted({each for node in ast.walk(statement) for each in _written_by(node)}):
            found[name] = f"{found[name]}\n{segment}" if name in found else segment
    return found


def _statements(block: ast.AST) -> Iterator[ast.stmt]:
    for each in ast.iter_child_nodes(block):
        if isinstance(each, (*AROUND, ast.ExceptHandler)):
            yield from _statements(each)
        elif isinstance(each, ast.stmt) and not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield each


def _written_by(node: ast.AST) -> Iterator[str]:
    """Names that a part of a statement sets, or into whose value it writes."""
    if isinstance(node, ast.Name | ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield from _root(node)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
        yield from _root(node.func)


def _root(node: ast.AST) -> Iterator[str]:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
