"""ROC analysis: curve, area, average over folds, convex hull with costs, and DeLong's test between two areas."""

from bestofk.stats.roc.averaging import average_curve
from bestofk.stats.roc.costs import LearnersHull, cost_ranges, cost_slope
from bestofk.stats.roc.curve import auc, curve
from bestofk.stats.roc.delong import delong
from bestofk.stats.roc.hull import ConvexHull, convex_hull
from bestofk.stats.roc.rates import rates

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
