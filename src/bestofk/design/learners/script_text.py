"""The text of the script that runs: which of its statements make or fill a global name."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from bestofk.design.learners.typed_names import CHANGING

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
