"""Why one learner stands above another, in words that name the method that says so."""

from __future__ import annotations

from collections.abc import Callable

from bestofk.core.arrays import ROUNDING
from bestofk.judging import Reason, Verdict
from bestofk.reporting.by_ranks import by_ranks, method_name, showing
from bestofk.reporting.tables import mean_text


def reason_words(reason: Reason, verdict: Verdict) -> str:
    """Why the one stands above the other, in a sentence."""
    return f"{reason.better} above {reason.worse}: {because(reason, verdict)}."


def because_as_listed(reason: Reason, verdict: Verdict) -> str:
    """The reason with the digits of the list and the tables that stand beside it."""
    return because(reason, verdict, mean_text)


def because(reason: Reason, verdict: Verdict, number: Callable[[float], str] = "{:.4g}".format) -> str:
    """The reason without the names of the two."""
    p = _asked(reason, verdict)
    better, worse = (number(verdict.means[name]) for name in (reason.better, reason.worse))
    means = f"mean {verdict.measure} {better} against {worse}"
    against = "" if _mean_agrees(reason, verdict) else f", although its mean {verdict.measure} is not the better one"
    if reason.ground == "ranked":
        return f"ranked above by Multi²Test against the preference, not shown to be better ({means}; {p})"
    if reason.ground == "significant":
        return f"significantly better{against} ({means}; {p})"
    if reason.ground == "against":
        return f"{_by(verdict)}, although {showing(verdict)} {reason.worse} to be better ({means}; {p})"
    if reason.ground == "preferred":
        return f"preferred, and not shown to be worse ({means}; {p})"
    if reason.ground == "found":
        return f"named best by {method_name(verdict.ordering.method)}, not shown to be better ({means}; {p})"
    if reason.ground == "mean":
        return f"{'no worse in the' if against else 'better'} mean, not shown to be better ({means}; {p})"
    if by_ranks(verdict):
        return f"Multi²Test ranks others above {reason.worse}, and does not separate these two ({means}; {p})"
    return f"others are shown to beat {reason.worse}; between these two nothing is shown ({means}; {p})"


def _asked(reason: Reason, verdict: Verdict) -> str:
    """The question and its p value; with a control some pairs are answered by it, and some not at all."""
    if reason.pvalue is None:
        return f"compared with {verdict.control} only"
    between = f"{reason.between} stands between, weaker " if reason.between else ""
    return f"{between}p = {reason.pvalue:.3g}"


def _by(verdict: Verdict) -> str:
    """What put a learner above one that is shown to be better."""
    if verdict.prior is None:
        return "by mean alone"
    return f"by {method_name(verdict.ordering.method)}"


def _mean_agrees(reason: Reason, verdict: Verdict) -> bool:
    better, worse = verdict.means[reason.better], verdict.means[reason.worse]
    ahead = better - worse if verdict.comparison.larger_is_better else worse - better
    return ahead > ROUNDING * max(abs(better), abs(worse))  # a last digit makes no mean better
