"""What an adviser looks at, and what it says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.core.record import Record
from bestofk.evidence import Evidence
from bestofk.evidence.vectors import Vectors
from bestofk.ordering import Ordering

#: Measures that count true negatives.
_OF_BOTH = frozenset({"fpr", "specificity", "tnr", "tn", "fp"})


@frozen(eq=False)
class Case:
    """Evidence as it was used, the comparison made from it, and the order that follows.

    ``rope`` is the largest difference that does not matter, ``task`` what the learners are for, where somebody said it;
    ``preferred`` whether the choice is one by preference; ``set_beside`` the learner that the table
    sets all others beside, the first of the order unless said; ``within`` that the rope is the margin of a verdict,
    whose bounds say who is close enough.
    """

    evidence: Evidence
    comparison: Comparison
    ordering: Ordering
    rope: float | None = None
    task: str | None = None
    preferred: bool = False
    set_beside: str | None = None
    within: bool = False

    @property
    def reference(self) -> str:
        """The learner that all others are set beside."""
        return self.set_beside or self.comparison.control or self.ordering.order[0]

    @property
    def vectors(self) -> Vectors | None:
        """The evidence where it is in several measures, or in areas under ROC curves."""
        return self.evidence if isinstance(self.evidence, Vectors) else None

    @property
    def names(self) -> frozenset[str]:
        """Names of the measures in plain letters."""
        return frozenset(plain(name) for name in self.comparison.names)

    @property
    def looks_at_both_classes(self) -> bool:
        """Whether some measure counts true negatives: the vector is like (tpr, fpr)."""
        return bool(self.names & _OF_BOTH)

    @property
    def looks_at_positives(self) -> bool:
        """Whether the vector is like (precision, recall): no measure of it counts true negatives."""
        return "precision" in self.names and not self.looks_at_both_classes

    def positive_shares(self) -> Array | None:
        """Share of positives in every planned fold; None without counts."""
        if self.vectors is None or self.vectors.counts is None:
            return None
        tp, fn, fp, tn = np.moveaxis(self.vectors.counts[0], -1, 0)
        share = (tp + fn) / np.maximum(tp + fn + fp + tn, 1.0)
        return np.asarray(share[np.asarray(self.vectors.planned)])


class Advice(Record):
    """A pitfall by its code: what was seen, and what to do about it."""

    code: str
    seen: str
    do: str

    def __repr__(self) -> str:
        return f"{self.code}: {self.seen}. {self.do[:1].upper()}{self.do[1:]}."


#: One percent (Benavoli, Corani, Demšar and Zaffalon 2017, section 2.2).
ROPE = 0.01


def rope_of(case: Case) -> float | None:
    """Differences up to this are negligible, in units of the measure: as was said, else a hundredth of a rate.

    None where nothing was said and the scale of the measure is not known.
    """
    return rope_of_comparison(case.comparison) if case.rope is None else case.rope


def rope_of_comparison(comparison: Comparison) -> float | None:
    """The same from the comparison alone."""
    return None if comparison.rate_range is None else ROPE * comparison.rate_range


def refuse_rope(rope: float, comparison: Comparison) -> None:
    """Refuse a rope that no difference can be compared with: of ratios or ranks, or as wide as the whole measure."""
    scale, measure = comparison.sample.scale, comparison.measure
    if comparison.several is not None:
        raise InputError(
            f"rope is {rope:g}, and several measures are compared together.", "argument rope", "leave it out."
        )
    if scale != "difference":
        raise InputError(
            f"rope is {rope:g}, and {measure} is compared by {'ratios' if scale == 'log-ratio' else 'ranks'}: the data "
            "sets have no unit in common.",
            "judge, argument rope",
            "leave it out, or judge one data set: --dataset NAME (dataset='NAME' of read).",
        )
    hundredth = rope_of_comparison(comparison)
    if hundredth is not None and rope >= hundredth / ROPE:
        raise InputError(
            f"rope is {rope:g}, and no two values of {measure} differ by more than {hundredth / ROPE:g}.",
            "judge, argument rope",
            f"give the largest difference that does not matter, such as {hundredth:g}.",
        )


def inside(low: float | None, high: float | None, rope: float) -> bool:
    """Whether a whole interval is negligible."""
    return low is not None and high is not None and bool(np.isfinite([low, high]).all()) and -rope < low <= high < rope


def listed_datasets(names: Sequence[str]) -> str:
    """Names as a sentence lists them; a bare number is said to be a data set.

    Examples
    --------
    >>> listed_datasets(("iris", "wine")), listed_datasets(["5", "6"])
    ('iris and wine', 'data set 5 and data set 6')
    """
    return listed([f"data set {name}" if _number(name) else name for name in names])


def _number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True
