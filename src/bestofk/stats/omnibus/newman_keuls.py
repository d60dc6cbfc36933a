"""Newman–Keuls range test."""

from __future__ import annotations

from typing import Any

from bestofk.core.options import level_inside
from bestofk.stats.method import method
from bestofk.stats.omnibus.range_test import RangeResult, range_test, studentized_tail
from bestofk.stats.studentized_range import critical


@method("K-values", papers=("newman", "keuls"))
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
    alpha = level_inside(alpha, name="alpha", where="newman-keuls")
    return range_test(
        losses,
        where="newman-keuls",
        alpha=alpha,
        tail=studentized_tail,
        critical=lambda size, df: critical(alpha, size, df),
    )
