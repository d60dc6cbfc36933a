"""Verdicts from random evidence: the fields follow from the tests, run anew."""

from itertools import combinations

import numpy as np
import pytest

import bestofk as bk
from bestofk.comparing import sample_of
from bestofk.stats.adjust import ADJUST
from bestofk.stats.curves import randomized_t
from bestofk.stats.method import method_of
from bestofk.stats.pairwise import PAIRWISE
from makers import random_case, slow


def called(verdict, evidence, one, two):
    """Raw p (two-sided, first loses less, first loses more) of a pair, by the test called directly."""
    sample = sample_of(evidence)
    i, j = sample.learners.index(one), sample.learners.index(two)
    sides = ("two-sided", "less", "greater")
    if verdict.test == "nemenyi":
        pair = verdict.comparison.pair(one, two)
        return pair.pvalue, pair.pvalue, pair.pvalue
    if verdict.test == "randomized-t":
        return tuple(randomized_t(sample.curves[i], sample.curves[j], alternative=s, rng=0).pvalue for s in sides)
    run = PAIRWISE[verdict.test]
    losses = sample.rows if method_of(run).axes == 1 else sample.losses
    first, second = losses[i], losses[j]
    if sample.incomplete:
        both = ~np.isnan(first) & ~np.isnan(second)
        first, second = first[both], second[both]
    options = {"rng": 0} if method_of(run).seeded else {}
    return tuple(run(first, second, alternative=s, **options).pvalue for s in sides)


def check_comparison(verdict, found):
    """Raw p, the side that the test speaks for, and the adjusted decision."""
    comparison = verdict.comparison
    raw = np.array([p for p, _, _ in found.values()])
    np.testing.assert_allclose(comparison.pvalue, raw, rtol=1e-12)
    if verdict.test != "nemenyi":
        np.testing.assert_allclose(comparison.adjusted, ADJUST[comparison.adjust](raw), rtol=1e-9)
        for (one, two), (_, less, greater) in found.items():
            better = one if less < greater else two if greater < less else None
            assert comparison.pair(one, two).better == better
    for one, two in comparison.pairs:
        pair = comparison.pair(one, two)
        assert pair.significant == (pair.adjusted <= verdict.alpha and pair.better is not None)


def shown(verdict, better, worse):
    pair = verdict.comparison.pair(better, worse)
    return pair.significant and pair.better == better


def check_status(verdict):
    """Who stands beside or above the first, the status that follows, and the best that it allows."""
    first, *others = verdict.order
    beaten_by = {name for name in others if shown(verdict, name, first)}
    apart = {name for name in others if shown(verdict, first, name)}
    assert set(verdict.beaten_by) == beaten_by
    assert set(verdict.rivals) == set(others) - apart - beaten_by
    assert verdict.best_set == tuple(
        name
        for name in verdict.order
        if not any(shown(verdict, other, name) for other in verdict.order if other != name)
    )
    alone = apart == set(others) and verdict.ordering.method != "multi2test"
    open_case = "tied" if verdict.prior is None or verdict.beaten_by else "preferred"
    silent = verdict.ordering.best is None or not verdict.comparison.decidable
    assert verdict.status == ("undecided" if silent else "decided" if alone else open_case)
    assert verdict.best == (first if verdict.status in ("decided", "preferred") else None)
    assert ("K102" in {advice.code for advice in verdict.advice}) == (not verdict.comparison.decidable)
    if not verdict.comparison.decidable:  # nothing can be significant, so nothing is
        assert not any(verdict.comparison.pair(*names).significant for names in verdict.comparison.pairs)


def check_order(verdict, evidence):
    """By mean without a preference or where nothing could be shown; otherwise by what is shown against it."""
    assert sorted(verdict.order) == sorted(evidence.learners)
    means, sign = verdict.comparison.means, -1 if evidence.larger_is_better else 1
    if not sample_of(evidence).incomplete:
        assert means == evidence.means()
    if verdict.prior is None or verdict.status == "undecided":
        assert [sign * means[name] for name in verdict.order] == sorted(sign * mean for mean in means.values())
        return
    edges, place = set(verdict.ordering.edges), verdict.order.index
    assert all(place(head) < place(tail) for tail, head in edges)
    if verdict.ordering.method == "multitest":
        assert edges == {pair for pair in combinations(verdict.prior, 2) if shown(verdict, *pair[::-1])}
        assert verdict.order[0] in verdict.possible_best
        assert tuple(name for name, _ in verdict.overtaken) == verdict.prior[: verdict.prior.index(verdict.order[0])]


def check_reason(reason, verdict):
    """What a reason claims is what the comparison says; ranks speak only where it is silent."""
    better, worse = reason.better, reason.worse
    assert reason.pvalue == verdict.comparison.pair(better, worse).adjusted
    assert (reason.ground == "significant") == shown(verdict, better, worse)
    assert (reason.ground == "against") == shown(verdict, worse, better)
    if reason.ground == "ranked":
        assert verdict.ordering.method == "multi2test"
        assert (worse, better) in verdict.ordering.edges
    if reason.ground in ("mean", "found") and verdict.status != "undecided":
        assert verdict.ordering.ranks is None
        assert verdict.prior is None or verdict.ordering.method != "multitest"
    if reason.ground in ("ranked", "graph"):
        assert verdict.prior.index(better) > verdict.prior.index(worse)
    if reason.ground == "preferred":
        assert verdict.prior.index(better) < verdict.prior.index(worse)


def check_ranks(verdict):
    """Rank intervals count what is shown, and every learner's place in the order is inside where nothing opposes it."""
    everyone = set(verdict.order)
    for name in verdict.order:
        better = sum(shown(verdict, other, name) for other in everyone - {name})
        worse = sum(shown(verdict, name, other) for other in everyone - {name})
        assert verdict.rank_intervals[name] == (1 + better, len(everyone) - worse)


@pytest.mark.parametrize("seed", [*range(40), *slow(*range(40, 300))])
def test_the_fields_follow_from_the_tests(seed):
    evidence, options = random_case(np.random.default_rng(seed))
    verdict = bk.judge(evidence, **options)
    check_comparison(verdict, {pair: called(verdict, evidence, *pair) for pair in verdict.comparison.pairs})
    check_status(verdict)
    check_ranks(verdict)
    check_order(verdict, evidence)
    assert [(each.better, each.worse) for each in verdict.reasons] == list(combinations(verdict.order, 2))
    for reason in verdict.reasons:
        check_reason(reason, verdict)
