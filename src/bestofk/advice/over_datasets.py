"""A comparison over data sets as a question that can be asked of other data sets."""

from __future__ import annotations

import numpy as np

from bestofk.comparing import Comparison, design_of
from bestofk.evidence import Evidence, Scores
from bestofk.stats.across import Question
from bestofk.stats.across.question import TESTS


def question_of(evidence: Evidence, comparison: Comparison) -> Question | None:
    """The comparison as a question that can be asked of other data sets; None where it is not one over data sets."""
    if comparison.kind != "datasets" or comparison.test not in TESTS or not isinstance(evidence, Scores):
        return None
    if len(evidence.datasets) < 4 or design_of(evidence).incomplete:
        return None
    places = [[comparison.learners.index(name) for name in pair] for pair in comparison.pairs]
    first, second = np.array(places, dtype=np.intp).T
    adjust = "none" if comparison.test == "nemenyi" else comparison.adjust
    return Question(comparison.test, first, second, adjust, comparison.alpha, comparison.seed)
