"""What a file holds and what is understood of it agree in number, in every format; an archive is called one."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zipfile

import pytest

import bestofk as bk
from makers_tables import parquet, spreadsheet, write

pytest.importorskip("openpyxl")
pytest.importorskip("pyarrow")

NAMES = ("learner", "dataset", "fold", "error", "price")
LEARNERS, DATASETS, FOLDS = 3, 4, 5
ROWS = [
    (f"l{k}", f"d{d}", f, round(0.1 + 0.01 * (k + 2 * d + 3 * f), 2), float(k + 1))
    for k in range(LEARNERS)
    for d in range(DATASETS)
    for f in range(FOLDS)
]


def delimited(mark):
    text = io.StringIO()
    csv.writer(text, delimiter=mark).writerows([NAMES, *ROWS])
    return text.getvalue()


def workbook(dimension=""):
    """A workbook, and what it says of its own size, which may be wrong."""
    content = spreadsheet([list(NAMES), *map(list, ROWS)])
    if not dimension:
        return content
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name.startswith("xl/worksheets/sheet"):
                part, number = re.subn(rb'<dimension ref="[^"]*"', f'<dimension ref="{dimension}"'.encode(), part)
                assert number == 1
            new.writestr(name, part)
    return made.getvalue()


def packed(text):
    return gzip.compress(text.encode())


def arff():
    kinds = ("string", "string", "numeric", "numeric", "numeric")
    heads = [f"@attribute {name} {kind}" for name, kind in zip(NAMES, kinds, strict=True)]
    return "\n".join(["@relation results", *heads, "@data", *delimited(",").splitlines()[1:]])


def objects():
    return [dict(zip(NAMES, row, strict=True)) for row in ROWS]


FORMATS = {
    "a.csv": lambda: delimited(","),
    "a.tsv": lambda: delimited("\t"),
    "b.csv": lambda: delimited(";"),
    "a.json": lambda: json.dumps(objects()),
    "b.json": lambda: json.dumps({name: [row[name] for row in objects()] for name in NAMES}),
    "a.jsonl": lambda: "\n".join(map(json.dumps, objects())),
    "c.csv": lambda: delimited("|"),
    "excel.csv": lambda: "sep=;\n" + delimited(";"),
    "bom.csv": lambda: "\ufeff" + delimited(","),
    "a.csv.gz": lambda: packed(delimited(",")),
    "packed.csv": lambda: packed(delimited(",")),
    "a.jsonl.gz": lambda: packed("\n".join(map(json.dumps, objects()))),
    "a.arff": arff,
    "a.parquet": lambda: parquet(**{name: [row[name] for row in objects()] for name in NAMES}),
    "a.xlsx": workbook,
    "stale.xlsx": lambda: workbook("A1:E7"),
    "narrow.xlsx": lambda: workbook("A1:C61"),
    "large.xlsx": lambda: workbook("A1:Z999"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_all_that_a_file_holds_is_understood(name, tmp_path):
    agrees(bk.read(write(tmp_path, FORMATS[name](), name)))


@pytest.mark.parametrize("module", ["pandas", "polars", "pyarrow"])
def test_all_that_a_frame_holds_is_understood(module):
    library = pytest.importorskip(module)
    columns = {name: [row[name] for row in objects()] for name in NAMES}
    agrees(bk.read(library.table(columns) if module == "pyarrow" else library.DataFrame(columns)))


def agrees(evidence):
    summary = evidence.summary()
    assert (len(summary.learners), len(summary.datasets), summary.units["fold"]) == (LEARNERS, DATASETS, FOLDS)
    assert (summary.results, summary.missing, summary.costs) == (len(ROWS), (), ("price",))


def archive(**files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    return content.getvalue()


@pytest.mark.parametrize("name", ["logs.zip", "logs.xlsx", "logs"])
def test_an_archive_is_no_workbook(name, tmp_path):
    with pytest.raises(bk.InputError, match="ZIP archive") as caught:
        bk.read(write(tmp_path, archive(**{"a.csv": "x", "b.csv": "y"}), name))
    assert "a.csv" in caught.value.wrong
    assert "openpyxl" not in str(caught.value)
    with pytest.raises(bk.InputError, match="OpenDocument"):
        bk.read(write(tmp_path, archive(**{"mimetype": "x", "content.xml": "y"}), name))


ODD = [
    *("3", '"x"', "null", "true", "[]", "{}", "[[1, 2], [3, 4]]", '[{"a": 1}, 3]', '{"a": {"b": {"c": 1}}}', "[null]"),
    *(
        '{"a": [{"b": 1}], "c": 3}',
        "[NaN]",
        '["a", "b"]',
        "[" * 5000 + "]" * 5000,
        "[{}, {}]",
        '{"a": [1, 2], "b": [1]}',
    ),
    *('[{"learner": "a", "error": 1e999}]', '{"results": [{"learner": "a"}]}', '{"a": 0.5}', '[{"a": 1, "a": 2}]', "{"),
]


@pytest.mark.parametrize("ending", ["json", "jsonl"])
@pytest.mark.parametrize("text", ODD)
def test_odd_shapes_of_json_get_three_lines(text, ending, tmp_path):
    with pytest.raises(bk.InputError) as caught:
        bk.read(write(tmp_path, text, f"odd.{ending}"))
    assert all((caught.value.wrong, caught.value.where, caught.value.fix))
