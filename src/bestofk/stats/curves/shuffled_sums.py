"""Sums of squares of shuffled tables, by whichever backend there is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.core.names import unknown
from bestofk.stats.curves import matrix_kernel
from bestofk.stats.curves.curve_table import CurveTable
from bestofk.stats.curves.dealings import Dealer, Lines

_TIES = 1e-9  # F this close, relatively, are the same F in another order of adding


class Backend(Dealer, Protocol):
    """How dealings are drawn and their sums of squares taken: the same numbers from every backend."""

    CHUNK: int  # shuffles per pass, so that the working arrays stay in cache; the numbers do not depend on it

    def sums(self, lines: Array, sizes: npt.NDArray[np.int64], dealing: Lines) -> tuple[Array, Array]:
        """Return the sums of squares of algorithm and of cells for every dealing of centred lines."""


def backend_of(name: str, where: str) -> Backend:
    """Return the compiled kernel when it is asked for, or there, and the matrix form otherwise."""
    if name not in ("auto", "numpy", "numba"):
        raise unknown(name, ("auto", "numpy", "numba"), what="backend", where=f"{where}, argument backend")
    if name == "numba" or (name == "auto" and compiled_wanted()):
        from bestofk.stats.curves import fused_kernel

        return fused_kernel
    return matrix_kernel


def shuffled_sums(table: CurveTable, dealings: Iterator[Lines], backend: Backend) -> tuple[Array, Array]:
    """Return the sums of squares of algorithm and of cells, (..., dealings), of every dealing of the table's lines."""
    flat = np.ascontiguousarray(table.centred.reshape(-1, table.lines, table.points))
    algorithm: list[Array] = []
    cells: list[Array] = []
    for dealing in dealings:
        parts = [_sums(lines, table, dealing, backend) for lines in flat]
        algorithm.append(np.stack([part[0] for part in parts]))
        cells.append(np.stack([part[1] for part in parts]))
    shape = (*table.centred.shape[:-2], -1)
    return np.concatenate(algorithm, -1).reshape(shape), np.concatenate(cells, -1).reshape(shape)


def reached_by(statistic: Array, null: Array, exact: bool, blur: Array) -> tuple[Array, Array]:
    """P value and the plain share b/z of shuffled values that reach the observed one, rounding apart."""
    z = null.shape[-1]
    with np.errstate(invalid="ignore"):
        floor = (statistic * (1.0 - _TIES - blur))[..., None]
        reached = (null >= floor) | (np.isinf(null) & np.isinf(statistic[..., None]))
    b = reached.sum(axis=-1)
    if exact:
        b = np.maximum(b, 1)  # the observed way is one of them, whatever rounding says
    return (b / z if exact else (b + 1.0) / (z + 1.0)), b / z


def critical_value(null: Array, alpha: float) -> Array:
    """The ⌈(1 − α)z⌉-th of the sorted shuffled values."""
    z = null.shape[-1]
    place = min(max(int(np.ceil(round((1.0 - alpha) * z, 9))), 1), z) - 1
    return np.asarray(np.partition(null, place, axis=-1)[..., place])


def _sums(lines: Array, table: CurveTable, dealing: Lines, backend: Backend) -> tuple[Array, Array]:
    if table.quadratic is None:
        return backend.sums(lines, table.sizes, dealing)
    return matrix_kernel.weighted_sums(lines, table.sizes, dealing, table.quadratic)
