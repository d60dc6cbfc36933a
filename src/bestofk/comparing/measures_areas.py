"""Areas under ROC curves of all pairs, in the form of a comparison in one measure.

Those of one test set go to DeLong's test, those of folds to the t test of folds.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from bestofk.comparing.measures_compare import compare_measures
from bestofk.comparing.measures_comparison import MeasuresComparison, MeasuresPair, MeasureTest, Relation
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.options import level_inside
from bestofk.core.phrases import counted
from bestofk.evidence.outcomes.areas import ItemScores
from bestofk.evidence.vectors import VectorMeasure, Vectors
from bestofk.stats.adjust import ADJUST
from bestofk.stats.roc import auc, delong

AREA = VectorMeasure("auc", True)
#: Tests of areas of folds: what they are among tests of vectors, and why they are taken.
_OF_FOLDS = {
    "corrected-t": (
        "hotelling-corrected",
        "every fold has an area, training sets of different folds overlap, and the corrected variance allows for it",
    ),
    "paired-t": ("hotelling", "it was asked for; it takes folds for independent"),
}
_OVER = {"corrected-t": "ANOVA of the areas, its variance corrected in the same way", "paired-t": "ANOVA of the areas"}


def compare_areas(
    items: ItemScores,
    *,
    test: str = "auto",
    adjust: str = "bonferroni",
    alpha: float = 0.05,
    seed: int = 0,
    left_out: str = "",
) -> MeasuresComparison:
    """Compare the areas of all pairs on the same items, p values adjusted for all pairs."""
    alpha = level_inside(alpha, name="alpha", where="judge")
    if test not in ("auto", "delong"):
        raise InputError(
            f"{test} is no test of the areas of one test set.", "judge, argument test", "use delong (--test auto)."
        )
    places = list(combinations(range(len(items.learners)), 2))
    areas = {name: float(auc(items.truth, each)) for name, each in zip(items.learners, items.scores, strict=True)}
    found = delong(items.truth, *(items.scores[[pair[side] for pair in places]] for side in (0, 1)))
    pvalue = np.asarray(found.pvalue)
    adjusted = np.asarray(ADJUST[adjust](pvalue))
    statistic = np.asarray(found.statistic)
    pairs = tuple(
        _pair(tuple(items.learners[i] for i in pair), areas, statistic[n], pvalue[n], adjusted[n], alpha)
        for n, pair in enumerate(places)
    )
    number = counted(items.truth.size, "item")
    return MeasuresComparison(
        learners=items.learners,
        measures=(AREA,),
        means={name: {"auc": area} for name, area in areas.items()},
        error_means={},
        evidence=f"{counted(len(items.learners), 'learner')} on {number}, area under the ROC curve: larger is better",
        design=number,
        kind="items",
        rows=items.truth.size,
        test="delong",
        measure_test="delong",
        why_test="areas of the same items are correlated, which it allows for; it takes items for independent",
        test_fraction=None,
        adjust=adjust,
        alpha=alpha,
        seed=seed,
        pairs=pairs,
        over="",
        over_pvalue=None,
        manova=None,
        left_out=left_out,
    )


def compare_fold_areas(vectors: Vectors, *, test: str = "auto", **settings: Any) -> MeasuresComparison:
    """Compare the areas of all pairs in every fold, p values adjusted for all pairs.

    In one measure Hotelling's T² is t², and the MANOVA an ANOVA: they are called by those names.
    """
    chosen = "corrected-t" if test == "auto" else test
    if chosen not in _OF_FOLDS:
        raise unknown(test, ("auto", *_OF_FOLDS, "delong"), what="test of areas", where="judge, argument test")
    hotelling, why = _OF_FOLDS[chosen]
    found = compare_measures(vectors, test=hotelling, **settings)
    return replace(
        found,
        test=chosen,
        why_test=why,
        over="" if found.manova is None else f"{_OVER[chosen]}, which does not use that folds are paired",
        manova=None,
    )


def _pair(
    names: tuple[str, ...], areas: dict[str, float], statistic: Array, pvalue: Array, adjusted: Array, alpha: float
) -> MeasuresPair:
    one, two = (areas[name] for name in names)
    better = None if one == two else names[0] if one > two else names[1]
    significant = bool(adjusted <= alpha) and better is not None
    relation: Relation = "alike" if not significant else "first" if better == names[0] else "second"
    numbers = (float(statistic), float(pvalue), float(adjusted))
    return MeasuresPair(
        first=names[0],
        second=names[1],
        statistic=numbers[0],
        f_statistic=None,
        df=(),
        rank=1,
        pvalue=numbers[1],
        adjusted=numbers[2],
        significant=significant,
        direction={},
        weights={},
        tests=(MeasureTest("auc", one, two, one - two, *numbers, significant, better),),
        error=None,
        relation=relation,
        dominance_pvalue=numbers[1],
        dominance_adjusted=numbers[2],
    )
