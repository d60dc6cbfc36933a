"""Every learner that a plan can name."""

from __future__ import annotations

from collections.abc import Callable

from bestofk.core.shelf import Shelf
from bestofk.design.learners.learner import Learner

#: Makes a learner; the options are parameters of its estimator.
LearnerMaker = Callable[..., Learner]


def _learners() -> dict[str, LearnerMaker]:
    from bestofk.design.learners.c45 import c45
    from bestofk.design.learners.lda import lda
    from bestofk.design.learners.linear_svm import linear_svm
    from bestofk.design.learners.logistic import logistic
    from bestofk.design.learners.mean import mean
    from bestofk.design.learners.most_frequent import most_frequent
    from bestofk.design.learners.naive_bayes import naive_bayes
    from bestofk.design.learners.nearest_mean import nearest_mean
    from bestofk.design.learners.nearest_neighbour import nearest_neighbour
    from bestofk.design.learners.nearest_neighbours import nearest_neighbours
    from bestofk.design.learners.qda import qda
    from bestofk.design.learners.random_forest import random_forest
    from bestofk.design.learners.regression_tree import regression_tree
    from bestofk.design.learners.ridge import ridge
    from bestofk.design.learners.tree import tree

    return {
        "c45": c45,
        "knn": nearest_neighbours,
        "lda": lda,
        "lgc": logistic,
        "max": most_frequent,
        "mean": mean,
        "naive-bayes": naive_bayes,
        "nmc": nearest_mean,
        "nn": nearest_neighbour,
        "qda": qda,
        "random-forest": random_forest,
        "regression-tree": regression_tree,
        "ridge": ridge,
        "svm": linear_svm,
        "tree": tree,
    }


LEARNERS: Shelf[LearnerMaker] = Shelf("learners", _learners)
