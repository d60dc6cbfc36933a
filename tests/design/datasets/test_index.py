"""A folder of data with ``index.json``, or with any files: what it opens, in which form, and what it refuses."""

import gzip
import hashlib
import json
import os
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest

from bestofk.core.errors import InputError, UnknownName
from bestofk.design.datasets import dataset_of
from bestofk.design.datasets.files import looking_in, names_in
from bestofk.design.datasets.index import Index
from bestofk.design.datasets.paper_sets import AuthorsForm, as_authors_used
from bestofk.design.datasets.shelf import DATASETS

TOY = """size,kind,count,class
1.5,red,3,Yes
,blue,1,No
2.5,,2,Yes
4,red,1,No
0.5,green,2,No
"""
ENTRY = {
    "N": 5,
    "classes": {"Yes": 2, "No": 3},
    "columns": {"names": ["size", "kind", "count"], "types": "ncn"},
    "missing_values": 2,
    "licence": "CC0",
    "note": "made up",
    "openml_id": 7,
    "authors": {"N": 4, "types": "ncc", "classes": {"yes": 2, "no": 2}},
}


def write_folder(folder, *, text=TOY, aliases=None, **changes):
    entry = {**ENTRY, "sha256_csv": hashlib.sha256(text.encode()).hexdigest(), **changes}
    (folder / "toy.csv.gz").write_bytes(gzip.compress(text.encode()))
    content = {"aliases": aliases or {"plaything": "toy"}, "sets": {"toy": entry}}
    (folder / "index.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("BESTOFK_DATA", raising=False)
    return write_folder(tmp_path)


def test_an_entry_is_frozen_and_says_what_the_index_says(folder):
    index = Index.open(folder)
    entry = index.entry("plaything")
    assert (index.names, entry.name, entry.rows, entry.types) == (("toy",), "toy", 5, "ncn")
    assert (entry.columns, entry.aliases, entry.licence) == (("size", "kind", "count"), ("plaything",), "CC0")
    assert (entry.notes, entry.missing, entry.openml_id) == ("made up", 2, 7)
    assert (dict(entry.classes), dict(entry.authors.classes)) == ({"Yes": 2, "No": 3}, {"yes": 2, "no": 2})
    assert ("toy" in index, "plaything" in index, "ball" in index) == (True, True, False)
    with pytest.raises(FrozenInstanceError):
        entry.rows = 6
    with pytest.raises(TypeError):
        entry.classes["Yes"] = 9


def test_columns_as_the_index_types_them(folder):
    data = Index.open(folder).dataset("toy")
    size, kind, count = data.features
    assert np.array_equal(size.values, [1.5, np.nan, 2.5, 4, 0.5], equal_nan=True)
    assert kind.categories == ("blue", "green", "red")
    assert np.array_equal(kind.values, [2, 0, np.nan, 2, 1], equal_nan=True)
    assert count.values.tolist() == [3, 1, 2, 1, 2]
    assert (data.classes, data.y.tolist(), data.target) == (("No", "Yes"), [1, 0, 1, 0, 0], "class")


def test_the_authors_form_has_their_rows_types_and_order_of_classes(folder):
    data = Index.open(folder).dataset("toy", form="authors")
    size, kind, count = data.features
    assert np.array_equal(size.values, [1.5, np.nan, 2.5, 4], equal_nan=True)
    assert kind.categories == ("red", "blue")  # in order of occurrence, among the rows that are kept
    assert np.array_equal(kind.values, [0, 1, np.nan, 0], equal_nan=True)
    assert (count.categories, count.values.tolist()) == (("3", "1", "2"), [0, 1, 2, 1])
    assert (data.classes, data.y.tolist()) == (("Yes", "No"), [0, 1, 0, 1])


def test_a_nominal_column_that_the_authors_took_for_numbers(folder):
    text = TOY.replace("red", "10").replace("blue", "9").replace("green", "8.5")
    write_folder(folder, text=text, authors={**ENTRY["authors"], "types": "nnc"})
    kind = Index.open(folder).dataset("toy", form="authors").features[1]
    assert not kind.nominal
    assert np.array_equal(kind.values, [10, 9, np.nan, 10], equal_nan=True)


def test_classes_called_otherwise_are_matched_by_their_counts_in_order_of_occurrence(folder):
    write_folder(folder, authors={"N": 5, "types": "ncc", "classes": {"pos": 2, "neg": 3}})
    assert Index.open(folder).dataset("toy", form="authors").classes == ("Yes", "No")
    write_folder(folder, authors={"N": 5, "types": "ncc", "classes": {"pos": 3, "neg": 2}})
    with pytest.raises(InputError, match="the classes are No 3, Yes 2, and the authors' pos 3, neg 2"):
        Index.open(folder).dataset("toy", form="authors")


def test_the_authors_form_of_segment_is_without_hue(folder):
    text = TOY.replace("count", "hue_mean")
    columns = {"names": ["size", "kind", "hue_mean"], "types": "ncn"}
    write_folder(folder, text=text, columns=columns)
    content = json.loads((folder / "index.json").read_text())
    content["sets"]["segment"] = {**content["sets"].pop("toy"), "file": "toy.csv.gz"}
    (folder / "index.json").write_text(json.dumps(content))
    index = Index.open(folder)
    assert [feature.name for feature in index.dataset("segment", form="authors").features] == ["size", "kind"]
    assert (len(index.dataset("segment").features), index.entry("segment").authors.columns) == (3, 2)


def test_long_names_and_types_written_short(folder):
    text = "g1,g2,g3,class\n1,2,3,a\n4,5,6,b\n"
    columns = {"names": {"prefix": "g", "from": 1, "to": 3}, "types": "n*3"}
    write_folder(folder, text=text, N=2, classes={"a": 1, "b": 1}, columns=columns, authors=None)
    assert [feature.name for feature in Index.open(folder).dataset("toy").features] == ["g1", "g2", "g3"]
    with pytest.raises(InputError, match="no definition of toy"):
        Index.open(folder).dataset("toy", form="authors")


def test_unknown_names_and_forms(folder):
    with pytest.raises(UnknownName, match="did you mean 'toy'"):
        Index.open(folder).dataset("tow")
    with pytest.raises(UnknownName, match="did you mean 'authors'"):
        Index.open(folder).dataset("toy", form="author")


CHANGED = {
    "a row less": (TOY.rpartition("0.5")[0], "rows 4 instead of 5"),
    "a column less": (
        TOY.replace(",count", "").replace(",3,", ",").replace(",1,", ",").replace(",2,", ","),
        "columns 2",
    ),
    "a name": (TOY.replace("kind", "sort"), "names size, sort, count instead of size, kind, count"),
    "a class": (TOY.replace("4,red,1,No", "4,red,1,Yes"), "classes No 2, Yes 3 instead of No 3, Yes 2"),
    "a value": (TOY.replace("1.5", "1.6"), "SHA-256 "),
}


@pytest.mark.parametrize(("text", "wrong"), CHANGED.values(), ids=CHANGED)
def test_a_file_that_is_another_says_what_differs(folder, text, wrong):
    (folder / "toy.csv.gz").write_bytes(gzip.compress(text.encode()))
    with pytest.raises(InputError) as caught:
        Index.open(folder).dataset("toy")
    assert wrong in caught.value.wrong
    assert "toy.csv.gz" in caught.value.where
    assert "copy it again" in caught.value.fix


def test_a_number_that_is_none_is_mended_where_it_stands(folder):
    fixes = []
    for cell in ("many", "inf"):
        write_folder(folder, text=TOY.replace("1.5", cell))
        with pytest.raises(InputError, match="column size") as caught:
            Index.open(folder).dataset("toy")
        fixes.append(caught.value.fix)
    assert "type" in fixes[0]
    assert "empty" in fixes[1]
    assert not any("copy" in fix for fix in fixes)


def test_a_bug_is_not_told_as_a_damaged_file(folder, monkeypatch):
    monkeypatch.setattr("bestofk.design.datasets.index.coded", lambda cells: int("a bug"))
    with pytest.raises(ValueError, match="a bug") as caught:
        Index.open(folder).dataset("toy")
    assert not isinstance(caught.value, InputError)


BROKEN = {
    "cut short": (lambda packed: packed[:-20], "gzip file is damaged"),
    "not gzip": (lambda packed: b"\x1f\x8b broken", "gzip file is damaged"),
    "turned bit": (lambda packed: packed[:30] + bytes([packed[30] ^ 255]) + packed[31:], "gzip file is damaged"),
    "empty": (lambda packed: b"", "no rows"),
    "no text": (lambda packed: gzip.compress(b"a,class\n\xff,1\n"), "no CSV in UTF-8"),
    "ragged": (lambda packed: gzip.compress(b"a,class\n1\n"), "line 2 has 1 cells"),
}


@pytest.mark.parametrize(("change", "wrong"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file(folder, change, wrong):
    path = folder / "toy.csv.gz"
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(InputError, match=wrong) as caught:
        Index.open(folder).dataset("toy")
    assert str(path) in caught.value.where


def test_a_file_that_is_gone(folder):
    (folder / "toy.csv.gz").unlink()
    with pytest.raises(InputError, match="no such file"):
        Index.open(folder).dataset("toy")


@pytest.mark.parametrize(
    ("cell", "wrong"), [("abc", "column size is not numeric"), ("inf", "column size is infinite at row 1")]
)
def test_values_that_the_type_does_not_allow(folder, cell, wrong):
    write_folder(folder, text=TOY.replace("1.5", cell))
    with pytest.raises(InputError, match=wrong):
        Index.open(folder).dataset("toy")


INDICES = {
    "no JSON": ("{", "cannot be read"),
    "nested without end": ("[" * 100_000, "cannot be read"),
    "no sets": ("{}", "no table of sets"),
    "wrong aliases": ('{"sets": {}, "aliases": []}', "aliases is no table"),
    "no rows": ('{"sets": {"toy": {"columns": {"names": ["a"], "types": "n"}, "classes": {}}}}', "it lacks 'N'"),
    "no table": ('{"sets": {"toy": 3}}', "the entry toy cannot be used"),
    "types": ('{"sets": {"toy": {"N": 1, "columns": {"names": ["a"], "types": "x"}, "classes": {}}}}', "n and c"),
    "lengths": ('{"sets": {"toy": {"N": 1, "columns": {"names": ["a"], "types": "nn"}, "classes": {}}}}', "2 types"),
    "twice": ('{"sets": {"toy": {"N": 1, "columns": {"names": ["a", "a"], "types": "nn"}, "classes": {}}}}', "twice"),
    "elsewhere": (
        '{"sets": {"toy": {"file": "../x.csv", "N": 1, "columns": {"names": ["a"], "types": "n"}, "classes": {}}}}',
        "does not lie beside",
    ),
}


@pytest.mark.parametrize(("text", "wrong"), INDICES.values(), ids=INDICES)
def test_a_wrong_index(folder, text, wrong):
    (folder / "index.json").write_text(text)
    with pytest.raises(InputError, match=wrong) as caught:
        Index.open(folder)
    assert "index.json" in caught.value.where


def test_no_index_and_no_folder(tmp_path):
    with pytest.raises(InputError, match=r"has no index\.json"):
        Index.open(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        Index.open(tmp_path / "nowhere")


def test_names_of_the_folder_by_variable_or_block(folder, monkeypatch):
    with pytest.raises(UnknownName):
        dataset_of("toy")
    with looking_in(folder):
        inside = dataset_of("toy")
        assert dataset_of("plaything").name == "plaything"
    monkeypatch.setenv("BESTOFK_DATA", str(folder))
    assert dataset_of("toy", name="mine").fingerprint == inside.fingerprint
    assert dataset_of("toy@authors").fingerprint == Index.open(folder).dataset("toy", "authors").fingerprint
    assert (dataset_of("toy@authors").name, dataset_of("toy@columns").fingerprint) == (
        "toy@authors",
        inside.fingerprint,
    )
    with looking_in(None):
        assert dataset_of("toy").rows == 5
    with pytest.raises(InputError, match="settled"):
        dataset_of("toy", target="kind")


def test_an_index_that_changes_is_read_again(folder):
    with looking_in(folder):
        dataset_of("toy")
        write_folder(folder, aliases={"ball": "toy"})
        os.utime(folder / "index.json", ns=(1, 1))
        assert dataset_of("ball").rows == 5


def test_forms_without_a_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("BESTOFK_DATA", raising=False)
    with pytest.raises(InputError, match="none is named") as caught:
        dataset_of("optdigits@authors")
    assert "BESTOFK_DATA" in caught.value.fix
    with looking_in(tmp_path), pytest.raises(InputError, match=r"has no index\.json"):
        dataset_of("iris@columns")
    with pytest.raises(UnknownName, match="did you mean 'authors'"):
        dataset_of("iris@author")
    balance, monks = dataset_of("balance@authors"), dataset_of("monks@authors")
    assert (balance.classes, balance.features[0].categories) == (("B", "R", "L"), ("1", "2", "3", "4", "5"))
    assert (monks.classes, any(feature.nominal for feature in monks.features)) == (("1", "0"), False)


def test_a_folder_that_is_not_there(monkeypatch, tmp_path):
    monkeypatch.setenv("BESTOFK_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="no such folder"):
        dataset_of("toy")
    assert dataset_of("iris").rows == 150  # needs no folder


def test_any_files_in_a_folder_go_by_their_names(tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["u", "v", "u"], "y": ["no", "yes", "no"]})
    frame.to_csv(tmp_path / "one.csv", index=False)
    frame.to_parquet(tmp_path / "two.parquet")
    arff = "@attribute a real\n@attribute b {u,v}\n@attribute y {no,yes}\n@data\n1,u,no\n2,v,yes\n3,u,no\n"
    (tmp_path / "three.arff").write_text(arff)
    (tmp_path / "four.csv.gz").write_bytes(gzip.compress(frame.to_csv(index=False).encode()))
    (tmp_path / "readme.txt").write_text("nothing")
    with looking_in(tmp_path):
        assert names_in(tmp_path) == ("four", "one", "three", "two")
        assert len({dataset_of(name).fingerprint for name in ("one", "two", "three", "four")}) == 1
        assert dataset_of("one", target="b", drop=["y"]).classes == ("u", "v")
        frame.to_csv(tmp_path / "two.csv", index=False)
        with pytest.raises(InputError, match=r"two\.csv and two\.parquet"):
            dataset_of("two")


def test_a_file_beside_the_index(folder):
    (folder / "extra.csv").write_text("a,y\n1,0\n2,1\n")
    with looking_in(folder):
        assert names_in(folder) == ("toy", "extra")
        assert dataset_of("extra").rows == 2


def test_the_package_comes_before_the_folder_and_a_path_before_both(folder, monkeypatch):
    (folder / "iris.csv").write_text("a,y\n1,0\n2,1\n")
    monkeypatch.chdir(folder)
    with looking_in(folder):
        assert dataset_of("iris").rows == 150
        assert dataset_of("iris.csv").rows == 2


def test_a_form_that_does_not_fit_the_data():
    data = DATASETS["iris"]()
    with pytest.raises(InputError, match="150 rows and 4 columns, the authors' form 151 rows"):
        as_authors_used(data, AuthorsForm(151, "nnnn", {}))
    mixed = dataset_of(([["u"], ["v"]], ["a", "b"]))
    with pytest.raises(InputError, match=r"holds 'u'.*authors'"):
        as_authors_used(mixed, AuthorsForm(2, "n", {"a": 1, "b": 1}))
