"""McNemar's test on the items that exactly one of two classifiers gets wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, is_missing, numbers, zero_one
from bestofk.core.errors import InputError
from bestofk.core.options import alternative_of, one_of
from bestofk.stats.distributions import binomial_half_point, binomial_half_tail, chi2_tail, normal_tail, normal_upper
from bestofk.stats.method import method as described
from bestofk.stats.pair import paired
from bestofk.stats.results import Interval, Numeric, Result, alpha_of, levels_inside, open_end
from bestofk.stats.shapes import common_batch

#: From so many items in disagreement on, ``auto`` takes mid-p: the conditional test is no longer coarse.
MID_P_FROM = 25
_HALVINGS = 50
#: What every form assumes, and what none is for.
_ASSUMES = "independent items, and two trained models"
_NOT_FOR = "items in groups, or claims about learners trained anew, of which it rejects equal ones in up to {} of cases"


class McNemarResult(Result):
    """Result of ``mcnemar``; ``n01`` items are wrong by the first only, ``n10`` by the second only."""

    n01: Numeric
    n10: Numeric
    items: Numeric

    @property
    def of_student(self) -> bool:
        """The distribution is that of χ², or exact."""
        return False

    def confidence_interval(self, level: Any = 0.95) -> Interval:
        r"""Return the interval of the difference of error rates: Tango's by the score (1998), for counts.

        Of n items n₀₁ are wrong by the first only, n₁₀ by the second only. The upper end is the largest δ for which

        .. math:: n_{01} - n_{10} + \tfrac12 - n\delta + z\,\sigma
                  \ge \min\left(\frac{z^2 - 1}6 \frac{\mu_3}{\mu_2},\; z\,\sigma\right), \qquad{}
                  \sigma^2 = n\mu_2

        with z the normal quantile of 1 − α/2 and the central moments of an item's difference if δ is true,

        .. math:: \mu_2 = s - \delta^2, \quad \mu_3 = \delta (1 - 3s + 2\delta^2), \quad s = 2q + \delta, \quad{}
                  q = \frac{\sqrt{b^2 + 8 n\, n_{10}\, \delta (1 - \delta)} - b}{4n}, \quad{}
                  b = (2n - n_{01} + n_{10})\,\delta - n_{01} - n_{10}

        where q, at least max(0, −δ), is the likeliest rate of items that the second alone gets wrong. The lower end is
        that of the two learners swapped, negated. The half is for counts being whole, the last term for their skewness
        (Cornish and Fisher): without the two the ends are passed in up to 0.097 instead of 0.05 of cases where one
        learner alone makes mistakes.
        """
        level = levels_inside(level, where=f"{self.test}, confidence_interval")
        z = normal_upper(alpha_of(level, self.alternative) / 2.0)
        one, two, items = (np.asarray(each, dtype=float) for each in (self.n01, self.n10, self.items))
        high, low = _score_bound(np.stack([one, two]), np.stack([two, one]), items, z)
        return open_end(-low, high, self.alternative, level)


def mcnemar(n01: Any, n10: Any, *, method: str = "chi2-corrected", alternative: str = "two-sided") -> McNemarResult:
    r"""McNemar's test from the two counts of disagreement.

    .. math:: \chi^2 = (|n_{01} - n_{10}| - 1)^2 / (n_{01} + n_{10})

    rejects when it is above the χ² quantile with one degree of freedom (eq. 13 of Yıldız and Alpaydın says
    *accept* there: a misprint). The corrected statistic is 0 when the counts are equal; without any
    disagreement p is 1.

    Parameters
    ----------
    n01, n10 : array_like of whole numbers
        Items wrong by the first only, and by the second only.
    method : {"chi2-corrected", "chi2", "exact", "mid-p", "auto"}
        The statistic of ``exact`` and ``mid-p`` is ``n01`` itself, a binomial count. ``auto`` is ``exact`` where fewer
        than 25 items are in disagreement, else ``mid-p``.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.

    Notes
    -----
    ``estimate`` is the mean difference over the items in disagreement; ``mcnemar_from`` knows all items and
    gives the difference of the two error rates. Two-sided mid-p with equal counts is 1 − P(n₀₁)/2. Given the number
    of disagreements, mid-p rejects equal classifiers in up to 0.077 of cases at 0.05, ``auto`` in up to 0.066 (43
    disagreements); over the numbers that chance brings, ``auto`` in at most 0.051 where up to 90 % of the items are in
    disagreement.

    References
    ----------
    McNemar 1947. Dietterich 1998. Fagerland, Lydersen and Laake 2013 (mid-p). Tango 1998 (interval).

    Examples
    --------
    >>> mcnemar(25, 10)
    mcnemar (two-sided): statistic = 5.6, df = 1, p = 0.01796: rejects at 0.05
    """
    where = "mcnemar"
    one, two = _counts(n01, "n01"), _counts(n10, "n10")
    common_batch(one.shape, two.shape, where="mcnemar, arguments n01 and n10")
    first_only, second_only = (side.copy() for side in np.broadcast_arrays(one, two))
    total = first_only + second_only
    estimate = np.where(total > 0, (first_only - second_only) / np.maximum(total, 1.0), 0.0)
    return _test(first_only, second_only, estimate, total, method, alternative, where)


def mcnemar_from(
    y: Any, first: Any, second: Any, *, method: str = "chi2-corrected", alternative: str = "two-sided"
) -> McNemarResult:
    """McNemar's test from the truth and two columns of predictions (numbers or labels; last axis = items).

    Examples
    --------
    >>> mcnemar_from(list("aabb"), list("abbb"), list("aaaa"), method="exact").pvalue
    1.0
    """
    truth, one, two = (_labels(values, name) for values, name in ((y, "y"), (first, "first"), (second, "second")))
    for labels, name in ((one, "first"), (two, "second")):
        if (labels.dtype.kind in "biuf") != (truth.dtype.kind in "biuf"):
            raise InputError(
                f"{name} holds {labels.dtype} labels and y {truth.dtype} ones.",
                f"mcnemar, argument {name}",
                "give numbers in both, or text in both.",
            )
        if labels.shape[-1:] != truth.shape[-1:]:
            raise InputError(
                f"{name} has {labels.shape[-1]} predictions for {truth.shape[-1]} items.",
                f"mcnemar, argument {name}",
                "give one prediction per item, in the order of y.",
            )
    common_batch(*(each.shape[:-1] for each in (truth, one, two)), where="mcnemar, arguments y, first and second")
    wrong = (np.asarray(each != truth).astype(float) for each in (one, two))
    return mcnemar_losses(*wrong, method=method, alternative=alternative)


@described(
    "items",
    name="mcnemar",
    one_sided=True,
    papers=("mcnemar", "dietterich", "tango"),
    called="McNemar's test",
    assumes=_ASSUMES,
    not_for=_NOT_FOR.format("13 %"),
)
def mcnemar_losses(
    first: Any, second: Any, *, method: str = "chi2-corrected", alternative: str = "two-sided"
) -> McNemarResult:
    """McNemar's test from 0/1 losses per item (1 = wrong; last axis = items).

    Examples
    --------
    >>> mcnemar_losses([1, 1, 0, 1], [0, 0, 1, 1], method="exact").n01
    2.0
    """
    return _from_losses(first, second, method, alternative, "mcnemar")


@described(
    "items",
    name="mcnemar-exact",
    one_sided=True,
    papers=("mcnemar", "tango"),
    called="McNemar's exact test",
    assumes=_ASSUMES,
    not_for=_NOT_FOR.format("13 %"),
)
def mcnemar_exact_losses(first: Any, second: Any, *, alternative: str = "two-sided") -> McNemarResult:
    """McNemar's exact test from 0/1 losses per item: n₀₁ of all disagreements is binomial with chance ½.

    It never rejects too often, whatever the number of items; ``mcnemar_mid_p_losses`` has more power.

    Examples
    --------
    >>> mcnemar_exact_losses([1, 1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0, 1])
    mcnemar-exact (two-sided): statistic = 5, p = 0.0625: does not reject at 0.05
    """
    return _from_losses(first, second, "exact", alternative, "mcnemar-exact")


@described(
    "items",
    name="mcnemar-mid-p",
    one_sided=True,
    papers=("mcnemar", "fagerland", "tango"),
    called="McNemar's mid-p test",
    assumes=_ASSUMES,
    not_for=_NOT_FOR.format("17 %"),
)
def mcnemar_mid_p_losses(first: Any, second: Any, *, alternative: str = "two-sided") -> McNemarResult:
    """McNemar's mid-p test from 0/1 losses per item: the exact test with half the chance of the observed counts.

    Fagerland, Lydersen and Laake 2013 recommend it; of few disagreements it may reject too often.

    Examples
    --------
    >>> mcnemar_mid_p_losses([1, 1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0, 1])
    mcnemar-mid-p (two-sided): statistic = 5, p = 0.03125: rejects at 0.05
    """
    return _from_losses(first, second, "mid-p", alternative, "mcnemar-mid-p")


@described(
    "items",
    name="mcnemar-auto",
    one_sided=True,
    papers=("mcnemar", "fagerland", "tango"),
    called="McNemar's test (exact where fewer than 25 items are in disagreement, else mid-p)",
    assumes=_ASSUMES,
    not_for=_NOT_FOR.format("17 %"),
)
def mcnemar_auto_losses(first: Any, second: Any, *, alternative: str = "two-sided") -> McNemarResult:
    """McNemar's test from 0/1 losses per item: exact where fewer than 25 items are in disagreement, else mid-p.

    Examples
    --------
    >>> mcnemar_auto_losses([1, 1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0, 1])
    mcnemar-auto (two-sided): statistic = 5, p = 0.0625: does not reject at 0.05
    """
    return _from_losses(first, second, "auto", alternative, "mcnemar-auto")


def _from_losses(first: Any, second: Any, method: str, alternative: str, where: str) -> McNemarResult:
    for values, name in ((first, "first"), (second, "second")):
        zero_one(values, name=name, where=where, meaning=f"{where} compares items: 1 for wrong, 0 for right")
    pair = paired(first, second, where=where, at_least=1)
    first_only = (pair.difference > 0).sum(axis=-1).astype(float)
    second_only = (pair.difference < 0).sum(axis=-1).astype(float)
    number = np.full(first_only.shape, float(pair.difference.shape[-1]))
    return _test(first_only, second_only, pair.difference.mean(axis=-1), number, method, alternative, where)


def _test(
    n01: Array, n10: Array, estimate: Array, items: Array, method: str, alternative: str, where: str
) -> McNemarResult:
    method = one_of(method, METHODS, name="method", where=where)
    alternative = alternative_of(alternative, where=where)
    statistic, pvalue, df = METHODS[method](n01, n10, alternative)
    return McNemarResult(
        test=where,
        statistic=statistic,
        pvalue=np.where(n01 + n10 == 0, 1.0, pvalue),
        df=df,
        estimate=estimate,
        alternative=alternative,
        n01=n01,
        n10=n10,
        items=items,
    )


def _chi2(n01: Array, n10: Array, alternative: str, correction: float = 0.0) -> tuple[Array, Array, tuple[float, ...]]:
    excess = np.maximum(np.abs(n01 - n10) - correction, 0.0)  # equal counts: 0, not (0 − 1)²
    root = np.sign(n01 - n10) * excess / np.sqrt(np.maximum(n01 + n10, 1.0))
    statistic = np.square(root)
    if alternative == "two-sided":
        return statistic, chi2_tail(statistic, 1.0), (1.0,)
    return statistic, normal_tail(root, alternative), (1.0,)


def _corrected(n01: Array, n10: Array, alternative: str) -> tuple[Array, Array, tuple[float, ...]]:
    return _chi2(n01, n10, alternative, correction=1.0)


def _exact(n01: Array, n10: Array, alternative: str) -> tuple[Array, Array, tuple[float, ...]]:
    return n01, binomial_half_tail(n01, n01 + n10, alternative), ()


def _mid_p(n01: Array, n10: Array, alternative: str) -> tuple[Array, Array, tuple[float, ...]]:
    point = binomial_half_point(n01, n01 + n10)
    if alternative != "two-sided":
        return n01, binomial_half_tail(n01, n01 + n10, alternative) - 0.5 * point, ()
    pvalue = np.where(n01 == n10, 1.0 - 0.5 * point, binomial_half_tail(n01, n01 + n10, alternative) - point)
    return n01, pvalue, ()


def _auto(n01: Array, n10: Array, alternative: str) -> tuple[Array, Array, tuple[float, ...]]:
    exact, mid_p = (each(n01, n10, alternative)[1] for each in (_exact, _mid_p))
    return n01, np.where(n01 + n10 < MID_P_FROM, exact, mid_p), ()


METHODS: dict[str, Callable[[Array, Array, str], tuple[Array, Array, tuple[float, ...]]]] = {
    "chi2-corrected": _corrected,
    "chi2": _chi2,
    "exact": _exact,
    "mid-p": _mid_p,
    "auto": _auto,
}


def _score_bound(n01: Array, n10: Array, items: Array, z: Any) -> Array:
    """The largest difference of rates that the score at z does not reject, by bisection."""
    n01, n10, n, z = np.broadcast_arrays(n01, n10, np.maximum(items, 1e-9), z)
    low, high = (n01 - n10) / n, np.ones(n.shape)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        # The likeliest rate of n10 if the difference is this one solves a quadratic equation.
        linear = (2.0 * n - n01 + n10) * middle - n01 - n10
        root = np.sqrt(np.maximum(linear**2 + 8.0 * n * n10 * middle * (1.0 - middle), 0.0))
        either = 2.0 * np.maximum((root - linear) / (4.0 * n), np.maximum(0.0, -middle)) + middle
        variance = np.maximum(either - middle**2, 1e-300)
        third = middle * (1.0 - 3.0 * either + 2.0 * middle**2)
        reach = z * np.sqrt(n * variance)
        inside = n01 - n10 + 0.5 - n * middle + reach >= np.minimum((z**2 - 1.0) / 6.0 * third / variance, reach)
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return np.asarray((low + high) / 2.0)


def _counts(values: Any, name: str) -> Array:
    array = numbers(values, name=name, where="mcnemar")
    if (array < 0).any() or (array != np.round(array)).any() or array.size == 0:
        raise InputError(
            f"{name} is {values!r}.",
            f"mcnemar, argument {name}",
            "give the number of items: whole, from 0 up.",
        )
    return array


def _labels(values: Any, name: str) -> np.ndarray[Any, Any]:
    try:
        labels = np.asarray(values)
    except ValueError:
        raise InputError(f"{name} is ragged.", f"mcnemar, argument {name}", "give one label per item.") from None
    if labels.ndim == 0 or labels.size == 0:
        raise InputError(f"{name} is empty.", f"mcnemar, argument {name}", "give one label per item.")
    if labels.dtype.kind == "O" and any(is_missing(label) for label in labels.flat):
        raise InputError(f"{name} has a missing label.", f"mcnemar, argument {name}", "give one label per item.")
    if labels.dtype.kind == "f":
        numbers(labels, name=name, where="mcnemar")  # a missing label is not an error of the classifier
    return labels
