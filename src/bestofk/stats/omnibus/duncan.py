"""Duncan's multiple range test."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import level_inside
from bestofk.stats.method import method
from bestofk.stats.omnibus.range_test import RangeResult, range_test, studentized_tail
from bestofk.stats.studentized_range import critical


@method("K-values", papers=("duncan",))
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
    alpha = level_inside(alpha, name="alpha", where="duncan")
    return range_test(
        losses,
        where="duncan",
        alpha=alpha,
        tail=_tail,
        critical=lambda size, df: critical(_level(alpha, size), size, df),
    )


def _level(alpha: float, size: int) -> float:
    """1 − (1 − α)^(P−1), kept below 1."""
    return float(min(-np.expm1((size - 1) * np.log1p(-alpha)), np.nextafter(1.0, 0.0)))


def _tail(size: int, q: Array, df: float) -> Array:
    """The alpha at which the range is just rejected: p = 1 − (1 − α)^(P−1) solved for α."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(np.log1p(-studentized_tail(size, q, df)) / (size - 1)))
