"""From a file to a verdict, in Python and at the shell."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main

EXAMPLE = Path(__file__).parent.parent / "examples" / "five_by_two.csv"
PRIOR = "max,nmc,lgc,tree,nn"


def command(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def write(tmp_path, *lines):
    path = tmp_path / "results.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_example_with_a_prior():
    verdict = bk.judge(bk.read(EXAMPLE), prior=PRIOR.split(","))
    assert verdict.best == "nmc"
    assert verdict.order == ("nmc", "lgc", "tree", "nn", "max")
    assert verdict.status == "preferred"
    assert verdict.rivals == ("lgc", "tree", "nn")
    assert verdict.test == "5x2cv-t"


def test_command_says_the_verdict_first():
    answer = command("judge", EXAMPLE, "--prior", PRIOR)
    assert answer.exit_code == 0
    assert answer.output.startswith("nmc is the choice: the data do not separate it from lgc, tree and nn")


def test_command_in_json_agrees_with_words():
    answer = command("judge", EXAMPLE, "--prior", PRIOR, "--json")
    data = json.loads(answer.output)
    assert data["best"] == "nmc"
    assert data["status"] == "preferred"


def test_without_a_prior_the_top_is_tied():
    answer = command("judge", EXAMPLE)
    assert answer.exit_code == 1
    assert answer.output.startswith("No single best: the data do not separate lgc from nmc, nn and tree")


def test_decided(tmp_path):
    rows = [
        f"{name},{r},{f},{base + 0.001 * ((r * f) % 3)}"
        for name, base in (("a", 0.1), ("b", 0.5))
        for r in range(5)
        for f in (1, 2)
    ]
    rows[2] = "a,1,1,0.104"  # the gap is not quite the same on all folds
    path = write(tmp_path, "learner,replication,fold,error", *rows)
    answer = command("judge", path)
    assert answer.exit_code == 0
    assert answer.output.startswith("a is best: every other learner is significantly worse")


def test_larger_is_better_turns_the_order(tmp_path):
    rows = [f"{name},{f},{base + 0.01 * (f % 3)}" for name, base in (("a", 0.1), ("b", 0.5)) for f in range(10)]
    path = write(tmp_path, "learner,fold,accuracy", *rows)
    verdict = bk.judge(bk.read(path))
    assert verdict.order == ("b", "a")
    assert verdict.means["b"] == pytest.approx(0.509)
    assert "larger is better" in verdict.evidence


HEADER = "learner,replication,fold,error"
FAULTY = {
    "empty": ([""], "empty"),
    "header only": ([HEADER], "no rows"),
    "text": ([HEADER, "a,1,1,0.1", "a,1,2,n/a", "b,1,1,0.1", "b,1,2,0.2"], "line 3"),
    "percent": ([HEADER, "a,1,1,10%"], "'10%', not a number"),
    "NaN": ([HEADER, "a,1,1,nan"], "not a number"),
    "ragged": ([HEADER, "a,1,1"], "3 values for 4 columns"),
    "twice": ([HEADER, "a,1,1,0.1", "a,1,1,0.2"], "appears twice"),
    "missing": ([HEADER, "a,1,1,0.1", "a,1,2,0.1", "b,1,1,0.2"], "learner b, replication 1, fold 2"),
    "one learner": ([HEADER, "a,1,1,0.1", "a,1,2,0.1"], "at least two learners"),
    "one fold": ([HEADER, "a,1,1,0.1", "b,1,1,0.1"], "cannot show a difference"),
    "no learner column": (["model,fold,error", "a,1,0.1"], "columns are model, fold, error"),
    "two measures": (["learner,fold,error,auc", "a,1,0.1,0.9"], "one measure"),
    "same column twice": (["learner,fold,error,error", "a,1,0.1,0.9"], "appears twice"),
    "unknown direction": (["learner,fold,tastiness", "a,1,0.1"], "--larger-is-better"),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_a_faulty_file_gets_three_lines(tmp_path, fault):
    lines, said = FAULTY[fault]
    answer = command("judge", write(tmp_path, *lines))
    assert answer.exit_code == 2
    assert said in answer.stderr
    assert answer.stdout == ""
    assert answer.stderr.strip().count("\n") == 2
    as_json = command("judge", tmp_path / "results.csv", "--json")
    assert as_json.exit_code == 2
    assert set(json.loads(as_json.stdout)) == {"wrong", "where", "fix"}


def test_a_file_that_is_not_there_or_not_text(tmp_path):
    assert "no such file" in command("judge", tmp_path / "nowhere.csv").stderr
    assert "folder" in command("judge", tmp_path).stderr
    binary = tmp_path / "results.csv"
    binary.write_bytes(b"\x93NUMPY\x00\x01")
    assert command("judge", binary).exit_code == 2


def test_list():
    assert command("list", "pairwise").output.splitlines()[0] == "5x2cv-f"
    assert json.loads(command("list", "--json").output)["adjust"][0] == "benjamini-hochberg"
    answer = command("list", "pairwize")
    assert answer.exit_code == 2
    assert "did you mean 'pairwise'" in answer.stderr
    assert command("--version").output.startswith("bestofk, version")
