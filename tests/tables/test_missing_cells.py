"""What is missing, in every format and for both uses: results, and data to learn from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from bestofk.core.errors import InputError
from bestofk.design.datasets import dataset_of
from bestofk.design.datasets.table import DATA
from bestofk.evidence.layouts.shelf import RESULTS
from bestofk.tables import columns
from bestofk.tables.cells import MISSING, MISSING_IN_DATA, Purpose
from bestofk.tables.files import table_from_file
from bestofk.tables.frames import table_from_frame
from bestofk.tables.table import Numbers, Table, Text

#: Missing among results; the second says whether it is missing in data to learn from too.
SPELLINGS = {
    "n/a": True,
    "N/A": True,
    " na ": True,
    "NA": True,
    "nan": True,
    "NaN": True,
    "null": True,
    "NULL": True,
    "?": True,
    "": True,
    "  ": True,
    "none": False,
    "None": False,
    "-": False,
}
FORMATS = ("csv", "tsv", "json", "jsonl", "xlsx", "pandas", "polars")


def table_of(cells: dict[str, list[object]], kind: str, folder: Path, purpose: Purpose) -> Table:
    """The same cells by way of a format; typed ones have numbers where the text ones have digits."""
    cells = {**cells, "other": ["k"] * len(cells["x"])}  # a row of blanks alone would be none
    frame = pd.DataFrame(cells, dtype=object)
    path = folder / f"a.{kind}"
    if kind == "pandas":
        return table_from_frame(frame, purpose)
    if kind == "polars":
        return table_from_frame(
            pl.DataFrame({name: [str(v) for v in values] for name, values in cells.items()}), purpose
        )
    if kind in ("csv", "tsv"):
        frame.to_csv(path, index=False, sep="," if kind == "csv" else "\t")
    elif kind == "xlsx":
        frame.to_excel(path, index=False)
    else:
        rows = frame.to_dict(orient="records")
        path.write_text(json.dumps(rows) if kind == "json" else "\n".join(map(json.dumps, rows)))
    return table_from_file(path, purpose)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_what_is_missing_among_numbers(tmp_path, kind, spelling):
    cells = {"x": [1.5, 2.5, spelling, 4.0]}
    for purpose, missing in ((RESULTS, True), (DATA, SPELLINGS[spelling])):
        table = table_of(cells, kind, tmp_path, purpose)
        if not missing:
            assert spelling.strip() in table.text("x").categories
        elif kind == "polars" and purpose is DATA:  # words by their type: no numbers, but the gap is one
            assert table.text("x").codes.tolist() == [0, 1, -1, 2]
        else:
            assert np.isnan(table.numbers("x")).tolist() == [False, False, True, False]


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_what_is_missing_among_categories(tmp_path, kind, spelling):
    column = table_of({"x": ["red", spelling, "blue"]}, kind, tmp_path, DATA).column("x")
    assert isinstance(column, Text)
    assert (column.codes[1] == -1) == SPELLINGS[spelling]


def test_the_table_of_spellings_is_complete():
    assert {word.strip().lower() for word in SPELLINGS} == MISSING
    assert {word.strip().lower() for word, missing in SPELLINGS.items() if missing} == MISSING_IN_DATA


def test_values_that_arff_declares_are_values_whatever_they_are_called(tmp_path):
    path = tmp_path / "a.arff"
    path.write_text("@attribute x {none,-,NA}\n@attribute y {0,1}\n@data\nnone,0\n-,1\n?,0\nNA,1\n")
    assert table_from_file(path, DATA).text("x").codes.tolist() == [0, 1, -1, 2]


def test_results_may_be_arff(tmp_path):
    path = tmp_path / "a.arff"
    path.write_text("@relation r\n@attribute learner string\n@attribute fold numeric\n@attribute error real\n@data\n")
    with pytest.raises(InputError, match="no rows"):
        table_from_file(path, RESULTS)
    with path.open("a") as file:
        file.write("'a b',1,0.25\nb,1,?\n")
    table = table_from_file(path, RESULTS)
    assert table.text("learner").categories == ("a b", "b")
    assert isinstance(table.column("fold"), Text)
    assert table.numbers("error").tolist() == pytest.approx([0.25, np.nan], nan_ok=True)


@pytest.mark.parametrize("ending", ["json", "jsonl", "csv.gz", "pq"])
def test_every_format_is_for_data_sets_too(tmp_path, ending):
    frame = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [True, False, True, True], "class": ["u", "v", "u", "v"]})
    path = tmp_path / f"d.{ending}"
    if ending == "pq":
        frame.to_parquet(path)
    elif ending == "csv.gz":
        frame.to_csv(path, index=False)
    else:
        frame.to_json(path, orient="records", lines=ending == "jsonl")
    data = dataset_of(path)
    assert [feature.categories for feature in data.features] == [(), ("False", "True")]
    assert data.fingerprint == dataset_of(frame, name="d").fingerprint


def test_text_may_be_packed_whatever_its_name(tmp_path):
    plain, packed = tmp_path / "a.csv", tmp_path / "b.csv"
    frame = pd.DataFrame({"learner": ["a", "b"], "error": [0.5, 0.25]})
    frame.to_csv(plain, index=False)
    frame.to_csv(packed, index=False, compression="gzip")
    assert table_from_file(packed, RESULTS).numbers("error").tolist() == [0.5, 0.25]


def test_a_late_word_is_a_category_of_data_and_a_mistake_in_results(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "DECIDING", 4)
    path = tmp_path / "a.csv"
    path.write_text("x,y\n" + "".join(f"{i % 3},{i}\n" for i in range(9)) + "blue,9\n")
    with pytest.raises(InputError, match="'blue', not a number"):
        table_from_file(path, RESULTS)
    table = table_from_file(path, DATA)
    assert table.text("x").categories == ("0", "1", "2", "blue")
    assert isinstance(table.column("y"), Numbers)
