"""Where figures take their data from: verdicts, comparisons and orders, with the evidence behind them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestofk.comparing import Comparison, sample_of
from bestofk.core.arrays import Array
from bestofk.evidence import Evidence, Items
from bestofk.evidence.vectors import Vectors
from bestofk.judging import Verdict
from bestofk.judging.findings.orders import groups_in as groups_in
from bestofk.measures.catalogue import bounds_of
from bestofk.ordering import Ordering
from bestofk.ordering.methods import CORRECTED, GROUPS, means_first

Groups = tuple[tuple[str, ...], ...]


def comparison_in(result: Any) -> Comparison | None:
    """The comparison of a verdict, or the comparison itself."""
    if isinstance(result, Verdict):
        return result.comparison
    return result if isinstance(result, Comparison) else None


def ordering_in(result: Any) -> Ordering | None:
    """The order of a verdict, or the order itself."""
    if isinstance(result, Verdict):
        return result.ordering
    return result if isinstance(result, Ordering) else None


def evidence_in(result: Any, evidence: Any = None) -> Evidence | None:
    """The evidence given, or the one that the result keeps."""
    found = evidence if evidence is not None else getattr(result, "evidence", None)
    return found if isinstance(found, Evidence) else None


def order_in(result: Any) -> tuple[str, ...]:
    """Learners from best to worst; those of a comparison by mean."""
    if isinstance(result, Comparison):
        return means_first(result)
    return tuple(result.order) if isinstance(result, Verdict | Ordering) else ()


def pair_in(result: Any) -> tuple[str, ...]:
    """The two learners to look at closely: of a verdict the first and its strongest rival, else the first two."""
    return result.closest if isinstance(result, Verdict) else order_in(result)[:2]


def paired_values(evidence: Evidence | None, learners: tuple[str, ...]) -> Array | None:
    """One row of values per learner in units of the measure, paired as the tests pair them.

    Of items in groups they are the means of groups. None for runs, and of several measures.
    """
    if evidence is None or any(name not in evidence.learners for name in learners):
        return None
    if isinstance(evidence, Vectors) and not evidence.is_area:
        return None
    sample = sample_of(evidence)
    if sample.runs or sample.binary:
        return None
    rows = sample.rows[[evidence.learners.index(name) for name in learners]]
    rows = rows if sample.sizes is None else rows / sample.sizes
    if isinstance(evidence, Items):
        return evidence.values_of(rows)
    rows = evidence.sign * rows
    return np.exp(rows) if sample.scale == "log-ratio" else np.asarray(rows)


def possible(measure: str, values: Any) -> tuple[float, float]:
    """The smallest and the largest value of a measure; a rate is in percent where a value is above 1.

    Examples
    --------
    >>> possible("accuracy", [0.9, 1.0]), possible("accuracy", [70.0, 80.0]), possible("rmse", [3.0])
    ((0.0, 1.0), (0.0, 100.0), (0.0, inf))
    """
    low, high = bounds_of(measure)
    return (low, 1.0) if high == 100.0 and np.nanmax(values) <= 1.0 else (low, high)


def family_words(comparison: Comparison) -> str:
    """What p values are adjusted for; nothing where there is one pair, or no adjustment."""
    if len(comparison.pairs) == 1 or comparison.adjust == "none":
        return ""
    control = comparison.control
    return f", adjusted for {'all pairs' if control is None else f'the pairs with the control {control}'}"


class Sorting(NamedTuple):
    """What stands first, in a sentence and above a column."""

    words: str
    heading: str = "order found"


def sorted_by(method: str, *, preferred: bool, found: bool = True) -> Sorting:
    """What stands first; ``preferred``: a preference has a part in it, ``found``: the method names a best.

    Examples
    --------
    >>> sorted_by("multitest", preferred=True).words, sorted_by("anova-best", preferred=True).words
    ('preference corrected by tests', 'by anova-best, the others by mean')
    """
    if not preferred or method in GROUPS:  # these put means in order, whatever is preferred
        return Sorting("best first", "best first")
    if not found:
        return Sorting("by mean alone, for no best is found", "by mean alone")
    if method == "within":  # the choice of a margin, before all others
        return Sorting("the chosen one first")
    return Sorting("preference corrected by tests" if method in CORRECTED else f"by {method}, the others by mean")
