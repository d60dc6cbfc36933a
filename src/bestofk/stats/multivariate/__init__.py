"""Several measures at once: Hotelling's test for two learners, MANOVA for more, and the measures themselves."""

from bestofk.measures.count_columns import measures
from bestofk.stats.multivariate.dominance import dominance
from bestofk.stats.multivariate.hotelling import hotelling
from bestofk.stats.multivariate.manova import manova
from bestofk.stats.multivariate.over_datasets import hotelling_over_datasets, manova_over_datasets
from bestofk.stats.multivariate.thresholds import threshold_test

__all__ = [
    "dominance",
    "hotelling",
    "hotelling_over_datasets",
    "manova",
    "manova_over_datasets",
    "measures",
    "threshold_test",
]
