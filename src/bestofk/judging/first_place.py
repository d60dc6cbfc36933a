"""Who stands first on every choice of data sets, by the rule that made the verdict."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from bestofk.comparing import Comparison
from bestofk.comparing.compare import ADJUSTED_ALREADY
from bestofk.core.registry import registry
from bestofk.ordering import Ordering
from bestofk.stats.across import Decided
from bestofk.stats.across.question import Places
from bestofk.stats.arrays import Array, Flags

Winners = npt.NDArray[np.intp]


class FirstPlace:
    """The smallest mean without a preference; with one the most preferred learner that nobody is shown to beat."""

    def __init__(self, comparison: Comparison, prior: tuple[str, ...] | None) -> None:
        self.comparison = comparison
        names = prior or tuple(sorted(comparison.learners))  # equal means are put in the order of names
        self.preferred = np.array([comparison.learners.index(name) for name in names], dtype=np.intp)
        self.by_mean = prior is None
        place = {frozenset(pair): i for i, pair in enumerate(comparison.pairs)}
        ahead, behind = np.triu_indices(len(names), 1)
        self.ahead = ahead
        self.pair = np.array([place[frozenset((names[i], names[j]))] for i, j in zip(ahead, behind, strict=True)])
        self.turned = np.array([comparison.pairs[p][0] != names[i] for p, i in zip(self.pair, ahead, strict=True)])
        self.adjust = "none" if comparison.test in ADJUSTED_ALREADY else comparison.adjust

    def of(self, decided: Decided) -> Winners:
        """The place (among the comparison's learners) of the first, for every choice."""
        if self.by_mean:
            return np.asarray(self.preferred[np.argmin(decided.means[:, self.preferred], axis=1)])
        worse = np.where(self.turned, decided.less[:, self.pair], decided.greater[:, self.pair])
        edges = np.asarray(registry("adjust").load(self.adjust)(worse)) <= self.comparison.alpha
        outgoing = self.ahead[:, None] == np.arange(len(self.preferred))  # (pairs, learners)
        beaten = edges.astype(float) @ outgoing > 0
        return np.asarray(self.preferred[np.argmin(beaten, axis=1)])

    def changed(self, before: Decided, after: Decided) -> Flags:
        """One column: whether another learner stands first."""
        return np.asarray(self.of(after) != self.of(before)[0])[:, None]

    def paths(self, losses: Array, best: int) -> Callable[[int, int], Places]:
        """Leave out the data sets on which the best gains most on another learner, one order per other learner."""

        def ordered(_: int, upto: int) -> Places:
            gains = np.delete(losses, best, axis=0) - losses[best]
            return np.argsort(-gains, axis=1, kind="stable")[:, :upto]

        return ordered


def first_place(comparison: Comparison, ordering: Ordering) -> FirstPlace | None:
    """The rule of a verdict; None where a control or another method than MultiTest names the first."""
    if comparison.control is not None or ordering.method != "multitest":
        return None
    if ordering.prior is not None and comparison.less is None:
        return None
    return FirstPlace(comparison, ordering.prior)
