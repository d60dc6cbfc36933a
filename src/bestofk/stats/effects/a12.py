"""Vargha and Delaney's A: the chance that one learner loses more than the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, numbers, squarable
from bestofk.core.errors import InputError
from bestofk.stats.effects.effect import Effect
from bestofk.stats.ranks import average_ranks


def a12(first: Any, second: Any) -> Effect:
    r"""Vargha and Delaney's A₁₂: how likely is a loss of the first larger than a loss of the second?

    .. math:: A_{12} = \Pr[x > y] + \tfrac12 \Pr[x = y] = \left(R_1 - \tfrac{n(n+1)}{2}\right) / (nm)

    over all n·m cross pairs, from the rank sum R₁ of the first among all. Above ½: the first loses more. Nothing is
    paired: fold difficulty stays in. It is the area under a ROC curve, and Mann and Whitney's U over nm.

    Parameters
    ----------
    first, second : array_like, (..., n) and (..., m)
        Losses of the two learners, at least two each; n and m may differ. Losses equal up to rounding are ties.

    References
    ----------
    Vargha and Delaney 2000, J. Educational and Behavioral Statistics 25.

    Examples
    --------
    >>> a12([.3, .5, .4], [.2, .4, .1, .3]).value
    0.8333333333333334
    """
    one, two = _group(first, "first"), _group(second, "second")
    n, m = one.shape[-1], two.shape[-1]
    together = _together(one, two)
    ranks = average_ranks(together, ROUNDING * np.abs(together).max(axis=-1, keepdims=True))
    larger = ranks[..., :n].sum(axis=-1) - n * (n + 1) / 2.0
    return Effect(name="a12", value=larger / (n * m), neutral=0.5)


def _group(values: Any, name: str) -> Array:
    group = squarable(numbers(values, name=name, where="a12"), name=name, where="a12")
    if group.ndim < 1 or group.size == 0 or group.shape[-1] < 2:
        raise InputError(
            f"{name} has the shape {group.shape}.",
            f"a12, argument {name}",
            "give at least two values on the last axis.",
        )
    return group


def _together(one: Array, two: Array) -> Array:
    try:
        batch = np.broadcast_shapes(one.shape[:-1], two.shape[:-1])
    except ValueError:
        raise InputError(
            f"the batches {one.shape[:-1]} and {two.shape[:-1]} do not fit together.",
            "a12, arguments first and second",
            "give batches of equal shape.",
        ) from None
    return np.concatenate([np.broadcast_to(side, (*batch, side.shape[-1])) for side in (one, two)], axis=-1)
