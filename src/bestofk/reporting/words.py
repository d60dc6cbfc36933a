"""Every sentence in one place."""

from __future__ import annotations

from collections.abc import Sequence

from bestofk.judging import Reason, Verdict


def verdict_text(verdict: Verdict) -> str:
    """The verdict first, then why, then the numbers."""
    return "\n".join([_headline(verdict), "", *_why(verdict), "", *_table(verdict)])


def _headline(verdict: Verdict) -> str:
    order = f"Order, best first: {', '.join(verdict.order)}."
    if verdict.status == "decided":
        return f"{verdict.best} is best: every other learner is significantly worse. {order}"
    rivals = listed(verdict.rivals)
    if verdict.status == "preferred":
        return (
            f"{verdict.best} is the choice: the data do not separate it from {rivals}, "
            f"and it is the most preferred learner that the tests do not overrule. {order}"
        )
    return (
        f"No single best: the data do not separate {verdict.best} from {rivals}, and no preference was given. "
        f"By mean {verdict.measure} alone, best first: {', '.join(verdict.order)}."
    )


def _why(verdict: Verdict) -> list[str]:
    level = "not adjusted" if verdict.adjust == "none" else f"adjusted by {verdict.adjust}"
    return [
        f"Evidence: {verdict.evidence}.",
        f"Test: {verdict.test}, because {verdict.why_test}. Alpha {verdict.alpha:g} for all pairs, {level}.",
        *(_overruled(name, by, verdict) for name, by in verdict.overtaken),
        *(_reason(reason, verdict) for reason in verdict.reasons),
    ]


def _overruled(name: str, by: Sequence[str], verdict: Verdict) -> str:
    shown = "is" if len(by) == 1 else "are"
    return f"- {name} is preferred to {verdict.best} but overruled: {listed(by)} {shown} shown to beat it."


def _reason(reason: Reason, verdict: Verdict) -> str:
    place = f"- {reason.better} above {reason.worse}:"
    p = f"{reason.question} p = {reason.pvalue:.3g}"
    means = f"mean {verdict.measure} {verdict.means[reason.better]:.4g} against {verdict.means[reason.worse]:.4g}"
    against = "" if _mean_agrees(reason, verdict) else f", although its mean {verdict.measure} is not the better one"
    if reason.ground == "significant":
        return f"{place} significantly better{against} ({means}; {p})."
    if reason.ground == "preferred":
        return f"{place} preferred, and not shown to be worse ({means}; {p})."
    if reason.ground == "mean":
        return f"{place} {'no worse in the' if against else 'better'} mean, not shown to be better ({means}; {p})."
    return f"{place} others are shown to beat {reason.worse}; between these two nothing is shown ({means}; {p})."


def _mean_agrees(reason: Reason, verdict: Verdict) -> bool:
    better, worse = verdict.means[reason.better], verdict.means[reason.worse]
    return better > worse if verdict.larger_is_better else better < worse


def _table(verdict: Verdict) -> list[str]:
    width = max(len("learner"), *(len(name) for name in verdict.order))
    rows = [f"{place:>5}  {name:<{width}}  {verdict.means[name]:.4f}" for place, name in enumerate(verdict.order, 1)]
    return [f"{'place':>5}  {'learner':<{width}}  mean {verdict.measure}", *rows]


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them.

    Examples
    --------
    >>> listed(("lda", "qda", "svm"))
    'lda, qda and svm'
    """
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
