"""Rank-biserial correlation of matched pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.stats.effects.effect import Effect
from bestofk.stats.pair import paired
from bestofk.stats.pairwise.wilcoxon import signed_ranks


def rank_biserial(first: Any, second: Any) -> Effect:
    r"""Matched-pairs rank-biserial correlation: how one-sided are Wilcoxon's signed ranks?

    .. math:: r = \frac{W^+ - W^-}{W^+ + W^-}

    1 when the first loses more on every pair, −1 when the second does. Equal pairs are left out; 0 when all are equal.

    Parameters
    ----------
    first, second : array_like, (..., N)
        Losses of the two learners on the same data sets or folds.

    References
    ----------
    Kerby 2014, Comprehensive Psychology 3. King, Rosopa and Minium 2011.

    Examples
    --------
    >>> rank_biserial([3, 5, 8, 4, 9], [1, 4, 3, 4.5, 2])
    rank-biserial = 0.8667 (the first loses more)
    """
    pair = paired(first, second, where="rank-biserial")
    difference = np.where(pair.is_zero(pair.difference), 0.0, pair.difference)
    ranks, _, _ = signed_ranks(difference, "drop", pair.rounding)
    positive, negative = (np.where(side, ranks, 0.0).sum(axis=-1) for side in (difference > 0, difference < 0))
    total = positive + negative
    return Effect(name="rank-biserial", value=(positive - negative) / np.where(total > 0, total, 1.0), neutral=0.0)
