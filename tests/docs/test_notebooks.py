"""The notebooks of the examples run from top to bottom, and what ends a cell shows itself."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from makers import EXAMPLES

NOTEBOOKS = sorted((EXAMPLES / "notebooks").glob("*.ipynb"))


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as Jupyter does, and return the value of its last line."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def cells(notebook: Path) -> list[dict[str, Any]]:
    return [each for each in json.loads(notebook.read_text("utf-8"))["cells"] if each["cell_type"] == "code"]


def test_there_are_notebooks_without_kept_outputs() -> None:
    assert len(NOTEBOOKS) == 3
    assert not any(cell["outputs"] for notebook in NOTEBOOKS for cell in cells(notebook))


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(notebook.parent)
    names: dict[str, Any] = {"__name__": "__main__"}
    ends = [run_cell("".join(cell["source"]), names) for cell in cells(notebook)]
    shown = [end._repr_html_() for end in ends if end is not None]
    assert len(shown) >= 5
    assert any("<svg" in html for html in shown)
