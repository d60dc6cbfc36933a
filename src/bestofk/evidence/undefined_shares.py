"""How much of a measure of all classes is 0/0: all of it, or the part of a mean over classes that some of them have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.core.arrays import Array


def undefined_share(name: str, counts: Any) -> Array:
    """Shares from 0 to 1 of confusion counts, (..., C, C), rows the truth; 0 for a measure that is always defined.

    Measures put 0 in the place of 0/0, so that a value v there adds v times the share.

    Examples
    --------
    >>> undefined_share("mcc", [[2, 0, 0], [1, 0, 0], [1, 0, 0]])  # one class is predicted throughout
    array(1.)
    >>> float(undefined_share("precision_macro", [[2, 0], [1, 0]]))  # the second never is
    0.5
    """
    table = np.asarray(counts, dtype=np.float64)
    truth, said = table.sum(axis=-1), table.sum(axis=-2)
    share = _SHARES.get(name)
    return np.zeros(table.shape[:-2]) if share is None else np.asarray(share(truth, said), dtype=np.float64)


def _of_classes(below: Array, other: Array) -> Array:
    """The part of the classes that occur in a fold whose ratio has nothing below the line."""
    number = ((below + other) > 0).sum(axis=-1)
    return np.asarray(((below == 0) & (other > 0)).sum(axis=-1) / np.maximum(number, 1))


def _of_mcc(truth: Array, said: Array) -> Any:
    return ((truth > 0).sum(axis=-1) == 1) | ((said > 0).sum(axis=-1) == 1)


def _of_kappa(truth: Array, said: Array) -> Any:
    one = ((truth > 0).sum(axis=-1) == 1) & ((said > 0).sum(axis=-1) == 1)
    return one & (truth.argmax(axis=-1) == said.argmax(axis=-1))


_SHARES: dict[str, Callable[[Array, Array], Any]] = {
    "mcc": _of_mcc,
    "kappa": _of_kappa,
    "recall_macro": _of_classes,
    "precision_macro": lambda truth, said: _of_classes(said, truth),
}
