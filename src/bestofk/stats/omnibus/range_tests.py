"""Range tests: sort by mean, test ranges from the widest down, underline what is accepted."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import ROUNDING, Array, Flags
from bestofk.core.options import level_inside
from bestofk.core.record import Record
from bestofk.stats import studentized_range
from bestofk.stats.distributions import ratio
from bestofk.stats.learners import Names, learner_table
from bestofk.stats.method import method
from bestofk.stats.omnibus.anova import variance_table
from bestofk.stats.ranks import ascending
from bestofk.stats.results import Numeric, Result


class Step(Record):
    """One range as it was tested: members from smallest to largest mean, q of its ends, p, decision."""

    members: tuple[Any, ...]
    statistic: float
    critical: float
    pvalue: float
    rejected: bool


class RangeResult(Result):
    """Result of a range test.

    ``order`` lists the learners by mean, smallest first; ``ranges`` the maximal underlines (no singletons), for a
    batch a boolean (..., K, K) that is true where two learners share an underline; ``statistic`` and ``pvalue``
    are (..., K, K): q of each pair as the ends of a range, and the smallest alpha at which the pair is told apart.
    ``steps`` lists what was tested (empty for a batch).
    """

    order: Numeric
    ranges: Any
    steps: tuple[Step, ...]
    mean_square_error: Numeric
    alpha: float
    names: Names

    symbol: ClassVar[str] = "q"

    def __repr__(self) -> str:
        if np.ndim(self.order) > 1:
            return f"{self.test} at {self.alpha:g}, batch of shape {np.shape(self.order)[:-1]}"
        groups = " ".join("[" + " ".join(str(m) for m in group) + "]" for group in self.ranges) or "none"
        listed = " ".join(str(member) for member in self.order)
        return f"{self.test} at {self.alpha:g}: order {listed}; not told apart: {groups}"


def range_test(losses: Any, *, where: str, alpha: float, widest: bool = False, growing: bool = False) -> RangeResult:
    """Run a range test.

    ``widest`` takes every pair for the ends of all K means, ``growing`` lets the level grow with the range (Duncan).
    """
    alpha = level_inside(alpha, name="alpha", where=where)
    names, table = learner_table(losses, where=where, learners=-2)
    k, n = table.shape[-2:]
    groups = [table[..., i, :] for i in range(k)]
    means, _, error, (_, df), _, no_spread = variance_table(groups)
    rounding = ROUNDING * np.abs(table).max(axis=(-2, -1))
    order = ascending(means, rounding[..., None])
    ordered = np.take_along_axis(means, order, axis=-1)
    sizes = {size: k if widest else size for size in range(2, k + 1)}
    q, p = _all_ranges(ordered, np.sqrt(error / n), df, no_spread, rounding, sizes, growing)
    adjusted = _step_down(p)
    single = means.ndim == 1
    labels: tuple[Any, ...] = names if names is not None else tuple(range(k))
    listed: Any = tuple(labels[i] for i in order) if single else order
    return RangeResult(
        test=where,
        statistic=_by_learner(q, order, 0.0),
        pvalue=_by_learner(adjusted, order, 1.0),
        df=(df,),
        estimate=means,
        alternative="two-sided",
        order=listed,
        ranges=underlines(adjusted > alpha, listed) if single else _by_learner(adjusted, order, 1.0) > alpha,
        steps=_steps(q, p, adjusted, listed, alpha, df, sizes, growing) if single else (),
        mean_square_error=error,
        alpha=alpha,
        names=names,
    )


def _all_ranges(
    ordered: Array, error: Array, df: float, no_spread: Flags, rounding: Array, sizes: dict[int, int], growing: bool
) -> tuple[Array, Array]:
    """q and p of every range (i, j), i < j, of the ordered means; elsewhere q 0 and p 1."""
    k = ordered.shape[-1]
    q = np.zeros((*ordered.shape, k))
    p = np.ones((*ordered.shape, k))
    for size, means in sizes.items():
        i = np.arange(k - size + 1)
        gap = ordered[..., i + size - 1] - ordered[..., i]
        equal = gap <= rounding[..., None]
        q[..., i, i + size - 1] = ratio(gap, error[..., None], no_effect=equal.view, no_spread=no_spread[..., None])
        tail = np.asarray(studentized_range.sf(q[..., i, i + size - 1], means, df))
        p[..., i, i + size - 1] = _without_growth(tail, size) if growing else tail
    return q, p


def _step_down(p: Array) -> Array:
    """Inside an accepted range nothing is tested: a range is rejected only if all that contain it are."""
    adjusted = p.copy()
    k = p.shape[-1]
    for size in range(k - 1, 1, -1):
        for i in range(k - size + 1):
            j = i + size - 1
            if i > 0:
                adjusted[..., i, j] = np.maximum(adjusted[..., i, j], adjusted[..., i - 1, j])
            if j < k - 1:
                adjusted[..., i, j] = np.maximum(adjusted[..., i, j], adjusted[..., i, j + 1])
    return adjusted


def _by_learner(values: Array, order: npt.NDArray[np.intp], diagonal: float) -> Array:
    """From pairs of places in the order (upper triangle) to a symmetric matrix over learners."""
    k = values.shape[-1]
    upper = np.triu(np.ones((k, k), dtype=bool), 1)
    symmetric = np.where(upper, values, np.swapaxes(values, -1, -2))
    symmetric[..., np.arange(k), np.arange(k)] = diagonal
    place = np.argsort(order, axis=-1)
    rows = np.take_along_axis(symmetric, place[..., :, None], axis=-2)
    return np.take_along_axis(rows, place[..., None, :], axis=-1)


def underlines(accepted: Flags, names: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    """Maximal groups of neighbours whose two ends (i, j), i < j, are accepted; larger groups are tried first.

    Examples
    --------
    >>> underlines(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool), ("a", "b", "c"))
    (('a', 'b'), ('b', 'c'))
    """
    k = len(names)
    found: list[tuple[int, int]] = []
    for size in range(k, 1, -1):
        for i in range(k - size + 1):
            j = i + size - 1
            if accepted[i, j] and not any(start <= i and j <= end for start, end in found):
                found.append((i, j))
    return tuple(names[start : end + 1] for start, end in sorted(found))


def _steps(
    q: Array, p: Array, adjusted: Array, listed: Any, alpha: float, df: float, sizes: dict[int, int], growing: bool
) -> tuple[Step, ...]:
    steps = []
    k = len(listed)
    for size in range(k, 1, -1):
        level = _grown(alpha, size) if growing else alpha
        for i in range(k - size + 1):
            j = i + size - 1
            inside = (i > 0 and adjusted[i - 1, j] > alpha) or (j < k - 1 and adjusted[i, j + 1] > alpha)
            if not inside:
                steps.append(
                    Step(
                        members=tuple(listed[i : j + 1]),
                        statistic=q[i, j],
                        critical=studentized_range.critical(level, sizes[size], df),
                        pvalue=p[i, j],
                        rejected=bool(p[i, j] <= alpha),
                    )
                )
    return tuple(steps)


def _grown(alpha: float, size: int) -> float:
    """1 − (1 − α)^(P−1), kept below 1."""
    return float(min(-np.expm1((size - 1) * np.log1p(-alpha)), np.nextafter(1.0, 0.0)))


def _without_growth(pvalue: Array, size: int) -> Array:
    """The alpha at which the range is just rejected: p = 1 − (1 − α)^(P−1) solved for α."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(np.log1p(-pvalue) / (size - 1)))


