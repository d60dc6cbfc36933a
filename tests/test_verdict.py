"""From a file to a verdict, in Python and at the shell."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.core.registry import registry

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
    "semicolons": (["learner;fold;error", "a;1;0.1"], "separate columns by commas"),
    "decimal comma": ([HEADER, "a,1,1,0,1"], "a decimal comma splits a number"),
    "empty name": ([HEADER, ",1,1,0.1"], "is empty"),
    "underscore": ([HEADER, "a,1,1,1_0"], "not a number"),
    "random splits": ([HEADER, "a,1,1,0.1", "a,2,1,0.1", "b,1,1,0.1", "b,2,1,0.3"], "random splits"),
    "too large": (
        [HEADER, *(f"{n},{r},{f},{1e200 * (r + f)}" for n in "ab" for r in range(5) for f in (1, 2))],
        "e+200",
    ),
    "one long line": ([HEADER, "a" * 200_000], "200000 characters"),
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


def test_the_order_of_rows_means_nothing(tmp_path):
    header, *rows = EXAMPLE.read_text().splitlines()
    plain = bk.judge(bk.read(EXAMPLE), prior=PRIOR.split(","))
    for seed in range(5):
        shuffled = write(tmp_path, header, *np.random.default_rng(seed).permutation(rows))
        verdict = bk.judge(bk.read(shuffled), prior=PRIOR.split(","))
        assert verdict.text() == plain.text()


def test_a_seed_makes_shuffling_tests_repeatable():
    scores = bk.read(EXAMPLE)
    one, two = (bk.judge(scores, test="permutation-t", seed=3).text() for _ in range(2))
    assert one == two
    assert command("judge", EXAMPLE, "--test", "permutation-t", "--seed", "3").output.strip() == one


def test_infinite_statistics_are_valid_json(tmp_path):
    rows = [f"{name},{f},{base + f}" for name, base in (("a", 0.1), ("b", 0.5)) for f in range(5)]
    answer = command("judge", write(tmp_path, "learner,fold,error", *rows), "--prior", "b,a", "--json")

    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    assert json.loads(answer.output, parse_constant=refuse)["ordering"]["statistic"] == ["Infinity"]


def test_a_comma_in_a_name_can_be_quoted(tmp_path):
    rows = [f'"{name}",{f},{base + 0.01 * (f % 3)}' for name, base in (("svm, c=1", 0.1), ("b", 0.1)) for f in range(5)]
    answer = command("judge", write(tmp_path, "learner,fold,error", *rows), "--prior", 'b,"svm, c=1"')
    assert answer.exit_code == 0


def test_evidence_of_the_wrong_kind_is_refused():
    for call in (
        lambda: bk.judge("results.csv"),
        lambda: bk.judge(bk.read(EXAMPLE), prior=PRIOR),
        lambda: bk.judge(bk.read(EXAMPLE), adjust=["holm"]),
        lambda: bk.order({"a": [1]}),
        lambda: bk.read(None),
    ):
        with pytest.raises(bk.InputError):
            call()


def test_a_test_over_independent_values_is_used_with_a_caution():
    verdict = bk.judge(bk.read(EXAMPLE), test="wilcoxon")
    assert "takes folds for independent" in verdict.text()
    assert bk.order(bk.read(EXAMPLE)).test == "5x2cv-t"


def random_scores(rng):
    k = int(rng.integers(2, 6))
    design = [(5, 2), (1, 10), (3, 4)][rng.integers(3)]
    values = 0.3 + rng.normal(0, 0.02, size=(k, 1, 1)) + rng.normal(0, 0.01, size=(k, *design))
    if rng.random() < 0.1:
        values[1] = values[0]
    return bk.Scores(tuple("abcdef"[:k]), values, *[("error", False), ("accuracy", True)][rng.integers(2)])


@pytest.mark.parametrize("seed", range(150))
def test_the_words_never_contradict_the_numbers(seed):
    """Each sentence is checked against the fields, and the fields against the tests run anew."""
    rng = np.random.default_rng(seed)
    scores = random_scores(rng)
    prior = [str(name) for name in rng.permutation(scores.learners)] if rng.random() < 0.7 else None
    adjust = str(rng.choice(["none", "bonferroni", "holm", "benjamini-hochberg"]))
    verdict = bk.judge(scores, prior=prior, adjust=adjust)
    check_headline(verdict, scores)
    check_prior(verdict)
    for reason in verdict.reasons:
        check_reason(reason, verdict, scores.losses())


def check_headline(verdict, scores):
    headline = verdict.text().splitlines()[0]
    assert sorted(verdict.order) == sorted(scores.learners)
    assert (verdict.status == "decided") == (not verdict.rivals) == headline.startswith(f"{verdict.best} is best")
    assert all(name in headline for name in verdict.rivals)
    losses, run = scores.losses(), registry("pairwise").load(verdict.test)
    for name in verdict.rivals:
        p = run(losses[verdict.best], losses[name]).pvalue
        less = run(losses[verdict.best], losses[name], alternative="less").pvalue
        assert verdict.adjust != "none" or p > verdict.alpha or less > 0.5


def check_prior(verdict):
    if verdict.prior is None:
        sign = -1 if verdict.larger_is_better else 1
        means = [sign * verdict.means[name] for name in verdict.order]
        assert means == sorted(means)
        assert verdict.status in ("decided", "tied")
        return
    edges = set(verdict.ordering.edges)
    assert not any(tail == verdict.best for tail, _ in edges)
    before = verdict.prior[: verdict.prior.index(verdict.best)]
    assert tuple(name for name, _ in verdict.overtaken) == before
    for name, by in verdict.overtaken:
        assert by
        assert all((name, other) in edges for other in by)
        assert f"- {name} is preferred to {verdict.best} but overruled" in verdict.text()


def check_reason(reason, verdict, losses):
    start = f"- {reason.better} above {reason.worse}:"
    line = next(line for line in verdict.text().splitlines() if line.startswith(start))
    assert ("significantly better" in line) == (reason.ground == "significant")
    assert reason.ground != "significant" or reason.pvalue <= verdict.alpha
    assert f"{reason.question} p = {reason.pvalue:.3g}" in line
    run = registry("pairwise").load(verdict.test)
    pair = losses[reason.better], losses[reason.worse]
    two_sided = run(*pair).pvalue
    less, greater = (run(*pair, alternative=side).pvalue for side in ("less", "greater"))
    if reason.ground == "significant":
        assert less < greater
    if reason.question == "two-sided":
        assert reason.pvalue >= two_sided - 1e-12
        assert verdict.adjust != "none" or reason.pvalue == pytest.approx(two_sided)
    if reason.ground == "preferred":
        assert verdict.prior.index(reason.better) < verdict.prior.index(reason.worse)
        assert reason.pvalue > verdict.alpha
        assert verdict.adjust != "none" or reason.pvalue == pytest.approx(greater)
    if reason.ground == "mean":
        assert reason.pvalue > verdict.alpha or less >= greater
