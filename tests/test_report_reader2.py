"""What a reader of many reports stumbled over: who is at the top, which side p has, what can flip, what figures say."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from bestofk.reporting.sides import TWO_FAMILIES

import bestofk as bk
from bestofk.plots.figures import figure
from bestofk.plots.sorted_by import PREFERENCE_CORRECTED, heading_of, sorted_by
from bestofk.reporting.at_the_top import beaten_by, top_of
from bestofk.reporting.by_ranks import ranked_apart
from bestofk.reporting.certainty import answers
from bestofk.reporting.dataset_sections import dataset_sections
from bestofk.reporting.dataset_words import goods_lines, seen_words, sensitivity_lines
from bestofk.reporting.left_out import nothing_can_flip
from bestofk.reporting.page import page_of
from bestofk.reporting.places import order_title, places_of
from bestofk.reporting.reason_words import because

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
C45 = ("C4.5", "C4.5+m+cf", "C4.5+cf", "C4.5+m")


@cache
def demsar(**options):
    """Demšar 2006, table 6: wilcoxon shows C4.5+m to be better than C4.5 (adjusted p = 0.0439), and nothing else."""
    return bk.judge(bk.read(EXAMPLES / "demsar.csv", measure="auc"), **options)


def few(names=("new", "svm", "rf"), datasets=5, folds=1, seed=0, spread=0.01, **options):
    rng = np.random.default_rng(seed)
    level = 0.2 + spread * np.arange(len(names))[:, None, None, None]
    values = level + rng.normal(0, 0.02, (len(names), datasets, 1, folds))
    labels = tuple(f"set {i}" for i in range(datasets))
    data = bk.Scores(learners=names, values=values, measure="error", larger_is_better=False, datasets=labels)
    return bk.judge(data, **options)


def answer(verdict, place):
    return answers(verdict)[place].sentence


@pytest.mark.parametrize("adjust", ["bonferroni", "holm"])
def test_who_is_shown_to_be_beaten_does_not_share_the_top(adjust):
    verdict = demsar(adjust=adjust)
    assert top_of(verdict) == verdict.possible_best == ("C4.5+m+cf", "C4.5+m", "C4.5+cf")
    assert beaten_by("C4.5", verdict) == ("C4.5+m",)
    assert answer(verdict, 0) == "Nobody alone: C4.5+m+cf, C4.5+m and C4.5+cf share the top."
    apart = "not separate C4.5+m+cf from C4.5+m and C4.5+cf, nor from C4.5, which C4.5+m is shown to beat, and no"
    assert apart in answer(verdict, 1)
    assert apart in verdict.text().splitlines()[0]
    assert places_of(verdict)[-1].finding.endswith(", but C4.5+m is shown to beat it")


def test_where_nobody_is_beaten_all_share_the_top():
    verdict = few()
    assert verdict.status == "tied"
    assert answer(verdict, 0) == "Nobody alone: new, rf and svm share the top."
    assert "nor from" not in verdict.text()
    assert not any("shown to beat" in place.finding for place in places_of(verdict))


def test_a_one_sided_p_is_said_to_be_one_and_why_the_tables_may_differ():
    verdict = demsar(prior=C45)
    row = verdict.rows()[-1]
    assert (row["learner"], row["question"], verdict.order[0]) == ("C4.5", "one-sided", "C4.5+m+cf")
    assert not verdict.comparison.shows("C4.5+m+cf", "C4.5")
    sure = answer(verdict, 2)
    assert f"better than C4.5 (p = {row['p against first']:.2g}, adjusted) by a one-sided test." in sure
    p = verdict.comparison.adjusted_pvalue("C4.5+m+cf", "C4.5")
    assert f"Asked from both sides, wilcoxon does not separate C4.5 from C4.5+m+cf (p = {p:.2g})" in sure
    assert sure.count(TWO_FAMILIES) == 1
    assert f"one-sided p = {row['p against first']:.2g}" in places_of(verdict)[-1].finding
    assert TWO_FAMILIES in pairs_caption(verdict)


def test_two_sided_p_values_need_no_such_words():
    verdict = few(datasets=12, spread=0.1)
    assert verdict.status == "decided"
    assert "sided" not in answer(verdict, 2)
    assert TWO_FAMILIES not in pairs_caption(verdict)


def pairs_caption(verdict):
    tables = next(section for section in page_of(verdict).sections if section.anchor == "tables")
    return next(block.caption for block in tables.blocks if getattr(block, "anchor", "") == "pairs")


def test_with_multi2test_a_p_of_the_test_of_pairs_names_that_test():
    named = own = 0
    for seed in range(4):
        verdict = few(
            ("knn", "svm", "new"), 12, 5, seed, -0.012, prior=("knn", "svm", "new"), method="multi2test", adjust="holm"
        )
        for reason in verdict.reasons:
            by_pairs = reason.ground in ("significant", "against") and not ranked_apart(
                reason.better, reason.worse, verdict
            )
            said = because(reason, verdict)
            assert said.endswith(f"by {verdict.test})") == by_pairs
            named, own = named + by_pairs, own + (not by_pairs)
    assert named
    assert own


def test_where_nothing_could_be_shown_nothing_reassures():
    verdict = few()
    assert any(each.code == "K102" for each in verdict.advice)
    assert nothing_can_flip(verdict, verdict.sensitivity)
    (line,) = sensitivity_lines(verdict)
    assert "with 5 data sets wilcoxon could show none, however large a difference" in line
    assert "no sign of firmness" in line
    section = next(each for each in dataset_sections(verdict) if each.anchor == "other-data-sets")
    assert len(section.blocks) == 1
    assert "100 %" not in verdict.text()


def test_where_something_could_be_shown_the_words_stay():
    verdict = few(datasets=12)
    assert not nothing_can_flip(verdict, verdict.sensitivity)
    assert "resamples" in sensitivity_lines(verdict)[-1]


def test_how_many_single_data_sets_turn_a_conclusion_and_which_speaks_most():
    verdict = demsar()
    shaky = verdict.sensitivity.shakiest
    alone = {each.without[0] for each in shaky.examples if len(each.without) == 1}
    assert len(alone) == shaky.flips_one == 10
    speaking = verdict.sensitivity.most_influential(*shaky.about, 14)
    most = next(name for name, _ in speaking if name in alone)
    line = sensitivity_lines(verdict)[0]
    assert line.startswith(
        f"Leaving out any one of 10 of the 14 data sets, such as {most} (the most influential of them) or adult "
    )


def test_what_could_be_seen_names_the_pairs():
    table = demsar().detectable
    least, most = (pick(table.pairs, key=lambda pair: pair.seen) for pick in (min, max))
    said = seen_words(table)
    assert f"{least.seen:.3g} or more between {least.first} and {least.second}" in said
    assert f"{most.seen:.3g} or more between {most.first} and {most.second}" in said


def test_captions_say_which_pairs_p_is_adjusted_for():
    assert "two-sided p by wilcoxon, adjusted for all pairs)" in figure("differences", demsar()).alt
    control = figure("differences", demsar(control="C4.5")).alt
    assert "two-sided p by wilcoxon, adjusted for the pairs with the control C4.5)" in control


def test_worth_having_says_the_level():
    rng = np.random.default_rng(0)
    values = rng.uniform(0.1, 0.3, (3, 8, 1, 1))
    times = np.abs(rng.normal(1, 0.1, values.shape)) * np.array([1.0, 2.0, 4.0])[:, None, None, None]
    data = bk.Scores(
        learners=("a", "b", "c"),
        values=values,
        measure="error",
        larger_is_better=False,
        datasets=tuple(f"set {i}" for i in range(8)),
        measured_costs={"fit_time": times},
    )
    (line,) = goods_lines(bk.judge(data, alpha=0.1))
    assert line.endswith(" Each good is tested at 0.05: alpha over 2 goods.")


def test_figures_say_what_sorted_the_order_as_the_heading_does():
    alike, differing = few(folds=1, prior=("rf", "svm", "new"), method="anova-best"), apart_by_anova()
    assert (alike.best, differing.best) == ("rf", None)
    assert order_title(alike) == "Order: anova-best, the others by mean"
    for verdict, words in ((alike, "by anova-best, the others by mean"), (differing, "by mean alone, for no best")):
        for name in ("underlined-order", "order"):
            said = figure(name, verdict).alt
            assert words in said
            assert PREFERENCE_CORRECTED not in said
            assert "best first" not in said


def apart_by_anova():
    return few(datasets=12, spread=0.1, prior=("rf", "svm", "new"), method="anova-best")


def test_figures_of_a_corrected_preference_and_of_none_keep_their_words():
    assert PREFERENCE_CORRECTED in figure("underlined-order", demsar(prior=C45)).alt
    assert "best first" in figure("underlined-order", demsar()).alt
    assert "order found, best first" in figure("order", demsar()).alt


def test_no_best_no_preference_and_groups_have_their_own_words():
    none = sorted_by("anova-best", preferred=True, found=False)
    assert heading_of(none) == "by mean alone"
    assert none.startswith("by mean alone")
    assert sorted_by("ranges", preferred=True) == sorted_by("multitest", preferred=False) == "best first"
    assert heading_of(sorted_by("test-first", preferred=True)) == "order found"
    assert heading_of("best first") == "best first"


def test_a_learner_named_like_the_beginning_of_a_sentence_changes_no_capital():
    assert answer(few(("t", "svm", "rf")), 1).startswith("With 5 data sets")
    assert answer(few(("t", "w", "rf"), datasets=12), 1).startswith("The data do not separate")


def test_the_words_for_a_corrected_preference_stand_in_one_place_each():
    sources = [*(ROOT / "src/bestofk/plots").glob("*.py"), *(ROOT / "src/bestofk/reporting").glob("*.py")]
    at = {path.name: path.read_text().count("corrected by tests") for path in sources}
    written = {name for name, count in at.items() if count}
    assert written == {"sorted_by.py", "order_words.py"}
    assert order_title(demsar(prior=C45)) == "Order: preference corrected by tests"


def test_a_learner_behind_by_one_sided_tests_alone_is_said_to_be_so():
    losses = {"lr": [0.047, 0.021, 0.05, 0.03], "nb": [0.051, 0.0252, 0.0541, 0.0299]}
    evidence = bk.read(pd.DataFrame({"dataset": list("abcd"), **losses}), measure="error", larger_is_better=False)
    verdict = bk.judge(evidence)
    assert verdict.status == "tied"
    assert verdict.possible_best == ("lr",)
    assert "do not separate lr from nb, which one-sided tests would overrule even if it were preferred" in str(verdict)
