"""Why each learner stands where it stands."""

from __future__ import annotations

from itertools import combinations

from bestofk.comparing import Comparison
from bestofk.judging.verdict import Ground, Reason
from bestofk.ordering import Multi2TestOrder, Ordering


class Shown:
    """What the comparison shows of a pair, and what puts one learner above another where it shows nothing."""

    def __init__(self, comparison: Comparison, ordering: Ordering) -> None:
        self.comparison, self.ordering = comparison, ordering
        self.place = {name: i for i, name in enumerate(ordering.prior or ())}
        self.ranked = set(ordering.edges) if isinstance(ordering.graph, Multi2TestOrder) else set()

    def behind_control(self, first: str, name: str) -> bool:
        """Whether a learner that was not compared with the first is shown to be worse than the control."""
        control = self.comparison.control
        if control is None or self.comparison.compared(first, name):
            return False
        return self.comparison.shows(control, name)

    def reasons(self) -> tuple[Reason, ...]:
        """One reason per pair, the learner that stands above first."""
        return tuple(self.reason(better, worse) for better, worse in combinations(self.ordering.order, 2))

    def reason(self, better: str, worse: str) -> Reason:
        """Why the one stands above the other."""
        ground = self._ground(better, worse)
        if self.comparison.compared(better, worse):
            return Reason(better, worse, ground, self.comparison.adjusted_pvalue(better, worse))
        if ground not in ("significant", "against"):
            return Reason(better, worse, ground, None)
        control = str(self.comparison.control)  # it stands between the two: the weaker answer counts
        p = max(self.comparison.adjusted_pvalue(name, control) for name in (better, worse))
        return Reason(better, worse, ground, p, between=control)

    def _ground(self, better: str, worse: str) -> Ground:
        if self.comparison.shows(better, worse):
            return "significant"
        if self.comparison.shows(worse, better):
            return "against"
        if (worse, better) in self.ranked:
            return "ranked"
        if self.ordering.graph is None:
            named = self.ordering.prior is not None and better == self.ordering.best
            return "found" if named else "mean"
        return "graph" if self.place[better] > self.place[worse] else "preferred"
