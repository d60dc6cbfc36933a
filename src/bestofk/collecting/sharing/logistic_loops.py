"""Residuals of many logistic regressions at once, as compiled loops (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled residuals of shared logistic regressions")


def _two_classes(scores: Any, y: Any, times: Any, out: Any) -> None:
    for i in range(scores.shape[0]):
        for m in range(scores.shape[1]):
            if times[i, m] == 0.0:
                out[i, m] = 0.0
            else:
                out[i, m] = times[i, m] * (1.0 / (1.0 + np.exp(-scores[i, m])) - y[i])


def _several_classes(scores: Any, y: Any, times: Any, present: Any, out: Any) -> None:
    """``scores`` hold the classes of the first model, then those of the second, and so on."""
    models, classes = present.shape
    for i in range(scores.shape[0]):
        for m in range(models):
            first = m * classes
            if times[i, m] == 0.0:
                for c in range(classes):
                    out[i, first + c] = 0.0
                continue
            largest = -np.inf
            for c in range(classes):
                if present[m, c] and scores[i, first + c] > largest:
                    largest = scores[i, first + c]
            total = 0.0
            for c in range(classes):
                value = np.exp(scores[i, first + c] - largest) if present[m, c] else 0.0
                out[i, first + c] = value
                total += value
            for c in range(classes):
                out[i, first + c] *= times[i, m] / total
            out[i, first + y[i]] -= times[i, m]


_compiled = numba.njit(cache=True, nogil=True, fastmath={"reassoc", "nsz", "contract"})
two_classes: Any = _compiled(_two_classes)
several_classes: Any = _compiled(_several_classes)
