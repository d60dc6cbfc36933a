"""Whether any outcome at all could have been significant: a winner, at alpha; or a pair, after the adjustment."""

from math import comb

import numpy as np
import pytest
from scipy import stats

import bestofk as bk
from bestofk.reporting.tables import comparison_table
from makers import codes, curves, folds, items, over_datasets, runs, separated, table

BASE = np.linspace(0.1, 0.2, 6)

NOTHING = [
    BASE,
    BASE + 0.01 * np.array([1, -1, 1, -1, 1, -1.5]),
    BASE + 0.012 * np.array([-1, 1.1, 1, -1.2, 1, -1]),
]

APART = [BASE, BASE + 0.05 + 0.001 * np.arange(6), BASE + 0.1 + 0.003 * np.arange(6)]

#: Of three pairs by Wilcoxon on six data sets each has p ≥ 1/32; these show three such pairs together at 0.05 …
SHOWN_TOGETHER = ["benjamini-hochberg", "hochberg", "hommel", "li"]

#: … and these show none: about 3/32, by Benjamini and Yekutieli (1 + 1/2 + 1/3)/32.
NEVER_SHOWN = ["bonferroni", "holm", "shaffer", "bergmann-hommel", "holland", "finner", "benjamini-yekutieli"]

BOTH = [*((name, True) for name in SHOWN_TOGETHER), *((name, False) for name in NEVER_SHOWN)]


@pytest.mark.parametrize(("adjust", "together"), BOTH)
def test_a_winner_needs_no_family(adjust, together):
    clear = bk.judge(over_datasets(APART), test="wilcoxon", adjust=adjust)
    assert (clear.status, clear.best, clear.best_set) == ("decided", "a", ("a",))
    assert (clear.comparison.adjusted <= clear.alpha).tolist() == [together] * 3
    assert clear.comparison.pvalue.tolist() == [2 * 0.5**6] * 3
    assert clear.decidable
    assert "K102" not in codes(clear)


@pytest.mark.parametrize(("adjust", "together"), BOTH)
def test_what_pairs_can_show_only_together(adjust, together):
    verdict = bk.judge(over_datasets(NOTHING), test="wilcoxon", adjust=adjust)
    assert (verdict.status, verdict.best_set) == ("tied", verdict.order)
    assert verdict.decidable
    assert "K119" in codes(verdict)
    assert "K102" not in codes(verdict)
    assert verdict.detectable.beside_others == together
    assert {pair.seen for pair in verdict.detectable.pairs} == {np.inf}  # of a pair by itself


@pytest.mark.parametrize(("adjust", "together"), BOTH)
def test_questions_of_one_side_are_decidable_as_a_family(adjust, together):
    """One-sided p ≥ 1/32 on five data sets, as two-sided on six."""
    rows = [row[:5] for row in APART]
    verdict = bk.judge(over_datasets(rows), test="wilcoxon", adjust=adjust, prior=list("cba"), sides="one")
    assert verdict.comparison.smallest == 0.5**5
    assert verdict.decidable == together
    assert (verdict.status == "decided") == together
    assert ("K102" in codes(verdict)) != together


@pytest.mark.parametrize("adjust", SHOWN_TOGETHER)
def test_five_data_sets_show_nothing_by_any_adjustment(adjust):
    verdict = bk.judge(over_datasets([row[:5] for row in APART]), test="wilcoxon", adjust=adjust)
    assert "K102" in codes(verdict)
    assert not verdict.decidable
    assert not verdict.detectable.beside_others


@pytest.mark.parametrize(("datasets", "possible"), [(5, False), (6, True)])
def test_six_data_sets_are_the_fewest_of_wilcoxon(datasets, possible):
    verdict = bk.judge(table(2, datasets, gap=10.0, spread=0.01), test="wilcoxon")
    assert (verdict.status == "decided") == verdict.decidable == possible
    assert verdict.comparison.smallest == 2 * 0.5**datasets
    assert ("K102" in codes(verdict)) != possible


def test_curves_are_decidable_where_enough_ways_to_deal_them_exist():
    rng = np.random.default_rng(0)
    for number, smallest in ((3, 2 / 20), (4, 2 / 70)):
        lines = [rng.normal(0.3, 0.02, (number, 1)) + rng.normal(0, 0.001, (number, 5)) for _ in "abc"]
        verdict = bk.judge(curves(lines), test="welch-permutation")
        assert verdict.comparison.smallest == pytest.approx(smallest)
        assert verdict.decidable == (smallest <= 0.05)
        assert ("K102" in codes(verdict)) == (smallest > 0.05)


