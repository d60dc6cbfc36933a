"""Bradley–Terry ratings against scipy's optimiser, and their covariance against sums over single battles."""

from collections import Counter

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import t as student

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.stats.battles import POINTS, bradley_terry, counts, outside
from makers import slow


def drawn(seed, k=5, number=400, prompts=60):
    rng = np.random.default_rng(seed)
    a = rng.integers(k, size=number)
    b = (a + rng.integers(1, k, size=number)) % k
    vote = np.linspace(0, 1, k)[a] - np.linspace(0, 1, k)[b] + rng.logistic(size=number)
    return a, b, np.where(np.abs(vote) < 0.5, 0.5, (vote > 0) * 1.0), rng.integers(prompts, size=number)


def direct(a, b, y, prompts=None):
    """Strengths by minimising the likelihood, and what every unit adds to them, battle by battle."""
    k, n = max(a.max(), b.max()) + 1, len(y)
    design = np.zeros((n, k))
    design[np.arange(n), a], design[np.arange(n), b] = 1.0, -1.0

    def height(strength):
        lead = design @ strength
        return np.sum(np.logaddexp(0, lead) - y * lead) + strength.sum() ** 2

    strength = minimize(height, np.zeros(k), method="BFGS", options={"gtol": 1e-9}).x
    chance = 1 / (1 + np.exp(-design @ strength))
    inverse = np.linalg.pinv(design.T @ (design * (chance * (1 - chance))[:, None]), rcond=1e-10)
    root = np.sqrt(chance * (1 - chance))
    added = []
    codes = np.arange(n) if prompts is None else prompts
    for own in (codes == name for name in np.unique(codes)):
        rows = design[own] * root[own, None]
        level, turn = np.linalg.eigh(np.eye(own.sum()) - rows @ inverse @ rows.T)
        left = turn @ ((turn.T @ ((y - chance)[own] / root[own])) / np.sqrt(level))
        added.append(inverse @ rows.T @ left)
    return strength, np.array(added)


def worth(a, b, y, prompts, model):
    """How many units of one size the model's battles that were not tied are worth."""
    own = ((a == model) | (b == model)) & (y != 0.5)
    sizes = Counter((np.arange(len(y)) if prompts is None else prompts)[own].tolist()).values()
    return sum(sizes) ** 2 / sum(size**2 for size in sizes)


def test_ratings_and_tests_are_those_of_single_battles():
    a, b, y, _ = drawn(1)
    strength, added = direct(a, b, y)
    found = bradley_terry(a, b, y)
    assert np.allclose(found.ratings, 1000 + POINTS * strength, atol=1e-3)
    for i, j in ((0, 1), (3, 1), (0, 4)):
        one = found.compare(i, j)
        w = added[:, i] - added[:, j]
        error, df = np.sqrt((w**2).sum()), min(worth(a, b, y, None, model) for model in (i, j)) - 1
        assert one.standard_error == pytest.approx(POINTS * error, rel=1e-5)
        assert one.df[0] == pytest.approx(df, rel=1e-5)
        t = (strength[i] - strength[j]) / error
        assert one.pvalue == pytest.approx(2 * student.sf(abs(t), df), rel=1e-4)
        low, high = one.confidence_interval(1 - one.pvalue).low, one.confidence_interval(1 - one.pvalue).high
        assert min(abs(low), abs(high)) == pytest.approx(0, abs=1e-6)  # the interval ends at 0 at the level of p


@pytest.mark.parametrize(("k", "prompts"), [(5, 60), (3, 8)])
def test_the_leverage_of_a_prompt_is_that_of_all_its_battles(k, prompts):
    """The matrix of every prompt, battle by battle; on 8 prompts there are more pairs of models than models."""
    a, b, y, prompt = drawn(1, k, 400, prompts)
    _, added = direct(a, b, y, prompt)
    found = bradley_terry(a, b, y, prompts=prompt)
    for i, j in ((0, 1), (2, 1)):
        plain = np.sqrt(((added[:, i] - added[:, j]) ** 2).sum())
        assert 1.0 <= found.compare(i, j).standard_error / (POINTS * plain) < 1.1
        assert found.compare(i, j).df[0] <= min(worth(a, b, y, prompt, model) for model in (i, j)) - 1


def test_degrees_of_freedom_are_those_of_the_covariance_of_what_prompts_add():
    """Two models, drawn without an effect of prompts: the formulas of Bell and McCaffrey, written as matrices."""
    sizes = np.repeat([40, 10, 2, 1], [1, 4, 10, 20])
    prompt = np.repeat(np.arange(len(sizes)), sizes)
    y = np.where(np.arange(len(prompt)) % 2, 1.0, 0.0)  # wins and losses in turn: prompts have no effect
    found = bradley_terry(0 * prompt, 0 * prompt + 1, y, prompts=prompt)
    p = sizes / sizes.sum()
    left = np.eye(len(p)) - p[:, None]
    scale = np.diag(1 / np.sqrt(1 - p))
    covariance = scale @ left @ np.diag(p) @ left.T @ scale
    assert np.trace(covariance) == pytest.approx(1)
    expected = np.trace(covariance) ** 2 / np.trace(covariance @ covariance)
    assert found.df[0, 1] == pytest.approx(expected, abs=1e-5)
    together = bradley_terry(0 * prompt, 0 * prompt + 1, (prompt % 2) * 1.0, prompts=prompt)
    assert together.compare(0, 1).df[0] < expected / 2


