"""Who dominates whom with significance, and which measures are copies of one another."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.comparing.measures_comparison import MeasureTest, Relation
from bestofk.comparing.measures_tests import MeasuresDesign
from bestofk.core.arrays import Array, without_rounding
from bestofk.evidence.vectors import Vectors
from bestofk.stats.adjust import holm
from bestofk.stats.multivariate import dominance
from bestofk.stats.pairwise.wilcoxon import wilcoxon_sides


def dominance_of_pairs(design: MeasuresDesign, vectors: Vectors, adjust: str) -> tuple[Array, Array]:
    """Raw and adjusted p, (pairs, 2): that the first of a pair is better in every measure, and that the second is.

    Either may be, so raw p are doubled. Holm adjusts them whatever adjusts the pairs: methods that use how hypotheses
    of equality hang together (Shaffer, Bergmann and Hommel) do not hold for dominance.
    """
    first, second = np.triu_indices(len(design.rows), 1)
    losses = design.rows * vectors.signs
    sides = _over_datasets if design.kind == "datasets" else _over_folds
    raw = np.minimum(2.0 * np.stack(sides(losses[first], losses[second], design), axis=-1), 1.0)
    if adjust == "none":
        return raw, raw
    smaller = np.asarray(holm(raw.min(axis=-1)))[:, None]
    return raw, np.where(raw == raw.min(axis=-1, keepdims=True), smaller, 1.0)


def _over_folds(one: Array, two: Array, design: MeasuresDesign) -> list[Array]:
    options: dict[str, Any] = {"test_fraction": design.test_fraction}
    return [np.asarray(dominance(a, b, **options).pvalue) for a, b in ((one, two), (two, one))]


def _over_datasets(one: Array, two: Array, design: MeasuresDesign) -> list[Array]:
    """Intersection–union of one-sided Wilcoxon tests: the p of the measure that speaks least for it."""
    _, less, greater = wilcoxon_sides(np.moveaxis(one, -1, -2), np.moveaxis(two, -1, -2))
    return [np.asarray(each.pvalue).max(axis=-1) for each in (less, greater)]


def relation_of(
    tests: tuple[MeasureTest, ...], names: tuple[str, ...], significant: bool, adjusted: Array, alpha: float
) -> Relation:
    """What is shown of a pair; dominance only where the vectors tell the two apart as well."""
    if not significant:
        return "alike"
    if adjusted.min() <= alpha:
        return "first" if adjusted[0] <= adjusted[1] else "second"
    shown = {test.better for test in tests if test.significant} - {None}
    return "trade-off" if shown == set(names) else "differ"


def different_measures(rows: Array) -> int:
    """Number of measures that are no copies: on some pair their differences are not in one proportion.

    Such as tp and fn on the same folds: every test says the same of both, so they are one hypothesis.
    """
    first, second = np.triu_indices(len(rows), 1)
    difference = rows[first] - rows[second]  # (pairs, rows, measures)
    size = np.abs(rows).max(axis=(0, 1))
    difference = without_rounding(difference, size)
    length = np.linalg.norm(difference, axis=1)
    unit = difference / np.where(length > 0, length, 1.0)[:, None, :]
    along = np.abs(np.einsum("nrp,nrq->npq", unit, unit))
    both_equal = (length == 0)[:, :, None] & (length == 0)[:, None, :]
    copies = ((along > 1.0 - 1e-12) | both_equal).all(axis=0)
    return int((~np.tril(copies, -1).any(axis=1)).sum())
