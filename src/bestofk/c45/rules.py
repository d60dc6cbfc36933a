"""The rules that decide a tree: margins, settings as numbers that compiled code can read, and how they are checked.

Numbers that differ by less than a margin count as equal; J48 has the same margins, and its ties are decided by them.
"""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any, NamedTuple

from bestofk.core.errors import InputError
from bestofk.core.names import unknown

#: Gains, ratios, weights and errors that differ by less are equal.
SMALL = 1e-6
#: Two values of a numeric feature that differ by no more are not separated.
GAP = 1e-5
#: A split's gain may fall short of the average gain by so much.
BELOW_AVERAGE = 1e-3
#: Collapsing: a subtree with so few training errors less than its leaf is not worth keeping.
WORTHLESS = 1e-3
#: Pruning: a simpler form may have so many estimated errors more.
BENEFIT = 0.1
#: A nominal feature with at least this share of the rows as levels does not enter the average gain.
MANY_LEVELS = 0.3
#: Numeric splits: least weight of a side is this share of the weight per class, within min_instances and the ceiling.
SHARE_OF_CLASS, CEILING = 0.1, 25.0

PRUNING = ("none", "pessimistic", "reduced-error")
CRITERIA = ("gain-ratio", "gain")


class Rules(NamedTuple):
    """``confidence`` is the chance that bounds a leaf's errors, ``deviate`` the normal deviate that it leaves above."""

    by_ratio: bool
    min_instances: float
    penalty: bool
    collapse: bool
    pessimistic: bool
    raising: bool
    confidence: float
    deviate: float


WHERE = "C45Classifier, parameter "


def rules_of(estimator: Any) -> Rules:
    """Return the rules, or say which parameter is wrong."""
    _known("criterion", estimator.criterion, CRITERIA)
    _known("pruning", estimator.pruning, PRUNING)
    least = _number("min_instances", estimator.min_instances, 0.0, math.inf)
    confidence = _number("confidence", estimator.confidence, 0.0, 0.5)
    _check_held_out(estimator.held_out)
    pessimistic = estimator.pruning == "pessimistic"
    # Release 8 collapses with pessimistic pruning and without any; J48 does not before reduced-error pruning.
    collapse = bool(estimator.collapse) and estimator.pruning != "reduced-error"
    return Rules(
        by_ratio=estimator.criterion == "gain-ratio",
        min_instances=least,
        penalty=bool(estimator.penalty),
        collapse=collapse,
        pessimistic=pessimistic,
        raising=pessimistic and bool(estimator.subtree_raising),
        confidence=confidence,
        deviate=_deviate(confidence),
    )


def _deviate(confidence: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(1.0 - confidence))


def _known(name: str, value: Any, known: tuple[str, ...]) -> None:
    if value not in known:
        raise unknown(value, known, what=name, where=WHERE + name)


def _number(name: str, value: Any, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not low < float(value) <= high or math.isinf(value):
        limits = f"above {low:g}" + ("" if math.isinf(high) else f" and at most {high:g}")
        raise InputError(f"{name} is {value!r}.", WHERE + name, f"give a number {limits}.")
    return float(value)


def _check_held_out(value: Any) -> None:
    whole = isinstance(value, Integral)
    right = isinstance(value, Real) and not isinstance(value, bool)
    if not right or not (float(value) >= 2.0 if whole else 0.0 < float(value) < 1.0):
        raise InputError(
            f"held_out is {value!r}.", WHERE + "held_out", "give a share between 0 and 1, or a number of folds from 2."
        )
