"""K124: points of a curve taken for independent results."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.core.arrays import Array
from bestofk.evidence import Scores
from bestofk.stats.ranks import average_ranks

FEWEST = 6
#: Mean losses that rise or fall this steadily (rank correlation) with the names are a curve.
STEADY = 0.9


def advise(case: Case) -> Advice | None:
    """Fire when rows are named by growing numbers, such as epochs or sizes, and the loss goes steadily with them."""
    evidence = case.evidence
    if not isinstance(evidence, Scores) or case.comparison.kind not in ("datasets", "folds"):
        return None
    names = evidence.datasets if case.comparison.kind == "datasets" else evidence.folds
    steps = _growing(names)
    rows = case.comparison.sample.losses
    means = np.nanmean(rows.reshape(-1, len(names)) if case.comparison.kind == "datasets" else rows, axis=0)
    means = means if means.ndim == 1 else means.mean(axis=0)
    if steps is None or abs(_rank_correlation(steps, means)) < STEADY:
        return None
    return Advice(
        "K124",
        f"rows {names[0]}, {names[1]}, … {names[-1]} look like points of one curve, which depend on each other",
        "name the column step (or epoch), with a column run, so that whole curves are compared",
    )


def _growing(names: tuple[str, ...]) -> Array | None:
    """The names as growing numbers; None where they are not, or merely count rows."""
    try:
        steps = np.array([float(name) for name in names])
    except ValueError:
        return None
    if len(steps) < FEWEST or not np.isfinite(steps).all() or (np.diff(steps) <= 0).any():
        return None
    counting = np.allclose(np.diff(steps), 1.0) and steps[0] in (0.0, 1.0)
    return None if counting else steps


def _rank_correlation(one: Array, two: Array) -> float:
    a, b = (average_ranks(values) - (len(values) + 1) / 2.0 for values in (one, two))
    length = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / length if length > 0 else 0.0