@pytest.mark.parametrize(("evidence", "possible"), [
    (table(2, 3, gap=10.0, spread=0.01), False),  # 2 degrees of freedom
    (table(2, 4, gap=10.0, spread=0.01), True),
    (folds(separated(2, (1, 3))), False),
    (folds(separated(2, (1, 4))), True),
    (curves(separated(2, (2, 3))), False),
    (curves([separated(2, (3, 3))[0], separated(2, (2, 3))[1]]), False),  # two runs, however many the other has
    (curves(separated(2, (3, 3))), True),
])  # fmt: skip
def test_three_degrees_of_freedom_are_the_fewest_of_student_s_t(evidence, possible):
    verdict = bk.judge(evidence)
    assert verdict.comparison.degenerate.tolist() == [not possible]
    assert (verdict.status, verdict.best) == (("decided", "a") if possible else ("undecided", None))
    assert ("K102" in codes(verdict)) != possible
    if not possible:
        assert verdict.comparison.pvalue.tolist() == [1.0]
        assert bk.judge(evidence, prior=["b", "a"]).status == "undecided"


@pytest.mark.parametrize(("units", "certain"), [(4, False), (5, False), (6, True)])
@pytest.mark.parametrize("make", [over_datasets, lambda rows: folds(np.array(rows)[:, None])])
def test_a_difference_without_variance_needs_six_units(make, units, certain):
    """Scores of two digits often differ by the same amount on a few units."""
    hard = np.round(np.linspace(0.21, 0.33, units), 2)
    verdict = bk.judge(make([hard, hard + 0.01]), test="auto" if make is not over_datasets else "paired-t")
    assert verdict.comparison.degenerate.tolist() == [not certain]
    assert (verdict.status, verdict.best) == (("decided", "a") if certain else ("undecided", None))
    assert verdict.comparison.pvalue.tolist() == [2.0**-5 if certain else 1.0]  # of six signs
    assert "K115" in codes(verdict)
    assert verdict.comparison.pair("a", "b").significant == certain


@pytest.mark.parametrize("sides", ["two", "one"])
@pytest.mark.parametrize("make", [over_datasets, runs])
def test_a_difference_without_variance_is_no_surer_than_its_signs(make, sides):
    """Of three pairs none passes Holm's first step by six signs, unless on one side; by six runs dealt each does."""
    rows = np.array([[0.8] * 6, [0.81] * 6, [0.83] * 6])
    options = {"prior": ["c", "b", "a"], "sides": sides} if sides == "one" else {}
    found = bk.judge(make(rows), test="paired-t" if make is over_datasets else "welch-t", **options).comparison
    rarest, shown = 0.5**6 if make is over_datasets else 1 / comb(12, 6), make is runs or sides == "one"
    assert found.pvalue == pytest.approx([2 * rarest if sides == "two" else rarest] * 3)
    assert found.significant.tolist() == [shown] * 3
    assert ((found.low <= 0) & (found.high >= 0)).tolist() == [not shown] * 3


def test_two_data_sets_of_equal_differences_are_undecided():
    for prior in (None, ["b", "a"]):
        verdict = bk.judge(over_datasets([[0.71, 0.84], [0.73, 0.86]]), prior=prior)
        assert (verdict.status, verdict.best, verdict.best_set) == ("undecided", None, ("a", "b"))
        pair = verdict.comparison.pair("a", "b")
        assert (pair.pvalue, pair.low, pair.high) == (1.0, -np.inf, np.inf)


def test_a_pair_that_cannot_be_tested_leaves_others_alone():
    """a and b differ by the same amount everywhere; c is far behind both, by amounts that vary."""
    hard = np.round(np.linspace(0.21, 0.33, 5), 2)
    rows = [hard, hard + 0.01, hard + 0.3 + 0.01 * np.array([1, -2, 0, 2, -1])]
    verdict = bk.judge(over_datasets(rows), test="paired-t")
    assert dict(zip(verdict.comparison.pairs, verdict.comparison.degenerate.tolist(), strict=True)) == {
        ("a", "b"): True, ("a", "c"): False, ("b", "c"): False,
    }  # fmt: skip
    assert (verdict.status, verdict.best_set) == ("undecided", ("a", "b"))
    assert verdict.comparison.shows("a", "c")
    assert verdict.comparison.shows("b", "c")


def test_too_few_items_in_disagreement_is_not_too_few_results():
    wrong = np.zeros((2, 80))
    wrong[0, :2] = wrong[1, 2:4] = 1.0
    verdict = bk.judge(items(wrong, measure="error", larger_is_better=False))
    assert verdict.decidable
    assert "K119" in codes(verdict)


def test_what_is_not_tested_has_no_p_and_is_not_said_to_have_one():
    verdict = bk.judge(over_datasets([[0.155, 0.09, 0.223], [0.191, 0.13, 0.255]]))
    assert (verdict.status, verdict.decidable, verdict.test) == ("undecided", False, "paired-t")
    (said,) = [each for each in verdict.advice if each.code == "K102"]
    assert "no pair is tested" in said.seen
    assert "p =" not in said.seen
    assert "4 data sets" in said.do
    table = comparison_table(verdict.comparison)
    assert not {"low", "high", "p", "adjusted p"} & set(table.columns)
    assert table.rows[0][-1] == "not tested"
    assert verdict.two_learners is None


