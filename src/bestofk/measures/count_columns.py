"""Columns of counts tp, fn, fp, tn: whole numbers, the measures that they give, and whether a column says the same."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.names import plain
from bestofk.measures.catalogue import ENTRIES
from bestofk.stats.confusion_ratios import COUNTS, RATIOS

#: Further names of measures of counts.
SAME = {
    synonym: name
    for name in RATIOS
    for synonym in (ENTRIES[name].synonyms if name in ENTRIES else ())
    if synonym not in RATIOS
}
#: What counts of two classes give, and everything that it is called.
GIVEN = (*RATIOS, *COUNTS)
OF_COUNTS = (*GIVEN, *SAME)
#: Digits after the point that are looked for, and the largest difference of shares that rounding explains.
_DIGITS, _COARSEST = 6, 0.05
#: Relative rounding of numbers of half precision.
_HALF = 5e-4
#: What is less is rounding.
ROUNDED = 1e-6


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
    whole = np.asarray(counts, dtype=np.float64)  # products of four integers would overflow
    above, below = (part({count: whole[..., i] for i, count in enumerate(COUNTS)}) for part in ratio)
    return np.where(below == 0, np.nan, above / np.where(below == 0, 1.0, below))


def contradicting(column: Array, counted: Array) -> tuple[Flags, float]:
    """Where a column says something else than the counts beside it, and its scale: 1, or 100 where it is in per cent.

    It may have been rounded or cut to fewer digits. The scale is that which fits more of the column.
    """
    wrong = {scale: _apart(column, scale * counted, scale) for scale in (1.0, 100.0)}
    best = min(wrong, key=lambda scale: int(wrong[scale].sum()))
    return wrong[best], best


def _apart(column: Array, counted: Array, scale: float) -> Flags:
    return np.asarray(np.abs(column - counted) > _allowance(column, scale))  # a comparison with NaN is False


def _allowance(column: Array, scale: float) -> Array:
    """One unit of the last digit that a value may have: as many after the point, or as many at all, as others have."""
    known = np.abs(column[~np.isnan(column) & (column != 0)])
    size = np.floor(np.log10(known))
    after = _digits(known)
    at_all = _digits(known / 10.0**size) + 1
    place = np.floor(np.log10(np.maximum(np.abs(np.nan_to_num(column)), 1e-300)))
    unit = np.maximum(10.0**-after, 10.0 ** (place + 1 - at_all))
    half = _HALF if (known == known.astype(np.float16)).all() else 0.0
    return np.asarray(np.maximum(np.minimum(unit, _COARSEST * scale), half * np.abs(column)) * (1.0 + 1e-9))


def _digits(values: Array) -> int:
    """So many digits after the point are enough for all."""
    exact = (np.abs(values * 10**digits - np.round(values * 10**digits)) < 1e-6 for digits in range(_DIGITS))
    return next((place for place, each in enumerate(exact) if each.all()), _DIGITS)


def contradiction(name: str, told: float, counted: float) -> tuple[str, str]:
    """What is wrong with such a column, and what to do about it."""
    return (
        f"the column {name} is {told:.4g}, and the counts give {counted:.4g}.",
        f"put one of them right; or call the column something else than {name}, or leave the counts out.",
    )


def not_whole(counts: Array) -> Flags:
    """Which counts lie between whole numbers; none where one is missing."""
    return np.asarray(np.abs(counts - np.round(counts)) > ROUNDED * np.maximum(np.abs(counts), 1.0))


def give_whole(columns: str) -> str:
    """What to do about such counts; ``columns`` are what may be given instead."""
    return f"give whole counts of rows; for shares, or means of counts, name {columns}."
