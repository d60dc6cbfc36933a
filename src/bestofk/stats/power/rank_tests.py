"""Power of rank tests by simulation: Wilcoxon's, Friedman's, and Nemenyi's for one pair."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import numpy as np

from bestofk.core import special
from bestofk.core.arrays import Array, Flags
from bestofk.core.options import count_of, one_of
from bestofk.core.rng import Seed
from bestofk.stats.distributions import normal_critical
from bestofk.stats.omnibus.friedman import friedman as ranks_test
from bestofk.stats.omnibus.nemenyi import nemenyi as mean_ranks_test
from bestofk.stats.pairwise.signed_rank_null import signed_rank_tails
from bestofk.stats.pairwise.wilcoxon import EXACT_UP_TO
from bestofk.stats.power.question import OF_PAIRS, Power, asked, by_side, two_sided_only
from bestofk.stats.power.simulation import (
    Model,
    Pilot,
    chance_above,
    drawing,
    drawing_losses,
    known_model,
    simulated,
)
from bestofk.stats.ranks import average_ranks

#: With ties every experiment has a null distribution of its own, so fewer data sets are simulated.
_TIED_UP_TO = 100.0


def wilcoxon(
    effect: Any,
    n: Any,
    *,
    model: Model = "normal",
    alpha: float = 0.05,
    alternative: str = "two-sided",
    runs: int = 10_000,
    simulate_up_to: int = EXACT_UP_TO,
    rng: Seed = 0,
) -> Power:
    """Power of Wilcoxon's test by simulation: no formula is exact for few data sets. For many the normal one is used.

    Parameters
    ----------
    effect : array_like
        d = δ/σ; positive where the first loses more.
    n : array_like of whole numbers
        Data sets.
    model : {"normal", "laplace", "uniform"} or array_like
        Where differences come from: a distribution, or differences of a pilot experiment, which are drawn again, with
        other signs where their effect is not d.
    alpha : float
    alternative : {"two-sided", "greater", "less"}
    runs : int
        Simulated experiments; the standard error is at most ½/√runs.
    simulate_up_to : int
        Data sets beyond which W⁺ is taken for normal; 100 that differ, where a pilot has ties.
    rng : int, Generator or None
        Seed; the same seed gives the same power.

    Examples
    --------
    >>> bool(abs(wilcoxon(0.5, 34, runs=4000).power - 0.79) < 0.03)
    True
    """
    question, where = asked("wilcoxon", effect, n, alpha, alternative), "power of wilcoxon"
    level, side, known = question.alpha, question.alternative, known_model(model, where=where)
    rejected, up_to = _rejected, float(simulate_up_to)
    if not isinstance(known, str) and (known.tied or (known.values == 0).any()):
        few = _equal_in_size(known.values[known.values != 0]) <= _FEW_TIES
        rejected = partial(_rejected_with_ties, few=few)
        up_to = (up_to if few else min(up_to, _TIED_UP_TO)) / float((known.values != 0).mean())
    return simulated(
        question,
        drawing(known, where=where),
        lambda differences: rejected(differences, level, side),
        unit="data sets",
        scale=OF_PAIRS,
        runs=runs,
        rng=rng,
        held=4,
        up_to=up_to,
        beyond=lambda effects, sizes: normal_rank_power(effects, sizes, model=known, alpha=level, alternative=side),
        way="normal approximation",
    )


def _rejected(differences: Array, alpha: float, alternative: str) -> Flags:
    """Which experiments Wilcoxon's test rejects; no two differences are equal in size, so W⁺ tells all."""
    n = differences.shape[-1]
    order = np.argsort(np.abs(differences), axis=-1)
    positive = np.take_along_axis(differences > 0, order, axis=-1) @ np.arange(1.0, n + 1.0)
    bound = _critical(n, alpha / 2.0 if alternative == "two-sided" else alpha)
    return np.asarray(by_side(alternative, positive >= n * (n + 1) / 2.0 - bound, positive <= bound))


#: Normal p values of more than so many differences are counted out where they are within this factor of the level.
_COUNTED_UP_TO, _NEAR = 20, 1.5
#: Up to this chance that three differences are equal in size, ties are too few to matter.
_FEW_TIES = 0.02


