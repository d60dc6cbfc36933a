"""The level at which every p value of a family was decided: its interval excludes 0 where, and only where, it was."""

from itertools import combinations

import numpy as np
import pytest

from bestofk.core.errors import InputError
from bestofk.stats.adjust import ADJUST, holm
from bestofk.stats.adjust.stepwise import levels_tested


def by_hand(pvalues, alpha):
    """Holm's procedure step by step; where it stops, all that are left are decided at that step's level."""
    levels, stopped = np.empty(len(pvalues)), None
    for step, place in enumerate(np.argsort(pvalues, kind="stable")):
        level = alpha / (len(pvalues) - step)
        stopped = level if stopped is None and pvalues[place] > level else stopped
        levels[place] = level if stopped is None else stopped
    return levels


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_levels_of_holm_are_those_of_its_steps(alpha):
    rng = np.random.default_rng(1)
    rejected = set()
    for m in (1, 2, 3, 6, 15, 45):
        for power in (1, 4, 12):
            p = rng.random(m) ** power
            adjusted = holm(p)
            np.testing.assert_allclose(levels_tested(p, adjusted, alpha), by_hand(p, alpha))
            rejected.add(bool((adjusted <= alpha).all()) - bool((adjusted > alpha).all()))
    assert rejected == {-1, 0, 1}  # none, some, all


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        ([0.01, 0.04, 0.03], [0.05 / 3, 0.025, 0.025]),  # it stops at the second
        ([0.3, 0.2], [0.025, 0.025]),  # at once
        ([0.001, 0.02, 0.04], [0.05 / 3, 0.025, 0.05]),  # never
        ([0.0, 0.0, 1.0], [0.05 / 3, 0.05 / 3, 0.05]),  # equal ones have one level
        ([0.02, 0.02], [0.025, 0.025]),
    ],
)
def test_levels_by_hand(p, expected):
    np.testing.assert_allclose(levels_tested(p, holm(p), 0.05), expected)


def test_equal_p_values_are_decided_alike():
    p = [0.02, 0.02, 0.02]
    levels = levels_tested(p, holm(p), 0.05)
    assert ((np.array(p) <= levels) == (holm(p) <= 0.05)).all()


@pytest.mark.parametrize("name", ADJUST.names())
def test_a_p_value_is_at_most_its_level_where_it_is_rejected(name):
    rng = np.random.default_rng(2)
    seen = set()
    for m in (1, 3, 6, 10):
        for power in (1, 3, 8):
            p = rng.random(m) ** power
            adjusted = np.asarray(ADJUST[name](p))
            levels = levels_tested(p, adjusted, 0.05)
            assert ((p <= levels * (1 + 1e-12)) == (adjusted <= 0.05)).all()
            assert (levels > 0).all()
            seen |= set((adjusted <= 0.05).tolist())
    assert seen == {True, False}


def closed(p, weights):
    """Adjusted p values by testing every set of hypotheses, each by Bonferroni's method with their weights."""
    found = np.zeros(len(p))
    for size in range(1, len(p) + 1):
        for chosen in map(list, combinations(range(len(p)), size)):
            own = min(1.0, (p[chosen] / weights[chosen]).min() * weights[chosen].sum())
            found[chosen] = np.maximum(found[chosen], own)
    return found


def test_weighted_holm_is_the_closed_procedure():
    rng = np.random.default_rng(3)
    for m in (1, 2, 4, 7):
        for power in (1, 4, 12):
            p, weights = rng.random(m) ** power, rng.choice([0.3, 1.0, 2.0, 7.0], m)
            adjusted = holm(p, weights=weights)
            np.testing.assert_allclose(adjusted, closed(p, weights))
            np.testing.assert_allclose(holm(p, weights=5 * weights), adjusted)
            rejected = adjusted <= 0.05
            np.testing.assert_array_equal(p <= levels_tested(p, adjusted, 0.05, weights=weights), rejected)
    batch = rng.random((3, 4)), rng.uniform(1, 2, (3, 4))
    np.testing.assert_allclose(holm(batch[0], weights=batch[1]), [closed(*each) for each in zip(*batch, strict=True)])


@pytest.mark.parametrize("weights", [[1, 0], [1, -2], [1, np.nan], [1, np.inf], [1, 1, 1], 1.0, [[1], [1]], ["a", 1]])
def test_wrong_weights_are_refused(weights):
    with pytest.raises(InputError, match="weights") as refused:
        holm([0.01, 0.02], weights=weights)
    assert len(str(refused.value).split("\n")) == 3
