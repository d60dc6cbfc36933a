"""Why each learner stands where it stands."""

from __future__ import annotations

from itertools import combinations

from bestofk.comparing import Comparison
from bestofk.judging.verdict import Ground, Reason
from bestofk.ordering import Ordering


class Shown:
    """What the tests show of a pair: the order's own one-sided answer where it asked, the two-sided one elsewhere."""

    def __init__(self, comparison: Comparison, ordering: Ordering) -> None:
        self.comparison, self.ordering, self.graph = comparison, ordering, ordering.graph
        self.place = {name: i for i, name in enumerate(ordering.prior or ())}
        self.edges = set(ordering.edges)
        adjusted = None if self.graph is None else getattr(self.graph, "adjusted", self.graph.pvalue)
        self.asked = {} if adjusted is None else dict(zip(self.graph.pairs, adjusted, strict=True))

    def significant(self, better: str, worse: str) -> bool:
        """Whether the tests show that the one is better."""
        return (worse, better) in self.edges or self.comparison.shows(better, worse)

    def reasons(self) -> tuple[Reason, ...]:
        """One reason per pair, the learner that stands above first."""
        return tuple(self.reason(better, worse) for better, worse in combinations(self.ordering.order, 2))

    def reason(self, better: str, worse: str) -> Reason:
        """Why the one stands above the other."""
        two_sided = self.comparison.adjusted_pvalue(better, worse)
        ground: Ground
        if self.graph is None:
            named = self.ordering.prior is not None and better == self.ordering.best
            by_method: Ground = "found" if named else "mean"
            ground = "significant" if self.comparison.shows(better, worse) else by_method
            return Reason(better=better, worse=worse, ground=ground, question="two-sided", pvalue=two_sided)
        overrides = self.place[better] > self.place[worse]
        if (worse, better) not in self.edges and self.comparison.shows(better, worse):
            return Reason(better=better, worse=worse, ground="significant", question="two-sided", pvalue=two_sided)
        if overrides:
            ground = "significant" if (worse, better) in self.edges else "graph"
            p = float(self.asked[worse, better])
        else:
            ground, p = "preferred", float(self.asked[better, worse])
        return Reason(better=better, worse=worse, ground=ground, question="one-sided", pvalue=p)