def test_battles_of_two_models_are_the_share_of_wins():
    found = bradley_terry([0] * 40, [1] * 40, [1.0] * 24 + [0.5] * 4 + [0.0] * 12)
    assert found.ratings[0] - found.ratings[1] == pytest.approx(400 * np.log10(26 / 14))
    turned = bradley_terry([1] * 40, [0] * 40, [0.0] * 24 + [0.5] * 4 + [1.0] * 12)
    assert turned.compare(0, 1).pvalue == pytest.approx(found.compare(0, 1).pvalue)


def test_prompts_of_one_battle_each_change_nothing_and_copies_of_battles_little():
    a, b, y, _ = drawn(2)
    single, own = bradley_terry(a, b, y), bradley_terry(a, b, y, prompts=np.arange(len(y)))
    for name in ("ratings", "spread", "df", "units", "counting"):
        assert np.array_equal(getattr(own, name), getattr(single, name))
    twice = bradley_terry(np.tile(a, 2), np.tile(b, 2), np.tile(y, 2), prompts=np.tile(np.arange(len(y)), 2))
    assert twice.compare(0, 4).standard_error == pytest.approx(single.compare(0, 4).standard_error, rel=0.02)


def test_few_battles_that_were_not_tied_count_as_few():
    """Four wins and no loss among many ties: the sign test has p = 1/8."""
    found = bradley_terry([0] * 204, [1] * 204, [1.0] * 4 + [0.5] * 200).compare(0, 1)
    assert found.df[0] == pytest.approx(3, abs=0.5)
    assert 0.1 < found.pvalue < 0.16


@pytest.mark.parametrize(("won", "lost"), [(97, 3), (997, 3)])
def test_few_losses_are_no_lack_of_battles(won, lost):
    """Wald's test of the log-odds with as many degrees of freedom as battles, less one."""
    found = bradley_terry([0] * (won + lost), [1] * (won + lost), [1.0] * won + [0.0] * lost).compare(0, 1)
    t = np.log(won / lost) / np.sqrt((1 / won + 1 / lost) / (1 - 1 / (won + lost)))
    assert (found.statistic, found.df[0]) == (pytest.approx(t), won + lost - 1)
    assert found.pvalue == pytest.approx(2 * student.sf(t, won + lost - 1))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (([0, 1], [1, 1], [1, 0]), "battle 2 is of model 1 with itself"),
        (([0, 0.5], [1, 1], [1, 0]), "first holds 0.5"),
        (([0, -1], [1, 1], [1, 0]), "battle 2 is of the models -1 and 1"),
        (([0, 1], [1, 3], [1, 0]), "battle 2 is of the models 1 and 3"),
        (([0, 1], [1, 0], [1, 7]), "battle 2 has the score 7"),
        (([0, 1], [1, 0], [1, np.nan]), "score"),
        (([0, 1], [1, 0], [1]), "first has 2 entries, score has 1"),
        (([0, 1], [1, 0], [1, 1], [0]), "prompts has 1 entries"),
        (([], [], []), "no battle"),
    ],
)
def test_wrong_battles_are_named(given, why):
    """By the function as by the evidence."""
    names = ("first", "second", "score", "prompts")
    named = dict(zip(names, given, strict=False))
    with pytest.raises(InputError, match=why):
        bradley_terry(**named, models=3)
    with pytest.raises(InputError, match=why.replace("model 1", "y")):
        bk.Battles(learners=("x", "y", "z"), **named)


@pytest.mark.parametrize(
    ("battles", "gone"),
    [
        ([(0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 2, 1), (1, 0, 0.5)], 2),
        ([(0, 1, 1), (1, 0, 1), (2, 0, 0), (2, 1, 0)], 1),
        ([(0, 1, 1), (1, 0, 1), (2, 0, 0.5)], 0),
    ],
)
def test_models_without_a_finite_rating_are_known(battles, gone):
    a, b, y = (np.array(each) for each in zip(*battles, strict=True))
    k = max(a.max(), b.max()) + 1
    assert outside(counts(a, b, y, k)[1]).sum() == gone
    if gone:
        with pytest.raises(InputError, match="no finite"):
            bradley_terry(a, b, y)


@pytest.mark.parametrize(
    ("k", "number", "prompts", "power"),
    [(2, 160, 8, 0), *slow((5, 150, 0, 0), (2, 40, 0, 0), (5, 300, 50, 0), (2, 300, 60, 1), (4, 600, 60, 1))],
)
def test_equal_models_are_seldom_called_different(k, number, prompts, power):
    """With a power of 1, prompts have shares of battles as 1, 1/2, 1/3 (Zipf)."""
    rng, wrong, runs = np.random.default_rng(3), 0, 400
    i, j = np.triu_indices(k, 1)
    for _ in range(runs):
        a = rng.integers(k, size=number)
        b = (a + rng.integers(1, k, size=number)) % k
        share = 1.0 / np.arange(1, prompts + 1) ** power
        prompt = rng.choice(prompts, p=share / share.sum(), size=number) if prompts else None
        liked = rng.normal(size=(max(prompts, 1), k)) * (prompts > 0)
        lead = 0 if prompt is None else liked[prompt, a] - liked[prompt, b]
        vote = lead + rng.logistic(size=number)
        y = np.where(np.abs(vote) < 0.5, 0.5, (vote > 0) * 1.0)
        if not outside(counts(a, b, y, k)[1]).any():
            found = bradley_terry(a, b, y, prompts=prompt, models=k).compare(i, j)
            wrong += np.min(found.pvalue) * len(i) <= 0.05
    assert wrong / runs <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)
