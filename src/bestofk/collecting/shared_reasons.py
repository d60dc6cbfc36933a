"""Why the folds of a learner on a data set run by themselves, in words; an empty text where they may share work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from bestofk.core.compiled import compiled_wanted
from bestofk.core.errors import InputError
from bestofk.design.dataset import Dataset
from bestofk.design.folds.base import Folds
from bestofk.design.learner import Learner
from bestofk.measures.measure import Measure

#: When folds share work: from so many on that it pays, always where it can be done, or never.
Sharing = Literal["auto", "always", "never"]
#: Folds of a data set from which on what sharing takes to begin with (loading loops, lists of neighbours) is repaid.
ENOUGH = 100
#: Tolerance of a logistic regression up to which its predictions are those of the optimum; lbfgs with 1e-6 was seen to
#: differ from it in single rows.
TIGHT = 1e-8


def sharing_of(wish: bool | str) -> Sharing:
    """Return what an argument ``sharing`` means."""
    if wish is True or wish is False:
        return "auto" if wish else "never"
    if wish in ("auto", "always", "never"):
        return wish  # type: ignore[return-value]
    raise InputError(f"sharing is {wish!r}.", "collect, argument sharing", 'give True, False or "always".')


def why_of_plan(
    sharing: Sharing, dataset: Dataset, learner: Learner, folds: Folds, measures: Sequence[Measure], keep: bool
) -> str:
    """Why a plan lets the folds of a learner on a data set run by themselves."""
    if sharing == "never":
        return "sharing is off"
    if dataset.task != "classification":
        return "numbers are learnt, not classes"
    if measures:
        return f"{', '.join(each.name for each in measures)} needs more than predictions"
    if keep and hasattr(learner.make(), "predict_proba"):
        return "probabilities are kept with the predictions"
    count = folds.replications * folds.folds
    if sharing == "auto" and count < ENOUGH:
        return f"{count} folds; sharing pays from {ENOUGH} on"
    return ""


def why_unknown(learner: Learner) -> str:
    """Why no way of sharing recognised a learner."""
    estimator = _last(learner.make())
    if type(estimator).__name__ in ("KNeighborsClassifier", "ExactNeighbours") and not compiled_wanted():
        return "neighbours are shared by compiled loops, which the extra fast brings (numba)"
    return f"no sharing knows {type(estimator).__name__} with these parameters, on data prepared like this"


def why_loose(learner: Learner) -> str:
    """Why an estimator that stops before its optimum is not shared: the shared answer is that of the optimum."""
    estimator = _last(learner.make())
    if type(estimator).__name__ != "LogisticRegression" or estimator.tol <= TIGHT:
        return ""
    return f"{estimator.solver} with tol={estimator.tol:g} stops before rows on the border between classes are settled"


def _last(estimator: Any) -> Any:
    return estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
