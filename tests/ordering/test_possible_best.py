"""Who can be best under some preference: against trying every one."""

from itertools import combinations, permutations

import numpy as np
import pytest
import scipy.stats

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.ordering.graph import from_edges, topological
from bestofk.ordering.multitest import multitest
from bestofk.ordering.possible_best import possible_best, possible_best_adjusted
from bestofk.stats import adjust as adjustments
from bestofk.stats.adjust import ADJUST
from makers import folds


def best_under(prior, worse):
    edges = [(i, j) for a, i in enumerate(prior) for j in prior[a + 1 :] if worse[i, j]]
    return from_edges(edges, prior=prior).best


def test_possible_best_is_what_trying_every_prior_finds():
    rng = np.random.default_rng(12)
    sizes = set()
    for k in (2, 3, 4, 5, 6):
        priors = np.array(list(permutations(range(k))))
        for density in (0.1, 0.25, 0.4, 0.6, 0.9):
            for _ in range(4 if k == 6 else 30):
                worse = (rng.random((k, k)) < density) & ~np.eye(k, dtype=bool)  # cycles and all
                in_order = np.triu(worse[priors[:, :, None], priors[:, None, :]], 1)
                tried = set(priors[np.arange(len(priors)), topological(in_order)[:, 0]].tolist())
                assert possible_best(worse) == tuple(sorted(tried))
                sizes.add((k, len(tried)))
    assert len(sizes) > 12  # one only, some, all: the relations were not all of a kind


def test_possible_best_by_the_graph_of_edges():
    rng = np.random.default_rng(13)
    for _ in range(30):
        worse = (rng.random((4, 4)) < 0.4) & ~np.eye(4, dtype=bool)
        assert set(possible_best(worse)) == {best_under(prior, worse) for prior in permutations(range(4))}


def test_possible_best_of_known_relations():
    nobody = np.zeros((3, 3), dtype=bool)
    assert possible_best(nobody) == (0, 1, 2)
    ladder = np.tril(np.ones((5, 5), dtype=bool), -1)  # each is worse than all before it
    assert possible_best(ladder) == (0,)
    ring = np.roll(np.eye(4, dtype=bool), 1, axis=1)  # each is worse than the next: whoever is last cuts the ring
    assert possible_best(ring) == (0, 1, 2, 3)
    large = np.zeros((200, 200), dtype=bool)
    large[1:, 0] = True  # everyone is worse than the first, and nothing else is known
    assert possible_best(large) == (0,)


def tables_of_p(rng, k):
    """One-sided p values: the two sides of a pair add up to 1."""
    means = rng.normal(size=k) * 3
    z = (means[:, None] - means[None, :] + np.triu(rng.normal(size=(k, k)), 1)) / np.sqrt(2)
    z = np.triu(z, 1) - np.triu(z, 1).T
    return scipy.stats.norm.sf(z)


@pytest.mark.parametrize("name", ADJUST.names())
def test_possible_best_adjusted_is_what_trying_every_prior_finds(name):
    rng = np.random.default_rng(14)
    rule = ADJUST[name]
    for k in (2, 3, 4):
        for _ in range(6):
            table = tables_of_p(rng, k)
            tried = set()
            for prior in permutations(range(k)):
                pairs = list(combinations(prior, 2))
                decided = rule([table[pair] for pair in pairs]) <= 0.05
                edges = [pair for pair, edge in zip(pairs, decided, strict=True) if edge]
                tried.add(from_edges(edges, prior=prior).best)
            found = tuple(sorted(tried))
            assert possible_best_adjusted(table, name) == found
            assert possible_best_adjusted(table, rule, 0.05) == found
            np.fill_diagonal(table, np.nan)
            assert possible_best_adjusted(table, name, alpha=0.05) == found


def test_possible_best_adjusted_knows_its_level_and_its_limit():
    rng = np.random.default_rng(15)
    table = tables_of_p(rng, 9)
    worse = 36 * table <= 0.05
    np.fill_diagonal(worse, False)
    assert possible_best_adjusted(table, "bonferroni") == possible_best(worse)
    assert possible_best_adjusted(table, adjustments.bonferroni) == possible_best(worse)
    assert len(possible_best_adjusted(table, "bonferroni", 1e-12)) > len(possible_best_adjusted(table, "none", 0.5))
    for adjustment, name in (("holm", "holm"), (adjustments.holm, "holm")):
        with pytest.raises(InputError, match=rf"9 learners .* {name}") as caught:
            possible_best_adjusted(table, adjustment)
        assert "use bonferroni or none" in caught.value.fix
    assert 0 < len(possible_best_adjusted(table[:8, :8], "holm")) <= 8


def test_possible_best_of_an_order_is_what_all_preferences_give():
    rng = np.random.default_rng(7)
    for name in ("bonferroni", "none", "holm"):
        values = 0.3 + rng.normal(0, 0.04, (4, 1, 1)) + rng.normal(0, 0.02, (4, 5, 2))
        losses = dict(zip("abcd", values, strict=True))
        best = {multitest(losses, prior, adjust=name).best for prior in permutations("abcd")}
        found = multitest(losses, adjust=name).possible_best()
        assert set(found.under_some) == best
        assert set(found.under_every) == (best if len(best) == 1 else set())


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("adjust", ["bonferroni", "none", "holm"])
def test_the_set_of_the_best_is_what_all_preferences_give(adjust, seed):
    rng = np.random.default_rng(seed)
    evidence = folds(0.3 + rng.normal(0, 0.04, (4, 1, 1)) + rng.normal(0, 0.02, (4, 5, 2)))
    best = {bk.judge(evidence, prior=prior, adjust=adjust).best for prior in permutations("abcd")}
    assert set(bk.judge(evidence, adjust=adjust).best_set) == best
