"""The few columns that tell most near kinds apart, in a small table: looked at before all others."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.collecting.sharing.near_lists import NearLists
from bestofk.core.arrays import Array

#: Columns that are held: as many numbers as are fetched from memory at once.
COLUMNS = 8
#: Places of the lists that show how far near kinds are apart.
PLACES = 8


class Clearest:
    """``table`` has these columns of every kind, zeros where there are fewer; columns with gaps are not among them."""

    def __init__(self, numbers: Array, lists: NearLists) -> None:
        columns = numbers.shape[1]
        self.low = lists.low[:columns]
        apart = sum((numbers[lists.kinds[:, at]] - numbers) ** 2 for at in range(min(PLACES, lists.kinds.shape[1])))
        worth = np.sum(apart, axis=0) * (lists.high[:columns] - self.low) if columns else np.zeros(0)
        order = np.argsort(-np.nan_to_num(worth, nan=-1.0), kind="stable")
        self.columns = order[~np.isnan(numbers[:, order]).any(axis=0)][:COLUMNS]
        self.table = np.zeros((len(lists.kinds), COLUMNS))
        self.table[:, : len(self.columns)] = numbers[:, self.columns]

    def weights(self, found: Any) -> tuple[Array, Array]:
        """What folds weigh these columns beyond their bounds, and in all; nothing where a fold lacks some column."""
        excess, full = (np.zeros((len(found.least), COLUMNS)) for _ in range(2))
        own = found.number[:, self.columns]
        beyond = np.maximum(own - found.least[:, None] * self.low[self.columns], 0.0)
        usable = found.told.all(axis=1)[:, None] & np.isfinite(beyond)
        excess[:, : len(self.columns)] = np.where(usable, beyond, 0.0)
        full[:, : len(self.columns)] = own
        return excess, full
