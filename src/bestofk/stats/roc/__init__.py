"""ROC analysis: curve, area, average over folds, convex hull with costs, and DeLong's test between two areas."""

from bestofk.stats.roc.curve import auc, average_curve, curve, rates
from bestofk.stats.roc.delong import delong
from bestofk.stats.roc.hull import ConvexHull, LearnersHull, convex_hull, cost_ranges, cost_slope

__all__ = [
    "ConvexHull",
    "LearnersHull",
    "auc",
    "average_curve",
    "convex_hull",
    "cost_ranges",
    "cost_slope",
    "curve",
    "delong",
    "rates",
]
