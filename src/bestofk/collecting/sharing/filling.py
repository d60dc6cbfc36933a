"""What the training rows of a fold teach about gaps and categories: medians, most frequent and unseen categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.design.encoding.matrices import Matrices
from bestofk.design.folds.base import Rows

Codes = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Learnt:
    """Medians of the numbers with gaps, modes of the categories with gaps, and which categories were seen."""

    medians: Array
    modes: Codes
    seen: npt.NDArray[np.bool_]


class Filling:
    """Learns from training rows what ``design.encoding`` learns, with columns sorted once for all folds."""

    def __init__(self, data: Matrices) -> None:
        self.rows = len(data.numbers)
        self.gappy = np.flatnonzero(np.isnan(data.numbers).any(axis=0))
        self.open = np.flatnonzero((data.codes < 0).any(axis=0))
        self.learns = bool(len(self.gappy) or len(self.open))
        self.nothing = not len(self.gappy) and not data.nominal
        self._loops = counting()
        sorted_columns = [_known_in_order(data.numbers[:, column]) for column in self.gappy]
        self._starts, self._order = _joined([order for order, _ in sorted_columns])
        self._values = np.concatenate([np.zeros(0), *(values for _, values in sorted_columns)])
        levels = [np.flatnonzero(data.codes[:, f] == k) for f, size in enumerate(data.sizes) for k in range(size)]
        self.level_starts, self.level_rows = _joined(levels)
        self._open_levels = np.ascontiguousarray(data.codes[:, self.open])
        self._open_sizes = data.sizes[self.open]

    @property
    def in_order(self) -> tuple[Codes, Codes, Array]:
        """Columns with gaps, sorted: where each begins, its rows, and their values."""
        return self._starts, self._order, self._values

    def learn(self, train: Rows) -> Learnt:
        """Return what these rows teach; repeated rows count as often as they are there."""
        times = self._loops.times_of(train, self.rows)
        medians = self._loops.medians(self._starts, self._order, self._values, times) if len(self.gappy) else _NONE
        modes = self._loops.modes(self._open_levels, self._open_sizes, times) if len(self.open) else _NO_MODES
        return Learnt(medians, modes, self._loops.seen(self.level_starts, self.level_rows, times))


def counting() -> Any:
    """The loops that count: compiled where numba is there, in numpy elsewhere."""
    if compiled_wanted():
        from bestofk.collecting.sharing import filling_loops

        return filling_loops
    from bestofk.collecting.sharing import filling_arrays

    return filling_arrays


def _known_in_order(values: Array) -> tuple[Codes, Array]:
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    return order, values[order]


def _joined(parts: list[Codes]) -> tuple[Codes, Codes]:
    """Where each part begins, and all of them behind one another."""
    starts = np.append(0, np.cumsum([len(part) for part in parts], dtype=np.intp)).astype(np.intp)
    return starts, np.concatenate([np.zeros(0, dtype=np.intp), *parts])


_NONE = np.zeros(0)
_NO_MODES = np.zeros(0, dtype=np.intp)
