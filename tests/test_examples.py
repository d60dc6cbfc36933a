"""Every example comes out of ``bestofk judge FILE`` in one command with its paper's own conclusion."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main

EXAMPLES = Path(__file__).parent.parent / "examples"
EXPECTED = json.loads((EXAMPLES / "expected.json").read_text(encoding="utf-8"))


def judged(name, *options):
    """The command's answer as JSON."""
    answer = CliRunner().invoke(main, ["judge", str(EXAMPLES / name), *options, "--json"])
    return json.loads(answer.stdout)


def concluded(name, program):
    return next(each for each in EXPECTED[name]["conclusions"] if each["program"] == program)


@pytest.mark.parametrize("name", EXPECTED)
def test_every_example_is_understood(name):
    reading = EXPECTED[name]["reading"]
    larger = True if "must be asked for" in EXPECTED[name]["direction"] else None
    evidence = bk.read(EXAMPLES / name, larger_is_better=larger)
    assert type(evidence).__name__.lower() == reading["kind"]
    assert list(evidence.learners) == reading["learners"]
    if reading["kind"] == "scores":
        assert len(evidence.datasets) == reading["datasets"]
        assert evidence.values.shape[2:] == (reading["replications"], reading["folds"])
    if reading["kind"] == "items":
        assert len(evidence.items) == reading["items"]
    assert not evidence.missing()


BRAMER = [name for name in EXPECTED if name.startswith("bramer")]


@pytest.mark.parametrize("name", BRAMER)
def test_bramers_tables_give_his_t_and_conclusion(name):
    scipy = concluded(name, "scipy")
    alpha = 1 - scipy["level"]
    verdict = judged(name, "--larger-is-better", "--alpha", f"{alpha:g}")
    comparison = verdict["comparison"]
    assert comparison["test"] == "paired-t"
    sign = -1  # the file's first learner is A; the paper and scipy take the other minus A
    assert comparison["difference"] == pytest.approx([sign * scipy["estimate"]])
    assert comparison["pvalue"] == pytest.approx([scipy["pvalue"]], rel=1e-9)
    assert [-comparison["high"][0], -comparison["low"][0]] == pytest.approx(scipy["interval"])
    assert (verdict["status"] == "decided") == (scipy["pvalue"] <= alpha)
    if "paper" in [each["program"] for each in EXPECTED[name]["conclusions"]]:
        paper = concluded(name, "paper")
        assert abs(abs(comparison["statistic"][0]) - paper["t"]) < 0.006
        at_five = judged(name, "--larger-is-better")
        assert (at_five["status"] == "decided") == (paper["significant_at"] is not None)
        if paper["significant_at"] is not None:
            assert at_five["best"] != "A"


def test_multitests_four_learners_give_the_order_of_figure_2():
    paper = concluded("multitest_four.csv", "paper")
    verdict = judged("multitest_four.csv", "--prior", ",".join(paper["prior"]))
    assert verdict["order"] == paper["order"]
    assert sorted(verdict["ordering"]["edges"]) == sorted(paper["edges"])
    one_sided = concluded("multitest_four.csv", "scipy")["pairs"]
    as_printed = judged("multitest_four.csv", "--prior", ",".join(paper["prior"]), "--sides", "one")
    assert as_printed["order"] == paper["order"]
    assert sorted(as_printed["ordering"]["edges"]) == sorted(paper["edges"])
    found = as_printed["comparison"]
    for (first, second), pvalue in zip(found["pairs"], found["pvalue"], strict=True):
        assert pvalue == pytest.approx(one_sided[f"{first} / {second}"]["pvalue"], rel=1e-9)


def test_demsars_table():
    """Section 3.2.2: Friedman rejects; Nemenyi separates nobody at 5 %, C4.5 from both variants with m at 10 %."""
    verdict = judged("demsar.csv", "--larger-is-better", "--test", "nemenyi")
    assert verdict["comparison"]["omnibus"]["pvalue"] < 0.05
    assert verdict["status"] == "tied"
    assert all(p > 0.05 for p in verdict["comparison"]["adjusted"])
    at_ten = judged("demsar.csv", "--larger-is-better", "--test", "nemenyi", "--alpha", "0.1")
    apart = {
        frozenset(pair)
        for pair, p in zip(at_ten["comparison"]["pairs"], at_ten["comparison"]["adjusted"], strict=True)
        if p <= 0.1
    }
    assert apart == {frozenset({"C4.5", "C4.5+m"}), frozenset({"C4.5", "C4.5+m+cf"})}


def test_the_cheapest_language_model_that_is_not_beaten():
    verdict = judged("language_models.csv", "--prior", "price", "--groups", "fixed")
    assert verdict["best"] == "large"
    assert verdict["status"] == "preferred"
    assert verdict["rivals"] == ["frontier"]
    means = verdict["comparison"]["means"]
    assert max(means, key=means.get) == "frontier"
    assert verdict["ordering"]["prior"][0] == "small"
    beyond = judged("language_models.csv", "--prior", "price")  # four groups are too few for a claim beyond them
    assert (beyond["best"], beyond["status"]) == (None, "undecided")


def test_predictions_and_curves_and_counts():
    assert judged("predictions.csv")["order"] == ["knn", "lda", "tree"]
    assert judged("predictions.csv")["status"] == "decided"
    assert judged("curves.csv")["order"] == ["knn", "bayes", "tree"]
    assert judged("curves.csv")["status"] == "decided"
    assert judged("counts.csv")["status"] == "tied"


def test_mcnemar_on_predictions_is_that_of_other_programs():
    found = judged("predictions.csv", "--test", "mcnemar-exact")["comparison"]
    theirs = concluded("predictions.csv", "statsmodels")["pairs"]
    for (first, second), pvalue in zip(found["pairs"], found["pvalue"], strict=True):
        key = f"{first} / {second}"
        assert pvalue == pytest.approx(theirs[key]["exact_pvalue"], rel=1e-9)
