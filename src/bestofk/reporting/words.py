"""Every sentence in one place."""

from __future__ import annotations

from bestofk.judging import Reason, Verdict


def verdict_text(verdict: Verdict) -> str:
    """The verdict first, then why, then the numbers."""
    return "\n".join([_headline(verdict), "", *_why(verdict), "", *_table(verdict)])


def _headline(verdict: Verdict) -> str:
    order = "Order: " + " < ".join(verdict.order) + " (best first)."
    if verdict.status == "decided":
        return f"{verdict.best} is best: every other learner is significantly worse. {order}"
    rivals = _listed(verdict.rivals)
    if verdict.status == "preferred":
        return f"{verdict.best} is the choice: the data do not separate it from {rivals}, and it is preferred. {order}"
    return (
        f"No single best: the data do not separate {verdict.best} from {rivals}, and no preference was given. "
        f"By mean alone: {' < '.join(verdict.order)}."
    )


def _why(verdict: Verdict) -> list[str]:
    level = "without adjustment" if verdict.adjust == "none" else f"adjusted by {verdict.adjust}"
    return [
        f"Evidence: {verdict.evidence}.",
        f"Test: {verdict.test}, because {verdict.why_test}; alpha {verdict.alpha:g} for all pairs, {level}.",
        *(_reason(reason, verdict) for reason in verdict.reasons),
    ]


def _reason(reason: Reason, verdict: Verdict) -> str:
    numbers = f"mean loss differs by {reason.difference:.4g}, two-sided adjusted p = {reason.pvalue:.3g}"
    if reason.significant:
        return f"- {reason.better} above {reason.worse}: significantly less loss ({numbers})."
    if verdict.prior is None:
        return f"- {reason.better} above {reason.worse}: smaller mean, not shown to be better ({numbers})."
    if verdict.prior.index(reason.better) < verdict.prior.index(reason.worse):
        return f"- {reason.better} above {reason.worse}: preferred, and not shown to be worse ({numbers})."
    return f"- {reason.better} above {reason.worse}: the graph of significant differences puts it there ({numbers})."


def _table(verdict: Verdict) -> list[str]:
    width = max(len("learner"), *(len(name) for name in verdict.order))
    rows = [f"{place:>5}  {name:<{width}}  {verdict.means[name]:.4f}" for place, name in enumerate(verdict.order, 1)]
    return [f"{'place':>5}  {'learner':<{width}}  mean", *rows]


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
