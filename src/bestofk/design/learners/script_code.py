"""Code of a script, a notebook or a prompt: what a class or function reaches by name, not all that stands around it."""

from __future__ import annotations

import ast
import dis
import functools
import hashlib
import inspect
import symtable
import sys
import textwrap
from ast import parse
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from bestofk.design.learners.own_code import imports_in, is_own, own_modules


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


#: Values deeper than this in lists, tables and closures are counted by their kind.
DEEPEST = 6
PLAIN = (type(None), bool, int, float, complex, str, bytes, np.generic)
CODE = (FunctionType, MethodType, functools.partial, type(functools.lru_cache(len)))


def is_typed(value: Any) -> bool:
    """Whether a function or class was defined in ``__main__``."""
    if isinstance(value, FunctionType):
        return value.__globals__.get("__name__") == "__main__"
    return isinstance(value, type) and value.__module__ == "__main__"


def is_fixed(value: Any) -> bool:
    """Whether nothing can be written into a value: a number, a text, code, or a tuple of these."""
    if isinstance(value, tuple | frozenset):
        return all(map(is_fixed, value))
    return isinstance(value, (*PLAIN, *CODE, type, ModuleType)) or bool(_held(value))


def all_in(value: Any) -> Iterator[Any]:
    """The value and all that is in it, each once, plain values not."""
    seen: dict[int, Any] = {}
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if not isinstance(each, PLAIN) and id(each) not in seen:
            seen[id(each)] = each
            yield each
            waiting += [part for _, part in _parts(each)]


def _parts(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [("", each) for pair in value.items() for each in pair]
    if isinstance(value, list | tuple | set | frozenset):
        return [("", each) for each in value]
    if isinstance(value, functools.partial):
        return [("", value.func), ("", value.args), ("", value.keywords)]
    if isinstance(value, MethodType):
        return [("", value.__func__), ("", value.__self__)]
    if isinstance(value, FunctionType):
        return _of_function(value)
    if isinstance(value, type):
        return list(_of_class(value)) if is_typed(value) else []
    return _of_method(value) or _held(value)


def _of_function(function: FunctionType) -> list[tuple[str, Any]]:
    """By name: defaults and what a closure holds; of a function from elsewhere, only the code of ``__main__`` in it."""
    code, defaults = function.__code__, function.__defaults__ or ()
    found = list(zip(code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount], defaults, strict=True))
    found += sorted((function.__kwdefaults__ or {}).items())
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # nothing is in it yet
            found.append((name, cell.cell_contents))
    found += [(name, each) for name, each in vars(function).items() if name == "__wrapped__"]
    return found if is_typed(function) else [(name, each) for name, each in found if is_typed(each)]


def _of_class(kind: type) -> Iterator[tuple[str, Any]]:
    for name, value in vars(kind).items():
        if not name.startswith("__") or isinstance(value, FunctionType) or _of_method(value):
            yield name, value


def _of_method(value: Any) -> list[tuple[str, Any]]:
    """What stands behind a method of any kind, or a property."""
    if isinstance(value, classmethod | staticmethod):
        return [("", value.__func__)]
    if isinstance(value, functools.cached_property):
        return [("", value.func)]
    return [("", value.fget), ("", value.fset), ("", value.fdel)] if isinstance(value, property) else []


def _held(value: Any) -> list[tuple[str, Any]]:
    """Functions that an object holds that is called in their place: of ``lru_cache``, of ``numba.njit``."""
    held = getattr(value, "__dict__", None) if callable(value) and not isinstance(value, type) else None
    return sorted((name, each) for name, each in held.items() if isinstance(each, CODE)) if held else []


def source_of(part: Any) -> str:
    """The text of a function or class of ``__main__``, where it can be had."""
    try:
        text = textwrap.dedent(inspect.getsource(part.__code__ if isinstance(part, FunctionType) else part))
        parse(text)
        return text.replace("\r\n", "\n")
    except (OSError, TypeError, SyntaxError):
        return ""


