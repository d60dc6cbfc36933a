"""Tukey's honestly significant difference."""

from __future__ import annotations

from typing import Any

from bestofk.core.arrays import Array
from bestofk.core.options import level_inside
from bestofk.stats.learners import learner_table
from bestofk.stats.method import method
from bestofk.stats.omnibus.range_test import RangeResult, range_test, studentized_tail
from bestofk.stats.studentized_range import critical


@method("K-values", papers=("tukey",))
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
    alpha = level_inside(alpha, name="alpha", where="tukey")
    _, table = learner_table(losses, where="tukey", learners=-2)
    k = table.shape[-2]

    def tail(size: int, q: Array, df: float) -> Array:
        return studentized_tail(k, q, df)

    return range_test(losses, where="tukey", alpha=alpha, tail=tail, critical=lambda size, df: critical(alpha, k, df))
