"""Two names of one measure, or of a measure and one minus it: a vector of both says the same thing twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.vectors_names import threshold_in

_COPIES = (
    ("tpr", "recall", "sensitivity", "true_positive_rate", "fnr", "false_negative_rate"),
    ("fpr", "false_positive_rate", "specificity", "tnr", "true_negative_rate"),
    ("error", "accuracy", "error_rate"),
    ("mcc", "matthews_corrcoef"),
    ("precision", "ppv"),
    ("balanced_accuracy", "recall_macro", "macro_recall"),
)
#: Two columns of one measure may differ by so much: they are often rounded to two digits.
_ROUNDED_SHARE = 0.0051
_FAMILY = {name: names[0] for names in _COPIES for name in names}


def refuse_copies(names: Sequence[str], *, where: str) -> None:
    """Refuse two names of one measure of counts, or of a measure and one minus it, at one threshold."""
    for first, second in _related(names):
        raise _copies(first, second, where)


def refuse_equal_columns(columns: Mapping[str, Array], *, where: str) -> None:
    """Refuse two columns of such names that say the same, or one minus it; a user's own may be about different things.

    Examples
    --------
    >>> refuse_equal_columns({"recall": np.array([0.2, 0.9]), "sensitivity": np.array([0.5, 0.4])}, where="here")
    """
    for first, second in _related(list(columns)):
        one, two = _shares(columns[first]), _shares(columns[second])
        both = ~(np.isnan(one) | np.isnan(two))
        apart = [np.abs(one - other)[both].max(initial=0.0) for other in (two, 1.0 - two)]
        if both.any() and min(apart) <= _ROUNDED_SHARE:
            raise _copies(first, second, where)


def _related(names: Sequence[str]) -> list[tuple[str, str]]:
    return [
        pair for pair in combinations(names, 2) if None not in map(_family, pair) and len(set(map(_family, pair))) == 1
    ]


def _family(name: str) -> tuple[str, float | None] | None:
    """What a name means, and at which threshold: 0.30 and 0.3 are one."""
    measure, threshold = threshold_in(name) or (plain(name), None)
    family = _FAMILY.get(measure, measure if threshold is not None else None)
    return None if family is None else (family, threshold)


def _shares(values: Array) -> Array:
    """Shares, also of what is in percent."""
    return values / 100.0 if np.nanmax(np.abs(values), initial=0.0) > 1.5 else values


def _copies(first: str, second: str, where: str) -> InputError:
    return InputError(
        f"{first} and {second} are one measure: the second is the first, or one minus it.",
        where,
        f"leave one of them out: {second} says nothing that the other does not.",
    )
