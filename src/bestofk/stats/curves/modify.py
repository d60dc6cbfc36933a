"""The four controlled changes of learning curves used to measure size and power."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.options import number_inside, one_of
from bestofk.stats.shapes import wrong_shape


def modify(curves: Any, kind: str, factor: float) -> Array:
    """Return curves changed by M_a … M_d of Piater et al.; the input stays as it is.

    a: raised as a whole (algorithm effect). b: raised early, lowered late (interaction). c: pulled apart with
    training (both). d: a bump in the middle (both, early). r, L₁ and Lᵢ are the original values of each curve. M_b
    keeps a curve's mean only when the number of points is even.

    Parameters
    ----------
    curves : array_like, (..., k)
    kind : {"a", "b", "c", "d"}
    factor : float
        f of the paper, 0 for no change.

    References
    ----------
    Piater, Cohen, Zhang and Atighetchi 1998, appendix.

    Examples
    --------
    >>> modify([0.0, 4.0, 6.0, 8.0], "a", 10)
    array([1., 5., 7., 9.])
    """
    where = "modify"
    kind = one_of(kind, ("a", "b", "c", "d"), name="kind", where=where)
    factor = number_inside(factor, name="factor", where=where, low=-np.inf, high=np.inf)
    lines = numbers(curves, name="curves", where=where)
    if lines.ndim < 1 or lines.shape[-1] < 2 or lines.size == 0:
        raise wrong_shape(lines, "curves", where, "give curves of at least two points.")
    k = lines.shape[-1]
    i = np.arange(1, k + 1)
    rise = lines[..., -1:] - lines[..., :1]
    early = i <= k / 2
    if kind == "a":
        change = rise / 80.0 * np.ones(k)
    elif kind == "b":
        change = rise / 100.0 * np.where(early, k / 2 - i + 1, -(i - k / 2))
    elif kind == "c":
        change = (lines - lines[..., :1]) / 100.0 * (i - 1)
    else:
        change = rise / 100.0 * np.where(early, i - 1, k - i)
    return np.asarray(lines + factor * change)
