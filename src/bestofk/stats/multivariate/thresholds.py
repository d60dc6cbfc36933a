"""Two learners at several thresholds at once: a vector of (tpr, fpr) per threshold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, without_rounding
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, one_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.method import cites
from bestofk.stats.multivariate.flips import SHUFFLES, flip_patterns, share_as_extreme
from bestofk.stats.multivariate.hotelling import hotelling
from bestofk.stats.overlap import inflation, overlap_ratio
from bestofk.stats.results import Numeric, Result
from bestofk.stats.roc.curve import folds_of, rates, thresholds_of

CHOICES = ("shrinkage", "rank")
#: A measure is kept while this share of its variance is not told by those kept before it.
OWN_SHARE = 0.05
_HELD = 2_000_000  # numbers held at once


class ThresholdsResult(Result):
    """Result of ``threshold_test``: ``estimate`` is (s, 2), mean differences of (tpr, fpr) at each threshold.

    ``shrinkage`` is the share λ of the diagonal (0 for the choice by rank); ``kept`` the places (threshold, 0 for tpr
    or 1 for fpr) whose measures were used.
    """

    choice: str
    thresholds: Array
    kept: tuple[tuple[int, int], ...]
    shrinkage: float
    patterns: int
    exact: bool

    symbol: ClassVar[str] = "Q"


@cites(
    "schafer",
    "yildiz-aslan",
    "nadeau",
    called="Hotelling's T² test with a shrunk covariance corrected for overlap",
    assumes="differences of folds as likely with the other sign if the learners are equal, but for the overlap "
    "that test_fraction allows for",
    not_for='fewer than six folds, which cannot reject at 0.05 with choice="shrinkage"',
)
def threshold_test(
    labels: Any,
    first: Any,
    second: Any,
    thresholds: Any,
    *,
    choice: str = "shrinkage",
    test_fraction: float | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    shuffles: int = SHUFFLES,
    rng: Seed = None,
) -> ThresholdsResult:
    """Do two learners have the same (tpr, fpr) at each of s thresholds? 2s measures, often more than folds.

    Parameters
    ----------
    labels : k lists of 0/1
        The truth of the items of every fold, both classes in each.
    first, second : k lists of scores
        The two learners' scores of the same items, the larger, the more positive.
    thresholds : array_like, (s,)
        Items scoring at least the threshold are called positive.
    choice : {"shrinkage", "rank"}
        How S is kept invertible. ``shrinkage``: all 2s measures, correlations drawn towards 0 (Ledoit and Wolf), p by
        signs dealt anew, since T² has no F then. ``rank``: Hotelling's F on measures chosen in a fixed order.
    test_fraction, n_train, n_test : float, optional
        Sizes, to allow for training sets that overlap: T², for ``shrinkage`` with the shrunk covariance about the
        mean, is divided by 1 + k·n_test/n_train.
    shuffles, rng
        Random sign patterns for more than 17 folds, and their seed.

    Notes
    -----
    ``rank``: the middle threshold first, then each time the one farthest from those taken, tpr before fpr; a measure
    is kept while 5 % of its variance is not told by those kept, up to (k − 1)/2 of them. A measure that differs by the
    same amount on every fold is certain. ``shrinkage`` needs six folds to reject at 0.05, for the smallest p is
    2^(1 − k).

    References
    ----------
    Yıldız, Aslan and Alpaydın 2011, section 5. Ledoit and Wolf 2004. Schäfer and Strimmer 2005.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = [rng.permutation(np.repeat([0, 1], 20)) for _ in range(8)]
    >>> scores = [fold + rng.normal(size=40) for fold in y]
    >>> threshold_test(y, scores, [each + 0.4 for each in scores], [0.0, 0.5, 1.0])
    threshold-test (two-sided): Q = 8.46, p = 0.007812: rejects at 0.05
    """
    where = "threshold-test"
    choice = one_of(choice, CHOICES, name="choice", where=where)
    ratio = overlap_ratio(test_fraction, n_train, n_test, where=where)
    shuffles, random = count_of(shuffles, name="shuffles", where=where), generator(rng, where=where)
    cuts = thresholds_of(thresholds, where=where)
    one, two = (_rates(labels, scores, cuts, name, where) for scores, name in ((first, "first"), (second, "second")))
    return rates_test(one, two, cuts, choice=choice, ratio=ratio, shuffles=shuffles, random=random)


def rates_test(
    one: Array,
    two: Array,
    cuts: Array,
    *,
    choice: str = "shrinkage",
    ratio: float = 0.0,
    shuffles: int = SHUFFLES,
    random: np.random.Generator,
) -> ThresholdsResult:
    """``threshold_test`` of rates that are known, (k, s, 2); ``ratio`` is n_test/n_train where folds overlap."""
    if choice == "rank":
        return _by_rank(one, two, cuts, ratio)
    return _by_shrinkage(one, two, cuts, ratio, shuffles, random)


def _rates(labels: Any, scores: Any, cuts: Array, name: str, where: str) -> Array:
    """(k, s, 2): tpr and fpr per fold and threshold."""
    found = []
    for fold, (y, values) in enumerate(folds_of(labels, scores, name=name, where=where)):
        try:
            found.append(rates(y, values, cuts))
        except InputError as error:
            raise InputError(error.wrong, f"{where}, fold {fold} of {name}", error.fix) from None
    return np.stack(found)


def _by_shrinkage(
    one: Array, two: Array, cuts: Array, ratio: float, shuffles: int, random: np.random.Generator
) -> ThresholdsResult:
    k = len(one)
    difference = (one - two).reshape(k, -1)
    difference = without_rounding(difference, 1.0)  # rates are up to 1
    varied = np.flatnonzero(difference.any(axis=0))
    exact, patterns = flip_patterns(k, shuffles, random)
    if varied.size == 0:
        return _result("shrinkage", one - two, cuts, varied, 1.0, (0.0, 1.0, ()), (0, exact))
    if ratio:
        share, outcome, counted = _corrected(difference[:, varied], patterns, exact, inflation(k, ratio))
    else:
        rows, shares = shrunk_rows(difference[:, varied])
        q = np.square(rows.sum(axis=0)).sum()
        pvalue, counted = share_as_extreme(rows[None], np.array([q]), patterns, exact)
        share, outcome = float(shares), (float(q), float(pvalue[0]))
    return _result("shrinkage", one - two, cuts, varied, share, (*outcome, ()), (counted, exact))


def _corrected(
    difference: Array, patterns: Iterator[Array], exact: bool, overlap: float
) -> tuple[float, tuple[float, float], int]:
    """λ, T² over the inflation with its p, and the patterns counted."""
    k, p = difference.shape
    scaled, moments, share = shrunk_moments(difference)
    seen = float(studentised(scaled, moments, float(share), np.ones((1, k)))[0]) / overlap
    step = max(1, _HELD // p**2)
    extreme, counted = 0, 0
    for block in patterns:
        for start in range(0, len(block), step):
            found = studentised(scaled, moments, float(share), block[start : start + step, 0])
            extreme += int((found >= seen * (1.0 - 1e-9)).sum())
        counted += len(block)
    pvalue = extreme / counted if exact else (extreme + 1.0) / (counted + 1.0)
    return float(share), (seen, pvalue), counted


def _by_rank(one: Array, two: Array, cuts: Array, ratio: float) -> ThresholdsResult:
    k = len(one)
    flat = [values.reshape(k, -1) for values in (one, two)]
    kept = chosen_measures(flat[0] - flat[1], spread_order(len(cuts)))
    fraction = ratio / (1.0 + ratio) if ratio else None
    found = hotelling(flat[0][:, kept], flat[1][:, kept], test_fraction=fraction)
    outcome = (float(found.f_statistic), float(found.pvalue), found.df)
    return _result("rank", one - two, cuts, np.array(kept), 0.0, outcome, (0, False))


def _result(
    choice: str,
    difference: Array,
    cuts: Array,
    kept: np.ndarray,
    share: float,
    outcome: tuple[float, float, tuple[Numeric, ...]],
    counted: tuple[int, bool],
) -> ThresholdsResult:
    return ThresholdsResult(
        test="threshold-test",
        statistic=outcome[0],
        pvalue=outcome[1],
        df=outcome[2],
        estimate=difference.mean(axis=0),
        alternative="two-sided",
        choice=choice,
        thresholds=cuts,
        kept=tuple((int(i) // 2, int(i) % 2) for i in kept),
        shrinkage=share,
        patterns=counted[0],
        exact=counted[1],
    )


def spread_order(count: int) -> list[int]:
    """Return positions 0 to count − 1: the middle one first, then each time the farthest from those taken.

    Examples
    --------
    >>> spread_order(5)
    [2, 0, 4, 1, 3]
    """
    taken = [count // 2]
    while len(taken) < count:
        distance = np.abs(np.arange(count)[:, None] - np.array(taken)).min(axis=1)
        taken.append(int(np.argmax(distance)))
    return taken


def chosen_measures(difference: Array, order: list[int]) -> list[int]:
    """Return columns in the order of thresholds, each with enough variance of its own, at most (k − 1)/2.

    Columns that differ by one amount on every fold are added: they are evidence without spread.
    """
    k = len(difference)
    centred = difference - difference.mean(axis=0)
    kept: list[int] = []
    basis = np.zeros((k, 0))
    for column in (2 * threshold + side for threshold in order for side in (0, 1)):
        values = centred[:, column]
        own = values - basis @ (basis.T @ values)
        if len(kept) < max(1, (k - 1) // 2) and own @ own > max(OWN_SHARE * float(values @ values), k * ROUNDING**2):
            kept.append(column)
            basis = np.column_stack([basis, own / np.linalg.norm(own)])
    certain = np.flatnonzero((np.abs(centred).max(axis=0) <= ROUNDING) & (np.abs(difference[0]) > ROUNDING))
    return [*kept, *(int(column) for column in certain)] or [2 * order[0]]


# A second moment matrix that can always be inverted, however many measures there are.


#: The smallest share of the diagonal: measures that repeat each other leave nothing to invert without it.
LEAST = 0.05


def shrunk_moments(difference: Array) -> tuple[Array, Array, Array]:
    """Return the differences (..., k, p) in units of their root mean squares, G of these, and the share λ.

    G = Σddᵀ/k with its correlations multiplied by 1 − λ, λ = Σ Var(r_ij)/Σ r_ij² over i ≠ j (Schäfer and Strimmer
    2005, after Ledoit and Wolf), at least 0.05. The moments are about 0, so no change of signs changes G.
    """
    k = difference.shape[-2]
    unit = np.sqrt(np.square(difference).mean(axis=-2, keepdims=True))
    scaled = difference / np.where(unit > 0, unit, 1.0)
    products = scaled[..., :, :, None] * scaled[..., :, None, :]
    moments = products.mean(axis=-3)
    variances = products.var(axis=-3, ddof=1) / k
    off = ~np.eye(difference.shape[-1], dtype=bool)
    size = np.square(moments[..., off]).sum(axis=-1)
    share = np.clip(variances[..., off].sum(axis=-1) / np.where(size > 0, size, 1.0), LEAST, 1.0)
    share = np.where(size > 0, share, 1.0)
    return scaled, np.where(off, moments * (1.0 - share[..., None, None]), 1.0), share


def shrunk_rows(difference: Array) -> tuple[Array, Array]:
    """Return rows z (..., k, p) with ‖Σz‖² = Q = k·d̄ᵀG⁻¹d̄, and the share λ."""
    scaled, moments, share = shrunk_moments(difference)
    values, axes = np.linalg.eigh(moments)
    return scaled @ (axes / np.sqrt(values)[..., None, :]) / np.sqrt(difference.shape[-2]), share


def studentised(scaled: Array, moments: Array, share: float, signs: Array) -> Array:
    """Return T² = k·mᵀS⁻¹m of sign patterns (n, k), S the shrunk covariance about the mean m of each pattern.

    Q is bounded (its moments hold the mean itself), so it cannot be divided by an inflation as T² can.
    """
    k, p = scaled.shape
    mean = signs @ scaled / k
    about = moments - (1.0 - share) * mean[:, :, None] * mean[:, None, :]
    about[:, np.arange(p), np.arange(p)] -= share * np.square(mean)
    about[:, np.arange(p), np.arange(p)] += 1e-12  # a measure that is constant in a pattern
    return np.asarray(k * np.einsum("np,np->n", mean, np.linalg.solve(about, mean[..., None])[..., 0]))
