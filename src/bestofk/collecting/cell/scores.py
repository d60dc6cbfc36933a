"""The measures that are taken while predictions are at hand; the others come from confusion counts later."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset
from bestofk.measures.catalogue import Measure
from bestofk.measures.checks import measure_of, refuse_unfit
from bestofk.sharing.plain_fold import aligned_probabilities


def measures_to_take(measures: Sequence[str], dataset: Dataset) -> tuple[Measure, ...]:
    """Return the measures that confusion counts cannot give, by name; one that does not fit the data set is refused.

    A regression has no confusion counts to fall back on: where no measure is named, its mean squared error is taken.
    """
    if not measures and dataset.task == "regression":
        return (measure_of("mse"),)
    found = [measure_of(name) for name in sorted(set(measures))]
    for each in found:
        refuse_unfit(each, dataset.name, dataset.task, len(dataset.classes))
    return tuple(each for each in found if each.needs != "counts")


#: Scores of one fold by measure, or the reason why one cannot be taken.
Scored = dict[str, float | str]


def scores_of(measures: Sequence[Measure], truth: Any, answer: Any) -> Scored:
    """Return the score of each measure by name, or why these rows do not allow it, as auc with one class."""
    return {each.name: _score(each, truth, answer) for each in measures}


def _score(measure: Measure, truth: Any, answer: Any) -> float | str:
    try:
        score = float(measure.compute(truth, answer))
    except InputError as error:
        return error.wrong
    return f"{measure.name} is not defined for these test rows." if math.isnan(score) else score


#: Measures that see nothing of probabilities but their order.
OF_ORDER = ("auc",)


def probability_scores(
    measures: Sequence[Measure], estimator: Any, test: Any, truth: Any, classes: tuple[str, ...]
) -> tuple[Scored, Array | None]:
    """Return the scores by name, or why one cannot be taken, and the probabilities, None where there are none.

    Where a learner has no ``predict_proba``, the auc of two classes is taken from its ``decision_function``.
    """
    probabilities = _probabilities(estimator, test, len(truth), classes)
    if probabilities is not None:
        return scores_of(measures, truth, probabilities), probabilities
    none: Scored = dict.fromkeys((each.name for each in measures), "the learner gives no probabilities.")
    of_order = [each for each in measures if each.name in OF_ORDER]
    ordered = _in_order(estimator, test, len(truth)) if of_order and len(classes) == 2 else None
    return (none if ordered is None else none | scores_of(of_order, truth, ordered)), None


def _probabilities(estimator: Any, test: Any, rows: int, classes: tuple[str, ...]) -> Array | None:
    if not hasattr(estimator, "predict_proba"):
        return None
    try:
        given = estimator.predict_proba(test)
    except NotImplementedError:  # some have the method and say no
        return None
    return aligned_probabilities(given, rows, getattr(estimator, "classes_", None), classes)


def _in_order(estimator: Any, test: Any, rows: int) -> Array | None:
    """Two columns from 0 to 1 with the rows in the order, ties included, of the decision function, if there is one."""
    if not hasattr(estimator, "decision_function"):
        return None
    values = np.asarray(estimator.decision_function(test), dtype=np.float64)
    if values.shape != (rows,) or not np.isfinite(values).all():
        return None
    different, place = np.unique(values, return_inverse=True)
    second = place / max(1, len(different) - 1)
    return np.column_stack([1.0 - second, second])
