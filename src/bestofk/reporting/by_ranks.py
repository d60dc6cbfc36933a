"""Words for Multi²Test, whose p values compare ranks that keep to the preference, not the results themselves."""

from __future__ import annotations

from bestofk.judging import Verdict
from bestofk.ordering import Multi2TestOrder

#: Names of methods as prose writes them; elsewhere they stand as they are typed.
_PROSE = {"multi2test": "Multi²Test"}
#: What the order says it did where there were no folds to test within a data set.
_PLAIN = "losses ranked"


def method_name(method: str) -> str:
    """The name of a method in prose."""
    return _PROSE.get(method, method)


def by_ranks(verdict: Verdict) -> bool:
    """Whether Multi²Test made the order, of which the test of pairs need not say the same."""
    return isinstance(verdict.ordering.graph, Multi2TestOrder)


def ranks_of(verdict: Verdict) -> dict[str, float]:
    """The mean rank that the order rests on, of every learner; empty where another method made it."""
    graph = verdict.ordering.graph
    if not isinstance(graph, Multi2TestOrder):
        return {}
    return dict(zip(graph.learners, graph.mean_ranks.tolist(), strict=True))


def ranks_column(verdict: Verdict) -> str:
    """What these ranks are called in a table."""
    return "rank with preference" if _within(verdict) != _PLAIN else "rank by results"


def ranked_apart(better: str, worse: str, verdict: Verdict) -> bool:
    """Whether ranks overrule a preference for the one that is ranked below."""
    return by_ranks(verdict) and (worse, better) in verdict.ordering.edges


def ranks_note(verdict: Verdict) -> str:
    """What p compares; empty where another method made the order."""
    if not by_ranks(verdict):
        return ""
    if _within(verdict) == _PLAIN:
        return "Multi²Test: each data set ranks the learners; the ranks stand in brackets."
    stands = f"on each data set the preference stands until {_within(verdict)} corrects it"
    return f"Multi²Test: {stands}; these ranks stand in brackets, p compares the {verdict.measure}."


def keeping(verdict: Verdict) -> str:
    """How the ranks are made, in half a sentence."""
    return "by ranks on every data set" if _within(verdict) == _PLAIN else "by ranks that keep to the preference"


def separating(verdict: Verdict) -> str:
    """Who it is that does (not) separate learners from the first."""
    return "the data do"


def showing(verdict: Verdict) -> str:
    """Who shows a learner to be better than the first: with Multi²Test only the test of pairs can."""
    return "the tests show"


def overruling(verdict: Verdict) -> str:
    """Who it is that does (not) overrule a preference."""
    return "Multi²Test does" if by_ranks(verdict) else "the tests do"


def _within(verdict: Verdict) -> str:
    return str(getattr(verdict.ordering.graph, "within", ""))
