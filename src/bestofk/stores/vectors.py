"""Vectors of a store: measures of counts, times and sizes, rates at thresholds, and areas under ROC curves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bestofk.core.errors import InputError
from bestofk.evidence import Evidence, Scores
from bestofk.evidence.outcomes.areas import areas_of
from bestofk.evidence.outcomes.from_items import asks_areas, names_asked, refuse_areas
from bestofk.evidence.outcomes.known import Known
from bestofk.evidence.outcomes.vectors import vectors_of
from bestofk.evidence.vectors import Vectors
from bestofk.stores.outcomes import known_from_store


def vectors_of_store(
    evidence: Evidence,
    on: Any,
    positive: str | None,
    undefined: float | None,
    larger_is_better: bool | None,
    url: object = None,
) -> Vectors:
    """The named measures of scores, with whatever the store they came from knows beside them.

    ROC curves stand beside other measures where the store kept all that they need.
    """
    if not isinstance(evidence, Scores):
        return vectors_of(evidence, on)  # which says why not
    scores, known = known_from_store(evidence, positive, url)
    if asks_areas(on):
        if known.items is None:
            refuse_areas(on, evidence)
        assert known.items is not None
        asked = {"on": names_asked(on), "positive": positive, "undefined": undefined}
        return areas_of(evidence, known.items(), asked, known.classes)
    vectors = vectors_of(scores, on, known=known, undefined=undefined, larger_is_better=larger_is_better)
    return vectors if known.positive is None else replace(vectors, items=_items_if_any(known))


def _items_if_any(known: Known) -> Any:
    """The items where the store has all that curves need."""
    try:
        return None if known.items is None else known.items()
    except InputError:  # whoever asks for curves is told why there are none
        return None
