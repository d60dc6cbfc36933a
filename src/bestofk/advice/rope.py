"""What is practically nothing: a hundredth of the scale of a rate."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Case
from bestofk.comparing import Comparison
from bestofk.measures.catalogue import is_bounded

#: One percent (Benavoli, Corani, Demšar and Zaffalon 2017, section 2.2).
ROPE = 0.01


def rope_of(case: Case) -> float | None:
    """Differences up to this are negligible, in units of the measure: as was said, else a hundredth of a rate.

    None where nothing was said and the scale of the measure is not known.
    """
    return rope_of_comparison(case.comparison) if case.rope is None else case.rope


def rope_of_comparison(comparison: Comparison) -> float | None:
    """The same from the comparison alone."""
    if not is_bounded(comparison.measure):
        return None
    percent = max(abs(float(mean)) for mean in comparison.means.values()) > 1.0
    return 100.0 * ROPE if percent else ROPE


def inside(low: float | None, high: float | None, rope: float) -> bool:
    """Whether a whole interval is negligible."""
    return low is not None and high is not None and bool(np.isfinite([low, high]).all()) and -rope < low <= high < rope