def _rejected_with_ties(differences: Array, alpha: float, alternative: str, *, few: bool = False) -> Flags:
    """The same where sizes may be equal, or 0: exactly wherever that may change a decision."""
    some = differences != 0
    number = some.sum(axis=-1)
    ranks = np.where(some, average_ranks(np.abs(differences)) - (~some).sum(axis=-1, keepdims=True), 0.0)
    if few:
        positive = np.where(differences > 0, ranks, 0.0).sum(axis=-1)
        sizes, place = np.unique(number, return_inverse=True)
        tail = alpha / 2.0 if alternative == "two-sided" else alpha
        bound = np.array([_critical(int(n), tail) if n > 0 else -1.0 for n in sizes])[place.reshape(-1)]
        return np.asarray(by_side(alternative, positive >= number * (number + 1) / 2.0 - bound, positive <= bound))
    z = (np.sign(differences) * ranks).sum(axis=-1) / np.sqrt(np.maximum(np.square(ranks).sum(axis=-1), 1e-300))
    towards = np.abs(z) if alternative == "two-sided" else z if alternative == "greater" else -z
    pvalue = special.ndtr(-towards) * (2.0 if alternative == "two-sided" else 1.0)
    near = (pvalue >= alpha / _NEAR) & (pvalue <= alpha * _NEAR) | (number <= _COUNTED_UP_TO)
    rejected: Flags = np.asarray(pvalue <= alpha)
    if near.any():
        from bestofk.stats.across.signed_ranks import signed_rank_sides  # a room of many files

        less, greater = signed_rank_sides(differences[near], np.zeros((int(near.sum()), 1)), lambda p: p >= 0.0)
        exact = 2.0 * np.minimum(less, greater) if alternative == "two-sided" else greater
        rejected[near] = (less if alternative == "less" else exact) <= alpha
    return rejected