class Telling:
    """Tells values in words that are the same in every process; what cannot be told so is told by its kind.

    ``written`` are the names into which the code writes: what they hold may change while it runs, and is not told.
    """

    def __init__(self, names: set[tuple[str, str]]) -> None:
        self._written = names
        self._around: list[Any] = []

    def of(self, value: Any) -> str:
        """The value in words."""
        kind = f"{type(value).__module__}:{type(value).__qualname__}"
        if isinstance(value, PLAIN):
            return f"{kind} {value!r}"
        if isinstance(value, np.ndarray) and value.dtype != object:
            digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
            return f"{kind} {value.dtype} {value.shape} {digest}"
        if len(self._around) > DEEPEST or any(value is each for each in self._around):
            return kind
        self._around.append(value)
        try:
            return f"{kind} {self._inside(value)}"
        finally:
            self._around.pop()

    def _inside(self, value: Any) -> str:
        if isinstance(value, dict):
            return str([(self.of(key), self.of(each)) for key, each in value.items()])
        if isinstance(value, set | frozenset):
            return str(sorted(map(self.of, value)))
        if isinstance(value, ModuleType):
            return value.__name__
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, type):
            return self._class(value)
        return str([(name, self.of(each)) for name, each in _parts(value)])

    def _function(self, function: FunctionType) -> str:
        inner = written(codes_in(function))
        told = [(name, self._unless(("local", name) in inner, each)) for name, each in _of_function(function)]
        name = f"{function.__module__}:{function.__qualname__}"
        return str((source_of(function) or _compiled(function.__code__) if is_typed(function) else name, told))

    def _class(self, kind: type) -> str:
        if not is_typed(kind):
            return f"{kind.__module__}:{kind.__qualname__}"
        return source_of(kind) or str(
            [(name, self._unless(self._changes(name, each), each)) for name, each in _of_class(kind)]
        )

    def _changes(self, name: str, value: Any) -> bool:
        return ("attribute", name) in self._written and not is_fixed(value)

    def _unless(self, changed: bool, value: Any) -> str:
        return type(value).__qualname__ if changed and not isinstance(value, CODE) else self.of(value)


def _compiled(code: CodeType) -> str:
    inner = [_compiled(each) if isinstance(each, CodeType) else Telling(set()).of(each) for each in code.co_consts]
    return str((code.co_qualname, code.co_code.hex(), code.co_names, inner))


#: Where a name comes from, by the instruction that fetches it.
PLACES = {
    **dict.fromkeys(("LOAD_GLOBAL", "LOAD_NAME"), "global"),
    **dict.fromkeys(("LOAD_ATTR", "LOAD_METHOD"), "attribute"),
    **dict.fromkeys(("LOAD_FAST", "LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"), "local"),
}
#: Instructions that change what a value holds, and methods that do.
STORES = ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE", "STORE_ATTR", "DELETE_ATTR")
CHANGING = (
    *("add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "fill", "insert", "pop", "popitem"),
    *("popleft", "put", "remove", "resize", "reverse", "setdefault", "sort", "update"),
    *("difference_update", "intersection_update", "symmetric_difference_update"),
)


def codes_in(function: FunctionType) -> Iterator[CodeType]:
    """Compiled code of a function and of functions inside it."""
    waiting = [function.__code__]
    while waiting:
        code = waiting.pop(0)
        yield code
        waiting += [each for each in code.co_consts if isinstance(each, CodeType)]


def globals_read(codes: Iterable[CodeType]) -> set[str]:
    """Names that code reads from its module, or from Python's own."""
    steps = (step for code in codes for step in dis.get_instructions(code))
    return {str(step.argval) for step in steps if PLACES.get(step.opname) == "global"}


def imported(codes: Iterable[CodeType]) -> Iterator[str]:
    """Modules that code imports when it runs; ``from a import b`` may mean the module a.b."""
    for code in codes:
        name = ""
        for step in dis.get_instructions(code):
            if step.opname == "IMPORT_NAME":
                name = str(step.argval)
                yield name
            elif step.opname == "IMPORT_FROM":
                yield f"{name}.{step.argval}"


def written(codes: Iterable[CodeType]) -> set[tuple[str, str]]:
    """Names (place, name) whose value code sets anew, or changes inside: by its items, attributes or methods."""
    found: set[tuple[str, str]] = set()
    for code in codes:
        steps = list(dis.get_instructions(code))
        found |= {("global", str(step.argval)) for step in steps if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL")}
        found |= {("local", str(step.argval)) for step in steps if step.opname == "STORE_DEREF"}
        begun = {_begin(step) for step in steps if step.opname in STORES or _changes(step)}
        loads = [step for step in steps if step.opname in PLACES and _begin(step) in begun]
        found |= {(PLACES[step.opname], str(step.argval)) for step in loads}
    return found


def _changes(step: dis.Instruction) -> bool:
    return PLACES.get(step.opname) == "attribute" and step.argval in CHANGING


def _begin(step: dis.Instruction) -> tuple[int | None, int | None]:
    """Where in the text it begins: ``a[0].b`` begins where ``a`` does; all alike where Python kept no places."""
    place = step.positions
    return (place.lineno, place.col_offset) if place else (None, None)