def gaps(lacking, datasets=12, learners=4):
    """A table in which the last learner lacks so many data sets."""
    values = 0.3 + 0.05 * np.random.default_rng(3).normal(size=(learners, datasets))
    values[-1, datasets - lacking :] = np.nan
    return over_datasets(values)


@pytest.mark.parametrize(("lacking", "decidable"), [(6, True), (7, False), (8, False)])
def test_nobody_is_best_who_cannot_be_shown_better_than_one_learner(lacking, decidable):
    """On six data sets p is 2/2⁶ at best, on five 2/2⁵: over alpha, however many data sets the others share."""
    verdict = bk.judge(gaps(lacking), missing="keep", test="wilcoxon")
    assert (2 * 0.5 ** (12 - lacking) <= 0.05) == decidable
    assert verdict.decidable == decidable
    assert ("K102" in codes(verdict)) != decidable
    assert decidable or verdict.status == "undecided"
    assert verdict.comparison.shared.tolist() == [12, 12, 12 - lacking, 12, 12 - lacking, 12 - lacking]


def test_pairs_with_a_control_are_decidable_one_by_one():
    evidence = gaps(8)
    assert bk.judge(evidence, missing="keep", test="wilcoxon", control="a").decidable
    assert not bk.judge(evidence, missing="keep", test="wilcoxon", control="d").decidable


def test_a_table_of_pairs_says_how_many_data_sets_each_has():
    table_of = comparison_table(bk.compare(gaps(8), missing="keep", test="wilcoxon"))
    place = table_of.columns.index("n")
    assert [row[place] for row in table_of.rows] == ["12", "12", "4", "12", "4", "4"]
    assert "n" not in comparison_table(bk.compare(gaps(0))).columns


@pytest.mark.parametrize("groups", [4, 5])
@pytest.mark.parametrize(
    "options", [{}, {"alpha": 0.2}, {"test": "paired-t"}, {"test": "paired-t", "prior": ["b", "a"]}]
)
def test_fewer_than_six_groups_show_nothing_by_any_test(groups, options):
    rng = np.random.default_rng(0)
    values = np.stack([1.0 + 0.1 * rng.random(40), 0.1 * rng.random(40)])
    evidence = items(values, measure="score", groups=tuple(f"g{i % groups}" for i in range(40)))
    verdict = bk.judge(evidence, **options)
    assert (verdict.status, verdict.best, verdict.decidable) == ("undecided", None, False)
    assert set(verdict.best_set) == {"a", "b"}
    assert "K102" in codes(verdict)
    assert f"{groups} groups" in next(each.seen for each in verdict.advice if each.code == "K102")
    pair = verdict.comparison.pair("a", "b")
    assert (pair.pvalue, pair.low, pair.high) == (1.0, -np.inf, np.inf)
    assert bk.judge(evidence, groups="fixed", **options).best == "a"


@pytest.mark.parametrize("runs", [(10, 10), (10, 9), (30, 30), (3, 3)])
def test_the_smallest_p_of_dealings_does_not_depend_on_draws(runs):
    rng = np.random.default_rng(0)
    values = tuple(rng.random(number) for number in runs)
    evidence = bk.Runs(learners=("a", "b"), values=values, measure="accuracy", larger_is_better=True)
    found = [bk.compare(evidence, test="welch-permutation", seed=seed).smallest for seed in (0, 1)]
    ways = comb(sum(runs), runs[0]) // (2 if runs[0] == runs[1] else 1)  # all runs swapped are as extreme
    assert found == pytest.approx([1 / ways] * 2)


@pytest.mark.parametrize("control", [None, "a"])
@pytest.mark.parametrize(("datasets", "learners"), [(2, 3), (3, 3), (6, 4)])
def test_the_smallest_p_of_mean_ranks_is_that_of_data_sets_that_agree(datasets, learners, control):
    rows = np.arange(learners)[:, None] / 10 + 0.001 * np.arange(datasets)
    comparison = bk.compare(over_datasets(rows), test="nemenyi", control=control)
    error = np.sqrt(learners * (learners + 1) / (6 * datasets))
    gap = (learners - 1) / error
    exact = stats.studentized_range.sf(gap * np.sqrt(2), learners, np.inf)
    dunn = min(1.0, (learners - 1) * 2 * stats.norm.sf(gap))
    assert comparison.smallest == pytest.approx(exact if control is None else dunn, rel=1e-6)
    assert comparison.smallest == pytest.approx(comparison.pvalue.min())
    assert comparison.decidable == (comparison.smallest <= 0.05)
