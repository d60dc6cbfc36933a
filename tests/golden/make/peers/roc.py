"""ROC curves: scikit-learn, scipy."""

import numpy as np
from cases import INPUTS, Cases, ref
from peers.source import data, source
from scipy import spatial
from sklearn import metrics


def upper_hull(points):
    """The part of the convex hull that a ROC curve uses, from (0, 0) to (1, 1)."""
    everything = np.vstack([points, [[0, 0], [1, 1]]])
    hull = spatial.ConvexHull(everything)
    corners = everything[hull.vertices]
    above = corners[corners[:, 1] >= corners[:, 0]]
    return above[np.lexsort((above[:, 1], above[:, 0]))]


def write(folder):
    cases = Cases("python", "roc")
    y = INPUTS["truth01"]
    for name in ("scores", "coarse_scores"):
        cases.add(
            f"auc-{name}-sklearn",
            "stats.roc.auc",
            [ref("truth01"), ref(name)],
            {"": metrics.roc_auc_score(y, INPUTS[name])},
            source("scikit-learn", "roc_auc_score(y, scores)"),
        )
    fpr, tpr, thresholds = metrics.roc_curve(y, INPUTS["scores"], drop_intermediate=False)
    cases.add(
        "curve-scores-sklearn",
        "stats.roc.curve",
        [ref("truth01"), ref("scores")],
        {"fpr": fpr, "tpr": tpr, "thresholds": thresholds},
        source("scikit-learn", "roc_curve(y, scores, drop_intermediate=False)"),
    )
    fpr, tpr, thresholds = metrics.roc_curve(y, INPUTS["coarse_scores"], drop_intermediate=False)
    cases.add(
        "curve-coarse_scores-sklearn",
        "stats.roc.curve",
        [ref("truth01"), ref("coarse_scores")],
        {"fpr": fpr, "tpr": tpr, "thresholds": thresholds},
        source("scikit-learn", "roc_curve(y, scores, drop_intermediate=False)"),
        note="tied scores make one sloping step",
    )
    cases.add(
        "convex_hull-points-scipy",
        "stats.roc.convex_hull",
        [ref("roc_points")],
        {"vertices": upper_hull(data("roc_points"))},
        source("scipy", "spatial.ConvexHull(points and (0, 0), (1, 1)).vertices on and above the diagonal"),
    )
    cases.save(folder)
