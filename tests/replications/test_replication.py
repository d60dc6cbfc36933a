"""What every replication gives, and the command that runs one: headline, agreement, what is left out, a report."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from bestofk.cli import main
from bestofk.core.errors import InputError
from bestofk.core.shelf import Shelf
from bestofk.replications.replication import Agreement, Replication, agreement_table, counted_met, versions_used
from bestofk.replications.shelf import replicate
from bestofk.reporting.blocks import Bullets, Code, Section, Sentences, TableBlock, Terms
from bestofk.reporting.report import report_text
from bestofk.reporting.tables import PlainTable

LINES = (Agreement("mean of t", "2.26", "2.26", True), Agreement("p", "0.5", "≤ 0.05", False), Agreement("n", "20"))
TABLE = TableBlock("numbers", "Some numbers.", PlainTable(("a", "b"), (("x", "1"),), frozenset({"b"})))
BLOCKS = (Sentences(("One.",)), Bullets(("Two.",)), TABLE, Terms((("term", "meaning"),)), Code("Line", "sh", "ls"))


def made(**changes):
    fields = {
        "paper": "toy",
        "title": "A toy",
        "reference": "Nobody 1900",
        "headline": "It comes out.",
        "agreement": LINES,
        "sections": (Section("part", "A part", BLOCKS),),
        "left_out": ("half of it.",),
        "runs": 3,
        "seed": 7,
        "made": "2026-01-02",
        "versions": versions_used(),
    }
    return Replication(**fields | changes)


class Registered:
    """A paper that notes what it is asked for."""

    def __init__(self, answer):
        self.asked, self._answer = [], answer

    def run(self, **given):
        self.asked.append(given)
        given["progress"](1, 2, "half")
        if isinstance(self._answer, BaseException):
            raise self._answer
        return self._answer


@pytest.fixture
def registered(monkeypatch):
    def put(answer):
        found = Registered(answer)
        monkeypatch.setattr("bestofk.replications.shelf.REPLICATIONS", Shelf("replications", {"toy": found.run}))
        return found

    return put


def test_what_was_asked_for_is_counted_and_what_was_only_told_is_not():
    assert counted_met(LINES) == "1 of 2 figures asked for are reached."
    assert counted_met(LINES[2:]) == "No figure was asked for."
    assert agreement_table(LINES).rows == (
        ("mean of t", "2.26", "2.26", "yes"),
        ("p", "0.5", "≤ 0.05", "no"),
        ("n", "20", "", ""),
    )


def test_its_text_has_headline_agreement_making_and_what_is_left_out():
    text = made().text()
    for part in ("It comes out.", "1 of 2 figures", "3 runs, seed 7", "on 2026-01-02", "mean of t", "- half of it."):
        assert part in text
    assert "Nothing is left out." in made(left_out=()).text()
    assert "runs" not in made(runs=None).text()


def test_json_has_tables_as_columns_and_rows():
    fields = json.loads(json.dumps(made().to_dict()))
    kinds = [block["kind"] for block in fields["sections"][0]["blocks"]]
    assert kinds == ["sentences", "bullets", "table", "terms", "code"]
    assert fields["sections"][0]["blocks"][2]["rows"] == [["x", "1"]]
    assert fields["agreement"][1] == {"what": "p", "ours": "0.5", "asked": "≤ 0.05", "met": False}


@pytest.mark.parametrize("format", ["html", "md", "tex", "txt"])
def test_a_report_says_what_misses_and_what_is_left_out(format):
    text = report_text(made(), format)
    for part in ("It comes out.", "half of it", "Some numbers", "Nobody 1900"):
        assert part in text
    assert "0.05" in text


def test_the_door_hands_everything_on(registered):
    found = registered(made())
    replicate("toy", runs=2, datasets=["iris"], data="d", into="c", seed=3, workers=4)
    (given,) = found.asked
    assert {name: given[name] for name in ("runs", "datasets", "data", "into", "seed", "workers")} == {
        "runs": 2,
        "datasets": ("iris",),
        "data": "d",
        "into": "c",
        "seed": 3,
        "workers": 4,
    }


def test_the_command_prints_and_writes(registered, tmp_path):
    found = registered(made())
    target = tmp_path / "r.md"
    answer = CliRunner().invoke(main, ["replicate", "toy", "--runs", "2", "--datasets", "a,b", "-o", str(target)])
    assert answer.exit_code == 0
    assert "It comes out." in answer.output
    assert "mean of t\t2.26\t2.26\tyes" in answer.output
    assert "- half of it." in answer.output
    assert "Some numbers." in target.read_text(encoding="utf-8")
    assert found.asked[0]["datasets"] == ("a", "b")
    assert found.asked[0]["seed"] == 1


def test_the_command_gives_json(registered):
    registered(made())
    answer = CliRunner().invoke(main, ["replicate", "toy", "--json"])
    assert json.loads(answer.stdout)["headline"] == "It comes out."


def test_wrong_input_is_told_in_three_lines_before_any_work(registered):
    found = registered(made())
    answer = CliRunner().invoke(main, ["replicate", "toy", "-o", "report.xyz"])
    assert answer.exit_code == 2
    assert ".xyz is no format of a report." in answer.output
    assert not found.asked
    assert CliRunner().invoke(main, ["replicate", "multitests"]).exit_code == 2
    assert CliRunner().invoke(main, ["replicate", "toy", "--runs", "0"]).exit_code == 2


def test_a_stop_says_how_to_go_on(registered):
    registered(KeyboardInterrupt())
    answer = CliRunner().invoke(main, ["replicate", "toy", "--into", "c.db"])
    assert answer.exit_code == 130
    assert "what is done is kept" in answer.output
    assert "nothing is kept" in CliRunner().invoke(main, ["replicate", "toy"]).output


def test_an_unknown_paper_is_refused():
    with pytest.raises(InputError, match="unknown replication 'multitst'"):
        replicate("multitst")
