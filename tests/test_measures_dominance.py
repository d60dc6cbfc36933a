"""Dominance in several measures: shown, adjusted, and held at its level; copies of measures found from the data."""

import numpy as np
import pytest
from bestofk.comparing.measures_compare import compare_measures
from bestofk.comparing.measures_dominance import different_measures

import bestofk as bk
from test_measures_verdict import columns, counts_of, over


def test_dominance_is_the_intersection_union_test():
    verdict = bk.judge(counts_of({"good": (0.95, 0.05), "bad": (0.6, 0.4), "near": (0.6, 0.06)}), on="tpr,fpr")
    clear, half = verdict.comparison.pair("good", "bad"), verdict.comparison.pair("good", "near")
    assert (clear.relation, half.relation) == ("first", "differ")
    rows = verdict.evidence.rows()

    def alone(a, b, measure, turn):
        one, two = turn * rows[a, :, measure], turn * rows[b, :, measure]
        return bk.stats.pairwise.corrected_t(one, two, test_fraction=0.1, alternative="less").pvalue

    raw = [2 * max(alone(0, b, 0, -1), alone(0, b, 1, 1)) for b in (1, 2)]
    assert [clear.dominance_pvalue, half.dominance_pvalue] == pytest.approx(raw)
    found = [pair.dominance_pvalue for pair in verdict.comparisons]
    adjusted = bk.stats.adjust.holm(found)
    assert [pair.dominance_adjusted for pair in verdict.comparisons] == pytest.approx(adjusted)
    said = repr(verdict)
    assert f"bad is dominated by good (p = {clear.dominance_adjusted:.2g})" in said
    assert "better in every measure, as one claim." in said
    assert "near is dominated" not in said


@pytest.mark.parametrize("adjust", ["bonferroni", "shaffer", "bergmann-hommel", "benjamini-hochberg"])
def test_dominance_is_adjusted_by_holm_whatever_adjusts_the_pairs(adjust):
    scores = counts_of({"a": (0.9, 0.1), "b": (0.85, 0.14), "c": (0.8, 0.2), "d": (0.9, 0.12)})
    pairs = bk.judge(scores, on="tpr,fpr", adjust=adjust).comparisons
    expected = bk.stats.adjust.holm([pair.dominance_pvalue for pair in pairs])
    assert [pair.dominance_adjusted for pair in pairs] == pytest.approx(expected)
    plain = bk.judge(scores, on="tpr,fpr", adjust="none").comparisons
    assert [pair.dominance_adjusted for pair in plain] == [pair.dominance_pvalue for pair in plain]


def test_far_better_in_one_measure_and_equal_in_the_other_is_no_dominance():
    """The edge of the null hypothesis: the relation of means declared every second pair dominating."""
    rng, found = np.random.default_rng(0), 0
    for _ in range(300):
        first, second = rng.normal(0, 1, (2, 10, 2))
        first[:, 0] -= 3 * np.sqrt(2)
        vectors = bk.read(columns(first, second, ("fpr", "fnr"), (False, False)), on="fpr,fnr")
        pair = compare_measures(vectors, test="hotelling").pairs[0]
        found += pair.dominating is not None
    assert found <= 27  # 99.9 % limit of 300 runs at 0.05


def test_who_is_ahead_in_every_mean_is_not_decided_by_that():
    verdict = bk.judge(counts_of({"good": (0.95, 0.05), "near": (0.6, 0.06)}), on="tpr,fpr")
    (pair,) = verdict.comparisons
    assert pair.significant
    assert all(test.better == "good" for test in pair.tests)
    assert (verdict.status, verdict.best, verdict.ordering.dominated_by) == ("tied", None, ())
    assert set(verdict.front) == {"good", "near"}
    assert verdict.ordering.plain_front == ("good",)  # the means alone would have it so
    assert verdict.ordering.edges == ()


def test_dominance_over_data_sets_is_that_of_one_sided_wilcoxon_tests():
    scores = over()
    pair = bk.judge(scores, on=("fpr", "fnr")).comparison.pair("a", "c")
    rows = np.stack([scores.values, scores.others["fnr"]], axis=-1).mean(axis=(2, 3))
    each = [bk.stats.pairwise.wilcoxon(rows[0, :, i], rows[2, :, i], alternative="less").pvalue for i in (0, 1)]
    assert pair.dominance_pvalue == pytest.approx(2 * max(each))
    assert pair.relation == "first"


# Copies of measures


def test_copies_are_found_from_the_data_and_not_from_their_p_values():
    rng = np.random.default_rng(1)
    first, second = rng.random((2, 8, 2))
    rows = np.stack([first, second])
    assert different_measures(rows) == 2
    assert different_measures(np.stack([rows[..., 0], 1 - 2 * rows[..., 0]], axis=-1)) == 1
    # The same p on the only pair, from other differences: two hypotheses, not one.
    turned = np.stack([rows[..., 0], rows[:, ::-1, 0]], axis=-1)
    assert different_measures(turned) == 2
    verdict = bk.judge(columns(turned[0], turned[1]), on="tpr,fpr")
    tests = verdict.comparisons[0].tests
    assert tests[0].pvalue == pytest.approx(tests[1].pvalue)
    assert tests[0].adjusted == pytest.approx(min(1, 2 * tests[0].pvalue))


def test_a_copy_on_one_pair_only_is_no_copy():
    rng = np.random.default_rng(2)
    rows = rng.random((3, 8, 2))
    rows[:2, :, 1] = rows[:2, :, 0]
    assert different_measures(rows) == 2
