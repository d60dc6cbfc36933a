"""Bergmann and Hommel's adjustment for all pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.stats.adjust.family import pvalues
from bestofk.stats.adjust.partitions import learners_of, possible_sets


def bergmann_hommel(p: Any) -> Array:
    r"""Bergmann–Hommel: test every set of pairs that can be true together; the strongest for all pairs.

    .. math:: \tilde p_i = \max\{ |I| \min_{j \in I} p_j : I \text{ exhaustive},\ i \in I \}

    made monotone in p. At most 9 learners (21,147 partitions).

    Parameters
    ----------
    p : array_like, (..., K(K−1)/2)
        p values of all pairs in the order (0,1), (0,2), …, (1,2), …

    References
    ----------
    Bergmann and Hommel 1988. García and Herrera 2008.

    Examples
    --------
    >>> bergmann_hommel([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.03])
    """
    where = "bergmann-hommel"
    array = pvalues(p, where=where)
    sets = possible_sets(learners_of(array.shape[-1], where=where), where)
    sizes = sets.sum(axis=1)
    flat = array.reshape(-1, array.shape[-1])
    adjusted = np.empty(flat.shape)
    for row, values in enumerate(flat):
        weight = sizes * np.where(sets, values, np.inf).min(axis=1)
        adjusted[row] = np.where(sets, weight[:, None], 0.0).max(axis=0)
    order = np.argsort(flat, axis=-1, kind="stable")
    monotone = np.maximum.accumulate(np.take_along_axis(adjusted, order, axis=-1), axis=-1)
    np.put_along_axis(adjusted, order, monotone, axis=-1)
    return np.clip(adjusted, flat, 1.0).reshape(array.shape)
