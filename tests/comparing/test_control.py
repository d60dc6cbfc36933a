"""Judging against a control: only its K − 1 pairs are asked, adjusted for and spoken of."""

from itertools import permutations

import numpy as np
import pytest

import bestofk as bk
from bestofk import stats
from bestofk.stats.adjust import ADJUST
from makers import folds, over_datasets, slow

NAMES = ("a", "b", "c", "d", "e")


def judged(rng, prior, adjust):
    """A verdict on learners that are well apart in some draws and close together in others."""
    k = int(rng.integers(3, 6))
    spread = rng.choice([0.0, 0.02, 0.1])
    values = 0.3 + rng.normal(0, spread, (k, 1)) + rng.normal(0, 0.02, (k, 12))
    names = NAMES[:k]
    control = str(rng.choice(names))
    preference = [str(name) for name in rng.permutation(names)] if prior else None
    verdict = bk.judge(over_datasets(values), control=control, prior=preference, adjust=adjust, test="paired-t")
    return dict(zip(names, values, strict=True)), control, preference, verdict


def edges_of(losses, control, preference, adjust):
    """Pairs whose preferred learner is shown to be worse, by the test called for each pair with the control alone.

    Two others are told apart where the control is shown to stand between them. A control with the best mean that is
    better than each other at alpha, without adjustment, is the winner, and nobody is preferred to it.
    """
    others = [name for name in losses if name != control]
    raw = np.array([stats.pairwise.paired_t(losses[control], losses[name]).pvalue for name in others])
    adjusted = np.asarray(ADJUST[adjust](raw))
    gap = {name: float(np.mean(losses[name] - losses[control])) for name in others}
    side = {name: np.sign(gap[name]) * (p <= 0.05) for name, p in zip(others, adjusted, strict=True)} | {control: 0}
    wins = (raw <= 0.05).all() and min(gap.values()) > 0
    return {
        (a, b)
        for i, a in enumerate(preference)
        for b in preference[i + 1 :]
        if (side[a] > side[b] and (control in (a, b) or side[a] > 0 > side[b])) or (wins and b == control)
    }


def graph_order(preference, edges):
    """MultiTest by hand: take out the most preferred learner without outgoing edge, and again."""
    left, order = list(preference), []
    while left:
        best = next(name for name in left if not any((name, other) in edges for other in left))
        order.append(best)
        left.remove(best)
    return tuple(order)


@pytest.mark.parametrize("adjust", ["none", "bonferroni", "holm"])
@pytest.mark.parametrize("seed", [*range(8), *slow(*range(8, 40))])
def test_the_order_with_a_control_is_multitest_on_its_pairs_alone(seed, adjust):
    losses, control, preference, verdict = judged(np.random.default_rng(seed), True, adjust)
    edges = edges_of(losses, control, preference, adjust)
    assert set(verdict.ordering.edges) == edges
    assert verdict.order == graph_order(preference, edges)
    assert len(verdict.comparison.pairs) == len(preference) - 1


@pytest.mark.parametrize("adjust", ["bonferroni", "holm"])
@pytest.mark.parametrize("seed", [*range(6), *slow(*range(6, 20))])
def test_the_set_of_the_best_is_what_every_preference_finds(seed, adjust):
    losses, control, preference, verdict = judged(np.random.default_rng(seed), True, adjust)
    found = {graph_order(each, edges_of(losses, control, each, adjust))[0] for each in permutations(preference)}
    assert set(verdict.best_set) == found
    assert (verdict.status == "decided") == (len(found) == 1)


