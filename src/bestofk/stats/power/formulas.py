"""Power by formula: tests whose statistic is a noncentral t or F, and the 5×2 cross-validated t test."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from bestofk.core import special
from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, level_inside, number_inside
from bestofk.stats.distributions import t_upper
from bestofk.stats.overlap import FoldSpread, fold_spread
from bestofk.stats.pairwise.student import too_few
from bestofk.stats.power.question import OF_FOLDS, OF_PAIRS, OF_RUNS, Asked, Power, asked, by_side, two_sided_only

#: Beyond this noncentrality t is normal around it to all digits that matter, and its series would not end.
_FAR = 37.0
#: No noncentrality beyond this is looked for.
_FARTHEST = 1e6


def t_power(
    noncentrality: Any, df: Any, alpha: float, alternative: str, *, wider: Any = 1.0, test_df: Any = None
) -> Array:
    """Return P[t rejects] for a t statistic around ``noncentrality`` with ``df`` degrees of freedom.

    A test whose standard error is so many times ``wider`` than the true one rejects beyond so many times the critical
    value; its table may be entered with other degrees of freedom, ``test_df``. With too few of these it shows nothing.

    Examples
    --------
    >>> round(float(t_power(0.5 * 20**0.5, 19.0, 0.05, "two-sided")), 6)
    0.564504
    """
    centre, df = np.broadcast_arrays(np.asarray(noncentrality, dtype=float), np.asarray(df, dtype=float))
    tail = alpha / 2.0 if alternative == "two-sided" else alpha
    entered = df if test_df is None else np.asarray(test_df, dtype=float)
    critical = np.asarray(wider * t_upper(tail, entered))
    power = by_side(alternative, _above(critical, df, centre), _above(critical, df, -centre))
    return np.where(too_few(entered, False), 0.0, power)


def _above(critical: Array, df: Array, centre: Array) -> Array:
    """P[t > critical]; far from 0 the outcome is certain on one side."""
    near = np.abs(centre) < _FAR
    inside = 1.0 - special.nctdtr(df, np.where(near, centre, 0.0), critical)
    far = special.ndtr(centre - critical)
    # Where nothing is left on this side scipy's series may give NaN.
    return np.asarray(np.where(near & np.isfinite(inside), inside, far))


@lru_cache(maxsize=4096)
def t_noncentrality(
    wanted: float,
    df: float,
    alpha: float,
    alternative: str = "two-sided",
    *,
    wider: float = 1.0,
    test_df: float | None = None,
) -> float:
    """Return the noncentrality at which a t test rejects with the chance ``wanted``.

    Examples
    --------
    >>> round(t_noncentrality(0.8, 9.0, 0.05) / 10**0.5, 4)  # what ten data sets see
    0.996
    """

    def reached(centre: float) -> bool:
        return bool(t_power(centre, df, alpha, alternative, wider=wider, test_df=test_df) >= wanted)

    low, high = 0.0, 1.0
    while not reached(high):
        low, high = high, 2.0 * high
        if high > _FARTHEST:
            return np.inf
    for _ in range(34):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def f_power(noncentrality: Any, df1: Any, df2: Any, alpha: float) -> Array:
    """Return P[F rejects] for an F statistic with the given noncentrality λ.

    Examples
    --------
    >>> round(float(f_power(0.25**2 * 3 * 40, 2.0, 117.0, 0.05)), 6)
    0.675674
    """
    df1, df2 = np.asarray(df1, dtype=float), np.asarray(df2, dtype=float)
    critical = special.fdtri(df1, df2, 1.0 - alpha)
    spread = np.asarray(noncentrality, dtype=float)
    inside = special.ncfdtr(df1, df2, np.maximum(spread, 1e-300), critical)
    return np.asarray(np.where(spread > 0, 1.0 - inside, alpha))


def paired_t(
    effect: Any,
    n: Any,
    *,
    folds: int | None = None,
    correlation: float | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> Power:
    r"""Power of the paired t test: t is noncentral with :math:`d\sqrt n`, n − 1 degrees of freedom.

    Parameters
    ----------
    effect : array_like
        d = δ/σ: mean difference over the standard deviation of the differences; positive where the first loses more.
    n : array_like of whole numbers
        Data sets (or other independent pairs); with ``folds`` replications of so many.
    folds : int, optional
        The values are folds of one data set, which depend on each other as for ``corrected_t``.
    correlation : float, optional
        Of folds, as for ``corrected_t``.
    alpha : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> paired_t(0.5, 34)
    paired-t (two-sided, alpha 0.05): 34 data sets, effect 0.5: power 0.8078 by formula
    """
    if folds is not None:
        return _on_folds("paired-t", effect, n, folds, None, correlation, alpha, alternative)
    question = asked("paired-t", effect, n, alpha, alternative)
    power = t_power(question.effect * np.sqrt(question.n), question.n - 1.0, question.alpha, question.alternative)
    return question.answer(power, unit="data sets", scale=OF_PAIRS, way="formula")


def corrected_t(
    effect: Any,
    n: Any,
    *,
    folds: int = 10,
    test_fraction: float | None = None,
    correlation: float | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> Power:
    r"""Power of the corrected t test, for folds that depend on each other as those of real learners do.

    The mean of the differences has the variance vS², the test takes it for :math:`(1/L + n_2/n_1)S^2`: the chance is
    that a t statistic around :math:`d/\sqrt v` passes the critical value times the root of their ratio. v is the
    middle of what was measured on real learners (``fold_spread``), mostly smaller than what the test takes: it is a
    cautious test, and sees small differences less often than its own model says, large ones more often. More
    replications help up to a limit only, since the data stay the same.

    Parameters
    ----------
    effect : array_like
        d: mean difference over the standard deviation S of the differences, as the test computes it.
    n : array_like of whole numbers
        Replications of ``folds`` folds; with ``test_fraction`` the number of random splits.
    folds : int
    test_fraction : float, optional
        Share of test data of random splits.
    correlation : float, optional
        Correlation of any two differences, in place of what was measured. Nadeau and Bengio's model has the share of
        test data, 1/folds; under it the test has its level exactly, for normal differences.
    alpha : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> corrected_t(0.8, [1, 10, 100]).power.round(3).tolist()
    [0.322, 0.623, 0.66]
    >>> corrected_t(0.8, [1, 10, 100], correlation=0.1).power.round(3).tolist()
    [0.344, 0.624, 0.665]
    """
    return _on_folds("corrected-t", effect, n, folds, test_fraction, correlation, alpha, alternative)


def repeated_cv_t(
    effect: Any,
    n: Any,
    *,
    folds: int = 10,
    test_fraction: float | None = None,
    correlation: float | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> Power:
    r"""Power of the corrected t test of repeated cross-validation, which takes the variance for (1/F + n₂/n₁)S².

    Parameters
    ----------
    effect, n, folds, test_fraction, correlation, alpha, alternative
        As for ``corrected_t``.

    Examples
    --------
    >>> repeated_cv_t(0.8, [1, 10, 100]).power.round(3).tolist()
    [0.322, 0.378, 0.385]
    """
    return _on_folds("repeated-cv-t", effect, n, folds, test_fraction, correlation, alpha, alternative)


def calibrated_t(
    effect: Any,
    n: Any,
    *,
    folds: int = 10,
    correlation: float | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> Power:
    r"""Power of the calibrated t test with its ten degrees of freedom, which takes the variance for S²/11.

    Parameters
    ----------
    effect, n, folds, correlation, alpha, alternative
        As for ``corrected_t``.

    Examples
    --------
    >>> round(calibrated_t(0.8, 10).power, 3)
    0.643
    """
    return _on_folds("calibrated-t", effect, n, folds, None, correlation, alpha, alternative)


#: What a test of L folds, of which F are one replication, takes for the variance of the mean over S², and its degrees.
_TAKEN: dict[str, Callable[[Array, Array, float], tuple[Array, Array]]] = {
    "paired-t": lambda values, once, ratio: (1.0 / values, values - 1.0),
    "corrected-t": lambda values, once, ratio: (1.0 / values + ratio, values - 1.0),
    "repeated-cv-t": lambda values, once, ratio: (1.0 / once + ratio, values - values / once),
    "calibrated-t": lambda values, once, ratio: (np.full(values.shape, 1.0 / 11.0), np.full(values.shape, 10.0)),
}


class FoldError(NamedTuple):
    """Of a t test of folds: the true standard error of the mean over S, how much wider the test takes it, its df."""

    error: Any
    wider: Any
    test_df: Any


def fold_error(
    test: str,
    replications: Any,
    folds: int,
    *,
    test_fraction: float | None = None,
    correlation: float | None = None,
) -> FoldError:
    """What a test takes for the error of the mean of R replications of F folds, and what it is for real learners.

    Random splits are replications of one fold, with their ``test_fraction``.

    Examples
    --------
    >>> [round(float(each), 3) for each in fold_error("corrected-t", 5, 2)]
    [0.636, 1.649, 9.0]
    """
    values = np.asarray(replications, dtype=float) * folds
    share = 1.0 / folds if test_fraction is None else test_fraction
    sizes: dict[str, Any] = {"folds": folds} if test_fraction is None else {"test_fraction": test_fraction}
    actual = fold_spread(replications, correlation=correlation, **sizes).of_mean
    taken, test_df = _TAKEN[test](values, np.minimum(values, 1.0 / share), share / (1.0 - share))
    return FoldError(np.sqrt(actual), np.sqrt(taken / actual), test_df)


def _on_folds(
    test: str, effect: Any, n: Any, folds: Any, test_fraction: Any, correlation: Any, alpha: float, alternative: str
) -> Power:
    where = f"power of {test}"
    correlation = _correlation(correlation, where)
    folds, unit, least = _folds_of(folds, test_fraction, where)
    question = asked(test, effect, n, alpha, alternative, at_least=least)
    found = fold_error(test, question.n, folds, test_fraction=test_fraction, correlation=correlation)
    power = t_power(
        question.effect / found.error,
        folds * question.n - 1.0,
        question.alpha,
        question.alternative,
        wider=found.wider,
        test_df=found.test_df,
    )
    return question.answer(power, unit=unit, scale=OF_FOLDS, way="formula")


def _on_strata(
    within: str, effect: Any, n: Any, spreads: Array, folds: Any, test_fraction: Any, alpha: float, alternative: str
) -> Power:
    """The folds of several data sets, each by its test: variances add up, with Satterthwaite's degrees of freedom."""
    where = "power of stratified-t"
    if spreads.ndim != 1 or (spreads < 0).any() or not (spreads > 0).any():
        raise InputError(
            f"spreads have the shape {spreads.shape}.",
            f"{where}, argument spreads",
            "give one per data set.",
        )
    folds, unit, least = _folds_of(folds, test_fraction, where)
    question = asked("stratified-t", effect, n, alpha, alternative, at_least=least)
    found = fold_error(within, question.n, folds, test_fraction=test_fraction)
    total = np.square(spreads).sum()
    datasets = total**2 / (spreads**4).sum()  # as many of equal spread
    power = t_power(
        question.effect * len(spreads) / np.sqrt(total) / found.error,
        datasets * (folds * question.n - 1.0),
        question.alpha,
        question.alternative,
        wider=found.wider,
        test_df=datasets * found.test_df,
    )
    return question.answer(power, unit=f"{unit} per data set", scale=OF_FOLDS, way="formula")


