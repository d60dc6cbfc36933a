"""Judging against a control: only its K − 1 pairs are asked, adjusted for and spoken of."""

from itertools import permutations

import numpy as np
import pytest

import bestofk as bk
from bestofk import registry, stats

NAMES = ("a", "b", "c", "d", "e")


def tables(rng, k):
    """Losses of k learners over data sets, well apart in some draws and close together in others."""
    spread = rng.choice([0.0, 0.02, 0.1])
    return 0.3 + rng.normal(0, spread, (k, 1)) + rng.normal(0, 0.02, (k, 12))


def judged(rng, prior, adjust):
    k = int(rng.integers(3, 6))
    values = tables(rng, k)
    names = NAMES[:k]
    control = str(rng.choice(names))
    evidence = bk.Scores(
        learners=names,
        measure="error",
        larger_is_better=False,
        values=values[:, :, None, None],
        datasets=tuple(f"d{i}" for i in range(12)),
    )
    preference = [str(name) for name in rng.permutation(names)] if prior else None
    verdict = bk.judge(evidence, control=control, prior=preference, adjust=adjust, test="paired-t")
    return dict(zip(names, values, strict=True)), control, preference, verdict


def edges_of(losses, control, preference, adjust):
    """Pairs whose preferred learner is shown to be worse, by the test called for each pair with the control alone.

    Two others are told apart where the control is shown to stand between them.
    """
    others = [name for name in losses if name != control]
    raw = [stats.pairwise.paired_t(losses[control], losses[name]).pvalue for name in others]
    adjusted = np.asarray(registry("adjust").load(adjust)(np.array(raw)))
    gap = {name: float(np.mean(losses[name] - losses[control])) for name in others}
    side = {name: np.sign(gap[name]) * (p <= 0.05) for name, p in zip(others, adjusted, strict=True)} | {control: 0}
    return {
        (a, b)
        for i, a in enumerate(preference)
        for b in preference[i + 1 :]
        if side[a] > side[b] and (control in (a, b) or side[a] > 0 > side[b])
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
@pytest.mark.parametrize("seed", range(40))
def test_the_order_with_a_control_is_multitest_on_its_pairs_alone(seed, adjust):
    losses, control, preference, verdict = judged(np.random.default_rng(seed), True, adjust)
    edges = edges_of(losses, control, preference, adjust)
    assert set(verdict.ordering.edges) == edges
    assert verdict.order == graph_order(preference, edges)
    assert len(verdict.comparison.pairs) == len(preference) - 1


@pytest.mark.parametrize("adjust", ["bonferroni", "holm"])
@pytest.mark.parametrize("seed", range(20))
def test_possible_best_tries_every_preference_with_the_control(seed, adjust):
    losses, control, preference, verdict = judged(np.random.default_rng(seed), True, adjust)
    found = set()
    for each in permutations(preference):
        found.add(graph_order(each, edges_of(losses, control, each, adjust))[0])
    assert set(verdict.possible_best) == found


@pytest.mark.parametrize("prior", [True, False])
@pytest.mark.parametrize("seed", range(60))
def test_words_and_fields_agree_when_there_is_a_control(seed, prior):
    _, control, _, verdict = judged(np.random.default_rng(seed), prior, "holm")
    first, text = verdict.order[0], verdict.text()
    shows = verdict.comparison.shows

    def above(one, two):
        """Shown by a test of the pair, or by the control between the two."""
        if control in (one, two):
            return shows(one, two)
        return above(one, control) and above(control, two)

    apart = {name for name in verdict.order[1:] if above(first, name)}
    against = {name for name in verdict.order[1:] if above(name, first)} - apart
    assert set(verdict.beaten_by) == against
    behind = {name for name in verdict.order[1:] if control not in (first, name) and above(control, name)} - apart
    behind -= against
    assert set(verdict.behind_control) == behind
    assert set(verdict.rivals) == set(verdict.order[1:]) - apart - against - behind
    assert set(verdict.not_compared) == (set(verdict.rivals) - {control} if first != control else set())
    assert (verdict.status == "decided") == (not verdict.rivals and not against)
    assert (f"compared with {control} only, which does not stand between" in text) == bool(verdict.not_compared)
    for reason in verdict.reasons:
        pair = (reason.better, reason.worse)
        assert (reason.ground == "significant") == above(*pair)
        asked = control in pair
        assert (reason.between == control) == (not asked and reason.ground in ("significant", "against"))
        assert (reason.pvalue is None) == (not asked and reason.between is None)
        if reason.ground == "significant":
            assert reason.pvalue <= 0.05
    for name, row in zip(verdict.order[1:], verdict.rows()[1:], strict=True):
        finding = (
            "not compared" if name in verdict.not_compared else "not separated" if name in verdict.rivals else None
        )
        finding = "worse than the control" if name in behind else finding
        assert row["against first"] == (finding or ("better" if name in against else "worse"))
        assert (row["p against first"] is None) == (name in verdict.not_compared or name in behind)


def test_the_control_between_two_others_tells_them_apart():
    rng = np.random.default_rng(1)
    noise = rng.normal(0, 0.01, (3, 12))
    values = np.array([0.1, 0.3, 0.5])[:, None] + noise
    evidence = bk.Scores(
        learners=("a", "b", "c"),
        measure="error",
        larger_is_better=False,
        values=values[:, :, None, None],
        datasets=tuple(f"d{i}" for i in range(12)),
    )
    verdict = bk.judge(evidence, control="b")
    assert (verdict.status, verdict.best, verdict.order) == ("decided", "a", ("a", "b", "c"))
    reason = verdict.reason("a", "c")
    assert (reason.ground, reason.between) == ("significant", "b")
    assert reason.pvalue == max(verdict.comparison.adjusted)


def test_fewer_pairs_are_asked_so_less_is_taken_from_alpha():
    losses, control, _, verdict = judged(np.random.default_rng(3), False, "bonferroni")
    other = next(name for name in losses if name != control)
    raw = stats.pairwise.paired_t(losses[control], losses[other]).pvalue
    assert verdict.comparison.adjusted_pvalue(control, other) == pytest.approx(min(1, raw * (len(losses) - 1)))


@pytest.mark.parametrize("method", ["multi2test", "test-first", "anova-best", "newman-keuls-best", "cliques", "ranges"])
def test_methods_that_compare_all_pairs_refuse_a_control(method):
    rng = np.random.default_rng(0)
    evidence = bk.Scores(
        learners=("a", "b", "c"), measure="error", larger_is_better=False, values=rng.random((3, 5, 2))
    )
    with pytest.raises(bk.InputError, match="compares all pairs, and there is a control"):
        bk.order(evidence, control="a", method=method, prior=["a", "b", "c"])
