"""``bestofk data``: list, show and fetch, in tabs, JSON and three lines."""

import csv
import gzip
import hashlib
import io
import json
from importlib.metadata import EntryPoint

import pytest
from click.testing import CliRunner

from bestofk.cli import main
from bestofk.design.datasets import openml
from bestofk.design.datasets.shelf import DATASETS

TOY = "size,same,kind,class\n1.5,2,red,yes\n,2,blue,no\n2.5,2,red,yes\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("BESTOFK_DATA", raising=False)
    monkeypatch.setenv("BESTOFK_CACHE", str(tmp_path / "cache"))
    (tmp_path / "toy.csv.gz").write_bytes(gzip.compress(TOY.encode()))
    entry = {
        "N": 3,
        "classes": {"yes": 2, "no": 1},
        "columns": {"names": ["size", "same", "kind"], "types": "nnc"},
        "missing_values": 1,
        "licence": "CC0",
        "note": "made up",
        "sha256_csv": hashlib.sha256(TOY.encode()).hexdigest(),
        "authors": {"N": 2, "types": "nnc", "classes": {"yes": 1, "no": 1}},
    }
    (tmp_path / "index.json").write_text(json.dumps({"aliases": {"ball": "toy"}, "sets": {"toy": entry}}))
    (tmp_path / "extra.csv").write_text("a,y\n1,0\n2,1\n")
    return tmp_path


def run(*words):
    return CliRunner().invoke(main, ["data", *map(str, words)])


def tabs(text):
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_list(folder):
    answer = run("list", "--data", folder)
    rows = {row["name"]: row for row in tabs(answer.stdout)}
    assert answer.exit_code == 0
    assert {*DATASETS, "toy", "extra", "yeast"} <= set(rows)
    assert rows["iris"]["origin"] == "scikit-learn"
    shape = ("3", "2", "1", "2", "1")
    assert tuple(rows["toy"].values()) == ("toy", *shape, "CC0", str(folder), "made up; also called ball")
    assert (rows["yeast"]["rows"], rows["yeast"]["origin"]) == ("1484", "openml:181")
    assert (rows["extra"]["rows"], rows["extra"]["licence"]) == ("", "not stated")


def test_the_licence_of_another_package_is_not_ours(folder, monkeypatch):
    theirs = EntryPoint("theirs", "bestofk.design.datasets.bundled:two_moons", "bestofk.datasets")
    monkeypatch.setitem(vars(DATASETS), "_others", {"theirs": theirs})
    licences = [(row["origin"], row["licence"]) for row in tabs(run("list").stdout) if row["name"] == "two-moons"]
    assert licences == [("generated", "MIT, as bestofk"), ("generated", "not stated")]


def test_list_without_a_folder_as_json(folder):
    found = {each["name"]: each for each in json.loads(run("list", "--json").stdout)["datasets"]}
    assert "toy" not in found
    assert (found["digits"]["rows"], found["digits"]["classes"]) == (1797, 10)
    assert (found["yeast"]["numeric"], found["diabetes"]["classes"]) == (None, None)


def test_a_part_that_cannot_be_opened_keeps_its_line(folder, monkeypatch):
    def failing(self, name):
        raise ImportError("no module named toys")

    monkeypatch.setattr("bestofk.core.shelf.Shelf.__getitem__", failing)
    row = next(row for row in tabs(run("list").stdout) if row["name"] == "iris")
    assert (row["rows"], row["notes"]) == ("", "cannot be opened: no module named toys")


def test_show(folder):
    lines = dict(line.split("\t") for line in run("show", "toy", "--data", folder).stdout.splitlines())
    assert (lines["rows"], lines["numeric"], lines["nominal"], lines["missing"]) == ("3", "2", "1", "1")
    assert (lines["classes"], lines["constant"], lines["licence"]) == ("no 1, yes 2", "same", "CC0")
    assert lines["origin"] == str(folder / "toy.csv.gz")
    assert (lines["column kind"], lines["column size"]) == ("nominal: blue, red", "numeric, 1 missing")


def test_show_a_form_and_an_alias_as_json(folder):
    told = json.loads(run("show", "ball@authors", "--data", folder, "--json").stdout)
    assert (told["name"], told["rows"], told["classes"]) == ("ball@authors", 2, {"yes": 1, "no": 1})
    assert (told["licence"], told["notes"]) == ("CC0", "made up; also called ball")
    kind = {"name": "kind", "type": "nominal", "levels": ["red", "blue"], "missing": 0, "constant": False}
    assert told["columns"][2] == kind


def test_show_a_file_and_a_regression(folder):
    told = json.loads(run("show", folder / "extra.csv", "--json").stdout)
    assert (told["rows"], told["licence"], told["origin"]) == (2, "not stated", str(folder / "extra.csv"))
    assert json.loads(run("show", "diabetes", "--json").stdout)["task"] == "regression"


def test_fetch_opens_and_verifies_every_name(folder):
    rows = tabs(run("fetch", "iris", "toy", "--data", folder).stdout)
    assert [(row["name"], row["rows"], len(row["fingerprint"])) for row in rows] == [
        ("iris", "150", 12),
        ("toy", "3", 12),
    ]
    (folder / "toy.csv.gz").write_bytes(gzip.compress(TOY.replace("1.5", "1.6").encode()))
    answer = run("fetch", "iris", "toy", "--data", folder)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert "SHA-256" in answer.stderr
    assert len(json.loads(run("fetch", "iris", "--json").stdout)["datasets"][0]["fingerprint"]) == 64


def test_fetch_what_cannot_be_reached(folder, monkeypatch):
    monkeypatch.setenv("BESTOFK_OPENML", "http://127.0.0.1:9")
    monkeypatch.setattr(openml, "PAUSES", ())
    answer = run("fetch", "yeast")
    assert answer.exit_code == 2
    wrong, where, fix = answer.stderr.splitlines()
    assert wrong.startswith("OpenML cannot be reached")
    assert where == "  where: data set yeast, data set openml:181, http://127.0.0.1:9"
    assert "BESTOFK_DATA" in fix


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("show", "irs"), "unknown data set 'irs'."),
        (("list", "--data", "nowhere"), "there is no such folder: nowhere."),
        (("fetch", "toy@authors"), "toy@authors lies in a folder of data with index.json, and none is named."),
    ],
)
def test_errors(folder, words, wrong):
    answer = run(*words)
    assert (answer.exit_code, answer.stderr.splitlines()[0]) == (2, wrong)
    assert json.loads(run(*words, "--json").stdout)["wrong"] == wrong


def test_show_a_file_as_a_plan_would_read_it(folder, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("id,code,colour,kind\n1,1,red,a\n2,2,blue,b\n3,1,red,a\n4,3,blue,b\n")
    told = json.loads(run("show", file, "--target", "kind", "--drop", "id", "--nominal", "code", "--json").stdout)
    assert (told["target"], [column["name"] for column in told["columns"]]) == ("kind", ["code", "colour"])
    assert [column["levels"] for column in told["columns"]] == [["1", "2", "3"], ["blue", "red"]]
    assert run("show", file, "--target", "knd").stderr.splitlines()[0] == "unknown target column 'knd'."
