"""Every example comes out of ``bestofk judge FILE`` in one command with its paper's own conclusion."""

import json
import re
import tomllib
from itertools import combinations

import pandas as pd
import pytest
import scipy.stats

import bestofk as bk
from makers import EXAMPLES, command

EXPECTED = json.loads((EXAMPLES / "expected.json").read_text(encoding="utf-8"))


def judged(name, *options):
    """The command's answer as JSON."""
    return json.loads(command("judge", EXAMPLES / name, *options, "--json").stdout)


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
    his = ("--larger-is-better", "--test", "paired-t")
    verdict = judged(name, *his, "--alpha", f"{alpha:g}")
    (pair,) = verdict["comparison"]["pairs"]
    sign = -1  # the file's first learner is A; the paper and scipy take the other minus A
    assert pair["difference"] == pytest.approx(sign * scipy["estimate"])
    assert pair["pvalue"] == pytest.approx(scipy["pvalue"], rel=1e-9)
    assert [-pair["high"], -pair["low"]] == pytest.approx(scipy["interval"])
    assert (verdict["status"] == "decided") == (scipy["pvalue"] <= alpha)
    if "paper" in [each["program"] for each in EXPECTED[name]["conclusions"]]:
        paper = concluded(name, "paper")
        assert abs(abs(pair["statistic"]) - paper["t"]) < 0.006
        at_five = judged(name, *his)
        assert (at_five["status"] == "decided") == (paper["significant_at"] is not None)
        if paper["significant_at"] is not None:
            assert at_five["best"] != "A"


def test_multitests_four_learners_give_the_order_of_figure_2():
    paper = concluded("multitest_four.csv", "paper")
    verdict = judged("multitest_four.csv", "--prior", ",".join(paper["prior"]))
    assert verdict["order"] == paper["order"]
    assert sorted(verdict["ordering"]["edges"]) == sorted(paper["edges"])
    one_sided = concluded("multitest_four.csv", "scipy")["pairs"]
    printed = ("--prior", ",".join(paper["prior"]), "--sides", "one", "--test", "5x2cv-t", "--adjust", "bonferroni")
    as_printed = judged("multitest_four.csv", *printed)
    assert as_printed["order"] == paper["order"]
    assert sorted(as_printed["ordering"]["edges"]) == sorted(paper["edges"])
    for pair in as_printed["comparison"]["pairs"]:
        theirs = one_sided[f"{pair['first']} / {pair['second']}"]
        assert pair["pvalue"] == pytest.approx(theirs["pvalue"], rel=1e-9)


def test_demsars_table():
    """Section 3.2.2: Friedman rejects; Nemenyi separates nobody at 5 %, C4.5 from both variants with m at 10 %."""
    verdict = judged("demsar.csv", "--larger-is-better", "--test", "nemenyi")
    assert verdict["comparison"]["omnibus"]["pvalue"] < 0.05
    assert verdict["status"] == "tied"
    assert {pair["relation"] for pair in verdict["comparison"]["pairs"]} == {"not significant"}
    at_ten = judged("demsar.csv", "--larger-is-better", "--test", "nemenyi", "--alpha", "0.1")
    apart = {
        frozenset((pair["first"], pair["second"])) for pair in at_ten["comparison"]["pairs"] if pair["significant"]
    }
    assert apart == {frozenset({"C4.5", "C4.5+m"}), frozenset({"C4.5", "C4.5+m+cf"})}
    groups = at_ten["findings"]["mean_ranks"]["groups"]
    assert groups == [["C4.5+m+cf", "C4.5+m", "C4.5+cf"], ["C4.5+cf", "C4.5"]]


def test_the_cheapest_language_model_that_is_not_beaten():
    verdict = judged("language_models.csv", "--prior", "price", "--groups", "fixed")
    assert verdict["best"] == "large"
    assert verdict["status"] == "preferred"
    assert verdict["best_set"] == ["large", "frontier"]
    means = verdict["comparison"]["means"]
    assert max(means, key=means.get) == "frontier"
    assert verdict["ordering"]["prior"][0] == "small"
    beyond = judged("language_models.csv", "--prior", "price")  # four groups are too few for a claim beyond them
    assert (beyond["best"], beyond["status"]) == (None, "undecided")


def test_the_cheapest_model_that_no_other_beats_over_tasks():
    """The cheapest that scipy's paired t test over means of tasks, by Holm's steps, does not show to be worse."""
    rows = pd.read_csv(EXAMPLES / "model_prices.csv")
    tasks = rows.pivot_table(index="task", columns="model", values="correct")
    pairs = list(combinations(tasks, 2))
    tested = [scipy.stats.ttest_rel(tasks[a], tasks[b]) for a, b in pairs]
    steps = scipy.stats.rankdata([each.pvalue for each in tested], method="ordinal")
    worse = {
        pair[int(each.statistic > 0)]
        for pair, each, step in zip(pairs, tested, steps, strict=True)
        if each.pvalue <= 0.05 / (len(pairs) + 1 - step)
    }
    price = rows.groupby("model")["price"].first().sort_values()
    verdict = judged("model_prices.csv", "--prior", "price")
    assert verdict["best"] == next(name for name in price.index if name not in worse)
    assert set(verdict["best_set"]) == set(price.index) - worse
    assert verdict["status"] == "preferred"


def test_the_classifiers_are_those_of_the_plan():
    plan = tomllib.loads((EXAMPLES / "plan.toml").read_text(encoding="utf-8"))
    evidence = bk.read(EXAMPLES / "classifiers.csv")
    assert set(evidence.learners) == set(plan["learners"])
    assert set(evidence.datasets) == set(plan["datasets"])
    assert evidence.values.shape == (5, 7, 1, 10)
    verdict = judged("classifiers.csv", "--prior", ",".join(plan["prior"]))
    assert (verdict["status"], verdict["best"]) == ("preferred", "logistic regression")
    assert set(verdict["best_set"]) == {"logistic regression", "random forest"}


def test_predictions_and_curves_and_counts():
    assert judged("predictions.csv")["order"] == ["knn", "lda", "tree"]
    assert judged("predictions.csv")["status"] == "decided"
    assert judged("curves.csv")["order"] == ["knn", "bayes", "tree"]
    assert judged("curves.csv")["status"] == "decided"
    assert judged("counts.csv")["status"] == "tied"


def test_mcnemar_on_predictions_is_that_of_other_programs():
    theirs = concluded("predictions.csv", "statsmodels")["pairs"]
    for pair in judged("predictions.csv", "--test", "mcnemar-exact")["comparison"]["pairs"]:
        key = f"{pair['first']} / {pair['second']}"
        assert pair["pvalue"] == pytest.approx(theirs[key]["exact_pvalue"], rel=1e-9)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.csv")), ids=lambda path: path.name)
def test_the_answer_to_every_example_is_one_screen(path):
    """At most 15 lines of 80 columns and about 100 words; numbers are no words."""
    try:
        evidence = bk.read(path)
    except bk.InputError:
        evidence = bk.read(path, larger_is_better=True)  # the direction of its measure must be said
    costs = [None, *(cost for cost in evidence.costs if cost == "price")]
    for prior in (*costs, sorted(evidence.learners)):
        lines = repr(bk.judge(evidence, prior=prior)).split("\n")
        assert len(lines) <= 15
        assert max(map(len, lines)) <= 80
        assert len(re.findall(r"[^\W\d]\w*", " ".join(lines))) <= 100
