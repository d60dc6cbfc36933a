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


def changed(content, *changes):
    """A workbook whose sheets have other XML."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            for before, after in changes if name.startswith("xl/worksheets/sheet") else ():
                part, number = re.subn(before, after, part)
                assert number
            new.writestr(name, part)
    return made.getvalue()


def workbook(dimension="A1:E61"):
    """A workbook, and what it says of its own size, which may be wrong."""
    content = spreadsheet([list(NAMES), *map(list, ROWS)])
    return changed(content, (rb'<dimension ref="[^"]*"', f'<dimension ref="{dimension}"'.encode()))


def linked():
    """A workbook with parts that are no sheets: the order in which formulas are worked out, cells of other files."""
    made = io.BytesIO(workbook())
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    rows = "<sheetData><row r='2'/><row r='3'/></sheetData>"
    with zipfile.ZipFile(made, "a") as parts:
        parts.writestr("xl/calcChain.xml", f"<calcChain {main}><c r='C2'/><c r='B2'/></calcChain>")
        parts.writestr("xl/externalLinks/externalLink1.xml", f"<externalLink {main}>{2 * rows}</externalLink>")
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
    "linked.xlsx": linked,
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


PLACES = {
    "a row twice": ((rb'r="([A-E]?)[3-9]"', rb'r="\g<1>2"'), "row 2 cannot follow row 2"),
    "a row that is 0": ((rb'<row r="5"', b'<row r="0"'), "row 0 cannot follow row 4"),
    "a row after the last": ((rb'<row r="5"', b'<row r="99999999999"'), "row 99999999999 cannot follow row 4"),
    "rows in another order": ((rb'r="([A-E]?)9"', rb'r="\g<1>2000"'), "row 10 cannot follow row 2000"),
    "a cell twice": ((rb'r="D7"', b'r="E7"'), "in row 7, column 5 cannot follow column 5"),
    "a row of no number": ((rb'<row r="5"', b'<row r="five"'), "no XLSX file"),
}


@pytest.mark.parametrize("case", PLACES)
def test_rows_and_cells_that_would_be_left_out_are_refused(case, tmp_path):
    change, told = PLACES[case]
    with pytest.raises(bk.InputError, match=told):
        bk.read(write(tmp_path, changed(workbook(), change), "a.xlsx"))


def test_a_formula_without_value_is_seen_under_a_prefix(tmp_path):
    tags = (rb"<(/?)(\w+)", rb"<\1x:\2"), (rb"xmlns=", b"xmlns:x=")
    assert bk.read(write(tmp_path, changed(workbook(), *tags), "values.xlsx")).missing() == ()
    content = changed(workbook(), (rb'(<c r="D7"[^>]*>)<v>.*?</v>', rb"\1<f>1+1</f>"), *tags)
    with pytest.raises(bk.InputError, match=r"=1\+1 has no value"):
        bk.read(write(tmp_path, content, "formula.xlsx"))


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
