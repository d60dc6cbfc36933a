"""The five learners in a few lines each, one training half at a time: what the batched forms must agree with.

Every function takes the table and its training rows and returns the labels of the other rows, in file order.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.replications.multitest.learners import DECAY, EPOCHS
from bestofk.replications.multitest.table import Labels, Table, one_of_n


def most_frequent(table: Table, half: Flags) -> Labels:
    """MAX."""
    return np.full((~half).sum(), _counts(table, half).argmax())


def nearest_mean(table: Table, half: Flags) -> Labels:
    """NMC: distances to the mean of z-scores and to the mode of codes of each class."""
    numbers, codes = _filled(table, half)
    scores = _z_scores(numbers, half)
    distances = np.zeros((table.classes, (~half).sum()))
    for label in range(table.classes):
        own = half & (table.y == label)
        centre = scores[own].mean(axis=0) if own.any() else np.zeros(scores.shape[1])
        modes = [_mode(codes[own, column], count) for column, count in enumerate(table.levels)]
        distances[label] = ((scores[~half] - centre) ** 2).sum(axis=1) + (codes[~half] != modes).sum(axis=1)
    labels: Labels = (distances <= distances.min(axis=0) + 1e-9).argmax(axis=0)
    return labels


def nearest_neighbour(table: Table, half: Flags) -> Labels:
    """NN: one test row after the other, columns added up in order; the first training row on a tie."""
    numbers, codes = _filled(table, half)
    scores = _z_scores(numbers, half)
    labels = []
    for row in np.flatnonzero(~half):
        distances = (codes[half] != codes[row]).sum(axis=1).astype(np.float64)
        for column in scores.T:
            distances += (column[half] - column[row]) ** 2
        labels.append(table.y[half][distances.argmin()])
    return np.array(labels)


def logistic(table: Table, half: Flags, start: Array, rate: float) -> Labels:
    """LGC at one rate: the sum of (target − share) · input over the half, fifty times."""
    numbers, codes = _filled(table, half)
    inputs = _z_scores(np.hstack([numbers, one_of_n(codes, table.levels)]), half)
    inputs = np.hstack([inputs, np.ones((table.rows, 1))])
    targets, weights = np.eye(table.classes)[table.y], start.copy()
    for epoch in range(EPOCHS):
        outputs = inputs[half] @ weights.T
        shares = np.exp(outputs - outputs.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        weights += rate * DECAY**epoch * (targets[half] - shares).T @ inputs[half]
    labels: Labels = (inputs[~half] @ weights.T).argmax(axis=1)
    return labels


def tree(table: Table, half: Flags, held_out: Flags) -> Labels:
    """C4.5 of the paper: grow on the half less the held-out rows, prune from the top, let each row walk down."""
    numbers, codes = _filled(table, half)
    columns = [numbers[:, at] if at >= 0 else codes[:, ~at] for at in table.columns]
    levels = [0 if at >= 0 else table.levels[~at] for at in table.columns]
    root = _grown(table, columns, levels, np.flatnonzero(half & ~held_out))
    _prune(root, columns, table.y, np.flatnonzero(held_out))
    return np.array([_label(root, columns, row) for row in np.flatnonzero(~half)])


def _grown(table: Table, columns: list[Any], levels: list[int], rows: Labels) -> dict[str, Any]:
    node: dict[str, Any] = {"label": np.bincount(table.y[rows], minlength=table.classes).argmax()}
    best = np.inf
    if len(set(table.y[rows])) > 1:
        for column, count in enumerate(levels):
            for cut, branch in _splits(columns[column][rows], count):
                parts = [table.y[rows[branch == each]] for each in range(count or 2)]
                left = sum(len(part) / len(rows) * _entropy(part) for part in parts)
                if left < best - 1e-8:
                    best = left
                    node |= {"column": column, "cut": cut, "parts": [rows[branch == e] for e in range(count or 2)]}
    if "parts" in node:
        node["children"] = [_grown(table, columns, levels, part) for part in node.pop("parts")]
    return node


def _splits(values: Any, levels: int) -> list[tuple[float | None, Any]]:
    """Every cut of a number column between two values that differ; the one split of a nominal column."""
    present = np.unique(values)
    if levels:
        return [(None, values)] if len(present) > 1 else []
    cuts = [low + (high - low) / 2 for low, high in pairwise(present)]
    return [(cut, (values > cut).astype(np.int64)) for cut in cuts]


def _entropy(labels: Labels) -> float:
    shares = np.unique(labels, return_counts=True)[1] / max(len(labels), 1)
    return float(-(shares * np.log2(shares)).sum())


def _prune(node: dict[str, Any], columns: list[Any], y: Labels, rows: Labels) -> None:
    as_tree = sum(_label(node, columns, row) == y[row] for row in rows)
    if (y[rows] == node["label"]).sum() >= as_tree:
        node.pop("children", None)
    for step, child in enumerate(node.get("children", [])):
        _prune(child, columns, y, np.array([row for row in rows if _step(node, columns, row) == step], dtype=np.int64))


def _label(node: dict[str, Any], columns: list[Any], row: Any) -> int:
    while "children" in node:
        node = node["children"][_step(node, columns, row)]
    return int(node["label"])


def _step(node: dict[str, Any], columns: list[Any], row: Any) -> int:
    value = columns[node["column"]][row]
    return int(value if node["cut"] is None else value > node["cut"])


def _counts(table: Table, half: Flags) -> Labels:
    return np.bincount(table.y[half], minlength=table.classes)


def _mode(codes: Labels, levels: int) -> int:
    return int(np.bincount(codes, minlength=levels).argmax())


def _filled(table: Table, half: Flags) -> tuple[Array, Labels]:
    numbers, codes = table.numbers.copy(), table.codes.copy()
    for column, whole in zip(numbers.T, table.whole, strict=True):
        known = column[half & ~np.isnan(column)]
        mean = known.mean() if len(known) else 0.0
        column[np.isnan(column)] = np.trunc(mean) if whole else mean
    for column, count in zip(codes.T, table.levels, strict=True):
        column[column < 0] = _mode(column[half & (column >= 0)], count)
    return numbers, codes


def _z_scores(values: Array, half: Flags) -> Array:
    mean, sd = values[half].mean(axis=0), values[half].std(axis=0, ddof=1)
    varies = [len(set(column)) > 1 for column in values[half].T]
    scores: Array = np.where(varies, values - mean, 0.0) / np.where(varies, sd, 1.0)
    return scores
