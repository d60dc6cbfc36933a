"""Verdicts from random evidence: the fields follow from the tests, run anew."""

from itertools import combinations

import numpy as np
import pytest
import scipy.stats

import bestofk as bk
import makers
from bestofk.comparing import sample_of
from bestofk.reporting.words import headline
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
    if verdict.test == "stratified-t":
        return strata(sample.replicates[i] - sample.replicates[j])
    run = PAIRWISE[verdict.test]
    if method_of(run).design == "runs":
        means = [sample.curves[place].mean(axis=1) for place in (i, j)]
        options = {"rng": 0} if method_of(run).seeded else {}
        found = [run(*means, alternative=s, **options) for s in sides]
        if min(map(len, means)) < 3 or cannot_be_tested(found[0]):
            return 1.0, 1.0, 1.0
        return tuple(each.pvalue for each in found)
    losses = sample.rows if method_of(run).axes == 1 else sample.losses
    first, second = losses[i], losses[j]
    if sample.incomplete:
        both = ~np.isnan(first) & ~np.isnan(second)
        first, second = first[both], second[both]
    options = {"rng": 0} if method_of(run).seeded else {}
    found = [run(first, second, alternative=s, **options) for s in sides]
    if cannot_be_tested(found[0]):
        return 1.0, 1.0, 1.0
    return tuple(each.pvalue for each in found)


def strata(differences):
    """The mean difference over data sets and its t, from (data sets, replications, folds)."""
    _, replications, folds = differences.shape
    once = folds if replications > 1 and folds > 2 else replications * folds
    mean = differences.mean(axis=(1, 2))
    error = (1 / once + 1 / (folds - 1)) * differences.var(axis=(1, 2), ddof=1)
    df = replications * folds * (1 - 1 / once)
    t = mean.sum() / np.sqrt(error.sum())
    freedom = error.sum() ** 2 / (error**2 / df).sum()
    if freedom < 3:
        return 1.0, 1.0, 1.0
    greater = scipy.stats.t.sf(t, freedom)
    return 2 * min(greater, 1 - greater), 1 - greater, greater


def cannot_be_tested(result):
    """Student's t with fewer than 3 degrees of freedom, or without variance on fewer than 6 units."""
    if not hasattr(result, "standard_error") or not result.df:
        return False
    return result.df[0] < (5 if result.standard_error == 0 and result.estimate != 0 else 3)


def check_comparison(verdict, found):
    """Raw p, the side that the test speaks for, and the adjusted decision."""
    comparison = verdict.comparison
    raw = np.array([p for p, _, _ in found.values()])
    np.testing.assert_allclose(comparison.pvalue, raw, rtol=1e-12)
    if verdict.test != "nemenyi":
        if comparison.alpha_share == 1.0:  # else steps are in the family
            np.testing.assert_allclose(comparison.adjusted, ADJUST[comparison.adjust](raw), rtol=1e-9)
        for (one, two), (_, less, greater) in found.items():
            better = one if less < greater else two if greater < less else None
            assert comparison.pair(one, two).better == better
    for one, two in comparison.pairs:
        pair = comparison.pair(one, two)
        assert pair.significant == (pair.adjusted <= verdict.alpha and pair.better is not None)
        if pair.low is not None and comparison.sides == "two":
            assert pair.significant == (not pair.low <= 0 <= pair.high)


def shown(verdict, better, worse):
    pair = verdict.comparison.pair(better, worse)
    return pair.significant and pair.better == better


def winner(verdict):
    """Who is better than each other at alpha, without adjustment but for features and steps of curves."""
    curves = verdict.comparison.curves
    for first in verdict.order:
        pairs = [verdict.comparison.pair(first, name) for name in verdict.order if name != first]
        alone = [each.pvalue if curves is None else curves.pair(each.first, each.second).alone for each in pairs]
        if all(p <= verdict.alpha and pair.better == first for p, pair in zip(alone, pairs, strict=True)):
            return first
    return None


def check_status(verdict):
    """Who stands beside or above the first, the status that follows, and the best that it allows."""
    first, *others = verdict.order
    beaten_by = {name for name in others if shown(verdict, name, first)}
    apart = {name for name in others if shown(verdict, first, name)}
    assert set(verdict.beaten_by) == beaten_by
    assert set(verdict.rivals) == set(others) - apart - beaten_by
    best = winner(verdict)
    if (verdict.ordering.method != "multitest" and best != verdict.ordering.best) or verdict.ordering.ranks is not None:
        best = None
    unbeaten = tuple(
        name
        for name in verdict.order
        if not any(shown(verdict, other, name) for other in verdict.order if other != name)
    )
    if best or unbeaten:
        assert verdict.best_set == ((best,) if best else unbeaten)
    assert verdict.best_set
    pairs = combinations(verdict.best_set, 2)
    untested = any(verdict.comparison.degenerate[place_of(verdict, *pair)] for pair in pairs)
    silent = (
        (verdict.prior is not None and verdict.ordering.best is None) or not verdict.comparison.decidable or untested
    )
    overruled = verdict.ordering.ranks is not None and winner(verdict) == verdict.ordering.best
    silent |= len(verdict.best_set) == 1 and not overruled
    left = "tied" if verdict.prior is None or verdict.ordering.best not in verdict.best_set else "preferred"
    assert verdict.status == ("decided" if best else "undecided" if silent else left)
    assert verdict.best == {"decided": best, "preferred": verdict.order[0]}.get(verdict.status)
    assert ("K102" in {advice.code for advice in verdict.advice}) == (not verdict.comparison.decidable)
    if not verdict.comparison.decidable:  # nothing can be significant, so nothing is
        assert not any(verdict.comparison.pair(*names).significant for names in verdict.comparison.pairs)


