"""Sums and scores of one fold as compiled loops (extra ``fast``); ``arrays_only`` is the same in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled sums of shared folds")

#: Rows that are scored together.
BLOCK = 64


def _class_sums(values: Any, y: Any, rows: Any, classes: int) -> Any:
    columns = values.shape[1]
    counts, sums, squares = np.zeros(classes), np.zeros((classes, columns)), np.zeros(columns)
    for place in range(rows.shape[0]):
        row = values[rows[place]]
        code = y[rows[place]]
        of_class = sums[code]
        counts[code] += 1.0
        for f in range(columns):
            of_class[f] += row[f]
            squares[f] += row[f] * row[f]
    return counts, sums, squares


def _class_spreads(values: Any, y: Any, rows: Any, means: Any) -> Any:
    columns = values.shape[1]
    spreads = np.zeros(means.shape)
    for place in range(rows.shape[0]):
        row = values[rows[place]]
        code = y[rows[place]]
        mean, spread = means[code], spreads[code]
        for f in range(columns):
            apart = row[f] - mean[f]
            spread[f] += apart * apart
    return spreads


def _nearest_means(values: Any, rows: Any, codes: Any, means: Any, weights: Any, rounding: float) -> Any:
    present, columns = means.shape
    slopes, offsets = np.empty((columns, present)), np.zeros(present)
    for c in range(present):
        for f in range(columns):
            slopes[f, c] = 2.0 * weights[f] * means[c, f]
            offsets[c] += weights[f] * means[c, f] * means[c, f]
    largest = offsets.max()
    answer, unsure = np.empty(rows.shape[0], dtype=np.intp), 0
    # Rows in blocks, column by column: every inner loop runs over rows, whatever the numbers of columns and classes.
    turned, scores, own = np.empty((columns, BLOCK)), np.empty((present, BLOCK)), np.empty(BLOCK)
    for start in range(0, rows.shape[0], BLOCK):
        count = min(BLOCK, rows.shape[0] - start)
        for place in range(count):
            row = values[rows[start + place]]
            for f in range(columns):
                turned[f, place] = row[f]
        own[:] = 0.0
        for f in range(columns):
            for place in range(count):
                own[place] += weights[f] * turned[f, place] * turned[f, place]
        for c in range(present):
            of_class = scores[c]
            of_class[:] = offsets[c]
            for f in range(columns):
                slope, column = slopes[f, c], turned[f]
                for place in range(count):
                    of_class[place] -= slope * column[place]
        for place in range(count):
            least, second, best = np.inf, np.inf, 0
            for c in range(present):
                score = scores[c, place]
                if score < least:
                    second, least, best = least, score, c
                elif score < second:
                    second = score
            answer[start + place] = codes[best]
            unsure += second - least <= rounding * (own[place] + largest)
    return answer, unsure


def _likeliest(values: Any, rows: Any, codes: Any, means: Any, inverse: Any, offsets: Any, rounding: float) -> Any:
    present, columns = means.shape
    answer, unsure = np.empty(rows.shape[0], dtype=np.intp), 0
    for place in range(rows.shape[0]):
        row = values[rows[place]]
        most, second, best = -np.inf, -np.inf, 0
        for c in range(present):
            total = 0.0
            mean, weight = means[c], inverse[c]
            for f in range(columns):
                apart = row[f] - mean[f]
                total += apart * apart * weight[f]
            score = offsets[c] - 0.5 * total
            if score > most:
                second, most, best = most, score, c
            elif score > second:
                second = score
        answer[place] = codes[best]
        unsure += most - second <= rounding * max(1.0, abs(most), abs(offsets[best]))
    return answer, unsure


def _winners(scores: Any, offsets: Any, rows: Any) -> Any:
    """The class of the largest score for each row, and the least lead over the second."""
    answer, closest = np.empty(rows.shape[0], dtype=np.intp), np.inf
    for place in range(rows.shape[0]):
        row = rows[place]
        most, second, best = -np.inf, -np.inf, 0
        for c in range(scores.shape[0]):
            score = scores[c, row] + offsets[c]
            if score > most:
                second, most, best = most, score, c
            elif score > second:
                second = score
        answer[place] = best
        closest = min(closest, most - second)
    return answer, closest


# Sums may be taken in another order, so that they run in vector registers; what that could decide is left open.
_compiled = numba.njit(cache=True, nogil=True, fastmath={"reassoc", "nsz", "contract"})
class_sums: Any = _compiled(_class_sums)
class_spreads: Any = _compiled(_class_spreads)
nearest_means: Any = _compiled(_nearest_means)
likeliest: Any = _compiled(_likeliest)
winners: Any = _compiled(_winners)
