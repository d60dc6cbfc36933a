"""The measures that have to be taken while predictions are at hand; the others come from confusion counts later."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bestofk.core.errors import InputError
from bestofk.design.dataset import Dataset
from bestofk.measures.catalogue import measure_of
from bestofk.measures.measure import Measure


def measures_to_take(measures: Sequence[str], dataset: Dataset) -> tuple[Measure, ...]:
    """Return the measures that confusion counts cannot give, by name; one that does not fit the data set is refused.

    A regression has no confusion counts to fall back on: where no measure is named, its mean squared error is taken.
    """
    if not measures and dataset.task == "regression":
        return (measure_of("mse"),)
    found = (measure_of(name, dataset) for name in sorted(set(measures)))
    return tuple(each for each in found if each.needs != "counts")


@dataclass(frozen=True)
class Scored:
    """Scores of one fold by measure, NaN where one cannot be taken, and then the reason."""

    scores: dict[str, float] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    @classmethod
    def nothing(cls, measures: Sequence[Measure], reason: str) -> Scored:
        """No measure can be taken, for one reason."""
        return cls({each.name: math.nan for each in measures}, {each.name: reason for each in measures})

    def __or__(self, other: Scored) -> Scored:
        """What the other has takes the place of what is here."""
        reasons = {name: reason for name, reason in self.reasons.items() if name not in other.scores}
        return Scored(self.scores | other.scores, reasons | other.reasons)


def scores_of(measures: Sequence[Measure], truth: Any, answer: Any) -> Scored:
    """Return the score of each measure by name; NaN for one that these rows do not allow, as auc with one class."""
    scored = Scored()
    for each in measures:
        scored |= _scored(each, truth, answer)
    return scored


def _scored(measure: Measure, truth: Any, answer: Any) -> Scored:
    try:
        score = float(measure.compute(truth, answer))
    except InputError as error:
        return Scored.nothing([measure], error.wrong)
    if math.isnan(score):
        return Scored.nothing([measure], f"{measure.name} is not defined for these test rows.")
    return Scored({measure.name: score})
