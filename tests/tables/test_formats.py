"""Readers: the same rows from any source are the same table, and what is wrong with a source is said in three lines."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import sqlite3
import subprocess
import sys
from datetime import date, datetime
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bestofk as bk
from bestofk.core.errors import InputError, MissingExtra
from bestofk.tables import columns, text_files
from bestofk.tables.delimited import MARKS
from bestofk.tables.frames import is_frame
from bestofk.tables.table import Numbers, Text
from makers_tables import (
    parquet,
    plain,
    refused,
    spreadsheet,
    table_from_file,
    table_from_frame,
    write,
)

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
openpyxl = pytest.importorskip("openpyxl")
pytest.importorskip("narwhals")

ROWS = {
    "learner": ["lda", "knn", "Großer Baum", "lda"],
    "fold": [1, 1, 2, 2],
    "error": [0.25, None, -1.5e-3, 3.0],
    "note": ["a, b; c|d", None, "so", "so"],
    "size": [10, 20, 30, None],
}


EXPECTED = ROWS | {"fold": ["1", "1", "2", "2"], "size": [10.0, 20.0, 30.0, None]}


def delimited(mark: str) -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=mark)
    writer.writerow(ROWS)
    writer.writerows(zip(*ROWS.values(), strict=True))
    return text.getvalue()


def as_rows() -> list[dict[str, object]]:
    return [dict(zip(ROWS, row, strict=True)) for row in zip(*ROWS.values(), strict=True)]


# The same rows through every door


pytest.importorskip("pyarrow.parquet")
FILES = {
    "a.csv": delimited(","),
    "a.tsv": delimited("\t"),
    "a.txt": delimited(";"),
    "a.data": delimited("|"),
    "bom.csv": "\ufeff" + delimited(","),
    "old mac.csv": delimited(",").replace("\r\n", "\r"),
    "unix.csv": delimited(",").replace("\r\n", "\n").rstrip("\n"),
    "blank lines.csv": "\n \n" + delimited(";").replace("\r\n", "\n\n;;;;\n"),
    "a.csv.gz": gzip.compress(delimited(",").encode()),
    "a.json": json.dumps(as_rows()),
    "columns.json": json.dumps(ROWS),
    "lines.json": "\n".join(map(json.dumps, as_rows())),
    "a.jsonl": "\n\n".join(map(json.dumps, as_rows())),
    "a.ndjson": "\n".join(json.dumps({k: v for k, v in row.items() if v is not None}) for row in as_rows()),
    "a.jsonl.gz": gzip.compress("\n".join(map(json.dumps, as_rows())).encode()),
    "a.parquet": parquet(**ROWS),
    "a.xlsx": spreadsheet([list(ROWS), *map(list, zip(*ROWS.values(), strict=True))], Empty=[]),
    # without a suffix that says what they are
    "csv": delimited(";"),
    "rows": json.dumps(as_rows()),
    "rows after a mark": "\ufeff \n" + json.dumps(as_rows()),
    "lines.out": "\n".join(map(json.dumps, as_rows())),
    "parquet.bin": parquet(**ROWS),
    "book.bin": spreadsheet([list(ROWS), *map(list, zip(*ROWS.values(), strict=True))]),
}


@pytest.mark.parametrize("name", FILES)
def test_the_same_rows_from_every_file(tmp_path, name):
    path = write(tmp_path, FILES[name], name)
    table = table_from_file(str(path))
    assert plain(table) == EXPECTED
    assert table.column("learner").categories == ("lda", "knn", "Großer Baum")
    assert len(table) == 4
    assert table.source == str(path)
    assert table.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert not table.left_out


FRAMES = {
    "pandas": lambda: pandas.DataFrame(ROWS),
    "pandas nullable": lambda: pandas.DataFrame(ROWS).convert_dtypes(),
    "pandas objects": lambda: pandas.DataFrame(ROWS, dtype=object),
    "pandas categories": lambda: pandas.DataFrame(ROWS).astype({"learner": "category", "fold": "category"}),
    "pandas index": lambda: pandas.DataFrame(ROWS).set_index(["learner", "fold"]),
    "pandas slice": lambda: pandas.concat([pandas.DataFrame(ROWS)] * 2, ignore_index=True)[4:],
    "polars": lambda: polars.DataFrame(ROWS),
    "polars lazy": lambda: polars.LazyFrame(ROWS),
    "polars categories": lambda: polars.DataFrame(ROWS).with_columns(polars.col("learner").cast(polars.Categorical)),
    "arrow": lambda: pyarrow.table(ROWS),
}


@pytest.mark.parametrize("name", FRAMES)
def test_the_same_rows_from_every_frame(name):
    frame = FRAMES[name]()
    assert is_frame(frame)
    table = table_from_frame(frame)
    assert plain(table) == EXPECTED
    assert table.source == "data frame"


def test_numbers_of_a_frame_are_a_copy():
    frame = pandas.DataFrame({"error": [0.5, 1.5]})
    table = table_from_frame(frame)
    frame.loc[0, "error"] = 7.0
    assert table.numbers("error").tolist() == [0.5, 1.5]


def test_what_is_no_frame():
    for other in ({"a": [1]}, [1], "a.csv", np.ones(3), pandas.Series([1]), polars.Series([1]), pandas.DataFrame, None):
        assert not is_frame(other)
    refused(3, "int is no data frame")


def test_a_subclass_of_a_frame_is_one():
    class Mine(pandas.DataFrame):
        pass

    assert is_frame(Mine(ROWS))


# Values


def test_key_columns_stay_as_written(tmp_path):
    table = table_from_file(write(tmp_path, "fold,error\n01,01\n1,1\n"))
    assert plain(table) == {"fold": ["01", "1"], "error": [1.0, 1.0]}


def test_words_of_absence_are_missing_numbers_but_words_in_text(tmp_path):
    table = table_from_file(write(tmp_path, "learner,error,reason\nnone,NA,\n-,0.5,\nlda,?,time out\n"))
    assert plain(table) == {
        "learner": ["none", "-", "lda"],
        "error": [None, 0.5, None],
        "reason": [None, None, "time out"],
    }


def test_words_of_absence_alone_stay_words_and_are_missing_where_numbers_are_wanted(tmp_path):
    rows = [{"said": "none", "error": 0.5}, {"said": "NA", "error": None}, {"said": "", "error": 1}]
    frame = pandas.DataFrame(rows)
    frame.to_excel(tmp_path / "a.xlsx", index=False)
    files = {
        "a.csv": "said,error\nnone,0.5\nNA,-\n,1\n",
        "a.json": json.dumps(rows),
        "a.jsonl": "\n".join(map(json.dumps, rows)),
        "a.parquet": parquet(said=["none", "NA", ""], error=[0.5, None, 1.0]),
    }
    paths = [*(write(tmp_path, content, name) for name, content in files.items()), tmp_path / "a.xlsx"]
    for table in (*map(table_from_file, paths), table_from_frame(frame)):
        assert plain(table) == {"said": ["none", "NA", None], "error": [0.5, None, 1.0]}
        assert np.isnan(table.numbers("said")).all()


def test_true_and_false_are_one_and_zero_where_numbers_are_wanted(tmp_path):
    rows = [{"item": 1, "right": True}, {"item": 2, "right": False}]
    for name, content in {"a.csv": "item,right\n1,True\n2,False\n", "a.json": json.dumps(rows)}.items():
        assert table_from_file(write(tmp_path, content, name)).numbers("right").tolist() == [1.0, 0.0]
    assert plain(table_from_frame(pandas.DataFrame(rows))) == {"item": ["1", "2"], "right": [1.0, 0.0]}


def test_an_empty_column_is_one_of_missing_numbers(tmp_path):
    for name, content in {
        "a.csv": "fold,error\n1,\n2, \n",
        "a.json": '[{"fold": 1, "error": null}, {"fold": 2, "error": NaN}]',
        "a.parquet": parquet(fold=[1, 2], error=[None, None]),
    }.items():
        assert plain(table_from_file(write(tmp_path, content, name))) == {"fold": ["1", "2"], "error": [None, None]}


def test_a_column_may_start_long_after_the_first_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "DECIDING", 4)
    monkeypatch.setattr(text_files, "BLOCK", 8)
    rows = "".join(f"{i},NA,\n" for i in range(20)) + "20,0.5,time out\n" + "21,,\n"
    table = table_from_file(write(tmp_path, f"id,late,remark\n{rows}"))
    assert plain(table)["late"] == [None] * 20 + [0.5, None]
    assert plain(table)["remark"] == [None] * 20 + ["time out", None]


def test_dates_decimals_and_nested_values(tmp_path):
    moment = datetime(2024, 1, 31, 12, 30)
    frame = {"when": [moment, None], "day": [date(2024, 1, 31)] * 2, "cost": [Decimal("1.50"), None], "doc": [[1], [2]]}
    expected = {
        "when": ["2024-01-31 12:30:00", None],
        "day": ["2024-01-31", "2024-01-31"],
        "cost": [1.5, None],
    }
    tables = [
        table_from_frame(pandas.DataFrame(frame)),
        table_from_frame(polars.DataFrame(frame)),
        table_from_file(write(tmp_path, parquet(**frame), "a.parquet")),
    ]
    for table in tables:
        assert plain(table) == expected
        assert tuple(table.left_out) == ("doc",)
    sheet = spreadsheet([["when", "right"], [moment, True], [None, False]])
    assert plain(table_from_file(write(tmp_path, sheet, "a.xlsx"))) == {
        "when": ["2024-01-31 12:30:00", None],
        "right": [1.0, 0.0],
    }


def test_nested_values_of_json_lines_leave_their_columns_out(tmp_path):
    rows = [{"doc_id": 1, "doc": "plain", "acc": 1.0}, {"doc_id": 2, "doc": {"q": "?"}, "acc": 0.0, "resps": [["a"]]}]
    table = table_from_file(write(tmp_path, "\n".join(map(json.dumps, rows)), "a.jsonl"))
    assert plain(table) == {"doc_id": ["1", "2"], "acc": [1.0, 0.0]}
    assert tuple(table.left_out) == ("doc", "resps")


def test_groups_of_rows_in_parquet_may_have_words_of_their_own(tmp_path):
    path = tmp_path / "a.parquet"
    groups = [
        pyarrow.table({"learner": pyarrow.array(names).dictionary_encode(), "size": pyarrow.array(sizes)})
        for names, sizes in ((["lda", "knn"], [1, 2]), (["svm", "lda", None], [3, None, 4]))
    ]
    groups = [each.set_column(1, "size", each["size"].dictionary_encode()) for each in groups]
    with pyarrow.parquet.ParquetWriter(path, groups[0].schema) as writer:
        for group in groups:
            writer.write_table(group)
    assert plain(table_from_file(path)) == {
        "learner": ["lda", "knn", "svm", "lda", None],
        "size": [1.0, 2.0, 3.0, None, 4.0],
    }


def test_large_whole_numbers_stay_exact_as_keys(tmp_path):
    for name, content in {"a.json": f'[{{"id": {2**70}}}]', "a.csv": f"id\n{2**70}\n"}.items():
        assert plain(table_from_file(write(tmp_path, content, name))) == {"id": [str(2**70)]}


def test_large_whole_numbers_are_rounded_where_numbers_are_wanted(tmp_path):
    columns = {"dataset": ["a", "b", "c"], "nanoseconds": [2**60 + 1, 3, None]}
    frames = [pyarrow.table(columns), polars.DataFrame(columns), pandas.DataFrame(columns)]
    tables = [table_from_file(write(tmp_path, parquet(**columns), "t.parquet")), *map(table_from_frame, frames)]
    for table in tables:
        assert plain(table)["nanoseconds"] == [2.0**60, 3.0, None]


def test_mixed_values_are_numbers_only_when_all_can_be(tmp_path):
    path = write(tmp_path, '{"a": [1, "NA", "2.5"], "b": [1, "x", null], "c": ["1", "2", "3"]}', "a.json")
    assert plain(table_from_file(path)) == {"a": [1.0, None, 2.5], "b": ["1", "x", None], "c": ["1", "2", "3"]}


# Names of columns


def test_an_index_without_a_name_has_one_name_everywhere(tmp_path):
    frame = pandas.concat({name: pandas.DataFrame({"score": [0.5, 0.25]}) for name in ("lda", "knn")})
    expected = {
        "unnamed": ["lda", "lda", "knn", "knn"],
        "unnamed 2": [0.0, 1.0, 0.0, 1.0],
        "score": [0.5, 0.25, 0.5, 0.25],
    }
    frame.to_csv(tmp_path / "a.csv")
    frame.to_parquet(tmp_path / "a.parquet")
    assert plain(table_from_frame(frame)) == expected
    assert plain(table_from_file(tmp_path / "a.csv")) == expected
    parts = plain(table_from_file(tmp_path / "a.parquet"))
    assert sorted(parts) == sorted(expected)  # Parquet puts the index last
    again = pandas.read_csv(tmp_path / "a.csv")
    assert plain(table_from_frame(again)) == expected


def test_names_are_stripped_and_made_words(tmp_path):
    assert table_from_file(write(tmp_path, " fold , error\n1,2\n")).names == ("fold", "error")
    assert table_from_frame(pandas.DataFrame({1: [1.0], ("a", "b"): [2.0]})).names == ("1", "('a', 'b')")
    assert table_from_frame(pandas.DataFrame([[1, 2]], columns=["unnamed", ""])).names == ("unnamed", "unnamed 2")


def test_an_index_of_row_numbers_with_a_name_is_a_column():
    frame = pandas.DataFrame({"error": [0.5, 0.25]}, index=pandas.RangeIndex(2, name="fold"))
    assert plain(table_from_frame(frame)) == {"fold": ["0", "1"], "error": [0.5, 0.25]}


def test_marks_inside_quotes_do_not_separate_the_header(tmp_path):
    assert table_from_file(write(tmp_path, '"a;b;c",fold\n1,2\n')).names == ("a;b;c", "fold")


# Lines


def test_rows_know_their_lines_across_quoted_line_breaks(tmp_path):
    path = write(tmp_path, 'learner,error\n"one\ntwo",0.5\n\n"x ""y""",0.25\nlast,oops\n')
    table = table_from_file(path)
    assert plain(table)["learner"] == ["one\ntwo", 'x "y"', "last"]
    assert [table.row_name(row) for row in range(3)] == ["line 2", "line 5", "line 6"]
    with pytest.raises(InputError, match=r"error is 'oops', not a number.\n.*line 6, column error"):
        table.numbers("error")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_block_may_end_anywhere_in_a_line_end(tmp_path, monkeypatch, end):
    path = write(tmp_path, "".join(line + end for line in ("learner,score", "a,1", "", '"b",x', "c,x")))
    for block in range(1, 40):
        monkeypatch.setattr(text_files, "BLOCK", block)
        table = table_from_file(path)
        assert plain(table) == {"learner": ["a", "b", "c"], "score": ["1", "x", "x"]}
        assert [table.row_name(row) for row in range(3)] == ["line 2", "line 4", "line 5"]


