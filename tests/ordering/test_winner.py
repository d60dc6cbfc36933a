"""The winner, and the set of the best: who passes a test against each other one, who is beaten by nobody."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats

import bestofk as bk
from bestofk.ordering.methods import best_set_of, winner_of
from makers import over_datasets

CIRCLE = np.tile([[0.1, 0.3, 0.2], [0.2, 0.1, 0.3], [0.3, 0.2, 0.1]], (1, 20))


def sign_pvalue(gap):
    return scipy.stats.binomtest(int((gap > 0).sum()), int((gap != 0).sum())).pvalue


#: Two-sided p of the differences, whether learners are listed by mean rank, and what says who is ahead.
BY_SCIPY = {
    "paired-t": (lambda gap: scipy.stats.ttest_1samp(gap, 0.0).pvalue, False, np.mean),
    "wilcoxon": (lambda gap: scipy.stats.wilcoxon(gap).pvalue, True, lambda gap: np.sum(signed_ranks(gap))),
    "sign": (sign_pvalue, True, lambda gap: np.sign(gap).sum()),
}


def signed_ranks(gap):
    return np.sign(gap) * scipy.stats.rankdata(np.abs(gap))


def expected_winner(rows, test, alpha):
    """Place of the learner with the best mean, or mean rank, if scipy's test says that it beats each other one."""
    pvalue, ranks, ahead = BY_SCIPY[test]
    first = int(np.argmin(scipy.stats.rankdata(rows, axis=0).mean(axis=1) if ranks else rows.mean(axis=1)))
    gaps = [rows[other] - rows[first] for other in range(len(rows)) if other != first]
    return first if all(pvalue(gap) <= alpha and ahead(gap) > 0 for gap in gaps) else None


@pytest.mark.parametrize("adjust", ["holm", "bonferroni", "none"])
@pytest.mark.parametrize("test", BY_SCIPY)
def test_the_winner_beats_each_other_one_without_adjustment(test, adjust):
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(25):
        k, alpha = int(rng.integers(2, 6)), float(rng.choice([0.05, 0.1]))
        rows = 0.3 + 0.02 * rng.normal(size=(k, 14))
        rows[int(rng.integers(k))] -= rng.choice([0.0, 0.02, 0.03])
        verdict = bk.judge(over_datasets(rows), test=test, adjust=adjust, alpha=alpha)
        place = expected_winner(rows, test, alpha)
        winner = None if place is None else "abcde"[place]
        assert winner_of(verdict.comparison) == winner
        assert (verdict.status == "decided") == (winner is not None)
        assert verdict.best == winner
        if winner is not None:
            assert verdict.best_set == (winner,)
            assert verdict.order[0] == winner
            reasons = {verdict.reason(winner, name).ground for name in verdict.order[1:]}
            assert reasons <= {"significant", "winner"}
            seen |= reasons
        seen.add(winner is None)
    assert {True, False} <= seen
    assert ("winner" in seen) == (adjust != "none")  # some pair was not shown in the family


def test_a_winner_needs_the_best_mean_rank_where_the_test_ranks():
    """b is a little better on ten data sets, and much worse on two: the mean is a's, the ranks are b's."""
    a = np.linspace(0.2, 0.4, 14)
    b = a - 0.01 - 0.001 * np.arange(14)
    b[:2] += 0.5
    verdict = bk.judge(over_datasets([a, b]), test="sign")
    assert verdict.means["a"] < verdict.means["b"]
    assert verdict.comparison.mean_ranks == {"a": 1 + 12 / 14, "b": 1 + 2 / 14}
    assert (verdict.status, verdict.best, verdict.order) == ("decided", "b", ("b", "a"))
    assert bk.judge(over_datasets([a, b]), test="paired-t").order == ("a", "b")


def unbeaten(worse):
    """Beaten by nobody; where that is nobody, those who can answer, over others, everyone who can reach them."""
    k = len(worse)
    alone = {i for i in range(k) if not worse[i].any()}
    if alone:
        return alone

    def reached(start):
        found, left = set(), [start]
        while left:
            here = left.pop()
            for better in np.flatnonzero(worse[here]).tolist():
                if better not in found:
                    found.add(better)
                    left.append(better)
        return found

    above = [reached(i) for i in range(k)]
    return {i for i in range(k) if all(i in above[better] for better in above[i])}


def test_the_set_of_the_best_is_never_empty():
    rng = np.random.default_rng(0)
    kinds = set()
    for _ in range(400):
        k = int(rng.integers(2, 8))
        upper = np.triu(rng.random((k, k)) < rng.choice([0.2, 0.6, 1.0]), 1)
        turned = np.triu(rng.random((k, k)) < 0.5, 1)
        better = np.where(turned, upper, False) | np.where(turned, False, upper).T  # the row beats the column
        names = tuple("abcdefgh"[:k])
        found = best_set_of(SimpleNamespace(shown=better, learners=names), names[::-1])
        assert set(found) == {names[i] for i in unbeaten(better.T)}
        assert found == tuple(name for name in names[::-1] if name in found)
        assert found
        kinds.add((len(found) == k, bool((~better.any(axis=0)).any())))
    assert kinds == {(True, True), (True, False), (False, True), (False, False)}  # circles of all, of some; and none


@pytest.mark.parametrize("prior", [None, list("dcba"), list("bdac")])
def test_a_circle_of_differences_is_the_set_of_the_best(prior):
    """Each of a, b, c beats the next on two data sets of three; d is behind all of them."""
    rows = np.vstack([CIRCLE, CIRCLE.max(axis=0) + 0.1])
    verdict = bk.judge(over_datasets(rows), test="sign", prior=prior)
    assert set(verdict.best_set) == set("abc")
    assert verdict.order[-1] == "d"
    assert verdict.status == ("tied" if prior is None else "preferred")
    assert verdict.best == (None if prior is None else next(name for name in prior if name != "d"))
    assert {verdict.rank_intervals[name] for name in "abc"} == {(1, 3)}
    assert verdict.rank_intervals["d"] == (4, 4)