def circle(verdict):
    """Whether everybody is shown to be worse than somebody."""
    return all(any(shown(verdict, b, a) for b in verdict.order if b != a) for a in verdict.order)


def place_of(verdict, one, two):
    pairs = verdict.comparison.pairs
    return pairs.index((one, two) if (one, two) in pairs else (two, one))


def check_order(verdict, evidence):
    """By mean without a preference or where nothing could be shown; otherwise by what is shown against it."""
    assert sorted(verdict.order) == sorted(evidence.learners)
    means, sign = verdict.comparison.means, -1 if evidence.larger_is_better else 1
    if not sample_of(evidence).incomplete:
        assert means == evidence.means()
    if verdict.prior is None or verdict.status == "undecided":
        ranks = verdict.comparison.mean_ranks
        values = {name: sign * mean for name, mean in means.items()} if ranks is None else ranks
        listed = verdict.order[1:] if verdict.status == "decided" else verdict.order
        assert [values[name] for name in listed] == sorted(values[name] for name in listed)
        return
    edges, place = set(verdict.ordering.edges), verdict.order.index
    if not circle(verdict):
        assert all(place(head) < place(tail) for tail, head in edges)
    if verdict.ordering.method == "multitest":
        overruled = {pair for pair in combinations(verdict.prior, 2) if shown(verdict, *pair[::-1])}
        if verdict.status == "decided":
            overruled |= {(name, verdict.best) for name in verdict.prior[: verdict.prior.index(verdict.best)]}
        assert edges == overruled
        assert verdict.order[0] in verdict.best_set
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
    if reason.ground == "winner":
        assert (verdict.status, verdict.best) == ("decided", better)
    if reason.ground in ("mean", "found") and verdict.status != "undecided":
        assert verdict.ordering.ranks is None
        assert verdict.prior is None or verdict.ordering.method != "multitest"
    if reason.ground in ("ranked", "graph"):
        assert verdict.prior.index(better) > verdict.prior.index(worse)
    if reason.ground == "preferred":
        assert verdict.prior.index(better) < verdict.prior.index(worse)


def before(verdict, one, two):
    """Whether one is shown to be better than two, and two not than one over others."""
    found, left = set(), [two]
    while left:  # whom two is shown to be better than, over others
        here = left.pop()
        more = {other for other in verdict.order if other != here and shown(verdict, here, other)} - found
        found |= more
        left += more
    return shown(verdict, one, two) and one not in found


def check_ranks(verdict):
    """Rank intervals count what is shown, and every learner's place in the order is inside where nothing opposes it."""
    everyone = set(verdict.order)
    for name in verdict.order:
        better = sum(before(verdict, other, name) for other in everyone - {name})
        worse = sum(before(verdict, name, other) for other in everyone - {name})
        assert verdict.rank_intervals[name] == (1 + better, len(everyone) - worse)


def unlike_runs(rng):
    """Many runs of two learners close together, few of others far behind."""
    facts = ((0.1, 0.004, 10), (0.105, 0.0045, 10), (0.2, 0.006, 3), (0.22, 0.006, 3))
    return makers.runs([rng.normal(*each) for each in facts[: int(rng.integers(3, 5))]])


def asked_otherwise(rng, evidence, options):
    """The options, sometimes with a control or one-sided tests; evidence sometimes of runs of unequal number."""
    if rng.random() < 0.3:
        evidence, options = unlike_runs(rng), {}
        options["prior"] = rng.permutation(evidence.learners).tolist() if rng.random() < 0.5 else None
    if options.get("method", "multitest") == "multitest":
        draw = rng.random()
        options |= {"control": evidence.learners[0]} if draw < 0.25 else {}
        options |= {"sides": "one"} if 0.25 <= draw < 0.5 and options["prior"] is not None else {}
    return evidence, options


@pytest.mark.parametrize("block", [0, *slow(*range(1, 8))])
def test_one_learner_that_is_left_is_decided_or_nobody_is_taken(block):
    """Multi²Test decides nothing, and takes the winner all the same."""
    alone = 0
    for seed in range(250 * block, 250 * (block + 1)):
        rng = np.random.default_rng(seed)
        evidence, options = asked_otherwise(rng, *random_case(rng))
        try:
            verdict = bk.judge(evidence, **options)
        except bk.InputError:  # a control that the test does not know
            continue
        if verdict.control is not None and len(verdict.best_set) == 1:  # the question is who is better than the control
            assert verdict.status in ("decided", "tied", "undecided")
        elif verdict.status in ("tied", "preferred") and len(verdict.best_set) == 1:
            assert (verdict.ordering.method, verdict.best) == ("multi2test", winner(verdict))
        if verdict.status == "undecided" and verdict.decidable and len(verdict.best_set) == 1:
            assert verdict.best is None
            assert headline(verdict).startswith("Undecided: ") or verdict.comparison.quantity
            alone += 1
    assert alone


@pytest.mark.parametrize("seed", [*range(20), *slow(*range(20, 300))])
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