def test_a_late_word_among_numbers_names_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "DECIDING", 100)
    monkeypatch.setattr(text_files, "BLOCK", 64)
    rows = [f"lda,{i},0.5" for i in range(1000)]
    rows[700] = "lda,700,0;5"
    path = write(tmp_path, "learner,fold,error\n" + "\n\n".join(rows) + "\n")
    refused(path, "error is '0;5', not a number.", f"{path}, line 1402, column error", "such as 0.25")


def test_a_word_after_the_first_65536_rows_is_told_with_the_real_sizes(tmp_path):
    rows = ["lda,1,0.5\n"] * 70_000
    rows[69_000] = "lda,1,12%\n"
    path = write(tmp_path, "learner,fold,error\n" + "".join(rows))
    refused(path, "'12%'", "line 69002, column error", "percent without the sign")


def test_a_word_among_the_first_rows_makes_a_column_of_words(tmp_path):
    rows = ["1\n"] * 60_000 + ["cat\n"]
    table = table_from_file(write(tmp_path, "svm\n" + "".join(rows)))
    assert table.column("svm").categories == ("1", "cat")


def test_lines_are_not_cut_at_other_breaks_of_unicode(tmp_path):
    table = table_from_file(write(tmp_path, "note,error\na\u2028b\x0bc\x85,1\n"))
    assert plain(table)["note"] == ["a\u2028b\x0bc"]