@lru_cache(maxsize=256)
def _critical(n: int, level: float) -> float:
    """The largest W⁺ whose lower tail is at most ``level``, below 0 where there is none."""
    total = n * (n + 1) / 2.0
    if n > EXACT_UP_TO:
        return float(total / 2.0 - normal_critical(level) * np.sqrt(total * (2 * n + 1) / 12.0))
    ranks = np.arange(1.0, n + 1.0)
    low, high = -1, int(total // 2)
    while low < high:
        middle = (low + high + 1) // 2
        reached = float(signed_rank_tails(ranks, np.array(float(middle)))[1]) <= level
        low, high = (middle, high) if reached else (low, middle - 1)
    return float(low)


# So many data sets that W⁺ is as good as normal.


#: Points of a distribution over which chances are averaged.
_POINTS = 2_001


def normal_rank_power(effects: Array, sizes: Array, *, model: str | Pilot, alpha: float, alternative: str) -> Array:
    """P[Wilcoxon's test rejects], with the mean and the variance that W⁺ has under the effect.

    They follow from the chances that one value, the sum of two, and two sums that share a value are positive (Lehmann
    and D'Abrera 1975, appendix, section 5). Differences of 0 are left out, and ties make W⁺ vary less.
    """
    return np.array(
        [
            _power(float(effect), float(n), model, alpha, alternative)
            for effect, n in zip(effects.flat, sizes.flat, strict=True)
        ]
    ).reshape(effects.shape)


def _power(effect: float, n: float, model: str | Pilot, alpha: float, alternative: str) -> float:
    one, two, three, left, ties = _chances(effect, model)
    n = n * left
    mean = n * one + 0.5 * n * (n - 1.0) * two
    pairs = 0.5 * n * (n - 1.0) * (2.0 * (one - two) ** 2 + 3.0 * two * (1.0 - two))
    variance = n * (n - 1.0) * (n - 2.0) * (three - two**2) + pairs + n * one * (1.0 - one)
    total = 0.5 * n * (n + 1.0)
    level = alpha / 2.0 if alternative == "two-sided" else alpha
    reach = normal_critical(level) * np.sqrt((1.0 - 0.25 * ties) * total * (2.0 * n + 1.0) / 12.0)
    spread = np.sqrt(max(variance, 1e-300))
    above = special.ndtr((mean - 0.5 * total - reach) / spread)
    below = special.ndtr((0.5 * total - reach - mean) / spread)
    return float(by_side(alternative, above, below))


def _chances(effect: float, model: str | Pilot) -> tuple[float, float, float, float, float]:
    """P[X > 0], P[X + Y > 0], P[X + Y > 0 and X + Z > 0] of independent differences with this mean that are not 0.

    A sum of 0 counts as half. Then the share that is not 0, and P[three are equal in size].
    """
    if isinstance(model, str):
        share = chance_above(_quantiles(model) + 2.0 * effect, model)
        one = float(chance_above(np.array(effect), model))
        return one, float(share.mean()), float(np.square(share).mean()), 1.0, 0.0
    values, chances, zero = model.population(effect)
    chances = chances / chances.sum()
    order = np.argsort(values)
    values, chances = values[order], chances[order]
    below = np.concatenate([[0.0], np.cumsum(chances)])
    slack = 1e-9 * np.abs(values).max()
    lower, upper = (np.searchsorted(values, -values + each, side="left") for each in (-slack, slack))
    share = 1.0 - 0.5 * (below[lower] + below[upper])
    ties = _equal_in_size(values, chances) if model.tied else 0.0
    one = float(chances[values > 0].sum())
    return one, float(chances @ share), float(chances @ np.square(share)), 1.0 - zero, ties


def _equal_in_size(values: Array, chances: Array | None = None) -> float:
    """P[three differences are equal in size]."""
    sizes, place = np.unique(np.round(np.abs(values), 9), return_inverse=True)
    weights = np.full(len(values), 1.0 / len(values)) if chances is None else chances
    return float((np.bincount(place.reshape(-1), weights, len(sizes)) ** 3).sum())


def _quantiles(model: str) -> Array:
    p = (np.arange(_POINTS) + 0.5) / _POINTS
    if model == "normal":
        return np.asarray(special.ndtri(p))
    if model == "uniform":
        return np.asarray(np.sqrt(3.0) * (2.0 * p - 1.0))
    return np.asarray(-np.sqrt(0.5) * np.sign(p - 0.5) * np.log1p(-2.0 * np.abs(p - 0.5)))


def friedman(
    effect: Any,
    n: Any,
    *,
    learners: int,
    pattern: str = "spread",
    model: Model = "normal",
    alpha: float = 0.05,
    alternative: str = "two-sided",
    runs: int = 4_000,
    rng: Seed = 0,
) -> Power:
    """Power of Friedman's test (Iman and Davenport's form) by simulation.

    Parameters
    ----------
    effect : array_like
        f: the standard deviation of the K expected losses (divisor K) over that of one loss within a data set.
    n : array_like of whole numbers
        Data sets.
    learners : int
        K.
    pattern : {"spread", "one"}
        Expected losses equally far apart, or one learner apart from the others.
    model : {"normal", "laplace", "uniform"} or array_like
    alpha : float
    runs : int
    rng : int, Generator or None

    Examples
    --------
    >>> bool(friedman(0.5, 15, learners=4, runs=1000).power > friedman(0.5, 8, learners=4, runs=1000).power)
    True
    """
    k = count_of(learners, name="learners", where="power of friedman", at_least=3)
    question = asked("friedman", effect, n, alpha, two_sided_only(alternative, "friedman"), signed=False)
    means = _pattern(one_of(pattern, ("spread", "one"), name="pattern", where="power of friedman"), k)

    def rejects(losses: Array) -> Any:
        return np.asarray(ranks_test(losses).f_pvalue) <= question.alpha

    draw = drawing_losses(model, k, shift=means, where="power of friedman")
    scale = "standard deviation of the learners' means over that of one result within a data set"
    return simulated(question, draw, rejects, unit="data sets", scale=scale, runs=runs, rng=rng, held=k)


def nemenyi(
    effect: Any,
    n: Any,
    *,
    learners: int,
    control: bool = False,
    model: Model = "normal",
    alpha: float = 0.05,
    alternative: str = "two-sided",
    runs: int = 4_000,
    rng: Seed = 0,
) -> Power:
    """Power of Nemenyi's test for one pair, by simulation: its two learners lie on both sides of K − 2 equal ones.

    Parameters
    ----------
    effect : array_like
        d: difference of the pair's expected losses over the standard deviation of their difference on a data set, √2
        times that of one loss, as for the paired t test.
    n : array_like of whole numbers
        Data sets.
    learners : int
        K.
    control : bool
        One of the two is a control, compared with every other alone (Bonferroni–Dunn).
    model, alpha, runs, rng
        As for ``friedman``.

    Examples
    --------
    >>> bool(nemenyi(1.0, 20, learners=5, runs=1000).power > 0.5)
    True
    """
    k = count_of(learners, name="learners", where="power of nemenyi", at_least=2)
    question = asked("nemenyi", effect, n, alpha, two_sided_only(alternative, "nemenyi"))
    means = np.zeros(k)
    means[0], means[-1] = np.sqrt(0.5), -np.sqrt(0.5)

    def rejects(losses: Array) -> Any:
        found = mean_ranks_test(losses, control=0 if control else None).pvalue
        return np.asarray(found)[(..., -1) if control else (..., 0, -1)] <= question.alpha

    draw = drawing_losses(model, k, shift=means, where="power of nemenyi")
    return simulated(question, draw, rejects, unit="data sets", scale=OF_PAIRS, runs=runs, rng=rng, held=k)


def _pattern(pattern: str, k: int) -> Array:
    """Expected losses with standard deviation 1."""
    means = np.arange(k, dtype=float) if pattern == "spread" else np.eye(k)[0]
    return np.asarray((means - means.mean()) / means.std())
