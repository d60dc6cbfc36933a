"""What is said back of counts and names that are out of the ordinary, and that reports survive them."""

import json
from html.parser import HTMLParser

import numpy as np
import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main

HEADING = "learner,fold,tp,fn,fp,tn"
#: Marks that mean something to Markdown, LaTeX, HTML, CSV and spreadsheets.
ODD = {"a": 'l,d|a & "x" <b>$_%#~^\\{}', "b": "日本 é", "c": "=cmd()|1"}


def rows(folds=8):
    """40 positives and 60 negatives in every fold; b misses more, c raises more alarms."""
    rng = np.random.default_rng(3)
    made = {}
    for f in range(1, folds + 1):
        for name, fn, fp in (("a", 3, 4), ("b", 9, 4), ("c", 3, 12)):
            missed, alarms = fn + int(rng.integers(3)), fp + int(rng.integers(3))
            made[name, f] = [40 - missed, missed, alarms, 60 - alarms]
    return made


def write(path, table, names=None):
    quoted = {name: '"' + (names or {}).get(name, name).replace('"', '""') + '"' for name in "abc"}
    lines = [f"{quoted[name]},{fold}," + ",".join(map(str, each)) for (name, fold), each in table.items()]
    path.write_text(HEADING + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def file(tmp_path):
    def made(changes=None, names=None):
        return write(tmp_path / "r.csv", rows() | (changes or {}), names)

    return made


def run(*words):
    return CliRunner().invoke(main, list(words), catch_exceptions=False)


@pytest.mark.parametrize("on", ["tpr,fpr", "confusion", "precision,recall", "recalls"])
def test_a_negative_count_is_refused_whatever_is_asked(file, on):
    answer = run("judge", file({("c", 3): [-1, 41, 3, 57]}), "--on", on)
    assert answer.exit_code == 2
    what, where, fix = answer.stderr.splitlines()
    assert (what, fix) == ("tp is -1.", "  to do: give counts from 0 up.")
    assert where.endswith("learner c, fold 3")


def test_other_test_rows_are_told(file):
    path = file({("c", 3): [30, 5, 3, 57], ("c", 5): [30, 5, 3, 57]})
    first = "as if tested on other rows (fold 3: positives of a 40, c 35)."
    verdict = bk.judge(path, on="tpr,fpr")
    assert f"Read: learners have different numbers of positives or negatives in 2 folds, {first}" in repr(verdict)
    assert not bk.judge(file(), on="tpr,fpr").provenance.notes


def test_what_was_ruled_to_count_is_told(file):
    path = file({("c", 3): [0, 40, 0, 60]})
    assert (
        "precision is 0/0 in 1 fold: it never says positive there"
        in run("judge", path, "--on", "precision,recall").stderr
    )
    verdict = bk.judge(path, on="precision,recall", undefined=0)
    assert "Read: precision is 0/0 in 1 result and counts as 0 there, as was said." in repr(verdict)
    assert verdict.evidence.rows()[2, 2].tolist() == [0.0, 0.0]


def test_readings_and_the_preference_are_told(tmp_path):
    lines = [
        f"{n},{f},{f % 3 + 5 * (n == 'b')},{0.9 - 0.01 * (f % 4)},{3 if n == 'a' else 1}"
        for f in range(8)
        for n in "ab"
    ]
    path = tmp_path / "r.csv"
    path.write_text("model,split,loss,accuracy,price\n" + "\n".join(lines) + "\n")
    asked = (str(path), "--on", "loss,accuracy", "--prior", "price")
    for text in (run("judge", *asked).stdout, run("report", *asked, "-o", "-", "--format", "md").stdout):
        assert "Read: column 'model' was read as learner." in text
        assert "Preference: by price, smaller first: b, a." in text


def test_a_direction_is_asked_for_as_it_is_to_be_typed(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text(
        'learner,fold,tpr,"cost, all"\n' + "".join(f"{n},{f},0.{f + 1},{f}\n" for f in range(5) for n in "ab")
    )
    answer = run("judge", str(path), "--on", 'tpr,"cost, all"')
    assert (answer.exit_code, '"cost, all:larger" or "cost, all:smaller"' in answer.stderr) == (2, True)
    assert run("judge", str(path), "--on", 'tpr,"cost, all:smaller"').exit_code in (0, 1)


class Page(HTMLParser):
    """All text of a page."""

    def __init__(self):
        super().__init__()
        self.text = ""

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("suffix", ["html", "md", "tex", "json", "txt"])
def test_reports_survive_odd_names(file, tmp_path, suffix):
    out = tmp_path / f"v.{suffix}"
    assert run("report", file(names=ODD), "--on", "tpr,fpr", "-o", str(out)).exit_code in (0, 1)
    text = out.read_text(encoding="utf-8")
    if suffix == "json":
        assert set(json.loads(text)["order"]) == set(ODD.values())
    elif suffix == "html":
        page = Page()
        page.feed(text)
        assert all(name in page.text for name in ODD.values())
        assert ODD["a"] not in text
    elif suffix == "md":
        assert r"l,d\|a" in text
    elif suffix == "tex":
        assert r"\textless{}b\textgreater{}\$\_" in text
        assert "=cmd()|1" not in text
    else:
        assert all(name in text for name in ODD.values())


def test_one_command_tells_what_differs(file):
    answer = run("judge", file(), "--on", "tpr,fpr")
    assert "b misses more positives than a" in answer.stdout
    assert "c raises more false alarms than a" in answer.stdout


def test_classes_have_their_curves_in_the_report(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["fold,truth," + ",".join(f"{n}:{c}" for n in "ab" for c in "xyz")]
    for i in range(180):
        truth = i // 10 % 3
        cells = []
        for strength in (3.0, 1.0):
            raw = np.exp(rng.normal(0, 1, 3) + strength * (np.arange(3) == truth))
            first = np.round(raw / raw.sum(), 4)
            cells += [first[0], first[1], 1 - first[0] - first[1]]
        lines.append(f"{i % 6},{'xyz'[truth]}," + ",".join(f"{each:.4f}" for each in cells))
    path = tmp_path / "p.csv"
    path.write_text("\n".join(lines) + "\n")
    verdict = bk.judge(path, on="tpr,fpr", positive="each")
    assert [each.roc.positive for each in verdict.by_class] == ["x", "y", "z"]
    text = run("report", str(path), "--on", "tpr,fpr", "--positive", "each", "-o", "-", "--format", "md").stdout
    assert all(f"positive is {name}); mean areas: " in text for name in "xyz")