def test_a_row_keeps_a_name_when_the_file_is_gone(tmp_path):
    path = write(tmp_path, "fold,error\n1,x\n")
    table = table_from_file(path)
    path.unlink()
    with pytest.raises(InputError, match="row 1, column error"):
        table.numbers("error")


def test_rows_of_sheets_and_json_lines_have_their_own_numbers(tmp_path):
    sheet = spreadsheet([[], ["fold", "error"], [1, 0.5], [], [2, "x"]])
    table = table_from_file(write(tmp_path, sheet, "a.xlsx"))
    with pytest.raises(InputError, match=r"row 5.*error"):
        table.numbers("error")
    table = table_from_file(write(tmp_path, '{"error": 1}\n\n{"error": "x"}\n', "a.jsonl"))
    with pytest.raises(InputError, match=r"a.jsonl, line 3.*error"):
        table.numbers("error")


@pytest.mark.parametrize(("package", "name"), [("pyarrow", "a.parquet"), ("openpyxl", "a.xlsx")])
def test_a_missing_extra_is_named(tmp_path, monkeypatch, package, name):
    path = write(tmp_path, FILES[name], name)
    for module in [each for each in sys.modules if each.split(".")[0] == package]:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"bestofk\[tables\]"):
        table_from_file(path)


def test_readers_import_nothing_heavy():
    heavy = "{'pandas', 'polars', 'pyarrow', 'narwhals', 'openpyxl', 'sklearn'}"
    code = f"import sys, bestofk.tables.files; print({heavy} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert found.strip() == "set()"


