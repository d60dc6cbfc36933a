"""Files and frames that are no tables: the three lines name the fault, its place and the way out."""

from __future__ import annotations

import gzip
from contextlib import suppress
from time import process_time

import pytest

from bestofk.core.errors import InputError
from bestofk.tables import columns, text_files
from bestofk.tables.cells import number_advice
from makers_tables import (
    parquet,
    plain,
    refused,
    spreadsheet,
    table_from_file,
    write,
)

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
openpyxl = pytest.importorskip("openpyxl")


TEXT_FAULTS = {
    "empty": ("", "the file is empty", "header"),
    "blank": ("\n  \n", "the file is empty"),
    "header only": ("learner,error\n", "a header and no rows"),
    "header and blank rows": ("learner,error\n,\n\n", "a header and no rows"),
    "ragged long": ("fold,error\n1,0,25\n", "3 values for 2 columns", "line 2", "decimal comma"),
    "ragged short": ("fold;error\n1;2\n\n3\n", "1 value for 2 columns", "line 4", "semicolons"),
    "ragged after quotes": ('fold,error\n"1\n2",2\n3\n', "1 value for 2 columns", "line 4"),
    "ragged among many": ("a|b\n" + "1|2\n" * 9000 + "3\n" + "1|2\n", "1 value for 2 columns", "line 9002"),
    "equal count": ("a,b\n1\n2,3,4\n", "1 value for 2 columns", "line 2"),
    "repeated column": ("fold,error, fold\n1,2,3\n", "column 'fold' appears twice", "line 1"),
    "repeated later": ("\nfold,fold\n1,2\n", "line 2, column fold"),
    "open quote": ('fold,error\n1,2\n3,"4\n5,6\n', "quotes do not match", "line 3"),
    "open quote in a long file": ('fold,error\n1,"2\n' + "5,6\n" * 40_000, "quotes do not match", "line 2"),
    "text after a quote": ('fold,error\n"1"x,2\n', "quotes do not match", "line 2"),
    "open quote in the header": ('fold,"error\n1,2\n', "quotes do not match", "line 1"),
    "numbers for a header": ("0.5,0.25\n0.1,0.2\n", "line 1 holds numbers: 0.5, 0.25", "add a header line"),
    "whole numbers for a header": ("1,2,3\n1,2,3\n", "line 1 holds numbers"),
    "the same numbers for a header": ("\n1;1\n2;3\n", "line 2 holds numbers"),
    "numbers beside an index": (",0.5,0.25\n0,0.1,0.2\n", "line 1 holds numbers"),
    "NUL": ("fold,error\n1,\0\n", "binary", "line 2"),
    "long line": ("fold,error\n1,2\n1," + "9" * 100_000 + "\n", "100,002 characters", "line 3"),
    "endless line": ("fold,error\n" + "9" * 900_000, "more than 100,000 characters", "line 2"),
    "long header": ("a" * 100_001 + "\n", "100,001 characters", "line 1"),
    "HTML": ("\n<!DOCTYPE html>\n<html><body>Sign in, please</body></html>\n", "HTML", "download"),
    "XML": ('<?xml version="1.0"?>\n<results/>\n', "XML", "export"),
    "YAML of promptfoo": ("evalId: eval-1\nresults:\n  version: 3\n", "YAML", "-o results.json"),
    "Git LFS": ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "Git LFS", "git lfs pull"),
    "UTF-16": ("fold,error\n1,2\n".encode("utf-16"), "UTF-16", "save it as UTF-8"),
    "UTF-16 without a mark": ("fold,error\n1,2\n".encode("utf-16-le"), "NUL"),
    "Latin-1": ("fold,note\n1,ok\n2,gr\xfcn\n".encode("latin-1"), "byte 19 is 0xfc", "line 3", "UTF-8"),
    "Latin-1 with other line ends": (b"fold,note\r\n1,ok\r\n2,gr\xfcn\r\n", "byte 21 is 0xfc", "line 3"),
    "cut character": ("fold,note\n1,é".encode()[:-1], "byte 12 is 0xc3", "line 2"),
}


