"""ROC curves of three invented scores and their convex hull."""

import numpy as np
from gallery_paths import show

from bestofk.plots import figure_of
from bestofk.plots.figures.roc_hull import RocHullInfo

rng = np.random.default_rng(0)
y = (rng.random(300) < 0.4).astype(float)
scores = {
    name: y * size + rng.normal(0, spread, 300) for name, size, spread in (("a", 1, 0.6), ("b", 1, 1), ("c", 0.3, 1))
}
show(figure_of(RocHullInfo.from_scores(y, scores)), "roc")
