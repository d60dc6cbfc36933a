"""Why each learner stands where it stands."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Literal, cast

from bestofk.comparing import Comparison
from bestofk.comparing.compare import ADJUSTED_ALREADY
from bestofk.judging.verdict import Ground, Reason
from bestofk.ordering import Multi2TestOrder, Ordering
from bestofk.ordering.multi2test import ONE_SIDED


class Shown:
    """What the tests show of a pair: the order's own answer where it asked, the two-sided comparison elsewhere."""

    def __init__(self, comparison: Comparison, ordering: Ordering) -> None:
        self.comparison, self.ordering = comparison, ordering
        self.place = {name: i for i, name in enumerate(ordering.prior or ())}
        self.edges = set(ordering.edges)
        self.question, self.asked = _answers(comparison, ordering)
        self.ranked = _shown_by_ranks(ordering)
        self.own_ground: Ground = "ranked" if isinstance(ordering.graph, Multi2TestOrder) else "significant"

    def significant(self, better: str, worse: str) -> bool:
        """Whether the tests show that the one is better."""
        control = self.comparison.control
        if control and not self.comparison.compared(better, worse):
            return self.significant(better, control) and self.significant(control, worse)
        order_says = (worse, better) in self.edges or (better, worse) in self.ranked
        return order_says or self.comparison.shows(better, worse)

    def against(self, better: str, worse: str) -> bool:
        """Whether the comparison shows the lower one to be better, and the order's own tests do not say otherwise."""
        if not self.comparison.compared(better, worse):
            return self.significant(worse, better)
        return not self.significant(better, worse) and self.comparison.shows(worse, better)

    def behind_control(self, first: str, name: str) -> bool:
        """Whether a learner that was not compared with the first is shown to be worse than the control."""
        control = self.comparison.control
        if control is None or self.comparison.compared(first, name):
            return False
        return self.significant(control, name)

    def reasons(self) -> tuple[Reason, ...]:
        """One reason per pair, the learner that stands above first."""
        return tuple(self.reason(better, worse) for better, worse in combinations(self.ordering.order, 2))

    def reason(self, better: str, worse: str) -> Reason:
        """Why the one stands above the other."""
        if not self.comparison.compared(better, worse):
            return self._not_compared(better, worse)
        if (worse, better) in self.edges:
            return self._own(self.own_ground, better, worse, (worse, better))
        if (better, worse) in self.ranked:
            return self._own(self.own_ground, better, worse, (better, worse))
        if self.comparison.shows(better, worse):
            return self._two_sided("significant", better, worse)
        if self.against(better, worse):
            return self._two_sided("against", better, worse)
        ground = self._weaker_ground(better, worse)
        if self.ordering.graph is None:
            return self._two_sided(ground, better, worse)
        return self._own(ground, better, worse, (worse, better) if ground == "graph" else (better, worse))

    def _weaker_ground(self, better: str, worse: str) -> Ground:
        """What puts one learner above another when no test tells them apart."""
        if self.ordering.graph is None:
            named = self.ordering.prior is not None and better == self.ordering.best
            return "found" if named else "mean"
        return "graph" if self.place[better] > self.place[worse] else "preferred"

    def _not_compared(self, better: str, worse: str) -> Reason:
        """A pair without the control: the control may stand between the two."""
        control = str(self.comparison.control)
        for above, below, ground in ((better, worse, "significant"), (worse, better, "against")):
            if self.significant(above, below):
                weaker = max(
                    self.reason(above, control), self.reason(control, below), key=lambda each: each.pvalue or 0
                )
                return replace(weaker, better=better, worse=worse, ground=cast(Ground, ground), between=control)
        ground = self._weaker_ground(better, worse)
        return Reason(better=better, worse=worse, ground=ground, question="not asked", pvalue=None)

    def _two_sided(self, ground: Ground, better: str, worse: str) -> Reason:
        p = self.comparison.adjusted_pvalue(better, worse)
        return Reason(better=better, worse=worse, ground=ground, question="two-sided", pvalue=p)

    def _own(self, ground: Ground, better: str, worse: str, asked: tuple[str, str]) -> Reason:
        """The answer of the tests that made the order; ``asked`` is (preferred, other)."""
        p = float(self.asked[asked])
        return Reason(better=better, worse=worse, ground=ground, question=self.question, pvalue=p)


def _shown_by_ranks(ordering: Ordering) -> frozenset[tuple[str, str]]:
    """Pairs (preferred, other) that a two-sided test of ranks separates in favour of the preferred one."""
    graph = ordering.graph
    if not isinstance(graph, Multi2TestOrder) or graph.across in ONE_SIDED:
        return frozenset()
    rank = dict(zip(graph.learners, graph.mean_ranks.tolist(), strict=True))
    answers = zip(graph.pairs, graph.pvalue.tolist(), strict=True)
    return frozenset((a, b) for (a, b), p in answers if p <= graph.alpha and rank[a] < rank[b])


def _answers(
    comparison: Comparison, ordering: Ordering
) -> tuple[Literal["two-sided", "one-sided"], dict[tuple[str, str], float]]:
    """Which question the order asked of each pair (preferred, other), and the adjusted p of the answer."""
    graph = ordering.graph
    if graph is None:
        return "two-sided", {}
    if isinstance(graph, Multi2TestOrder):
        sided: Literal["two-sided", "one-sided"] = "one-sided" if graph.across in ONE_SIDED else "two-sided"
        return sided, dict(zip(graph.pairs, graph.pvalue.tolist(), strict=True))
    if comparison.test in ADJUSTED_ALREADY:  # a test of all pairs without sides
        return "two-sided", {pair: comparison.adjusted_pvalue(*pair) for pair in graph.pairs}
    return "one-sided", dict(zip(graph.pairs, graph.adjusted.tolist(), strict=True))
