"""Tables of results, as files and as columns."""

from __future__ import annotations

import io
import json
from dataclasses import fields
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from bestofk.core.errors import InputError
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.shelf import RESULTS
from bestofk.evidence.layouts.table_kind import evidence_from_table
from bestofk.tables import files as table_files
from bestofk.tables import frames as table_frames
from bestofk.tables.frames import table_from_columns
from bestofk.tables.table import Table, Text

table_from_file = partial(table_files.table_from_file, purpose=RESULTS)
table_from_frame = partial(table_frames.table_from_frame, purpose=RESULTS)


def written(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def output(scores, *, indices=None, **more):
    """What cross_validate returns for one learner."""
    result = {"fit_time": np.full(len(scores), 0.5), "score_time": np.full(len(scores), 0.1)}
    if indices is not None:
        result["indices"] = {"train": [], "test": [np.array(each) for each in indices]}
    return {**result, "test_score": np.array(scores), **more}


def harness(folder, **models):
    """One JSON Lines file per model: {item: outcome}."""
    paths = []
    for model, outcomes in models.items():
        rows = [{"doc_id": i, "doc": {"q": "…"}, "target": "x", "acc": v, "len": 3} for i, v in outcomes.items()]
        paths.append(written(folder, f"{model}.jsonl", "\n".join(json.dumps(row) for row in rows)))
    return paths


def read(columns, *, measure=None, larger_is_better=None, learners=None, rows=None):
    table = table_from_columns(columns, "here")
    return evidence_from_table(table, Request(measure, larger_is_better, learners, rows))


def grid(learners=("lda", "knn"), folds=3, **more):
    """Long columns with one score per learner and fold."""
    names = [name for name in learners for _ in range(folds)]
    size = len(names)
    scores = [round(0.1 + 0.01 * i, 2) for i in range(size)]
    return {"learner": names, "fold": list(range(1, folds + 1)) * len(learners), "error": scores, **more}


def scored(**measures):
    return {"learner": ["a", "a", "b", "b"], "fold": [1, 2] * 2, "fit_time": [1.0] * 4, "score_time": [1.0] * 4} | {
        f"test_{name}": values for name, values in measures.items()
    }


def write(folder: Path, content: str | bytes, name: str = "results.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def plain(table: Table) -> dict[str, list[object]]:
    """Columns as lists; words and numbers stay apart, None where a cell is empty."""
    return {
        name: [None if code < 0 else each.categories[code] for code in each.codes]
        if isinstance(each, Text)
        else [None if np.isnan(value) else value for value in each.values]
        for name, each in table.columns.items()
    }


def refused(source, *parts: str) -> InputError:
    with pytest.raises(InputError) as caught:
        table_from_file(source) if isinstance(source, str | Path) else table_from_frame(source)
    assert all((caught.value.wrong, caught.value.where, caught.value.fix))
    for part in parts:
        assert part in str(caught.value), str(caught.value)
    return caught.value


def spreadsheet(rows: list[list[object]], **sheets: list[list[object]]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for name, more in sheets.items():
        sheet = book.create_sheet(name)
        for row in more:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def parquet(**columns: object) -> bytes:
    import pyarrow
    import pyarrow.parquet

    content = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), content)
    return content.getvalue()


def differences(one, other, but=()):
    """Names of the fields in which two pieces of evidence differ; where they come from is none, nor lines of gaps."""
    assert type(one) is type(other)
    named = [each.name for each in fields(one) if each.name not in ("origin", "gap_places", *but)]
    return [name for name in named if not _alike(getattr(one, name), getattr(other, name))]


def _alike(one, other):
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(each, other[key]) for key, each in one.items())
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, float):
        return np.isclose(one, other, rtol=1e-11, atol=0, equal_nan=True)
    if isinstance(one, np.ndarray):
        return one.shape == np.shape(other) and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return one == other
