"""Advice on several measures: every code fires on one fixture and is silent on another."""

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
from bestofk.stats.multivariate.flips import smallest_share
from makers_measures import THREE, codes, columns, counts_of, item_frame, over, over_sets, pairs_of


def retrieved(negatives):
    """Equal precision and recall; with more negatives that nobody retrieves the second has a smaller fpr (Fig. 4a)."""
    one = counts_of({"few": (0.9, 0.2), "again": (0.9, 0.2)}, seed=1).counts[:1]
    rng = np.random.default_rng(2)
    more = one.copy()
    more[..., 0] += rng.integers(-1, 2, more.shape[:-1])
    more[..., 1] = 100 - more[..., 0]
    more[..., 3] *= negatives
    both = np.concatenate([one, more])
    error = (both[..., 1] + both[..., 2]) / both.sum(axis=-1)
    return bk.Scores(learners=("few", "many"), values=error, counts=both, measure="error", larger_is_better=False)


TF, PR = "tpr,fpr", "precision,recall"


TWO = {"a": (0.9, 0.1), "b": (0.85, 0.1)}


UNEVEN = np.array([20, 50] * 5)


CASES = {
    "K130": ((counts_of(TWO), {"on": TF, "task": "retrieval"}), (counts_of(TWO), {"on": TF, "task": "detection"})),
    "K131": ((counts_of(TWO, negatives=900), {"on": TF}), (counts_of(TWO), {"on": TF})),
    "K132": ((counts_of(TWO, positives=UNEVEN), {"on": PR}), (counts_of(TWO), {"on": PR})),
    "K133": ((retrieved(3), {"on": TF}), (retrieved(1), {"on": TF})),
    "K134": ((counts_of(TWO), {"on": "confusion"}), (counts_of(TWO), {"on": TF})),
    "K135": ((counts_of(TWO, folds=5), {"on": TF}), (counts_of(TWO), {"on": TF})),
    "K136": ((counts_of(TWO), {"on": TF, "test": "hotelling"}), (counts_of(TWO), {"on": TF})),
}


def advice(evidence, options):
    return {each.code: each for each in bk.judge(evidence, **options).advice}


@pytest.mark.parametrize("code", CASES)
def test_fires_on_one_and_is_silent_on_another(code):
    fires, silent = CASES[code]
    said = advice(*fires)
    assert code in said
    assert repr(said[code]).endswith(".")
    assert ".." not in repr(said[code])
    assert code not in advice(*silent)


def test_detection_asks_for_rates_and_retrieval_for_precision():
    assert "MultiTF" in advice(counts_of(TWO), {"on": PR, "task": "detection"})["K130"].do
    assert "MultiPR" in advice(counts_of(TWO), {"on": TF, "task": "retrieval"})["K130"].do
    assert "K130" not in advice(counts_of(TWO), {"on": PR, "task": "retrieval"})


def test_a_task_that_is_said_needs_no_question():
    skewed = counts_of(TWO, negatives=900)
    assert "K131" in advice(skewed, {"on": PR})
    assert "K131" not in advice(skewed, {"on": PR, "task": "retrieval"})
    with pytest.raises(bk.InputError, match="task"):
        bk.judge(skewed, on=PR, task="fishing")


def test_the_pairs_that_would_turn_are_named():
    verdict = bk.judge(retrieved(3), on=TF)
    assert pairs_of(verdict)[0].significant
    assert not pairs_of(bk.judge(retrieved(3), on=PR))[0].significant
    assert "few and many" in advice(retrieved(3), {"on": TF})["K133"].seen


def test_one_measure_hears_none_of_this_advice():
    assert not {code for code in (each.code for each in bk.judge(counts_of(TWO)).advice) if code >= "K130"}


def test_the_measure_that_decides_is_not_advised_away():
    rows = np.random.default_rng(0).random((8, 2))
    verdict = bk.judge(columns(rows, rows * [1, 0] + [0.0, 0.1] + rows * [0, 1]), on="tpr,fpr")
    assert pairs_of(verdict)[0].statistic == np.inf
    assert "K134" not in codes(verdict)


def test_one_measure_varies_in_the_singular():
    rng = np.random.default_rng(0)
    first, second = rng.random((2, 8, 2))
    first[:, 1] = second[:, 1] = 0.5
    assert "of 2 measures 1" in codes(bk.judge(columns(first, second), on="tpr,fpr"))["K134"].seen