# Any table that can be written comes back

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=8)
NUMBERS = st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False), st.integers(-(2**60), 2**60))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(WORDS, WORDS, NUMBERS), min_size=1, max_size=30),
    mark=st.sampled_from(MARKS),
    end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    block=st.integers(1, 200),
)
def test_a_table_written_as_csv_comes_back(tmp_path_factory, monkeypatch, rows, mark, end, quoting, block):
    monkeypatch.setattr(text_files, "BLOCK", block)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=mark, lineterminator=end, quoting=quoting)
    writer.writerow(["learner", "item", "score"])
    writer.writerows(rows)
    path = write(tmp_path_factory.mktemp("round"), text.getvalue())
    kept = [row for row in rows if row[0].strip() or row[1].strip() or row[2] is not None]
    if not kept:
        refused(path, "a header and no rows")
        return
    found = plain(table_from_file(path))
    assert found["learner"] == [row[0].strip() or None for row in kept]
    assert found["item"] == [row[1].strip() or None for row in kept]
    assert found["score"] == [None if row[2] is None else float(row[2]) for row in kept]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(WORDS, st.sampled_from(["1", "x"])), min_size=1, max_size=20),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    block=st.integers(1, 90),
)
def test_the_line_of_a_row_is_where_it_starts(tmp_path_factory, monkeypatch, rows, end, block):
    monkeypatch.setattr(text_files, "BLOCK", block)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=end, quoting=csv.QUOTE_ALL)  # else "\n" stays bare where lines end by "\r"
    writer.writerow(["learner", "score"])
    starts = []
    for row in rows:
        starts.append(text.getvalue().count("\n") + text.getvalue().replace("\r\n", "").count("\r") + 1)
        writer.writerow(row)
    table = table_from_file(write(tmp_path_factory.mktemp("lines"), text.getvalue()))
    assert [table.row_name(i) for i in range(len(rows))] == [f"line {start}" for start in starts]