@method(
    "K-values",
    papers=("newman", "keuls"),
    called="the Newman–Keuls test",
    assumes="independent normal groups of one size with the same spread",
    not_for="claims about single pairs: where six learners are equal in twos, it parts some equal pair in 14 % "
    "of cases (tukey)",
)
def newman_keuls(losses: Any, *, alpha: float = 0.05) -> RangeResult:
    r"""Newman–Keuls test: which groups of learners have the same expected loss?

    .. math:: q = (m_j - m_i) \sqrt{L / MSE}

    against the studentized range of the P means between the two ends, with K(L − 1) degrees of freedom. From all
    K means down; inside an accepted range nothing is tested.

    Parameters
    ----------
    losses : array_like (..., K, L), or dict of name → losses on the folds
    alpha : float
        Level of every range.

    References
    ----------
    Newman 1939. Keuls 1952. Yıldız and Alpaydın 2006, section 2.4.2, eq. 12.

    Examples
    --------
    >>> newman_keuls({"a": [.30, .31, .33], "b": [.21, .22, .20], "c": [.22, .21, .24]})
    newman-keuls at 0.05: order b c a; not told apart: [b c]
    """
    return range_test(losses, where="newman-keuls", alpha=alpha)


@method(
    "K-values",
    papers=("tukey",),
    called="Tukey's test",
    assumes="independent normal groups of one size with the same spread",
    not_for="folds, of which it parts equal learners in up to 25 % of cases",
)
def tukey(losses: Any, *, alpha: float = 0.05) -> RangeResult:
    r"""Tukey's HSD: every pair against the studentized range of all K means.

    Controls the family-wise error of all pairs; ``pvalue`` holds the adjusted p of each pair.

    Parameters
    ----------
    losses : array_like (..., K, L), or dict of name → losses on the folds
    alpha : float
        Family-wise level.

    References
    ----------
    Tukey 1949.

    Examples
    --------
    >>> tukey({"a": [.30, .31, .33], "b": [.21, .22, .20], "c": [.22, .21, .24]})
    tukey at 0.05: order b c a; not told apart: [b c]
    """
    return range_test(losses, where="tukey", alpha=alpha, widest=True)


@method(
    "K-values",
    papers=("duncan",),
    called="Duncan's test",
    assumes="independent normal groups of one size with the same spread",
    not_for="claims about single pairs: of five equal learners it parts some in 19 % of cases (tukey)",
)
def duncan(losses: Any, *, alpha: float = 0.05) -> RangeResult:
    r"""Duncan's test: Newman–Keuls with the level 1 − (1 − α)^(P−1) for a range of P means.

    More powerful and less careful than ``newman_keuls``: the level grows with the range.

    Parameters
    ----------
    losses : array_like (..., K, L), or dict of name → losses on the folds
    alpha : float
        Level of a range of two.

    References
    ----------
    Duncan 1955.

    Examples
    --------
    >>> duncan({"a": [.30, .31, .33], "b": [.21, .22, .20], "c": [.22, .21, .24]})
    duncan at 0.05: order b c a; not told apart: [b c]
    """
    return range_test(losses, where="duncan", alpha=alpha, growing=True)
