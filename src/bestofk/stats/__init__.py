"""Every test of the house as a function over arrays.

The last axes of an input are the design (replications, folds, measures, points), every axis before them is a
batch; one call tests one pair or thirty thousand. Losses go in: smaller is better. Each function validates
once and returns a frozen result with at least ``statistic, pvalue, df, estimate, alternative``.

``pairwise``      two learners: t tests, McNemar, Wilcoxon, sign, permutation
``omnibus``       more than two: ANOVA, Friedman, Cochran, Looney, Newman–Keuls, Tukey, Duncan, Nemenyi
``multivariate``  several measures at once: Hotelling, MANOVA
``curves``        performance curves: two-way ANOVA, conventional and randomized
``adjust``        p values of a family of tests
``aggregates``    runs on several tasks together: interquartile mean, probability of improvement, profiles
``effects``       how large a difference is: paired d, A12, rank-biserial
``battles``       votes between two models each: Bradley–Terry
``bayes``         probabilities that one learner is better, with a region of practical equivalence
``roc``           ROC curves, areas, convex hull, DeLong
``selection``     multinomial selection
``across``        the choice of data sets: leaving out, smallest sets, resampling, associations
``power``         how many results are enough, and what could be seen

No part of this room reaches scikit-learn, pandas or matplotlib, and none loads ``scipy.stats``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # at run time a part is imported when first used
    from bestofk.stats import (
        across,
        adjust,
        aggregates,
        battles,
        bayes,
        curves,
        effects,
        multivariate,
        omnibus,
        pairwise,
        power,
        roc,
        selection,
    )

__all__ = [
    "across",
    "adjust",
    "aggregates",
    "battles",
    "bayes",
    "curves",
    "effects",
    "multivariate",
    "omnibus",
    "pairwise",
    "power",
    "roc",
    "selection",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'bestofk.stats' has no attribute {name!r}")
        return import_module(f"bestofk.stats.{name}")


def __dir__() -> list[str]:
    return __all__
