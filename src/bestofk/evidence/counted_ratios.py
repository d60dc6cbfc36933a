"""Measures that counts tp, fn, fp, tn give, under all their names, and whether a column beside them says the same."""

from __future__ import annotations

import numpy as np

from bestofk.evidence.columns import plain
from bestofk.evidence.scores import COUNTS
from bestofk.stats.arrays import Array, Flags
from bestofk.stats.multivariate.measures import RATIOS

#: Further names of measures of counts: itself, or one minus it.
SAME = {
    "matthews_corrcoef": "mcc",
    "ppv": "precision",
    "true_positive_rate": "tpr",
    "false_positive_rate": "fpr",
    "true_negative_rate": "specificity",
    "false_negative_rate": "fnr",
    "error_rate": "error",
}
#: Everything that counts of two classes give.
OF_COUNTS = (*RATIOS, *COUNTS, *SAME)
#: A column and the counts, or two columns of one measure, may differ by so much: they are often rounded to two digits.
ROUNDED = 0.0051
#: Shares above this are in per cent.
_MOST = 1.5


def counted_ratio(name: str, counts: Array) -> Array | None:
    """The measure of counts (…, 4), NaN where it is 0/0; None where counts do not give it.

    Examples
    --------
    >>> counted_ratio("error-rate", np.array([[8, 2, 1, 9], [0, 0, 0, 0]]))
    array([0.15,  nan])
    """
    ratio = RATIOS.get(SAME.get(plain(name), plain(name)))
    if ratio is None:
        return None
    above, below = (part({count: counts[..., i] for i, count in enumerate(COUNTS)}) for part in ratio)
    return np.where(below == 0, np.nan, above / np.where(below == 0, 1.0, below))


def scale_of(column: Array) -> float:
    """100 for a column in per cent, else 1."""
    return 100.0 if np.nanmax(np.abs(column), initial=0.0) > _MOST else 1.0


def contradicting(column: Array, counted: Array) -> Flags:
    """Where a column, which may be in per cent or rounded, says something else than the counts beside it."""
    scale = scale_of(column)
    return np.asarray(np.abs(column - scale * counted) > scale * ROUNDED)  # a comparison with NaN is False


def contradiction(name: str, told: float, counted: float) -> tuple[str, str]:
    """What is wrong with such a column, and what to do about it."""
    return (
        f"the column {name} is {told:.4g}, and the counts give {counted:.4g}.",
        f"put one of them right; or call the column something else than {name}, or leave the counts out.",
    )
