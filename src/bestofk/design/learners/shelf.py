"""Every learner that a plan can name, and learners of estimators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bestofk.core.arrays import glimpse
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.shelf import Shelf
from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner

#: Makes a learner; the options are parameters of its estimator.
LearnerMaker = Callable[..., Learner]


def _learners() -> dict[str, LearnerMaker]:
    from bestofk.design.learners.baselines import mean, most_frequent
    from bestofk.design.learners.discriminants import lda, naive_bayes, nearest_mean, qda
    from bestofk.design.learners.linear import linear_svm, logistic, ridge
    from bestofk.design.learners.neighbours import nearest_neighbour, nearest_neighbours
    from bestofk.design.learners.trees import c45, random_forest, regression_tree, tree

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


def learner_of(
    source: Any,
    *,
    name: str | None = None,
    params: Mapping[str, Any] | None = None,
    encoding: Encoding | None = None,
) -> Learner:
    """Return the learner of a registered name or of an estimator or pipeline of scikit-learn.

    ``params`` are parameters of the estimator. ``encoding`` says what is done to the features; without it the learner's
    own, a pipeline's being none at all: it is handed the raw data.

    Examples
    --------
    >>> learner_of("knn", params={"n_neighbors": 5}).settings["params"]["n_neighbors"]
    5
    """
    if isinstance(source, Learner):
        found = _unchanged(source, params)
    elif isinstance(source, str):
        found = _registered(source, dict(params or {}))
    elif isinstance(source, type):
        raise InputError(
            f"{source.__name__} is a class.", f"learner {name or source.__name__}", f"give one: {source.__name__}()."
        )
    elif all(callable(getattr(source, method, None)) for method in ("fit", "predict", "get_params", "set_params")):
        found = learner_of_estimator(source, params=dict(params or {}))
    else:
        raise InputError(
            f"{glimpse(source)} is no learner.",
            f"learner {name or ''}".strip(),
            "give a registered name, or an estimator with fit, predict and get_params.",
        )
    return replace(found, name=name or found.name, encoding=encoding or found.encoding)


def _registered(name: str, params: dict[str, Any]) -> Learner:
    known = LEARNERS.names()
    if name not in known:
        raise unknown(name, known, what="learner", where="plan, learners")
    learner: Learner = LEARNERS[name](**params)
    return learner


def _unchanged(learner: Learner, params: Mapping[str, Any] | None) -> Learner:
    if params:
        raise InputError(f"{learner.name} has its parameters already.", f"learner {learner.name}", "leave params out.")
    return learner
