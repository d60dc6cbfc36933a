"""Cluster masses of shuffled curves as compiled loops (extra ``fast``); same dealings, same masses as with numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.extras import need

numba = need("numba", purpose="the compiled kernel of clusters")


def _masses(
    lines: Array,
    dealing: npt.NDArray[np.integer[Any]],
    total: Array,
    weight: float,
    df: float,
    threshold: float,
    sides: int,
) -> Array:
    shuffles, dealt = dealing.shape
    points = lines.shape[1]
    largest = np.zeros(shuffles)
    sums = np.empty(points)
    for shuffle in range(shuffles):
        sums[:] = 0.0
        for place in range(dealt):
            line = lines[dealing[shuffle, place]]
            for point in range(points):
                sums[point] += line[point]
        up, down, most = 0.0, 0.0, 0.0
        for point in range(points):
            square = sums[point] * sums[point]
            tiny = 1e-12 * weight * total[point]
            error = weight * total[point] - square
            t = 0.0
            if square > tiny:
                if error <= tiny:
                    t = np.copysign(np.inf, sums[point])
                else:
                    t = sums[point] * np.sqrt(df / error)
            up = up + t if t >= threshold else 0.0
            down = down - t if sides == 2 and -t >= threshold else 0.0
            most = max(most, up, down)
        largest[shuffle] = most
    return largest


shuffled_masses: Any = numba.njit(cache=True, nogil=True)(_masses)