@pytest.mark.parametrize("prior", [True, False])
@pytest.mark.parametrize("seed", [*range(15), *slow(*range(15, 60))])
def test_what_is_said_of_two_others_goes_through_the_control(seed, prior):
    _, control, _, verdict = judged(np.random.default_rng(seed), prior, "holm")
    first, *others = verdict.order
    shows = verdict.comparison.shows

    def above(one, two):
        """Shown by a test of the pair, or by the control between the two."""
        if control in (one, two):
            return shows(one, two)
        return above(one, control) and above(control, two)

    apart = {name for name in others if above(first, name)}
    against = {name for name in others if above(name, first)} - apart
    behind = {name for name in others if control not in (first, name) and above(control, name)} - apart - against
    open_pairs = set(others) - apart - against - behind
    assert set(verdict.beaten_by) == against
    assert set(verdict.rivals) == open_pairs
    assert (verdict.status == "decided") == (apart == set(others))
    for reason in verdict.reasons:
        pair = (reason.better, reason.worse)
        asked = control in pair
        assert (reason.ground == "significant") == above(*pair)
        assert (reason.between == control) == (not asked and reason.ground in ("significant", "against"))
        assert (reason.pvalue is None) == (not asked and reason.between is None)
        if reason.ground == "significant":
            assert reason.pvalue <= 0.05
    for name, row in zip(others, verdict.rows()[1:], strict=True):
        silent = control not in (first, name) and name in open_pairs | behind
        finding = "worse" if name in apart else "better" if name in against else "not significant"
        finding = "worse than the control" if name in behind else "not compared" if silent else finding
        assert row["against first"] == verdict.against(first, name) == finding
        assert (row["p against first"] is None) == silent


def test_learners_worse_than_the_control_are_no_rivals():
    rng = np.random.default_rng(2)
    verdict = bk.judge(
        over_datasets(np.array([0.295, 0.30, 0.6])[:, None] + 0.02 * rng.normal(size=(3, 14))), control="b"
    )
    assert verdict.order == ("a", "b", "c")
    assert verdict.rivals == ("b",)
    assert verdict.against("a", "c") == "worse than the control"


def test_the_control_between_two_others_tells_them_apart():
    noise = np.random.default_rng(1).normal(0, 0.01, (3, 12))
    verdict = bk.judge(over_datasets(np.array([0.1, 0.3, 0.5])[:, None] + noise), control="b")
    assert (verdict.status, verdict.best, verdict.order) == ("decided", "a", ("a", "b", "c"))
    reason = verdict.reason("a", "c")
    assert (reason.ground, reason.between) == ("significant", "b")
    assert reason.pvalue == max(verdict.comparison.adjusted)


def test_the_strongest_rival_was_compared_with_the_first():
    rng = np.random.default_rng(0)
    rows = np.array([0.1, 0.1001, 0.4])[:, None] + 0.001 * rng.normal(size=(3, 12))
    verdict = bk.judge(over_datasets(rows), control="c")
    first, second, _ = verdict.order
    assert verdict.against(first, second) == "not compared"
    assert verdict.closest == (first, "c")


def test_the_family_is_smaller():
    losses, control, _, verdict = judged(np.random.default_rng(3), False, "bonferroni")
    whole = bk.compare(verdict.evidence, test="paired-t")
    assert verdict.comparison.pairs == tuple((control, name) for name in losses if name != control)
    for one, two in verdict.comparison.pairs:
        pair = verdict.comparison.pair(one, two)
        assert pair.pvalue == whole.pair(one, two).pvalue
        assert pair.adjusted == pytest.approx(min(1, pair.pvalue * (len(losses) - 1)))
    one, two = (name for name in list(losses)[:3] if name != control)
    with pytest.raises(bk.InputError, match="were not compared"):
        verdict.comparison.pair(one, two)


@pytest.mark.parametrize("adjust", ["shaffer", "bergmann-hommel"])
def test_adjustments_of_all_pairs_are_refused(adjust):
    with pytest.raises(bk.InputError, match="all pairs"):
        bk.compare(folds(np.random.default_rng(0).random((3, 5, 2))), control="a", adjust=adjust)


def test_an_unknown_control_is_refused_with_a_suggestion():
    evidence = folds(np.ones((2, 5, 2)), learners=("lda", "knn"))
    with pytest.raises(bk.UnknownName, match="did you mean 'lda'"):
        bk.compare(evidence, control="ldaa")


@pytest.mark.parametrize("method", ["multi2test", "test-first", "anova-best", "newman-keuls-best", "cliques", "ranges"])
def test_methods_that_compare_all_pairs_refuse_a_control(method):
    evidence = folds(np.random.default_rng(0).random((3, 5, 2)))
    with pytest.raises(bk.InputError, match="there is a control"):
        bk.order(evidence, control="a", method=method, prior=["a", "b", "c"])
