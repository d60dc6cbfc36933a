"""Measures from the counts of a 2×2 confusion table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import number_inside, one_of, refuse_duplicates

Counts = dict[str, Array]

# name → (numerator, denominator)
RATIOS: dict[str, tuple[Callable[[Counts], Array], Callable[[Counts], Array]]] = {
    "error": (lambda c: c["fp"] + c["fn"], lambda c: c["tp"] + c["fn"] + c["fp"] + c["tn"]),
    "accuracy": (lambda c: c["tp"] + c["tn"], lambda c: c["tp"] + c["fn"] + c["fp"] + c["tn"]),
    "tpr": (lambda c: c["tp"], lambda c: c["tp"] + c["fn"]),
    "recall": (lambda c: c["tp"], lambda c: c["tp"] + c["fn"]),
    "sensitivity": (lambda c: c["tp"], lambda c: c["tp"] + c["fn"]),
    "fpr": (lambda c: c["fp"], lambda c: c["fp"] + c["tn"]),
    "specificity": (lambda c: c["tn"], lambda c: c["fp"] + c["tn"]),
    "tnr": (lambda c: c["tn"], lambda c: c["fp"] + c["tn"]),
    "fnr": (lambda c: c["fn"], lambda c: c["tp"] + c["fn"]),
    "precision": (lambda c: c["tp"], lambda c: c["tp"] + c["fp"]),
    "f1": (lambda c: 2.0 * c["tp"], lambda c: 2.0 * c["tp"] + c["fp"] + c["fn"]),
    "balanced_accuracy": (  # the mean of tpr and tnr over one line
        lambda c: c["tp"] * (c["fp"] + c["tn"]) + c["tn"] * (c["tp"] + c["fn"]),
        lambda c: 2.0 * (c["tp"] + c["fn"]) * (c["fp"] + c["tn"]),
    ),
    "mcc": (
        lambda c: c["tp"] * c["tn"] - c["fp"] * c["fn"],
        lambda c: np.sqrt((c["tp"] + c["fp"]) * (c["tp"] + c["fn"]) * (c["tn"] + c["fp"]) * (c["tn"] + c["fn"])),
    ),
    "kappa": (  # Cohen's: agreement beyond chance
        lambda c: 2.0 * (c["tp"] * c["tn"] - c["fp"] * c["fn"]),
        lambda c: (c["tp"] + c["fp"]) * (c["fp"] + c["tn"]) + (c["tp"] + c["fn"]) * (c["fn"] + c["tn"]),
    ),
}
COUNTS = ("tp", "fn", "fp", "tn")


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
    where = "measures"
    if not isinstance(names, list | tuple) or len(names) == 0:
        raise InputError(f"names is {names!r}.", f"{where}, argument names", 'give a list such as ("tpr", "fpr").')
    chosen = [_canonical(name, where) for name in names]
    refuse_duplicates(chosen, what="measure", where=f"{where}, argument names")
    if undefined is not None:
        undefined = number_inside(undefined, name="undefined", where=where, low=-np.inf, high=np.inf)
    counts = _counts(dict(zip(COUNTS, (tp, fn, fp, tn), strict=True)), where)
    return np.stack([_one(name, counts, undefined, where) for name in chosen], axis=-1)


def _canonical(name: Any, where: str) -> str:
    lower = name.lower() if isinstance(name, str) else name
    return one_of(lower, (*RATIOS, *COUNTS), name="measure", where=f"{where}, argument names")


def _counts(given: dict[str, Any], where: str) -> Counts:
    counts = {name: numbers(values, name=name, where=where) for name, values in given.items()}
    for name, values in counts.items():
        if values.size == 0:
            raise InputError(f"{name} is empty.", f"{where}, argument {name}", "give one count per fold.")
        if (values < 0).any():
            raise InputError(f"{name} has a negative count.", f"{where}, argument {name}", "give counts from 0 up.")
    if len({values.shape for values in counts.values()}) > 1:
        raise InputError(
            "the counts have unequal shapes: " + ", ".join(f"{n} {v.shape}" for n, v in counts.items()) + ".",
            where,
            "give one tp, fn, fp and tn per fold.",
        )
    return counts


def _one(name: str, counts: Counts, undefined: float | None, where: str) -> Array:
    if name in COUNTS:
        return counts[name]
    above, below = (part(counts) for part in RATIOS[name])
    empty = np.asarray(below == 0)
    if empty.any() and undefined is None:
        fold = tuple(int(i) for i in np.argwhere(empty)[0])
        raise InputError(
            f"{name} is 0/0 in {int(empty.sum())} folds.",
            f"{where}, first at fold {fold[0] if len(fold) == 1 else fold}",
            "leave that measure out, use larger folds, or say what it should be: undefined=0.",
        )
    return np.where(empty, 0.0 if undefined is None else undefined, above / np.where(empty, 1.0, below))
