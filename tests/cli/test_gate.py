"""``bestofk gate``: how it ends, and what it writes."""

import csv
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from makers import EXAMPLES, command
from terminal import at_terminal

GATE = EXAMPLES / "gate"
RESULTS = GATE / "results"
OLD = RESULTS / "v1.csv"
SHORT = (RESULTS / "v4_short.jsonl", "--against", RESULTS / "v1_short.jsonl")
CASES = {
    "passed": (RESULTS / "v2.csv", "--against", OLD),
    "worse": (RESULTS / "v3.csv", "--against", OLD),
    "undecided": SHORT,
}
SUFFIXES = ("md", "html", "json", "csv", "tex", "txt")


@pytest.mark.parametrize(("outcome", "code"), [("passed", 0), ("worse", 1), ("undecided", 3)])
def test_the_code_says_the_outcome(outcome, code):
    found = command("gate", *CASES[outcome], "--margin", "0.03", "--json")
    answer = json.loads(found.stdout)
    assert (found.exit_code, answer["outcome"], answer["exit_code"]) == (code, outcome, code)
    assert {"new", "old", "worse_by", "low", "high", "margin", "power", "test"} <= set(answer["checks"][0])


def test_undecided_may_be_no_failure():
    assert command("gate", *SHORT, "--margin", "0.03", "--fail-on", "worse").exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("--against", OLD, "--margin", "0.03", "--aa"),
        ("--against", OLD, "--margin", "0.03", "--by-group", "--fail-on", "worse"),
    ],
)
def test_the_answer_fits_a_screen(words):
    lines = at_terminal("gate", RESULTS / "v2.csv", *words).splitlines()
    assert len(lines) <= 15
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ((), "no old model"),
        (("--against", OLD), "no margin"),
        (("--against", OLD, "--margin", "-1"), "margin is -1"),
        (("--against", OLD, "--margin", "0.1", "-o", "gate.zip"), ".zip"),
        (("--against", RESULTS / "seeds.csv", "--margin", "0.1"), "2 models"),
    ],
)
def test_wrong_input_ends_with_two_and_three_lines(words, wrong):
    found = command("gate", RESULTS / "v2.csv", *words)
    assert found.exit_code == 2
    assert wrong in found.stderr
    assert len(found.stderr.splitlines()) == 3


@pytest.mark.parametrize(
    ("words", "source"),
    [
        (("-", "--against", OLD), RESULTS / "v3.csv"),
        ((RESULTS / "v3.csv", "--against", "-"), OLD),
        (("v2", "--against", "v1", "--results", "-"), RESULTS / "seeds.csv"),
    ],
)
def test_the_standard_input_is_one_of_the_files(words, source):
    line = [sys.executable, "-m", "bestofk", "gate", *map(str, words), "--margin", "0.03", "--json"]
    found = subprocess.run(line, input=source.read_bytes(), capture_output=True, check=False)
    named = command("gate", *(source if each == "-" else each for each in words), "--margin", "0.03", "--json")
    piped, of_files = json.loads(found.stdout), json.loads(named.stdout)
    assert (found.returncode, piped["checks"]) == (named.exit_code, of_files["checks"])


def test_both_models_are_not_the_standard_input():
    found = command("gate", "-", "--against", "-", "--margin", "0.03")
    assert found.exit_code == 2
    assert "both models are -" in found.stderr
    assert len(found.stderr.splitlines()) == 3


def cases_of(path):
    return {case.get("name"): [part.tag for part in case] for case in ET.parse(path).iter("testcase")}


def test_junit_has_a_case_for_each_check(tmp_path):
    path = tmp_path / "gate.xml"
    words = ("--measure", "correct", "--margin", "0.03", "-o", path)
    command("gate", *CASES["passed"], *words)
    assert cases_of(path) == {"correct": []}
    command("gate", *SHORT, *words)
    assert cases_of(path) == {"correct": ["failure"]}
    command("gate", *SHORT, *words, "--fail-on", "worse")
    assert cases_of(path) == {"correct": ["skipped"]}
    assert command("gate", *CASES["worse"], *words, "--by-group", "--fail-on", "worse").exit_code == 1
    suite = ET.parse(path).find("testsuite")
    tags = [tag for each in cases_of(path).values() for tag in each]
    assert (suite.get("tests"), len(cases_of(path))) == ("25", 25)
    assert (suite.get("failures"), suite.get("skipped")) == (str(tags.count("failure")), str(tags.count("skipped")))
    assert cases_of(path)["correct, all items"] == ["failure"]
    # the schema by which Jenkins checks files knows skipped of a suite, and not of all suites
    assert set(ET.parse(path).getroot().attrib) <= {"name", "time", "tests", "failures", "errors"}