def test_too_few_data_sets_to_show_anything():
    few = codes(bk.judge(over(5), on=("fpr", "fnr")))["K135"]
    assert "5 data sets cannot show any difference between 3 learners" in few.seen
    assert f"p = {3 * 2**-4:.2g} at best" in few.seen
    assert "least 7 data sets" in few.do
    single = codes(bk.judge(over(7), on=("fpr", "fnr")))["K135"]
    assert "show that learners differ" in single.seen
    assert f"p = {3 * 2 * 2**-6:.2g} at best" in single.seen
    assert "least 8 data sets" in single.do
    assert "K135" not in codes(bk.judge(over(8), on=("fpr", "fnr")))
    assert "K135" not in codes(bk.judge(over(6), on=("fpr", "fnr"), adjust="none"))


def test_rare_positives_are_seen_on_data_sets_with_different_numbers_of_folds():
    rng = np.random.default_rng(0)
    tp = rng.integers(5, 10, (2, 6, 1, 4)).astype(float)
    counts = np.stack([tp, 10 - tp, tp, 190 - tp], axis=-1)
    planned = np.ones((6, 1, 4), dtype=bool)
    planned[0, 0, 3] = False
    counts[:, ~planned] = np.nan
    error = (counts[..., 1] + counts[..., 2]) / counts.sum(axis=-1)
    scores = bk.Scores(learners=("a", "b"), datasets=tuple("uvwxyz"), values=error, counts=counts, planned=planned,
                       measure="error", larger_is_better=False)  # fmt: skip
    assert "5 % of the rows are positive" in codes(bk.judge(scores, on="tpr,fpr"))["K131"].seen


TWO_CUTS = "tpr@0.3,fpr@0.3,tpr@0.6,fpr@0.6"


def test_few_folds_cannot_show_differences_at_several_thresholds():
    verdict = bk.judge(item_frame(folds=6), on=TWO_CUTS)
    assert verdict.comparison.test == "threshold-test"
    smallest = 3 * 2.0**-5  # 3 pairs, 6 folds
    assert min(pair.adjusted for pair in pairs_of(verdict)) >= smallest > verdict.alpha
    found = codes(verdict)["K135"]
    assert (
        f"6 folds cannot show any difference between 3 learners: signs dealt anew give p = {smallest:.2g}" in found.seen
    )
    assert "at least 7 folds" in found.do
    assert "K135" not in codes(bk.judge(item_frame(folds=7), on=TWO_CUTS))
    assert "K135" not in codes(bk.judge(item_frame(("a", "b"), folds=6), on=TWO_CUTS))


def test_signs_of_few_data_sets_show_no_single_measure():
    rng = np.random.default_rng(0)
    rows = [
        {"learner": name, "dataset": f"d{d}", "accuracy": 0.7 + 0.02 * k + rng.normal(0, 0.001), "size": 10 + 5 * k}
        for d in range(8)
        for k, name in enumerate("abcd")
    ]
    verdict = bk.judge(pd.DataFrame(rows), on="accuracy,size")
    assert {pair.relation for pair in pairs_of(verdict)} == {"differ"}
    assert not any(part.significant for pair in pairs_of(verdict) for part in pair.parts)
    advice = {each.code: each for each in verdict.advice}["K135"]
    assert "8 data sets can show that learners differ, but in no single measure" in advice.seen
    assert f"p = {6 * 2 * 2**-7:.2g} at best" in advice.seen


def test_the_smallest_share_of_signs():
    assert smallest_share(17) == 2.0**-16
    assert smallest_share(18) == 1 / 10_001
    many = over_sets(36, 20, lambda k, d: (0.5 + 0.01 * k + 0.001 * d, 0.4 - 0.001 * k + 0.002 * d))
    advice = {each.code: each for each in bk.judge(many, on="tpr,fpr").advice}["K135"]
    assert f"p = {630 / 10_001:.2g} at best" in advice.seen
    assert advice.do == "compare fewer learners, or choose a larger alpha"


def test_advice_on_signs_is_never_empty():
    rows = [
        {"learner": name, "dataset": f"d{d}", "tpr": 0.5 + 0.1 * k + 0.01 * d, "fpr": 0.2 + 0.003 * d * k}
        for k, name in enumerate("ab")
        for d in range(4)
    ]
    advice = {each.code: each for each in bk.judge(pd.DataFrame(rows), on="tpr,fpr", alpha=1e-6).advice}["K135"]
    assert "at least 21 data sets" in advice.do or "larger alpha" in advice.do


def test_a_difference_without_spread_is_warned_of():
    first = np.column_stack([np.full(4, 0.9), [0.1, 0.2, 0.1, 0.3]])
    second = np.column_stack([np.full(4, 0.8), [0.2, 0.1, 0.1, 0.2]])
    verdict = bk.judge(columns(first, second), on="tpr,fpr")
    assert pairs_of(verdict)[0].pvalue == 1  # of fewer than six folds
    assert "4 folds" in codes(verdict)["K115"].seen
    assert "K115" not in codes(bk.judge(counts_of(THREE), on="tpr,fpr"))
