"""Counts, medians, sums, scores and least-norm solutions of folds as compiled loops (extra ``fast``).

``arrays`` is the same in numpy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.compiled import compiled, reordered


@reordered
def class_sums(values: Any, y: Any, rows: Any, classes: int) -> Any:
    """Rows of each class, sums of their columns, and sums of squares over all classes."""
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


@reordered
def class_spreads(values: Any, y: Any, rows: Any, means: Any) -> Any:
    """Sums of squared deviations from the mean of the class."""
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


@reordered
def likeliest(values: Any, rows: Any, codes: Any, means: Any, inverse: Any, offsets: Any, rounding: float) -> Any:
    """Class of the largest Gaussian score for each row, and how many rows rounding might decide."""
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


@reordered
def winners(scores: Any, offsets: Any, rows: Any) -> Any:
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


@compiled
def most_frequent(y: Any, train: Any, counts: Any) -> int:
    """The code that most training rows have, the lowest of equals."""
    counts[:] = 0
    for place in range(train.shape[0]):
        counts[y[train[place]]] += 1
    best = 0
    for code in range(1, counts.shape[0]):
        if counts[code] > counts[best]:
            best = code
    return best


@compiled
def medians(starts: Any, order: Any, values: Any, times: Any) -> Any:
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


@compiled
def seen(starts: Any, order: Any, times: Any) -> Any:
    """Whether some training row has the category; most are found at the first row or two."""
    found = np.zeros(starts.shape[0] - 1, dtype=np.bool_)
    for level in range(found.shape[0]):
        for place in range(starts[level], starts[level + 1]):
            if times[order[place]] > 0:
                found[level] = True
                break
    return found


@compiled
def modes(levels: Any, sizes: Any, times: Any) -> Any:
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


@reordered
def less(row: Any, factors: Any, others: Any) -> None:
    """Subtract multiples of other rows, four at a time."""
    count, size = factors.shape[0], row.shape[0]
    whole = count // 4 * 4
    for at in range(0, whole, 4):
        one, two, three, four = factors[at], factors[at + 1], factors[at + 2], factors[at + 3]
        a, b, d, e = others[at], others[at + 1], others[at + 2], others[at + 3]
        for c in range(size):
            row[c] -= one * a[c] + two * b[c] + three * d[c] + four * e[c]
    for at in range(whole, count):
        factor, other = factors[at], others[at]
        for c in range(size):
            row[c] -= factor * other[c]


@reordered
def exchange(matrix: Any, upper: Any, left: Any, order: Any, rank: int, best: int) -> None:
    """Bring a column to the place of the next pivot."""
    order[rank], order[best] = order[best], order[rank]
    left[rank], left[best] = left[best], left[rank]
    for c in range(matrix.shape[0]):
        matrix[rank, c], matrix[best, c] = matrix[best, c], matrix[rank, c]
    for c in range(matrix.shape[0]):
        matrix[c, rank], matrix[c, best] = matrix[c, best], matrix[c, rank]
    for above in range(rank):
        upper[above, rank], upper[above, best] = upper[above, best], upper[above, rank]


@reordered
def factored(matrix: Any, upper: Any, order: Any, least: float) -> Any:
    """Rows of U with C = Uᵀ U in the order of pivots, which ``order`` gets; returns rank and diagonal left over."""
    size = matrix.shape[0]
    left = np.diag(matrix).copy()
    for rank in range(size):
        best = rank + np.argmax(left[rank:])
        if not left[best] > least:
            return rank, np.abs(left[rank:]).sum()
        exchange(matrix, upper, left, order, rank, best)
        row = upper[rank, rank:]
        row[:] = matrix[rank, rank:]
        less(row, upper[:rank, rank].copy(), upper[:rank, rank:])
        scale = 1.0 / np.sqrt(left[rank])
        for c in range(size - rank):
            row[c] *= scale
            left[rank + c] -= row[c] * row[c]
    return size, 0.0


@reordered
def inverse_of_triangle(upper: Any, rank: int, inverse: Any) -> float:
    """The inverse of the triangle of the pivots; returns the sum of its squares, the trace of the inverse of Uᵀ U."""
    total = 0.0
    for line in range(rank - 1, -1, -1):
        row = inverse[line, :rank]
        row[:] = 0.0
        row[line] = 1.0
        less(row[line + 1 :], upper[line, line + 1 : rank].copy(), inverse[line + 1 : rank, line + 1 : rank])
        scale = 1.0 / upper[line, line]
        for c in range(line, rank):
            row[c] *= scale
            total += row[c] * row[c]
    return total


@reordered
def take_out(row: Any, units: Any) -> None:
    """Take out of a row what it has along rows that are orthonormal."""
    for each in range(units.shape[0]):
        along, unit = 0.0, units[each]
        for c in range(row.shape[0]):
            along += row[c] * unit[c]
        for c in range(row.shape[0]):
            row[c] -= along * unit[c]


@reordered
def null_vectors(upper: Any, rank: int, inverse: Any, null: Any) -> None:
    """A vector without image for every column that is no pivot, made orthonormal."""
    for each in range(null.shape[0]):
        row, column = null[each], upper[:rank, rank + each].copy()
        row[:] = 0.0
        row[rank + each] = 1.0
        for line in range(rank):
            total, other = 0.0, inverse[line]
            for c in range(line, rank):
                total += other[c] * column[c]
            row[line] = -total
        take_out(row, null[:each])
        take_out(row, null[:each])  # what rounding left the first time
        row /= np.sqrt((row * row).sum())


@reordered
def solve(row: Any, rank: int, inverse: Any, null: Any) -> None:
    """C⁺ = Q G Q: without the null vectors, by the pivots, and without the null vectors again."""
    take_out(row, null)
    half = np.zeros(rank)
    for line in range(rank):
        factor, other = row[line], inverse[line]
        for c in range(line, rank):
            half[c] += factor * other[c]
    row[rank:] = 0.0
    for line in range(rank):
        total, other = 0.0, inverse[line]
        for c in range(line, rank):
            total += other[c] * half[c]
        row[line] = total
    take_out(row, null)


@reordered
def solutions(stack: Any, right: Any, tol: float, least: float) -> Any:
    """Solutions (folds, classes, columns), ranks, and traces of inverses, inf where directions are not clear."""
    folds, classes, _ = right.shape
    answers, ranks, sizes = np.zeros(right.shape), np.zeros(folds, dtype=np.intp), np.full(folds, np.inf)
    for fold in range(folds):
        order = np.flatnonzero(np.diag(stack[fold]) > 0.0)
        size = len(order)
        matrix, upper, inverse = np.empty((size, size)), np.empty((size, size)), np.empty((size, size))
        for a in range(size):
            for b in range(size):
                matrix[a, b] = stack[fold, order[a], order[b]]
        ranks[fold], rest = factored(matrix, upper, order, 10.0 * least)
        rank = ranks[fold]
        if rank == 0 or rest > least:
            continue
        trace = inverse_of_triangle(upper, rank, inverse)
        if not trace * 4.0 * tol * tol < 1.0:
            continue
        sizes[fold], null = trace, matrix[rank:]
        null_vectors(upper, rank, inverse, null)
        for code in range(classes):
            row = right[fold, code][order]
            solve(row, rank, inverse, null)
            answers[fold, code][order] = row
    return answers, ranks, sizes
