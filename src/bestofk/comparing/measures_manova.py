"""One test over three learners or more in several measures."""

from __future__ import annotations

import numpy as np

from bestofk.comparing.measures_comparison import ManovaCriterion, ManovaOver
from bestofk.comparing.measures_tests import MeasuresDesign
from bestofk.core.errors import InputError
from bestofk.stats.multivariate import manova
from bestofk.stats.multivariate.over_datasets import manova_over_datasets


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


def _manova(design: MeasuresDesign, names: tuple[str, ...], alpha: float) -> ManovaOver:
    result = manova(design.rows, test_fraction=design.test_fraction)
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
        direction=dict(zip(names, np.asarray(result.eigenvectors)[:, 0].tolist(), strict=True)),
        measure_pvalues=dict(zip(names, np.asarray(result.posthoc.pvalue).tolist(), strict=True)),
    )
