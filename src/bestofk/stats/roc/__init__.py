"""ROC analysis: curve, area, convex hull, and DeLong's test between two areas."""

from bestofk.stats.roc.area import auc
from bestofk.stats.roc.curve import curve
from bestofk.stats.roc.delong import delong
from bestofk.stats.roc.hull import ConvexHull, convex_hull

__all__ = ["ConvexHull", "auc", "convex_hull", "curve", "delong"]
