"""Counts, medians, sums and scores of one fold as compiled loops (extra ``fast``); ``arrays`` is the same in numpy."""

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
_reordered = numba.njit(cache=True, nogil=True, fastmath={"reassoc", "nsz", "contract"})
class_sums: Any = _reordered(_class_sums)
class_spreads: Any = _reordered(_class_spreads)
nearest_means: Any = _reordered(_nearest_means)
likeliest: Any = _reordered(_likeliest)
winners: Any = _reordered(_winners)


def _most_frequent(y: Any, train: Any, counts: Any) -> int:
    counts[:] = 0
    for place in range(train.shape[0]):
        counts[y[train[place]]] += 1
    best = 0
    for code in range(1, counts.shape[0]):
        if counts[code] > counts[best]:
            best = code
    return best


def _times(train: Any, rows: int) -> Any:
    times = np.zeros(rows, dtype=np.int64)
    for place in range(train.shape[0]):
        times[train[place]] += 1
    return times


def _medians(starts: Any, order: Any, values: Any, times: Any) -> Any:
    """Medians of sorted columns, the rows of column k at ``starts[k]`` and on; 0 where no training row has a value."""
    found = np.zeros(starts.shape[0] - 1)
    for column in range(found.shape[0]):
        total = 0
        for place in range(starts[column], starts[column + 1]):
            total += times[order[place]]
        if total == 0:
            continue
        low, high, up_to, at = (total - 1) // 2, total // 2, 0, starts[column]
        while up_to + times[order[at]] <= low:
            up_to += times[order[at]]
            at += 1
        lower = values[at]
        while up_to + times[order[at]] <= high:
            up_to += times[order[at]]
            at += 1
        found[column] = (lower + values[at]) / 2
    return found


def _seen(starts: Any, order: Any, times: Any) -> Any:
    """Whether some training row has the category; most are found at the first row or two."""
    found = np.zeros(starts.shape[0] - 1, dtype=np.bool_)
    for level in range(found.shape[0]):
        for place in range(starts[level], starts[level + 1]):
            if times[order[place]] > 0:
                found[level] = True
                break
    return found


def _modes(levels: Any, sizes: Any, times: Any) -> Any:
    """The most frequent category of each column, the first of equals; -1 where all are missing."""
    found = np.full(levels.shape[1], -1)
    for column in range(levels.shape[1]):
        counts = np.zeros(sizes[column], dtype=np.int64)
        for row in range(levels.shape[0]):
            if times[row] > 0 and levels[row, column] >= 0:
                counts[levels[row, column]] += times[row]
        if counts.max() > 0:
            found[column] = counts.argmax()
    return found


_compiled = numba.njit(cache=True, nogil=True)
most_frequent: Any = _compiled(_most_frequent)
times_of: Any = _compiled(_times)
medians: Any = _compiled(_medians)
seen: Any = _compiled(_seen)
modes: Any = _compiled(_modes)
