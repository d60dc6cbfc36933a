"""Advice on several measures: every code fires on one fixture and is silent on another."""

import numpy as np
import pytest

import bestofk as bk


def counts(rates, folds=10, positives=100, negatives=100, seed=0):
    """Scores of {learner: (tpr, fpr)}; positives and negatives may differ from fold to fold."""
    rng = np.random.default_rng(seed)
    p, n = (np.broadcast_to(each, folds) for each in (positives, negatives))
    table = []
    for tpr, fpr in rates.values():
        tp, fp = rng.binomial(p, tpr), rng.binomial(n, fpr)
        table.append(np.stack([tp, p - tp, fp, n - fp], axis=-1))
    found = np.array(table, dtype=float)[:, None, None]
    error = (found[..., 1] + found[..., 2]) / found.sum(axis=-1)
    return bk.Scores(learners=tuple(rates), values=error, counts=found, measure="error", larger_is_better=False)


def retrieved(negatives):
    """Equal precision and recall; with more negatives that nobody retrieves the second has a smaller fpr (Fig. 4a)."""
    one = counts({"few": (0.9, 0.2), "again": (0.9, 0.2)}, seed=1).counts[:1]
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
    "K130": ((counts(TWO), {"on": TF, "task": "retrieval"}), (counts(TWO), {"on": TF, "task": "detection"})),
    "K131": ((counts(TWO, negatives=900), {"on": TF}), (counts(TWO), {"on": TF})),
    "K132": ((counts(TWO, positives=UNEVEN), {"on": PR}), (counts(TWO), {"on": PR})),
    "K133": ((retrieved(3), {"on": TF}), (retrieved(1), {"on": TF})),
    "K134": ((counts(TWO), {"on": "confusion"}), (counts(TWO), {"on": TF})),
    "K135": ((counts(TWO, folds=5), {"on": TF}), (counts(TWO), {"on": TF})),
    "K136": ((counts(TWO), {"on": TF, "test": "hotelling"}), (counts(TWO), {"on": TF})),
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
    assert "MultiTF" in advice(counts(TWO), {"on": PR, "task": "detection"})["K130"].do
    assert "MultiPR" in advice(counts(TWO), {"on": TF, "task": "retrieval"})["K130"].do
    assert "K130" not in advice(counts(TWO), {"on": PR, "task": "retrieval"})


def test_a_task_that_is_said_needs_no_question():
    skewed = counts(TWO, negatives=900)
    assert "K131" in advice(skewed, {"on": PR})
    assert "K131" not in advice(skewed, {"on": PR, "task": "retrieval"})
    with pytest.raises(bk.InputError, match="task"):
        bk.judge(skewed, on=PR, task="fishing")


def test_the_pairs_that_would_turn_are_named():
    verdict = bk.judge(retrieved(3), on=TF)
    assert verdict.comparisons[0].significant
    assert not bk.judge(retrieved(3), on=PR).comparisons[0].significant
    assert "few and many" in advice(retrieved(3), {"on": TF})["K133"].seen


def test_one_measure_hears_none_of_this_advice():
    assert not {code for code in (each.code for each in bk.judge(counts(TWO)).advice) if code >= "K130"}
