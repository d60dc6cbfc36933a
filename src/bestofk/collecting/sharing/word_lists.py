"""What the lists of near kinds tell beforehand, for words of folds, as compiled loops (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled lists of neighbours")


def _few_mismatches(listed: Any, levels: Any, nothing: int) -> Any:
    """Levels in which a kind and one of its list differ, two for each mismatch; first -1 for more than two."""
    out = np.full((listed.shape[0], listed.shape[1], 4), nothing, dtype=np.int32)
    for i in range(listed.shape[0]):
        for at in range(listed.shape[1]):
            count, j = 0, listed[i, at]
            for g in range(levels.shape[1]):
                if levels[i, g] != levels[j, g]:
                    if count < 4:
                        out[i, at, count], out[i, at, count + 1] = levels[i, g], levels[j, g]
                    count += 2
            if count > 4:
                out[i, at, 0] = -1
    return out


few_mismatches: Any = numba.njit(cache=True, nogil=True)(_few_mismatches)


def _first_different(listed: Any, pure: Any) -> Any:
    """For a kind and every place of its list, the next place of another class, (kinds, 1 + length)."""
    kinds, length = listed.shape
    out = np.empty((kinds, length + 1), dtype=np.int16)
    for i in range(kinds):
        out[i, length] = length
        for at in range(length - 1, -1, -1):
            before = i if at == 0 else listed[i, at - 1]
            same = pure[listed[i, at]] == pure[before]
            out[i, at] = out[i, at + 1] if same else at
    return out


first_different: Any = numba.njit(cache=True, nogil=True)(_first_different)
