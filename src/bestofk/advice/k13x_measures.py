"""What advisers on several measures look at, and how they are asked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bestofk.advice.advice import Advice
from bestofk.advice.shelf import ADVICE
from bestofk.comparing.measures_comparison import MeasuresComparison
from bestofk.core.arrays import Array
from bestofk.core.names import plain
from bestofk.evidence.vectors import Vectors
from bestofk.ordering.measures_order import MeasuresOrdering

#: Codes of this kind of advice.
FIRST, LAST = "K130", "K139"
#: Measures of the positive class alone, and of both classes.
OF_POSITIVES = frozenset({"precision", "recall", "f1", "ppv"})
OF_BOTH = frozenset({"fpr", "specificity", "tnr", "tn", "fp"})


@dataclass(frozen=True, eq=False)
class MeasuresCase:
    """Vectors as they were used, the comparison made from them, the order, and what the learners are for."""

    vectors: Vectors
    comparison: MeasuresComparison
    ordering: MeasuresOrdering
    task: str | None

    @property
    def names(self) -> frozenset[str]:
        """Names of the measures in plain letters."""
        return frozenset(plain(name) for name in self.comparison.names)

    @property
    def looks_at_both_classes(self) -> bool:
        """Whether some measure counts true negatives: the vector is like (tpr, fpr)."""
        return bool(self.names & OF_BOTH)

    @property
    def looks_at_positives(self) -> bool:
        """Whether the vector is like (precision, recall): no measure of it counts true negatives."""
        return "precision" in self.names and not self.looks_at_both_classes

    def positive_share(self) -> Array | None:
        """Share of positives per data set and fold, (data sets, replications, folds); None without counts."""
        counts = self.vectors.scores.counts
        if counts is None:
            return None
        tp, fn, fp, tn = np.moveaxis(counts[0], -1, 0)
        return np.asarray((tp + fn) / np.maximum(tp + fn + fp + tn, 1.0))

    def mean_positive_share(self) -> float | None:
        """Mean over the folds that are planned; data sets may have different numbers of them."""
        share = self.positive_share()
        return None if share is None else float(share[self.vectors.scores.planned].mean())

    @property
    def classes_are_constant(self) -> bool:
        """Whether every fold has the same number of positives and of negatives."""
        counts = self.vectors.scores.counts
        if counts is None:
            return False
        planned = np.asarray(counts)[:, self.vectors.scores.planned]
        sizes = np.stack([planned[..., :2].sum(axis=-1), planned[..., 2:].sum(axis=-1)])
        return bool((sizes == sizes[:, :1, :1]).all())


def measures_advice(case: MeasuresCase) -> tuple[Advice, ...]:
    """Ask the advisers on several measures; most have nothing to say."""
    said = (ADVICE[code](case) for code in ADVICE if FIRST <= code <= LAST)
    return tuple(advice for advice in said if advice is not None)
