"""Columns of counts tp, fn, fp, tn: whole numbers, the measures that they give, and whether a column says the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, Flags, numbers
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.options import number_inside, one_of, refuse_duplicates
from bestofk.measures.catalogue import COUNTED, Measure

COUNTS = ("tp", "fn", "fp", "tn")
#: Measures that counts of two classes give; and everything that these and the counts are called.
GIVEN = tuple(dict.fromkeys(each.name for each in COUNTED.values()))
OF_COUNTS = (*COUNTED, *COUNTS)
#: Digits after the point that are looked for, and the largest difference of shares that rounding explains.
_DIGITS, _COARSEST = 6, 0.05
#: Relative rounding of numbers of half precision.
_HALF = 5e-4
#: What is less is rounding.
ROUNDED = 1e-6
_NAMES = "measures, argument names"


def is_of_one_class(measure: str) -> bool:
    """Whether a measure, at a threshold or not, takes one class for the positive one.

    Examples
    --------
    >>> is_of_one_class("tpr@0.3"), is_of_one_class("fn"), is_of_one_class("mcc"), is_of_one_class("recall of setosa")
    (True, True, False, False)
    """
    name = plain(measure.partition("@")[0])
    return name in COUNTS or (name in COUNTED and COUNTED[name].classes == 2)


def confusion_table(counts: Any) -> Array:
    """Counts tp, fn, fp, tn, (..., 4), as tables of truth × prediction, (..., 2, 2), the second class positive.

    Examples
    --------
    >>> confusion_table([8, 2, 1, 9]).tolist()
    [[9.0, 1.0], [2.0, 8.0]]
    """
    whole = np.asarray(counts, dtype=np.float64)  # products of four integers would overflow
    return whole[..., [[3, 2], [1, 0]]]


def undefined_share(measure: Measure, table: Any) -> Array:
    """How much of a measure is 0/0 in confusion counts, (..., C, C), rows the truth: shares from 0 to 1.

    All of it, or the part of a mean over classes that some of them have.

    Examples
    --------
    >>> from bestofk.measures.catalogue import MEASURES
    >>> undefined_share(MEASURES["mcc"], [[2, 0, 0], [1, 0, 0], [1, 0, 0]])  # one class is predicted throughout
    array(1.)
    >>> float(undefined_share(MEASURES["precision_macro"], [[2, 0], [1, 0]]))  # the second never is
    0.5
    """
    known = np.asarray(table, dtype=np.float64)
    truth, said = known.sum(axis=-1), known.sum(axis=-2)
    share = 0.0 if measure.undefined is None else measure.undefined(truth, said)
    return np.where(np.isnan(truth.sum(axis=-1)), 0.0, share)


def filled_in(measure: Measure, table: Any, undefined: float) -> Array:
    """The measure of confusion counts with a number in the place of 0/0, which measures themselves take for 0.

    Examples
    --------
    >>> from bestofk.measures.catalogue import MEASURES
    >>> filled_in(MEASURES["precision"], [[3, 0], [2, 0]], 1.0)
    array(1.)
    """
    share, values = undefined_share(measure, table), measure.compute(table)
    filled = np.where(share == 1.0, undefined, values + undefined * share)
    return np.where(share > 0, filled, values)


def counted_ratio(name: str, counts: Array) -> Array | None:
    """The measure of counts (…, 4), NaN where it is 0/0; None where counts do not give it.

    Examples
    --------
    >>> counted_ratio("error-rate", np.array([[8, 2, 1, 9], [0, 0, 0, 0]]))
    array([0.15,  nan])
    """
    measure = COUNTED.get(plain(name))
    return None if measure is None else filled_in(measure, confusion_table(counts), np.nan)


def measures(
    tp: Any,
    fn: Any,
    fp: Any,
    tn: Any,
    *,
    names: Sequence[str] = ("tpr", "fpr"),
    undefined: float | None = None,
) -> Array:
    """Return the named measures (last axis) from counts of equal shape, one entry per fold.

    Parameters
    ----------
    tp, fn, fp, tn : array_like of counts
        True positives, false negatives, false positives, true negatives.
    names : sequence of str
        Any of error, accuracy, tpr (= recall = sensitivity), fpr, specificity (= tnr), fnr, precision, f1,
        balanced_accuracy, mcc, kappa, and the counts tp, fn, fp, tn themselves.
    undefined : float, optional
        Value for 0/0, such as the precision of a learner that never says positive. Without it that is an error.

    Examples
    --------
    >>> measures([8, 9], [2, 1], [1, 3], [9, 7], names=("tpr", "fpr"))
    array([[0.8, 0.1],
           [0.9, 0.3]])
    """
    if not isinstance(names, list | tuple) or len(names) == 0:
        raise InputError(f"names is {names!r}.", _NAMES, 'give a list such as ("tpr", "fpr").')
    chosen = [name.lower() if isinstance(name, str) else name for name in names]
    for name in chosen:
        one_of(name, OF_COUNTS, name="measure", where=_NAMES)
    refuse_duplicates(chosen, what="measure", where=_NAMES)
    if undefined is not None:
        undefined = number_inside(undefined, name="undefined", where="measures", low=-np.inf, high=np.inf)
    counts = _checked(dict(zip(COUNTS, (tp, fn, fp, tn), strict=True)))
    return np.stack([_one(name, counts, undefined) for name in chosen], axis=-1)


def _checked(given: dict[str, Any]) -> Array:
    """Counts from 0 up and of equal shape, (..., 4)."""
    counts = {name: numbers(values, name=name, where="measures") for name, values in given.items()}
    for name, values in counts.items():
        if values.size == 0 or (values < 0).any():
            wrong = "has a negative count" if values.size else "is empty"
            raise InputError(f"{name} {wrong}.", f"measures, argument {name}", "give one count per fold, from 0 up.")
    if len({values.shape for values in counts.values()}) > 1:
        raise InputError(
            "the counts have unequal shapes: " + ", ".join(f"{n} {v.shape}" for n, v in counts.items()) + ".",
            "measures",
            "give one tp, fn, fp and tn per fold.",
        )
    return np.stack(list(counts.values()), axis=-1)


def _one(name: str, counts: Array, undefined: float | None) -> Array:
    if name in COUNTS:
        return np.asarray(counts[..., COUNTS.index(name)])
    measure, table = COUNTED[name], confusion_table(counts)
    empty = undefined_share(measure, table) > 0
    if empty.any() and undefined is None:
        fold = tuple(int(i) for i in np.argwhere(empty)[0])
        raise InputError(
            f"{name} is 0/0 in {int(empty.sum())} folds.",
            f"measures, first at fold {fold[0] if len(fold) == 1 else fold}",
            "leave that measure out, use larger folds, or say what it should be: undefined=0.",
        )
    return filled_in(measure, table, undefined or 0.0)


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