@pytest.mark.parametrize("name", TEXT_FAULTS)
def test_faults_of_delimited_files(tmp_path, name):
    content, *parts = TEXT_FAULTS[name]
    path = write(tmp_path, content)
    refused(path, str(path), *parts)


@pytest.mark.parametrize("word", ["inf", "-Infinity", "1e999", "1_0", "٣", "0,5", "12%", "0x10", "1 2"])
def test_words_that_are_no_numbers(tmp_path, monkeypatch, word):
    path = write(tmp_path, f"fold;error\n1;0.5\n2;{word}\n")
    with pytest.raises(InputError, match="line 3, column error"):
        table_from_file(path).numbers("error")
    monkeypatch.setattr(columns, "DECIDING", 1)
    refused(path, repr(word), "line 3, column error")


@pytest.mark.parametrize("header", ["0,1,2", ",0,1,2", "0", "1,b", "fold,1,2"])
def test_headers_that_may_be_numbers(tmp_path, header):
    path = write(tmp_path, f"{header}\n" + ",".join("5" for _ in header.split(",")) + "\n")
    assert len(table_from_file(path)) == 1


def test_a_sheet_without_a_header_says_so(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in ((0.5, 2), (0.25, 3)):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    refused(tmp_path / "a.xlsx", "row 1 of sheet Sheet holds numbers: 0.5, 2", "add a header line")


@pytest.mark.parametrize("word", ["1,234", "-12,345", "0,123", "1,23"])
def test_a_comma_in_a_number_is_one_of_two(tmp_path, word):
    table = table_from_file(write(tmp_path, f"fold;error\n1;{word}\n"))
    with pytest.raises(InputError) as error:
        table.numbers("error")
    assert error.value.fix == "write a decimal point, and no comma between thousands."


JSON_FAULTS = {
    "empty": ("a.json", " ", "the file is empty"),
    "empty lines": ("a.jsonl", "\n", "the file is empty"),
    "no rows": ("a.json", "[]", "there are no rows"),
    "no values": ("a.json", '{"error": []}', "there are no rows"),
    "broken": ("a.json", '[{"error": 1},\n {"error": }]', "line 2, column 12", "broken"),
    "cut off": ("a.json", '[{"error": 1},\n {"err', "line 2", "cut off"),
    "cut off in a number": ("a.json", '[{"error": 1},\n {"error": 0.', "line 2", "cut off"),
    "cut off in a word": ("a.json", '[{"error": 1},\n {"right": tru', "line 2", "cut off"),
    "no JSON": ("a.json", "error", "line 1", "broken"),
    "cut off line": ("a.jsonl", '{"error": 1}\n{"err', "line 2", "cut off"),
    "broken line": ("a.jsonl", '{"error": 1}\n{"error" 2}\n', "line 2, column 10", "broken"),
    "broken second object": ("a.json", '{"error": 1}\n{"error" 2}\n', "line 2, column 10"),
    "two in a line": ("a.jsonl", '{"a": 1} {"a": 2}\n', "Extra data", "line 1, column 10"),
    "number": ("a.json", "3", "the JSON is 3"),
    "row of another kind": ("a.json", '[{"a": 1}, 5]', "a row is 5", "row 2"),
    "list as a line": ("a.jsonl", '{"a": 1}\n[1]\n', "a row is a list", "line 2"),
    "object of objects": ("a.json", '{"error": {"0": 1}}', "'error' is an object", "orient='records'"),
    "unequal columns": ("a.json", '{"a": [1, 2], "b": [1]}', "column 'b' has 1 value,"),
    "key twice": ("a.json", '[{"a": 1}, {"a": 1, "a": 2}]', "'a' appears twice", "row 2"),
    "key twice in a line": ("a.jsonl", '{"a": 1}\n{"a": 1, "a": 2}\n', "'a' appears twice", "line 2"),
    "column twice": ("a.json", '{"a": [1], "a": [2]}', "'a' appears twice"),
    "names alike": ("a.json", '[{"a": 1, "a ": 2}]', "'a' appears twice"),
    "infinity": ("a.json", '[{"error": 1}, {"error": -Infinity}]', "error is '-inf'", "row 2, column error"),
    "beyond floats": ("a.jsonl", '{"error": 1}\n{"error": ' + "9" * 400 + "}", "error is 'inf'", "line 2"),
    "beyond digits": ("a.jsonl", '{"error": ' + "9" * 5000 + "}", "cannot be read", "line 1"),
    "deep": ("a.json", "[" * 200_000, "cannot be read"),
    "only nested": ("a.json", '[{"a": [1]}]', "no column has plain values: a"),
    "Latin-1": ("a.json", '[{"a":\n "\xfc"}]'.encode("latin-1"), "0xfc", "line 2"),
    "UTF-16": ("a.jsonl", '{"a": 1}'.encode("utf-16"), "UTF-16"),
}


@pytest.mark.parametrize("name", JSON_FAULTS)
def test_faults_of_json(tmp_path, name):
    file_name, content, *parts = JSON_FAULTS[name]
    path = write(tmp_path, content, file_name)
    refused(path, str(path), *parts)


def test_a_key_twice_in_a_nested_object_harms_nobody(tmp_path):
    path = write(tmp_path, '[{"a": 1, "doc": {"b": 1, "b": 2}}]', "a.json")
    assert plain(table_from_file(path)) == {"a": [1.0]}


OTHER_FAULTS = {
    "no XLSX": ("a.xlsx", b"PK no zip", "no XLSX file"),
    "another zip": ("a.xlsx", gzip.compress(b""), "no XLSX file"),
    "empty XLSX": ("a.xlsx", spreadsheet([]), "the file is empty"),
    "XLSX header": ("a.xlsx", spreadsheet([["fold", "error"]]), "a header and no rows", "sheet Sheet"),
    "two sheets": ("a.xlsx", spreadsheet([["a"], [1]], More=[["a"], [2]]), "2 sheets have data: Sheet, More"),
    "XLSX names": ("a.xlsx", spreadsheet([["a", "a"], [1, 2]]), "'a' appears twice", "row 1 of sheet Sheet"),
    "formula": ("a.xlsx", spreadsheet([["a", "b"], [1, "=A2+1"]]), "=A2+1 has no value", "row 2 of sheet Sheet"),
    "row of formulas": ("a.xlsx", spreadsheet([["a"], [1], ["=A2"]]), "=A2 has no value", "row 3 of sheet Sheet"),
    "old XLS": ("a.xls", b"\xd0\xcf\x11\xe0 and so on", "old XLS format"),
    "no Parquet": ("a.parquet", b"PAR1 no more", "Parquet file cannot be read"),
    "empty Parquet": ("a.parquet", b"", "Parquet file cannot be read"),
    "no rows": ("a.parquet", parquet(a=pyarrow.array([], pyarrow.float64())), "no rows"),
    "nested only": ("a.parquet", parquet(a=[[1], [2]]), "no column has plain values: a"),
    "infinite": ("a.parquet", parquet(error=[1.0, float("inf")]), "error is 'inf'", "row 2, column error"),
    "damaged gzip": ("a.csv.gz", gzip.compress(b"fold,error\n1,2\n")[:-9], "gzip file is damaged"),
    "no gzip": ("a.csv.gz", b"fold,error\n", "gzip file is damaged"),
}


@pytest.mark.parametrize("name", OTHER_FAULTS)
def test_faults_of_other_files(tmp_path, name):
    file_name, content, *parts = OTHER_FAULTS[name]
    path = write(tmp_path, content, file_name)
    refused(path, str(path), *parts)


FRAME_FAULTS = {
    "repeated": (lambda: pandas.DataFrame([[1, 2]], columns=["a", "a"]), "column 'a' appears twice"),
    "repeated Arrow": (lambda: pyarrow.table([[1], [2]], names=["a", "a"]), "column 'a' appears twice"),
    "index and column": (
        lambda: pandas.DataFrame({"fold": [1]}, index=pandas.Index([1], name="fold")),
        "column 'fold' appears twice",
    ),
    "no rows": (lambda: pandas.DataFrame({"a": []}), "no rows"),
    "no columns": (lambda: polars.DataFrame(), "no columns"),
    "infinite": (lambda: polars.DataFrame({"error": [1.0, float("-inf")]}), "error is '-inf'", "row 2, column error"),
    "lazy and wrong": (lambda: polars.LazyFrame({"a": [1]}).select("b"), "cannot be worked out"),
}


@pytest.mark.parametrize("name", FRAME_FAULTS)
def test_faults_of_frames(name):
    make, *parts = FRAME_FAULTS[name]
    refused(make(), "data frame", *parts)


def test_paths_that_lead_nowhere(tmp_path, monkeypatch):
    write(tmp_path, "a\n1\n", "results.csv")
    refused(tmp_path / "result.csv", "no such file", "did you mean 'results.csv'")
    refused(tmp_path / "no folder" / "x.parquet", "no such file")
    refused(tmp_path, "this is a folder")
    refused("x" * 5000 + ".csv", "cannot be read")
    refused("", "the path is ''")
    with pytest.raises(InputError, match="the path is None"):
        table_from_file(None)

    def forbidden(*_):
        raise PermissionError(13, "no")

    monkeypatch.setattr(text_files, "open", forbidden, raising=False)
    refused(tmp_path / "results.csv", "may not be read")


def test_text_of_parquet_that_is_no_text(tmp_path):
    letters, ends = pyarrow.py_buffer(b"ab\xffd"), pyarrow.py_buffer(bytes((0, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0)))
    column = pyarrow.StringArray.from_buffers(2, ends, letters)
    refused(write(tmp_path, parquet(dataset=column, a=[1, 2]), "t.parquet"), "utf-8", "column dataset")


def test_workbooks_are_read_up_to_a_number_of_cells(tmp_path, monkeypatch):
    path = write(tmp_path, spreadsheet([["a", "b"], *([i, i] for i in range(500))]), "t.xlsx")
    monkeypatch.setenv("BESTOFK_XLSX_CELLS", "1002")
    assert len(plain(table_from_file(path))["a"]) == 500
    monkeypatch.setenv("BESTOFK_XLSX_CELLS", "1001")
    refused(path, "more than 1,001 cells", "BESTOFK_XLSX_CELLS=2002")
    monkeypatch.setenv("BESTOFK_XLSX_CELLS", "10")
    refused(path, "unpacks to")


def test_empty_cells_before_a_far_one_count(tmp_path, monkeypatch):
    rows = [["a", "b"], *([i, i] for i in range(50)), *([None] * 999 + [1] for _ in range(20))]
    path = write(tmp_path, spreadsheet(rows), "t.xlsx")
    monkeypatch.setenv("BESTOFK_XLSX_CELLS", "20000")
    refused(path, "more than 20,000 cells")
    blank = [[i, i, *[" "] * 397] for i in range(50)]
    path = write(tmp_path, spreadsheet([["a", "b"], *blank]), "t.xlsx")
    assert len(plain(table_from_file(path))["a"]) == 50


def test_a_damaged_workbook_is_no_traceback(tmp_path):
    whole = spreadsheet([["dataset", "a", "b"], *([f"d{i}", i, 2 * i] for i in range(20))])
    for place in range(0, len(whole), 37):
        spoilt = bytearray(whole)
        spoilt[place] ^= 0x10
        with suppress(InputError):
            table_from_file(write(tmp_path, bytes(spoilt), "t.xlsx"))


def test_many_names_and_none_take_time_in_proportion(tmp_path):
    began = process_time()
    columns = ",".join(f"c{i}" for i in range(10_000)) + "," * 10_000
    table_from_file(write(tmp_path, f"{columns}\n{columns}\n", "t.csv"))
    pairs = ",".join(f'"k{i}": 1' for i in range(60_000))
    refused(write(tmp_path, f'{{{pairs}, "k0": 2}}', "t.json"), "'k0' appears twice")
    assert process_time() - began < 10


@pytest.mark.parametrize("cell", ["0.94q28", "0.8l2", "1e400", "run 3", "11M", "0.5 or so", "v2", "secs" * 40])
def test_a_cell_of_which_a_part_is_a_number_is_to_be_checked(cell):
    assert number_advice(cell).startswith("check this cell")
