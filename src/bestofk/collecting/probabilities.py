"""Measures from probabilities, of learners that give them and, as far as it goes, of those that do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.collecting.labels import aligned_probabilities
from bestofk.collecting.measuring import Scored, scores_of
from bestofk.core.arrays import Array
from bestofk.measures.measure import Measure

#: Measures that see nothing of probabilities but their order.
OF_ORDER = ("auc",)


def probability_scores(
    measures: Sequence[Measure], estimator: Any, test: Any, truth: Any, classes: tuple[str, ...]
) -> tuple[Scored, Array | None]:
    """Return the scores by name, NaN where one cannot be taken, and the probabilities, None where there are none.

    Where a learner has no ``predict_proba``, the auc of two classes is taken from its ``decision_function``.
    """
    probabilities = _probabilities(estimator, test, len(truth), classes)
    if probabilities is not None:
        return scores_of(measures, truth, probabilities), probabilities
    none = Scored.nothing(measures, "the learner gives no probabilities.")
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
