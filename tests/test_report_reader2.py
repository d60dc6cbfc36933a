"""What a reader of many reports stumbled over: who is at the top, which side p has, what can flip, what figures say."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from bestofk.reporting.at_the_top import beaten_by, top_of
from bestofk.reporting.certainty import answers
from bestofk.reporting.dataset_words import goods_lines, seen_words, sensitivity_lines
from bestofk.reporting.left_out import nothing_can_flip
from bestofk.reporting.places import order_title, places_of

import bestofk as bk
from bestofk.plots.figures import figure
from bestofk.plots.sorted_by import heading_of, sorted_by

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


def test_no_best_no_preference_and_groups_have_their_own_words():
    none = sorted_by("anova-best", preferred=True, found=False)
    assert heading_of(none) == "by mean alone"
    assert none.startswith("by mean alone")
    assert sorted_by("ranges", preferred=True) == sorted_by("multitest", preferred=False) == "best first"
    assert heading_of(sorted_by("test-first", preferred=True)) == "order found"
    assert heading_of("best first") == "best first"


def test_the_words_for_a_corrected_preference_stand_in_one_place_each():
    sources = [*(ROOT / "src/bestofk/plots").glob("*.py"), *(ROOT / "src/bestofk/reporting").glob("*.py")]
    at = {path.name: path.read_text().count("corrected by tests") for path in sources}
    written = {name for name, count in at.items() if count}
    assert written == {"sorted_by.py", "order_words.py"}
    assert order_title(demsar(prior=C45)) == "Order: preference corrected by tests"
