"""Shapes of arrays at the door of a test: what is refused, and batches that fit together."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError


def wrong_shape(array: Array, name: str, where: str, fix: str) -> InputError:
    """The error of an array that does not have the axes or sizes that a test needs."""
    return InputError(f"{name} has the shape {array.shape}.", f"{where}, argument {name}", fix)


def common_batch(*batches: tuple[int, ...], where: str) -> tuple[int, ...]:
    """Return the shape that batches have together.

    Examples
    --------
    >>> common_batch((3, 1), (4,), where="example")
    (3, 4)
    """
    try:
        return np.broadcast_shapes(*batches)
    except ValueError:
        listed: Any = " and ".join(str(batch) for batch in batches)
        raise InputError(f"the batches {listed} do not fit together.", where, "give batches of equal shape.") from None
