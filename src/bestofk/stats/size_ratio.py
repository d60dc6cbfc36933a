"""Sizes of training and test sets, in either form that a caller may give them."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.options import level_inside, number_inside


def size_ratio(test_fraction: Any, n_train: Any, n_test: Any, *, where: str) -> float:
    """Return n_test/n_train from the share that is tested, or from both sizes."""
    if test_fraction is not None and n_train is None and n_test is None:
        fraction = level_inside(test_fraction, name="test_fraction", where=where)
        return fraction / (1.0 - fraction)
    if test_fraction is None and n_train is not None and n_test is not None:
        train = number_inside(n_train, name="n_train", where=where, low=0.0, high=np.inf)
        return number_inside(n_test, name="n_test", where=where, low=0.0, high=np.inf) / train
    raise InputError(
        f"the sizes do not fit together: test_fraction={test_fraction}, n_train={n_train}, n_test={n_test}.",
        where,
        "give test_fraction alone, or both n_train and n_test.",
    )
