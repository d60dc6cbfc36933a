"""Two measures of every fold, from confusion counts or from measures that came together."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.evidence import Evidence, Scores
from bestofk.evidence.vectors import Vectors
from bestofk.judging import Verdict
from bestofk.measures.count_columns import measures

Pair = tuple[str, str]


def measures_in(verdict: Verdict) -> tuple[Pair, dict[str, Array]] | None:
    """Two measures of a verdict on several, every row of the tests a point; None for fewer than three rows.

    The first two that vary and are not copies of each other on the first pair: tp and fn show the same thing. They
    stand in the order in which the measures were named, also where the first of them is the one that does not vary.
    """
    vectors, parts = verdict.evidence, verdict.comparison.pair(*verdict.comparison.pairs[0]).parts
    if not isinstance(vectors, Vectors) or verdict.comparison.sample.units < 3 or len(parts) < 2:
        return None
    varies = np.ptp(vectors.rows(), axis=(0, 1)) > 0
    first, *rest = sorted(parts, key=lambda part: not varies[verdict.names.index(part.measure)])
    second = next((part for part in rest if abs(part.pvalue - first.pvalue) > 1e-12), rest[0])
    places = sorted(verdict.names.index(part.measure) for part in (first, second))
    names = (verdict.names[places[0]], verdict.names[places[1]])
    points = vectors.rows()[:, :, places]
    return names, dict(zip(vectors.learners, points, strict=True))


def rows_are(verdict: Verdict) -> str:
    """What the points of a verdict are: folds of one data set, or data sets."""
    return "data sets" if verdict.comparison.kind == "datasets" else "folds"


def two_measures(evidence: Evidence | None, names: Pair | None = None) -> tuple[Pair, dict[str, Array]] | None:
    """Measure names and (folds, 2) by learner; None where one data set does not have two measures of three folds."""
    if not isinstance(evidence, Scores) or len(evidence.datasets) > 1 or evidence.gaps.any():
        return None
    if evidence.counts is not None:
        names = names or ("tpr", "fpr")
        table = _from_counts(evidence.counts, names)
    else:
        others = {evidence.measure: evidence.values, **evidence.others}
        names = names or (tuple(others)[:2] if len(others) > 1 else None)  # type: ignore[assignment]
        if names is None or not set(names) <= set(others):
            return None
        table = np.stack([others[name] for name in names], axis=-1)
    if table is None or np.isnan(table).any():
        return None
    folds = table.reshape(len(evidence.learners), -1, 2)
    if folds.shape[1] < 3:
        return None
    return names, dict(zip(evidence.learners, folds, strict=True))


def _from_counts(counts: Array, names: Pair) -> Array | None:
    try:
        found: Any = measures(*(counts[..., i] for i in range(4)), names=names)
    except InputError:  # 0/0 in some fold: this figure has nothing to show there
        return None
    return np.asarray(found)
