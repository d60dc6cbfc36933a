"""One test over three learners or more in several measures."""

from __future__ import annotations

import numpy as np

from bestofk.comparing.measures_comparison import ManovaCriterion, ManovaOver
from bestofk.comparing.measures_tests import MeasuresDesign
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.evidence.scores import COUNTS
from bestofk.stats.multivariate import manova
from bestofk.stats.multivariate.over_datasets import manova_over_datasets

#: Weights of less than this, of unit length, are rounding.
_NOTHING = 1e-9


def over_all(
    design: MeasuresDesign, names: tuple[str, ...], alpha: float, seed: int
) -> tuple[str, float | None, ManovaOver | None]:
    """One test over three learners or more: MANOVA on folds, places dealt within data sets over many of them."""
    if len(design.rows) < 3:
        return "", None, None
    if design.kind == "datasets":
        result = manova_over_datasets(design.rows, rng=seed)
        return result.test, float(result.pvalue), None
    try:
        found = _manova(design, names, alpha)
    except InputError:  # more measures than the folds of all learners can carry; the pairs stand
        return "", None, None
    return found.test, found.pvalue, found


def scaled_weights(names: tuple[str, ...], weights: Array, spread: Array) -> dict[str, float]:
    """Weights of measures in units of their spread, of unit length, so that they can be compared with each other."""
    scaled = np.asarray(weights) * spread
    length = float(np.linalg.norm(scaled))
    if not 0.0 < length < np.inf:  # nothing varies: a difference that is the same on every fold
        scaled, length = np.asarray(weights), float(np.linalg.norm(weights)) or 1.0
    scaled = scaled / length
    return dict(zip(names, np.where(np.abs(scaled) < _NOTHING, 0.0, scaled).tolist(), strict=True))


def _of_equal_classes(rows: Array, names: tuple[str, ...]) -> Array:
    """The four counts as if all folds had the mean number of positives and negatives; other measures as they are.

    The MANOVA does not pair folds, so it would take folds of different sizes for noise.
    """
    if not set(COUNTS) <= set(names):
        return rows
    found = rows.copy()
    for pair in (COUNTS[:2], COUNTS[2:]):
        places = [names.index(each) for each in pair]
        size = rows[..., places].sum(axis=-1, keepdims=True)
        if (size > 0).all():
            found[..., places] *= size.mean() / size
    return found


def _manova(design: MeasuresDesign, names: tuple[str, ...], alpha: float) -> ManovaOver:
    rows = _of_equal_classes(design.rows, names)
    result = manova(rows, test_fraction=design.test_fraction)
    first, within = np.asarray(result.eigenvectors)[:, 0], np.sqrt(rows.var(axis=1, ddof=1).mean(axis=0))
    four = (
        ("Wilks", result),
        ("Pillai", result.pillai),
        ("Hotelling–Lawley", result.hotelling_lawley),
        ("Roy", result.roy),
    )
    values = np.asarray(result.eigenvalues)
    share = 1.0 if np.isinf(values[0]) else float(values[0] / values.sum()) if values.sum() > 0 else 0.0
    return ManovaOver(
        test=result.test,
        criteria=tuple(
            ManovaCriterion(
                name,
                float(each.statistic),
                float(each.f_statistic),
                tuple(float(number) for number in each.df),
                float(each.pvalue),
            )
            for name, each in four
        ),
        pvalue=float(result.pvalue),
        significant=bool(result.pvalue <= alpha),
        eigenvalues=tuple(values.tolist()),
        share=share,
        collinear=bool(result.collinear),
        rank=int(result.rank),
        direction=dict(zip(names, first.tolist(), strict=True)),
        weights=scaled_weights(names, first, within),
        measure_pvalues=dict(zip(names, np.asarray(result.posthoc.pvalue).tolist(), strict=True)),
    )
