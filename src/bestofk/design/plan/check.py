"""Can a plan run? Folds are made and estimators built, and nothing is trained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.learners.learner import Learner
from bestofk.design.plan.plan import Plan


def check_plan(plan: Plan) -> None:
    """Refuse a plan whose data sets cannot be divided as it says, or whose learners cannot be trained on such folds."""
    for learner in plan.learners:
        _check_parameters(learner)
    for dataset in plan.datasets:
        folds = plan.folds.split(dataset, 0, plan.seed)
        smallest = min(len(fold.train) for fold in folds)
        for learner in plan.learners:
            _check_neighbours(learner, dataset, smallest, plan.folds.spec)


def _check_parameters(learner: Learner) -> None:
    """Let scikit-learn's estimators look at their own parameters, as they do when they are trained."""
    for part in _parts(learner.make()):
        check = getattr(part, "_validate_params", None)
        if callable(check) and hasattr(part, "_parameter_constraints"):  # others are checked when they are trained
            try:
                check()
            except (ValueError, TypeError) as error:
                said = " ".join(str(error).split()).rstrip(".")
                raise InputError(f"{said}.", f"learner {learner.name}", "mend its params.") from None


def _check_neighbours(learner: Learner, dataset: Dataset, rows: int, spec: str) -> None:
    for part in _parts(learner.make()):
        wanted = getattr(part, "n_neighbors", None)
        if isinstance(wanted, int) and hasattr(part, "predict") and wanted > rows:
            raise InputError(
                f"{learner.name} wants {wanted} neighbours, and the smallest training set has {rows} rows.",
                f"learner {learner.name}, data set {dataset.name}, folds {spec}",
                f"ask for at most {rows} neighbours, or use folds with more training rows.",
            )


def _parts(estimator: Any) -> Iterator[Any]:
    """The estimator and those inside it."""
    yield estimator
    params = estimator.get_params(deep=True) if hasattr(estimator, "get_params") else {}
    yield from (part for part in params.values() if hasattr(part, "get_params") and not isinstance(part, type))
