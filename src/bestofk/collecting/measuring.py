"""The measures that have to be taken while predictions are at hand; the others come from confusion counts later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bestofk.core.errors import InputError
from bestofk.design.dataset import Dataset
from bestofk.design.measures import Measure, measure_of


def measures_to_take(measures: Sequence[str], dataset: Dataset) -> tuple[Measure, ...]:
    """Return the measures that confusion counts cannot give, by name; one that does not fit the data set is refused.

    A regression has no confusion counts to fall back on: where no measure is named, its mean squared error is taken.
    """
    if not measures and dataset.task == "regression":
        from bestofk.design.measures.numbers import MSE

        return (MSE,)
    found = (measure_of(name, dataset) for name in sorted(set(measures)))
    return tuple(each for each in found if each.needs != "counts")


def scores_of(measures: Sequence[Measure], truth: Any, answer: Any) -> dict[str, float]:
    """Return the score of each measure by name; NaN for one that these rows do not allow, as auc with one class."""
    return {each.name: _score_or_nan(each, truth, answer) for each in measures}


def _score_or_nan(measure: Measure, truth: Any, answer: Any) -> float:
    try:
        return float(measure.compute(truth, answer))
    except InputError:
        return float("nan")