def test_numbers_and_words_are_held_by_code(tmp_path):
    table = table_from_file(write(tmp_path, "learner,error\na,1\nb,2\na,\n"))
    learner, error = table.columns.values()
    assert isinstance(learner, Text)
    assert learner.codes.dtype == np.int32
    assert isinstance(error, Numbers)
    assert error.values.dtype == np.float64


def test_a_database_that_is_no_store_is_told(tmp_path):
    with sqlite3.connect(tmp_path / "foreign.db") as database:
        database.execute("create table results (x)")
    database.close()
    with pytest.raises(InputError, match="database of SQLite"):
        table_from_file(tmp_path / "foreign.db")


@pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz", "jsonl", "parquet"])
def test_no_formula_is_written_where_a_spreadsheet_program_may_open_it(tmp_path, suffix):
    names = ("=a", "+b", "-c", "@d", "'=e", "f's")
    scores = bk.Scores(
        learners=names, values=np.arange(24.0).reshape(6, 4, 1, 1) / 30, measure="error", larger_is_better=False,
        datasets=("=1+1", "2", "-3", "x"),
    )  # fmt: skip
    path = tmp_path / f"long.{suffix}"
    again = bk.read(path, **scores.convert(path).options)
    assert (again.learners, again.datasets) == (names, scores.datasets)
    if suffix in ("csv", "tsv"):
        cells = {cell for line in path.read_text().splitlines() for cell in line.replace("\t", ",").split(",")}
        assert {cell[0] for cell in cells} & set("=+-@") == {"-"}
        assert {cell for cell in cells if cell[0] == "-"} == {"-3"}  # a number
        board = tmp_path / "board.csv"
        bk.rank(scores).report(board)
        assert {line.split(",")[2] for line in board.read_text().splitlines()[1:]} == {
            "'=a", "'+b", "'-c", "'@d", "''=e", "f's",
        }  # fmt: skip
