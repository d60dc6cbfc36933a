"""Counts, medians, sums and scores of one fold in numpy: what ``loops`` does, where there is no numba."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np


def class_sums(values: Any, y: Any, rows: Any, classes: int) -> Any:
    """Rows of each class, sums of their columns, and sums of squares over all classes."""
    chosen, codes = values[rows], y[rows]
    member = (codes == np.arange(classes)[:, None]).astype(np.float64)
    return member.sum(axis=1), member @ chosen, np.einsum("ij,ij->j", chosen, chosen)


def class_spreads(values: Any, y: Any, rows: Any, means: Any) -> Any:
    """Sums of squared deviations from the mean of the class."""
    codes = y[rows]
    apart = values[rows] - means[codes]
    member = (codes == np.arange(len(means))[:, None]).astype(np.float64)
    return member @ (apart * apart)


def nearest_means(values: Any, rows: Any, codes: Any, means: Any, weights: Any, rounding: float) -> Any:
    """Class of the nearest mean for each row, and how many rows rounding might decide."""
    chosen = values[rows]
    offsets = (weights * means * means).sum(axis=1)
    scores = offsets - chosen @ (2.0 * weights * means).T
    own = (chosen * chosen) @ weights
    return codes[scores.argmin(axis=1)], _close(-scores, rounding * (own + offsets.max()))


def likeliest(values: Any, rows: Any, codes: Any, means: Any, inverse: Any, offsets: Any, rounding: float) -> Any:
    """Class of the largest Gaussian score for each row, and how many rows rounding might decide."""
    chosen = values[rows]
    totals = [((chosen - mean) ** 2) @ weight for mean, weight in zip(means, inverse, strict=True)]
    scores = offsets - 0.5 * np.stack(totals, axis=1)
    best = scores.argmax(axis=1)
    size = np.maximum(np.maximum(1.0, np.abs(scores.max(axis=1))), np.abs(offsets[best]))
    return codes[best], _close(scores, rounding * size)


def winners(scores: Any, offsets: Any, rows: Any) -> Any:
    """The class of the largest score for each row, and the least lead over the second."""
    chosen = scores[:, rows] + offsets[:, None]
    two = np.partition(chosen, -2, axis=0)[-2:]
    return chosen.argmax(axis=0), (two[1] - two[0]).min()


def _close(scores: Any, allowed: Any) -> int:
    if scores.shape[1] < 2:
        return 0
    two = np.partition(scores, -2, axis=1)[:, -2:]
    return int((two[:, 1] - two[:, 0] <= allowed).sum())


def most_frequent(y: Any, train: Any, counts: Any) -> int:
    """The code that most training rows have, the lowest of equals."""
    return int(np.bincount(y[train], minlength=len(counts)).argmax())


def times_of(train: Any, rows: int) -> Any:
    """How often each row is trained on."""
    return np.bincount(train, minlength=rows)


def medians(starts: Any, order: Any, values: Any, times: Any) -> Any:
    """Medians of sorted columns, the rows of column k at ``starts[k]`` and on; 0 where no training row has a value."""
    parts = [slice(start, stop) for start, stop in pairwise(starts.tolist())]
    return np.array([_median(values[part], times[order[part]]) for part in parts])


def seen(starts: Any, order: Any, times: Any) -> Any:
    """Whether some training row has the category."""
    reached = np.append(0, np.cumsum(times[order] > 0))
    return reached[starts[1:]] > reached[starts[:-1]]


def modes(levels: Any, sizes: Any, times: Any) -> Any:
    """The most frequent category of each column, the first of equals; -1 where all are missing."""
    found = np.full(levels.shape[1], -1)
    for column, size in enumerate(sizes):
        known = levels[:, column] >= 0
        counts = np.bincount(levels[known, column], weights=times[known], minlength=size)
        if counts.any():
            found[column] = counts.argmax()
    return found


def _median(values: Any, times: Any) -> float:
    up_to = np.cumsum(times)
    total = int(up_to[-1]) if len(up_to) else 0
    if not total:
        return 0.0
    low, high = np.searchsorted(up_to, [(total - 1) // 2, total // 2], side="right")
    return float((values[low] + values[high]) / 2)
