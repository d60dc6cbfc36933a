"""One list of near kinds per kind of row, with bounds that hold whatever a fold fills into gaps.

Beside it whole lists for outliers, which a short list cannot bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.sharing.neighbours import pair_distances
from bestofk.sharing.neighbours.loops import nearest_in_block
from bestofk.sharing.neighbours.rows import NeighbourRows

#: Kinds in a short and a long list, kinds with varying fillings that are compared pair by pair, distances at once.
LENGTH, LONG, MOST_PAIRWISE, BLOCK = 40, 600, 2_500, 1_000_000
#: Ratio of the largest weight of a column to its least one above which lists are long.
LOOSE = 1.5
#: What single precision may take off a squared distance, as a share of the squared lengths.
SINGLE = 1e-5
#: Random halves that show what folds weigh, and how much further others may go.
HALVES, FURTHER = 64, 0.3
#: Random halves that show what folds fill in: a fold that fills in something else costs as much as a hundred others.
FILLED = 512


@frozen(eq=False)
class Fillings:
    """What folds fill in: numbers from ``low`` to ``high``, categories that are ``likely``; ``steady``: always one."""

    low: Array
    high: Array
    likely: npt.NDArray[np.bool_]
    steady: bool


@frozen(eq=False)
class NearLists:
    """``kinds[i]`` are near kind i in order of ``least``, the least squared distance that any filling gives.

    ``most`` is the largest; kinds that are not listed are at least as far as ``beyond[i]``. Least distances are under
    the weights ``low``, largest under ``high``: those that columns had at least and at most in some random halves. A
    fold's own weights may lie outside; the bounds then hold times the ratios that it finds. ``whole`` are complete
    lists for outliers.
    """

    kinds: npt.NDArray[np.int32]
    least: npt.NDArray[np.float32]
    most: npt.NDArray[np.float32]
    beyond: Array
    low: Array
    high: Array
    fillings: Fillings
    whole: tuple[Any, Any, Any, Any]


def near_lists(rows: NeighbourRows) -> NearLists | None:
    """Make the lists; None where there are too many kinds with gaps for a comparison pair by pair."""
    fillings = _fillings(rows)
    if not fillings.steady and rows.count > MOST_PAIRWISE:
        return None
    low, high = _ranges(rows)
    numbers, levels = rows.known()
    split = numbers.shape[1]
    level_low, level_high = np.append(low[split:], 0.0), np.append(high[split:], 0.0)
    spans = _spans(rows, fillings, level_low, level_high)
    weights = (low[:split], high[:split], level_low, level_high)
    table = (numbers, levels, weights, fillings.low, fillings.high, fillings.likely, *spans)
    length = max(1, min(_length(low, high), rows.count - 1))
    if fillings.steady:
        chosen, beyond = _nearest(_joined(rows, low), length)
    else:
        chosen, beyond = pair_distances.nearest_pairwise(table, length)
    least, most = pair_distances.bounds_of(table, chosen)
    order = np.argsort(least, axis=1, kind="stable")
    listed, least, most = (np.take_along_axis(each, order, axis=1) for each in (chosen, least, most))
    if rows.count - 1 <= length:
        beyond[:] = np.inf
    return NearLists(listed, least, most, beyond, low, high, fillings, whole_lists(table, most, beyond))


def _fillings(rows: NeighbourRows) -> Fillings:
    """Ranges of medians and sets of modes in random halves; a range that is not a point is widened."""
    filling, count = rows.filling, len(rows.kind)
    rng = np.random.default_rng(1)
    likely = np.zeros(rows.level_count + 1, dtype=bool)
    low, high = np.zeros(rows.numbers.shape[1]), np.zeros(rows.numbers.shape[1])
    if not filling.learns:
        return Fillings(low, high, likely, True)
    halves = [np.sort(rng.permutation(count)[: (count + 1) // 2]) for _ in range(FILLED)]
    learnt = [rows.first, *(filling.learn(half) for half in halves)]
    for place, column in enumerate(filling.gappy):
        values = [(each.medians[place] - rows.mean[column]) / rows.deviation[column] for each in learnt]
        wider = 0.5 * (max(values) - min(values))
        low[column], high[column] = min(values) - wider, max(values) + wider
    for place, feature in enumerate(filling.open):
        likely[[rows.level(feature, each.modes[place]) for each in learnt]] = True
    return Fillings(low, high, likely, bool((low == high).all()) and likely.sum() == len(filling.open))


def _ranges(rows: NeighbourRows) -> tuple[Array, Array]:
    """Least and largest weights of the columns in random halves; least 0 for one that is constant in some half."""
    count, rng = len(rows.kind), np.random.default_rng(0)
    halves = [rows.weights_in(np.sort(rng.permutation(count)[: (count + 1) // 2])) for _ in range(HALVES)]
    usual, _ = rows.weights_in(np.arange(count))
    weights, told = (np.stack(each) for each in zip(*halves, strict=True))
    low = np.minimum(usual, np.where(told, weights, 0.0).min(axis=0))
    high = np.maximum(usual, np.where(told, weights, 0.0).max(axis=0))
    safe = np.where(usual > 0, usual, 1.0)  # other halves go further, and most so in columns that vary much
    return low * (low / safe) ** FURTHER, high * np.maximum(1.0, high / safe) ** FURTHER


def _length(low: Array, high: Array) -> int:
    """Longer lists where weights vary much from half to half: more rows may then be nearest."""
    ratio = np.median(high / np.where(low > 0, low, high / LOOSE)) if len(low) else 1.0
    return LENGTH if ratio < LOOSE else LONG


def _spans(rows: NeighbourRows, fillings: Fillings, low: Array, high: Array) -> tuple[Array, Array, Any]:
    """Least and largest weight of what may be filled into each nominal feature, and how many categories may be."""
    least, most = np.zeros(rows.data.nominal), np.zeros(rows.data.nominal)
    several = np.zeros(rows.data.nominal, dtype=np.int64)
    for feature, (start, size) in enumerate(zip(rows.data.offsets, rows.data.sizes, strict=True)):
        may = [*(start + np.flatnonzero(fillings.likely[start : start + size]))]
        if fillings.likely[-1]:
            may.append(len(low) - 1)
        if may:
            least[feature], most[feature], several[feature] = low[may].min(), high[may].max(), len(may)
    return least, most, several


def _joined(rows: NeighbourRows, weights: Array) -> npt.NDArray[np.float32]:
    ones = np.zeros((rows.count, rows.level_count + 1), dtype=np.float32)
    np.put_along_axis(ones, rows.levels.astype(np.intp), np.float32(1.0), axis=1)
    return np.hstack([rows.numbers, ones[:, :-1]]).astype(np.float32) * np.sqrt(weights).astype(np.float32)


def _nearest(table: Any, length: int) -> tuple[npt.NDArray[np.int32], Array]:
    """The nearest kinds by products of matrices in single precision, and what all others are at least as far as."""
    squares = np.einsum("ij,ij->i", table, table)
    turned = np.ascontiguousarray(np.float32(-2.0) * table.T)
    listed, beyond = np.empty((len(table), length), dtype=np.int32), np.empty(len(table))
    step = max(1, BLOCK // len(table))
    for start in range(0, len(table), step):
        block = slice(start, min(start + step, len(table)))
        distances = table[block] @ turned
        distances += squares
        found = np.empty(len(distances))
        if length <= LENGTH:
            near = np.empty((len(distances), length))
            nearest_in_block(distances, start, listed, near)
            found[:] = near[:, -1]
        else:
            _nearest_by_partition(distances, start, listed, found)
        rounding = SINGLE * (squares[block].astype(np.float64) + squares.max())
        beyond[block] = np.maximum(found + squares[block] - rounding, 0.0)
    return listed, beyond


def _nearest_by_partition(distances: Any, start: int, listed: Any, last_of: Array) -> None:
    """What ``nearest_in_block`` does, faster for long lists."""
    lines, length = np.arange(len(distances)), listed.shape[1]
    distances[lines, start + lines] = np.inf
    near = np.argpartition(distances, length - 1, axis=1)[:, :length]
    listed[start : start + len(lines)] = near
    last_of[:] = distances[lines, near[:, -1]]


#: The neighbour that a training half hardly ever lacks all before; entries of whole lists that are held.
USUAL, ENTRIES = 7, 2_000_000
#: Columns of an outlier in which distances are measured before all others.
FIRST = 8


def whole_lists(table: Any, most: Any, beyond: Array) -> tuple[Any, Any, Any, Any]:
    """The line of each kind or -1, and for every line all kinds with their least distances, nearest first.

    Last, for every line, the columns in which the weights of folds may add most to the least distances.

    A kind has a line where its usual neighbours may be farther than what its list leaves out: it is an outlier, in
    columns whose weights vary much from half to half.
    """
    kinds = len(beyond)
    ratio = most[:, min(USUAL, most.shape[1] - 1)] / np.maximum(beyond, 1e-300)
    chosen = np.argsort(-ratio, kind="stable")[: ENTRIES // kinds]
    chosen = np.ascontiguousarray(chosen[ratio[chosen] > 1.0])
    least = pair_distances.least_of(table, chosen, kinds)
    order = np.argsort(least, axis=1).astype(np.int32)
    lines = np.full(kinds, -1, dtype=np.int64)
    lines[chosen] = np.arange(len(chosen))
    return lines, order, np.take_along_axis(least, order, axis=1), _telling(table, chosen, order)


def _telling(table: Any, chosen: Any, order: Any) -> Any:
    numbers, (low, high, *_) = table[0], table[2]
    out = np.empty((len(chosen), min(FIRST, numbers.shape[1])), dtype=np.int64)
    for line, kind in enumerate(chosen):
        apart = np.nan_to_num(numbers[order[line, :100]] - numbers[kind])
        out[line] = np.argsort(-(apart * apart).sum(axis=0) * (high - low), kind="stable")[: out.shape[1]]
    return out