def _folds_of(folds: Any, test_fraction: Any, where: str) -> tuple[int, str, int]:
    """Folds of a replication, what is counted, and the fewest of these that make sense; a random split is one fold."""
    if test_fraction is not None:
        level_inside(test_fraction, name="test_fraction", where=where)
        return 1, "random splits", 2
    folds = count_of(folds, name="folds", where=where, at_least=2)
    return folds, f"replications of {folds} folds", 1 if folds > 2 else 2


def _correlation(correlation: Any, where: str) -> float | None:
    if correlation is None:
        return None
    return max(0.0, number_inside(correlation, name="correlation", where=where, low=-1e-12, high=1.0))


_NODES = 120


def five_by_two_t(
    effect: Any,
    n: Any = 5,
    *,
    correlation: float | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> Power:
    r"""Power of the 5×2 cv t test, for folds that depend on each other as those of real learners do.

    The numerator, the first fold's difference, is also part of the denominator's first term, so t is not a noncentral
    t. With u the difference and v the sum of the first two folds, both standardised, W a χ² of four degrees for the
    other replications, and ρ the correlation of the two folds of a replication,

    .. math:: t = \frac{\delta/\sigma + u\sqrt{(1 - \rho)/2} + v\sqrt{(1 + \rho)/2}}{\sqrt{(1 - \rho)(u^2 + W)/5}}

    where u, v and W are independent: the chance given u and W is a normal one, and its mean over u and W is found by
    Gauss's quadrature. (Were the ten differences independent, the size would be 0.028 at 0.05: the first fold makes its
    own denominator larger.)

    Parameters
    ----------
    effect : array_like
        d: mean difference over the standard deviation of the ten differences.
    n : 5
        Replications; the design has no other number.
    correlation : float, optional
        Correlation of any two differences, in place of what was measured (``fold_spread``).
    alpha : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> round(five_by_two_t(0.0, correlation=0.0).power, 3), round(five_by_two_t(2.0).power, 3)
    (0.028, 0.343)
    """
    question = asked("5x2cv-t", effect, n, alpha, alternative)
    if (question.n != 5).any():
        raise InputError(
            f"n is {question.n[question.n != 5].flat[0]:g}, and the 5x2 cv t test has 5 replications of 2 folds.",
            "power of 5x2cv-t, argument n",
            "plan more replications with corrected-t, or more data sets with paired-t or wilcoxon.",
        )
    spread = fold_spread(5, folds=2, correlation=_correlation(correlation, "power of 5x2cv-t"))
    power = _five_by_two_above(question.effect, spread, question.alpha, question.alternative)
    return question.answer(power, unit="replications of 2 folds", scale=OF_FOLDS, way="formula")


def _five_by_two_above(effect: Array, spread: FoldSpread, alpha: float, alternative: str) -> Array:
    u, error, weight = _inside()
    tail = alpha / 2.0 if alternative == "two-sided" else alpha
    apart, together = 1.0 - spread.within, 1.0 + spread.within
    bound = float(t_upper(tail, 5.0)) * np.sqrt(apart) * error
    centre = effect[..., None, None] / np.sqrt(spread.of_one) + np.sqrt(apart / 2.0) * u
    scale = np.sqrt(2.0 / together)
    greater, less = special.ndtr(scale * (centre - bound)), special.ndtr(scale * (-centre - bound))
    return np.asarray(np.einsum("...uw,uw->...", by_side(alternative, greater, less), weight))


@lru_cache(maxsize=1)
def _inside() -> tuple[Array, Array, Array]:
    """Nodes of u, the root of (u² + W)/5, and weights: normal for u, gamma for √W (an even power, so smooth)."""
    u, by_u = special.roots_hermitenorm(_NODES)
    half, by_w = special.roots_genlaguerre(_NODES, 1.0)  # W/2 has the density w·exp(−w)
    weight = (by_u / by_u.sum())[:, None] * (by_w / by_w.sum())[None, :]
    return u[:, None], np.sqrt((u[:, None] ** 2 + 2.0 * half) / 5.0), weight


#: Shares of the variance that runs may have, over which the power of Welch's test is averaged: at steps, or drawn.
_STEPS, _DRAWN = 256, 2_048


def runs_power(
    effect: Any, variances: Array, sizes: Array, alpha: float, alternative: str, *, shares: int | None = None
) -> Array:
    """Return P[a t test with Welch's degrees of freedom rejects] for a sum of means of normal runs.

    ``variances`` of one run and ``sizes`` are (..., parts). Whatever share of the squares each part has, their total
    is an independent χ², so that t is noncentral given the shares, with a critical value of their own. Of two parts
    the shares are beta and averaged at equal steps, of more they are drawn: so many ``shares``. Nothing is shown with
    too few runs or degrees of freedom.

    Examples
    --------
    >>> runs_power(3.0, np.ones(2), np.array([3.0, 3.0]), 0.05, "two-sided").round(2)
    np.float64(0.43)
    """
    variances, sizes = np.broadcast_arrays(np.asarray(variances, dtype=float), np.asarray(sizes, dtype=float))
    df = np.maximum(sizes - 1.0, 1e-9)
    parts = (variances / sizes / df)[..., None, :] * _shares(df, shares)  # of the squared standard error
    error, total = parts.sum(axis=-1), df.sum(axis=-1)[..., None]
    test_df = np.square(error) / (np.square(parts) / df[..., None, :]).sum(axis=-1)
    true = (variances / sizes).sum(axis=-1)[..., None]
    centre = np.asarray(effect, dtype=float)[..., None] / np.sqrt(true)
    given = t_power(centre, total, alpha, alternative, wider=np.sqrt(total * error / true), test_df=test_df)
    return np.where(too_few(total[..., 0], False, sizes.min(axis=-1)), 0.0, given.mean(axis=-1))


def _shares(df: Array, number: int | None) -> Array:
    """Shares (..., many, parts) of a total χ² that parts with so many degrees of freedom may have."""
    if df.shape[-1] == 2:
        steps = (np.arange(number or _STEPS) + 0.5) / (number or _STEPS)
        first = special.betaincinv(0.5 * df[..., :1], 0.5 * df[..., 1:], steps)
        return np.stack([first, 1.0 - first], axis=-1)
    shape = (*df.shape[:-1], number or _DRAWN, df.shape[-1])
    drawn = np.random.default_rng(0).standard_gamma(0.5 * df[..., None, :], size=shape)
    return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))


