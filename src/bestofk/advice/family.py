"""Advice on the family of pairs: adjustments, the test over all learners, tests that disagree."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.comparing.compare import adjusted_pvalues
from bestofk.comparing.comparison import Comparison
from bestofk.core.phrases import counted, listed
from bestofk.ordering.contest import is_smaller
from bestofk.stats.adjust import ADJUST


def k104(case: Case) -> Advice | None:
    """K104: a pair differs, and the test over all learners shows nothing.

    Fire when pairs are significant although the omnibus test accepts.
    """
    omnibus = case.comparison.omnibus
    places = np.flatnonzero(case.comparison.significant)
    if omnibus is None or not omnibus.accepts or not len(places):
        return None
    pairs = [" and ".join(case.comparison.pairs[i]) for i in places]
    said = f"{', '.join(pairs)} differ" if len(pairs) <= 2 else f"{len(pairs)} pairs differ"
    nothing = f"{omnibus.test} over all learners finds nothing (p = {omnibus.pvalue:.2g})"
    if case.comparison.adjust == "none":
        return Advice("K104", f"{said}, but {nothing}", "report both; without adjustment some pairs differ by chance")
    return Advice(
        "K104",
        f"{nothing}, though {said}",
        "report both; adjusted pairs are valid without the test over all, which may see less",
    )


def k107(case: Case) -> Advice | None:
    """K107: Holm's adjustment shows more than Bonferroni's.

    Fire when Holm, which is valid wherever Bonferroni is, separates more pairs.
    """
    comparison = case.comparison
    if comparison.adjust != "bonferroni":
        return None
    holm = int((ADJUST["holm"](comparison.pvalue) <= comparison.alpha).sum())
    bonferroni = int(comparison.significant.sum())
    if holm == bonferroni:
        return None
    return Advice(
        "K107",
        f"bonferroni separates {bonferroni} of {len(comparison.pairs)} pairs, holm {holm}",
        "holm holds the same level and is never weaker: decide for it before looking at results",
    )


def k108(case: Case) -> Advice | None:
    """K108: the test and the means point different ways.

    Fire when a learner is significantly better whose mean is no better; where data sets have no unit in common, means
    over them say nothing.
    """
    comparison = case.comparison
    if comparison.several is not None or comparison.sample.scale != "difference":
        return None
    sign = -1.0 if comparison.larger_is_better else 1.0
    losses = {name: sign * mean for name, mean in comparison.means.items()}
    found: dict[str, list[str]] = {}
    for names, relation in zip(comparison.pairs, comparison.relation, strict=True):
        ahead, behind = names[::-1] if relation == "second" else names
        if relation in ("first", "second") and not is_smaller(losses[ahead], losses[behind]):
            found.setdefault(ahead, []).append(behind)
    if not found:
        return None
    said = "; ".join(f"for {ahead} against {listed(behind)}" for ahead, behind in found.items())
    whose = "whose mean is" if sum(map(len, found.values())) == 1 else "whose means are"
    return Advice(
        "K108",
        f"{comparison.test} speaks {said}, {whose} no worse in {comparison.measure}",
        f"{_looks_at(comparison)}: look at the single results",
    )


def _looks_at(comparison: Comparison) -> str:
    """What a test looks at that the mean does not tell."""
    if comparison.ranks:
        return "ranks and signs count every result alike, and a few large ones move the mean"
    if comparison.test == "5x2cv-t":
        return "5x2cv-t looks at the first fold alone"
    return "it does not look at means alone" if comparison.about == "mean" else f"it is about the {comparison.about}"


OTHER = {"paired-t": "wilcoxon", "wilcoxon": "paired-t"}


def k112(case: Case) -> Advice | None:
    """K112: amounts and ranks disagree over data sets.

    Fire when the t test and Wilcoxon's test separate different pairs: a few data sets weigh much.
    """
    used = case.comparison
    if used.kind != "datasets" or used.test not in OTHER:
        return None
    other = adjusted_pvalues(case.evidence, OTHER[used.test], used.adjust, used.control)
    other = np.minimum(1.0, other / used.alpha_share)
    apart = np.flatnonzero(used.significant != (other <= used.alpha))
    if apart.size == 0:
        return None
    i = int(apart[0])
    first, second = used.pairs[i]
    more = f" (and {counted(int(apart.size) - 1, 'more pair')})" if apart.size > 1 else ""
    p = "adjusted p" if len(used.pairs) > 1 and used.adjust != "none" else "p"
    return Advice(
        "K112",
        f"whether {first} and {second} differ{more} hangs on the test: {p} = {used.adjusted[i]:.3g} by "
        f"{used.test}, {other[i]:.3g} by {OTHER[used.test]}",
        "a few data sets with large differences may decide: look at them before you claim either",
    )


def k113(case: Case) -> Advice | None:
    """K113: the order contradicts the test of two learners.

    Fire when a learner stands above one that the comparison shows to be better.
    """
    for above, below in combinations(case.ordering.order, 2):
        if case.comparison.shows(below, above):
            return Advice(
                "K113",
                f"{case.ordering.method} puts {above} above {below}, which {case.comparison.test} shows to be better",
                f"do not claim that {above} is better than {below}; look at the pair in the comparison",
            )
    return None


def k121(case: Case) -> Advice | None:
    """K121: alpha is not held for all pairs together.

    Fire when several pairs are tested without adjustment, or with one that lets some findings be false.
    """
    comparison = case.comparison
    if comparison.holds_family:
        return None
    pairs = len(comparison.pairs)
    said = f"by {comparison.adjust} some pairs may differ by chance; ranks hold no level"
    if comparison.adjust == "none":
        said = (
            f"{pairs} pairs are tested at {comparison.alpha:g} each without adjustment: were all learners equal, "
            f"{pairs * comparison.alpha:.2g} of them would differ on the average"
        )
    return Advice("K121", said, "use --adjust holm, which is valid whatever the learners are")


def k147(case: Case) -> Advice | None:
    """K147: another learner is ahead at the end of the curves.

    Fire when the first is shown to be better over whole curves than the learner with the best mean at the last step,
    and that step shows nothing; where it does, the headline says so.
    """
    comparison, first = case.comparison, case.reference
    ahead = None if comparison.curves is None else comparison.curves.ahead_at_end
    if ahead in (None, first) or comparison.end_pvalue(ahead, first) is not None:
        return None
    if not comparison.shows(first, ahead):
        return None
    step = f"step {comparison.sample.steps[-1]:g}"
    return Advice(
        "K147",
        f"{ahead} has the best mean at {step}, though {first} is better {comparison.quantity}",
        f"if the trained models are what you want, compare them at {step}: --curve final",
    )
