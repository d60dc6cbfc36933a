"""Effect over spread, with the ruling for no spread: 0/0 is no evidence, nonzero/0 is certain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.core.arrays import Array


def ratio(effect: Any, spread: Any, *, no_effect: Callable[[], Any], no_spread: Any) -> Array:
    """Divide effect by spread; where there is no spread: 0 without effect, ±inf with one.

    ``no_effect`` is a function because it is asked only when some spread is missing, which is rare.

    Examples
    --------
    >>> ratio([1.0, 0.0, -2.0], [2.0, 0.0, 0.0], no_effect=lambda: [False, True, False], no_spread=[False, True, True])
    array([ 0.5,  0. , -inf])
    """
    effect, no_spread = np.asarray(effect, dtype=float), np.asarray(no_spread)
    if not no_spread.any():
        return np.asarray(effect / spread)
    certain = np.where(no_effect(), 0.0, np.copysign(np.inf, effect))
    return np.where(no_spread, certain, effect / np.where(no_spread, 1.0, spread))
