"""Better in every measure: shown by an intersection–union test, adjusted, held at its level; copies of measures."""

import numpy as np
import pytest

import bestofk as bk
from makers_measures import columns, counts_of, over, pairs_of


def test_dominance_is_the_intersection_union_test():
    verdict = bk.judge(counts_of({"good": (0.95, 0.05), "bad": (0.6, 0.4), "near": (0.6, 0.06)}), on="tpr,fpr")
    clear, half = verdict.comparison.pair("good", "bad"), verdict.comparison.pair("good", "near")
    assert (clear.relation, half.relation) == ("first", "differ")
    rows = verdict.evidence.rows()

    def alone(a, b, measure, turn):
        one, two = turn * rows[a, :, measure], turn * rows[b, :, measure]
        return bk.stats.pairwise.corrected_t(one, two, test_fraction=0.1, alternative="less").pvalue

    raw = [2 * max(alone(0, b, 0, -1), alone(0, b, 1, 1)) for b in (1, 2)]
    assert [clear.vector.dominance_pvalue, half.vector.dominance_pvalue] == pytest.approx(raw)
    found = [pair.vector.dominance_pvalue for pair in pairs_of(verdict)]
    adjusted = bk.stats.adjust.holm(found)
    assert [pair.vector.dominance_adjusted for pair in pairs_of(verdict)] == pytest.approx(adjusted)
    assert verdict.comparison.shows("good", "bad")
    assert not verdict.comparison.shows("good", "near")


@pytest.mark.parametrize("adjust", ["bonferroni", "shaffer", "bergmann-hommel", "benjamini-hochberg"])
def test_dominance_is_adjusted_by_holm_whatever_adjusts_the_pairs(adjust):
    scores = counts_of({"a": (0.9, 0.1), "b": (0.85, 0.14), "c": (0.8, 0.2), "d": (0.9, 0.12)})
    pairs = pairs_of(bk.judge(scores, on="tpr,fpr", adjust=adjust))
    expected = bk.stats.adjust.holm([pair.vector.dominance_pvalue for pair in pairs])
    assert [pair.vector.dominance_adjusted for pair in pairs] == pytest.approx(expected)
    plain = pairs_of(bk.judge(scores, on="tpr,fpr", adjust="none"))
    assert [pair.vector.dominance_adjusted for pair in plain] == [pair.vector.dominance_pvalue for pair in plain]


def test_far_better_in_one_measure_and_equal_in_the_other_is_no_dominance():
    """The edge of the null hypothesis: the relation of means declared every second pair dominating."""
    rng, found = np.random.default_rng(0), 0
    for _ in range(300):
        first, second = rng.normal(0, 1, (2, 10, 2))
        first[:, 0] -= 3 * np.sqrt(2)
        vectors = bk.read(columns(first, second, ("fpr", "fnr"), (False, False)), on="fpr,fnr")
        pair = bk.compare(vectors, test="hotelling").pair("a", "b")
        found += pair.shown is not None
    assert found <= 27  # 99.9 % limit of 300 runs at 0.05


def test_who_is_ahead_in_every_mean_is_not_decided_by_that():
    verdict = bk.judge(counts_of({"good": (0.95, 0.05), "near": (0.6, 0.06)}), on="tpr,fpr")
    (pair,) = pairs_of(verdict)
    assert pair.significant
    assert all(test.better == "good" for test in pair.parts)
    assert (verdict.status, verdict.best) == ("tied", None)
    assert not verdict.comparison.shown.any()
    assert set(verdict.best_set) == {"good", "near"}
    assert verdict.measure_orders.plain_front == ("good",)  # the means alone would have it so
    assert verdict.ordering.edges == ()


def test_dominance_over_data_sets_is_that_of_one_sided_wilcoxon_tests():
    scores = over()
    pair = bk.judge(scores, on=("fpr", "fnr")).comparison.pair("a", "c")
    rows = np.stack([scores.values, scores.others["fnr"]], axis=-1).mean(axis=(2, 3))
    each = [bk.stats.pairwise.wilcoxon(rows[0, :, i], rows[2, :, i], alternative="less").pvalue for i in (0, 1)]
    assert pair.vector.dominance_pvalue == pytest.approx(2 * max(each))
    assert pair.relation == "first"


def factor(rows):
    """How often a p value of a measure is counted, of the first pair; ``rows`` is (learners, folds, measures)."""
    values = rows[:, None, None]
    scores = bk.Scores(learners=tuple("abc"[: len(rows)]), values=values[..., 0], measure="tpr", larger_is_better=True,
                       others={"fpr": values[..., 1]})  # fmt: skip
    part = pairs_of(bk.judge(scores, on="tpr,fpr", adjust="bonferroni"))[0].parts[0]
    return part.adjusted / part.pvalue


def close(rng, learners=2):
    """Learners that differ a little, so that no adjusted p is cut at 1."""
    return (
        rng.normal(0.5, 0.1, (1, 8, 2))
        + 0.02 * np.arange(learners)[:, None, None]
        + rng.normal(0, 0.01, (learners, 8, 2))
    )


def test_copies_are_found_from_the_data_and_not_from_their_p_values():
    rows = close(np.random.default_rng(1))
    assert factor(rows) == pytest.approx(2)
    assert factor(np.stack([rows[..., 0], 1 - rows[..., 0] / 2], axis=-1)) == pytest.approx(1)
    # The same p on the only pair, from other differences: two hypotheses, not one.
    assert factor(np.stack([rows[..., 0], rows[:, ::-1, 0]], axis=-1)) == pytest.approx(2)


def test_a_copy_on_one_pair_only_is_no_copy():
    rows = close(np.random.default_rng(2), learners=3)
    rows[:2, :, 1] = rows[:2, :, 0]
    assert factor(rows) == pytest.approx(3 * 2)
    rows[2, :, 1] = rows[2, :, 0]
    assert factor(rows) == pytest.approx(3)