def welch_t(
    effect: Any,
    n: Any,
    *,
    other: Any = None,
    spreads: Any = (1.0, 1.0),
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> Power:
    r"""Power of Welch's t test of independent normal runs; 0 with fewer than three of a learner, as it shows nothing.

    Parameters
    ----------
    effect : array_like
        Difference of the two means, first minus second, in the unit of ``spreads``.
    n : array_like of whole numbers
        Runs of the first learner.
    other : array_like of whole numbers, optional
        Runs of the second; without it as many.
    spreads : two of array_like
        Standard deviations of one run of each.
    alpha : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> welch_t(1.0, 17)
    welch-t (two-sided, alpha 0.05): 17 runs per learner, effect 1: power 0.8058 by formula
    >>> round(welch_t(1.0, 5, other=20, spreads=(1.5, 0.5)).power, 3)
    0.218
    """
    question = asked("welch-t", effect, n, alpha, alternative)
    variances, sizes = two_of_runs("welch-t", question, other, spreads)
    power = runs_power(question.effect, variances, sizes, question.alpha, question.alternative)
    return question.answer(power, unit="runs per learner", scale=OF_RUNS, way="formula")


def two_of_runs(test: str, question: Asked, other: Any, spreads: Any) -> tuple[Array, Array]:
    """Variances of one run, and numbers of runs, of two learners (..., 2)."""
    where = f"power of {test}"
    sizes = question.n, question.n if other is None else asked(test, 0.0, other, question.alpha).n
    variances = [np.square(numbers(each, name="spreads", where=where)) for each in spreads]
    if len(variances) != 2 or any((each <= 0).any() for each in variances):
        raise InputError("spreads are not two numbers above 0.", f"{where}, argument spreads", "give both.")
    one, two = (np.stack(np.broadcast_arrays(*each), axis=-1) for each in (variances, sizes))
    return one, two


def stratified_t(
    effect: Any,
    n: Any,
    *,
    spreads: Any,
    differences: Any = None,
    learners: Any = 2,
    folds: int | None = None,
    test_fraction: float | None = None,
    within: str = "corrected-t",
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> Power:
    """Power of the stratified t test of normal runs, or of folds, on several data sets: of the mean difference over
    these; 0 with fewer than three runs of a learner on a data set, as they show nothing.

    Parameters
    ----------
    effect : array_like
        Mean difference over the data sets, in the unit of ``spreads``.
    n : array_like of whole numbers
        Runs of every learner on every data set; with ``folds`` replications of so many folds of every data set, with
        ``test_fraction`` random splits of it.
    spreads : array_like, (2, D)
        Standard deviations of one run of each learner on each data set; of folds (D,), those of the differences.
    differences : array_like, (D,), optional
        Differences on the data sets, in the unit of ``spreads``, where losses are in units of a spread that is
        estimated on each: their squares add to the variance.
    learners : array_like
        Learners, on each data set, whose runs that spread is of.
    folds, test_fraction : optional
        As for ``corrected_t``.
    within : str
        The test of the folds of one data set.
    alpha : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> stratified_t(1.0, 5, spreads=np.ones((2, 4))).power > welch_t(1.0, 5).power
    True
    >>> stratified_t(0.5, 1, spreads=np.ones(4), folds=10)
    stratified-t (two-sided, alpha 0.05): 1 replications of 10 folds per data set, effect 0.5: power 0.5749 by formula
    """
    where = "power of stratified-t"
    each = numbers(spreads, name="spreads", where=where)
    if folds is not None or test_fraction is not None:
        return _on_strata(within, effect, n, each, folds, test_fraction, alpha, alternative)
    if each.ndim != 2 or len(each) != 2 or (each < 0).any() or not (each > 0).any():
        raise InputError(
            f"spreads have the shape {each.shape}.", f"{where}, argument spreads", "give two rows, from 0 up."
        )
    question = asked("stratified-t", effect, n, alpha, alternative)
    variances = np.square(each).ravel() / each.shape[1] ** 2  # of the mean over data sets
    sizes = np.broadcast_to(question.n[..., None], (*question.n.shape, variances.size))
    if differences is not None:
        apart = np.square(numbers(differences, name="differences", where=where)) / each.shape[1] ** 2
        df = np.maximum(question.n[..., None] - 1.0, 1e-9) * numbers(learners, name="learners", where=where)
        df = np.broadcast_to(df, (*question.n.shape, each.shape[1]))
        sizes = np.concatenate([sizes, df + 1.0], axis=-1)
        unit = apart * (df + 1.0) / (2.0 * df)  # of one run, so that its share of the error has f degrees of freedom
        variances = np.concatenate([np.broadcast_to(variances, (*df.shape[:-1], variances.size)), unit], axis=-1)
    power = runs_power(question.effect, variances, sizes, question.alpha, question.alternative)
    return question.answer(power, unit="runs per learner and data set", scale=OF_RUNS, way="formula")


def anova(
    effect: Any, n: Any, *, learners: int, blocks: bool = False, alpha: float = 0.05, alternative: str = "two-sided"
) -> Power:
    r"""Power of ANOVA: F is noncentral with :math:`\lambda = f^2 K n`.

    Parameters
    ----------
    effect : array_like
        Cohen's f: the standard deviation of the K expected losses (divisor K) over that of the values; with ``blocks``
        over what is left of it when folds have been taken out.
    n : array_like of whole numbers
        Folds per learner.
    learners : int
        K.
    blocks : bool
        The same folds for all learners (``repeated_anova``, under sphericity): error has (K − 1)(n − 1) degrees.
    alpha : float

    Examples
    --------
    >>> anova(0.4, 25, learners=3)
    anova (two-sided, alpha 0.05): 25 folds per learner, effect 0.4: power 0.8689 by formula
    """
    name = "repeated-anova" if blocks else "anova"
    k = count_of(learners, name="learners", where=f"power of {name}", at_least=2)
    question = asked(name, effect, n, alpha, two_sided_only(alternative, name), signed=False)
    spread = np.square(question.effect) * k * question.n
    error = (k - 1.0) * (question.n - 1.0) if blocks else k * (question.n - 1.0)
    power = f_power(spread, k - 1.0, error, question.alpha)
    scale = "standard deviation of the learners' means over that of the values"
    return question.answer(power, unit="folds per learner", scale=scale, way="formula")


def hotelling(effect: Any, n: Any, *, measures: int, alpha: float = 0.05, alternative: str = "two-sided") -> Power:
    r"""Power of the paired Hotelling test: F(p, n − p) with :math:`\lambda = n\,\delta^\top\Sigma^{-1}\delta`.

    Parameters
    ----------
    effect : array_like
        Mahalanobis length of the mean difference, √(δᵀΣ⁻¹δ); for one measure the size of d.
    n : array_like of whole numbers
        Folds, more than there are measures.
    measures : int
        p.
    alpha : float

    Examples
    --------
    >>> hotelling(1.0, 15, measures=2)
    hotelling (two-sided, alpha 0.05): 15 folds, effect 1: power 0.8768 by formula
    """
    p = count_of(measures, name="measures", where="power of hotelling")
    question = asked(
        "hotelling", effect, n, alpha, two_sided_only(alternative, "hotelling"), at_least=p + 1, signed=False
    )
    power = f_power(question.n * np.square(question.effect), float(p), question.n - p, question.alpha)
    scale = "Mahalanobis length of the mean difference of the measures"
    return question.answer(power, unit="folds", scale=scale, way="formula")
