"""Performance curves: analysis of variance (algorithm × training), level and shape, features, and where they differ."""

from collections.abc import Callable

from bestofk.core.shelf import Shelf
from bestofk.stats.curves.clusters import clusters
from bestofk.stats.curves.features import curve_features, feature_test, modify
from bestofk.stats.curves.randomized_anova import curve_anova, randomized_anova
from bestofk.stats.curves.randomized_t import randomized_t
from bestofk.stats.curves.split_plot_anova import split_plot_anova
from bestofk.stats.results import Result

#: A test of two or more sets of curves.
CurveTest = Callable[..., Result]

CURVES: Shelf[CurveTest] = Shelf(
    "curves",
    {
        "clusters": clusters,
        "feature-test": feature_test,
        "randomized-anova": randomized_anova,
        "randomized-t": randomized_t,
        "split-plot-anova": split_plot_anova,
    },
)

__all__ = [
    "CURVES",
    "clusters",
    "curve_anova",
    "curve_features",
    "feature_test",
    "modify",
    "randomized_anova",
    "randomized_t",
    "split_plot_anova",
]