def test_the_files_are_named_in_every_format(tmp_path):
    new, old = (shutil.copy(short, tmp_path / name) for short, name in ((SHORT[0], "v4.jsonl"), (SHORT[2], "v1.jsonl")))
    paths = [tmp_path / f"gate.{suffix}" for suffix in ("md", "xml", "txt")]
    outputs = [word for path in paths for word in ("-o", path)]
    found = command("gate", new, "--against", old, "--margin", "0.03", *outputs)
    for text in (" ".join(found.stdout.split()), *(path.read_text(encoding="utf-8") for path in paths)):
        assert "new (v4.jsonl)" in text
        assert "old (v1.jsonl)" in text


def test_nobody_is_worse_by_a_nothing_with_a_sign(tmp_path):
    old, path = tmp_path / "old.csv", tmp_path / "gate.xml"
    old.write_text("\n".join(["item,correct", *(f"q{i},{i % 2}" for i in range(12))]))
    found = command("gate", old, "--against", old, "--margin", "0.1", "-o", path, "--json")
    assert '"worse_by": 0.0' in found.stdout
    (message,) = (each.get("message") for each in ET.parse(path).getroot().iter("failure"))
    assert message.startswith("undecided: worse by 0 [")


def test_names_are_escaped_in_junit(tmp_path):
    table = tmp_path / "x.csv"
    rows = [f'"<b> & ""{side}""",{seed},{0.8 + seed / 1000}' for side in ("new", "old") for seed in range(6)]
    table.write_text("\n".join(["model,seed,accuracy", *rows]))
    path = tmp_path / "gate.xml"
    command("gate", '<b> & "new"', "--against", '<b> & "old"', "--results", table, "--margin", "0.03", "-o", path)
    assert ET.parse(path).find("testsuite").get("name") == '<b> & "new" against <b> & "old"'


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """What is printed of a worse model, and the folder with its files in every format."""
    folder = tmp_path_factory.mktemp("gate")
    outputs = [word for suffix in SUFFIXES for word in ("-o", folder / f"gate.{suffix}")]
    return command("gate", *CASES["worse"], "--margin", "0.03", "--json", *outputs), folder


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_other_format_says_the_outcome(suffix, written):
    found, folder = written
    assert found.exit_code == 1
    assert "worse" in (folder / f"gate.{suffix}").read_text(encoding="utf-8").lower()


def test_json_is_one_document_printed_or_written(written):
    found, folder = written
    assert json.loads(found.stdout) == json.loads((folder / "gate.json").read_text(encoding="utf-8"))
    assert "schema" not in json.loads(found.stdout)  # which is that of verdicts


def test_csv_has_the_codes_of_the_advice(tmp_path):
    command("gate", OLD, "--against", OLD, "--margin", "0.03", "-o", tmp_path / "gate.csv")
    with open(tmp_path / "gate.csv", encoding="utf-8", newline="") as file:
        assert [row["advice"] for row in csv.DictReader(file)] == ["K128"]


def test_markdown_has_the_table(written):
    text = (written[1] / "gate.md").read_text(encoding="utf-8")
    assert text.startswith("# Gate: worse")
    assert re.search(r"^\| correct \|.*\| worse \|$", text, re.M)


def test_a_verdict_has_no_junit(tmp_path):
    found = command("report", EXAMPLES / "five_by_two.csv", "-o", tmp_path / "verdict.xml")
    assert found.exit_code == 2


def test_what_is_left_out_is_told(tmp_path):
    new, *old = SHORT
    (tmp_path / "new.jsonl").write_text("\n".join(new.read_text().splitlines()[:-7]))
    words = ("gate", tmp_path / "new.jsonl", *old, "--margin", "0.03", "--missing", "drop-items")
    assert "7 items" in command(*words).stdout
    assert len(json.loads(command(*words, "--json").stdout)["left_out"]) == 7
