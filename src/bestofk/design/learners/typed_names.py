"""What compiled code does with names: which it reads from its module, which it writes into, and what it imports."""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType

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
