"""What every layout of results must do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from bestofk.core.names import plain
from bestofk.evidence.layouts.layout import Layout
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.shelf import RESULTS, is_key_name
from bestofk.evidence.layouts.table_kind import evidence_in_layout
from bestofk.tables.files import table_from_file
from bestofk.tables.table import Text

#: Tables that are read by the names of their columns, and no program's own.
_COMMON = ("model,fold,accuracy", "dataset,lda,knn", "model,item,correct", "model,run,epoch,loss", "y_true,lda,knn")


def check_layout(layout: Layout, path: str | Path, **asked: Any) -> None:
    """Assert that a layout reads a small file that its program wrote, as ``bk.read(path, **asked)`` does."""
    assert all(key == plain(key) for key in layout.keys), "keys are in small letters with underscores"
    assert not any(layout.recognises(names.split(",")) for names in _COMMON), "common tables are left to others"
    purpose = replace(RESULTS, is_key=lambda name: is_key_name(name) or plain(name) in layout.keys)
    table = table_from_file(path, purpose)
    assert layout.recognises(table.names), "the file is recognised by the names of its columns"
    there = {plain(name): column for name, column in table.columns.items()}
    assert all(isinstance(there[key], Text) for key in layout.keys if key in there), "keys stay text"
    assert layout.keys <= set(there), "the file has every key"
    evidence = evidence_in_layout(layout, table, Request(**asked))
    assert len(evidence.learners) > 1, "there are learners to compare"
    assert evidence.origin.notes, "what was understood is said back"
