"""Advice on the family of pairs: adjustments, the test over all learners, tests that disagree."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.comparing.compare import adjusted_pvalues
from bestofk.core.phrases import counted
from bestofk.stats.adjust import ADJUST


def k104(case: Case) -> Advice | None:
    """K104: the test over all learners finds nothing, and a pair differs all the same.

    Fire when pairs are significant although the omnibus test accepts.
    """
    omnibus = case.comparison.omnibus
    significant = int(case.comparison.significant.sum())
    if omnibus is None or not omnibus.accepts or significant == 0:
        return None
    return Advice(
        "K104",
        f"{counted(significant, 'pair')} {'differ' if significant > 1 else 'differs'}, and {omnibus.test} of all "
        f"learners shows nothing (p = {omnibus.pvalue:.2g})",
        "report both; "
        + (
            "without adjustment some pairs differ by chance"
            if case.comparison.adjust == "none"
            else "adjusted pairs are valid without the test over all, which may see less"
        ),
    )


def k107(case: Case) -> Advice | None:
    """K107: Bonferroni's adjustment hides what Holm's would show.

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
    """K108: a pair where the test speaks for the learner with the worse mean.

    Fire when a significant pair and its means point in opposite directions.
    """
    comparison = case.comparison
    for (first, second), relation in zip(comparison.pairs, comparison.relation, strict=True):
        shown = {"first": first, "second": second}.get(relation)
        if shown is None or comparison.several is not None:
            continue
        gap = comparison.means[first] - comparison.means[second]
        gain = gap if comparison.larger_is_better else -gap
        if (gain if shown == first else -gain) <= 0:
            return Advice(
                "K108",
                f"{comparison.test} speaks for {shown} although its mean {comparison.measure} is not the better "
                f"one ({first} {comparison.means[first]:.4g}, {second} {comparison.means[second]:.4g})",
                "5x2cv-t looks at the first fold alone and rank tests at ranks: look at the single results",
            )
    return None


OTHER = {"paired-t": "wilcoxon", "wilcoxon": "paired-t"}


def k112(case: Case) -> Advice | None:
    """K112: amounts and ranks disagree over data sets.

    Fire when the t test and Wilcoxon's test separate different pairs: a few data sets weigh much.
    """
    used = case.comparison
    if used.kind != "datasets" or used.test not in OTHER:
        return None
    other = adjusted_pvalues(case.evidence, OTHER[used.test], used.adjust, used.control)
    apart = np.flatnonzero(used.significant != (other <= used.alpha))
    if apart.size == 0:
        return None
    i = int(apart[0])
    first, second = used.pairs[i]
    more = f" (and {counted(int(apart.size) - 1, 'more pair')})" if apart.size > 1 else ""
    return Advice(
        "K112",
        f"whether {first} and {second} differ{more} hangs on the test: adjusted p = {used.adjusted[i]:.3g} by "
        f"{used.test}, {other[i]:.3g} by {OTHER[used.test]}",
        "a few data sets with large differences may decide: look at them before you claim either",
    )


def k113(case: Case) -> Advice | None:
    """K113: the order and the comparison disagree about a pair.

    Fire when a learner stands above one that the comparison shows to be better.
    """
    for above, below in combinations(case.ordering.order, 2):
        if case.comparison.shows(below, above):
            return Advice(
                "K113",
                f"{above} stands above {below}, which {case.comparison.test} shows to be better",
                f"do not claim that {above} is better than {below}; look at the pair in the comparison",
            )
    return None


def k121(case: Case) -> Advice | None:
    """K121: many pairs, and nothing adjusted.

    Fire when several pairs are tested without adjustment.
    """
    comparison = case.comparison
    pairs = len(comparison.pairs)
    if comparison.adjust != "none" or pairs < 2:
        return None
    expected = pairs * comparison.alpha
    return Advice(
        "K121",
        f"{pairs} pairs are tested at {comparison.alpha:g} each without adjustment: were all learners equal, "
        f"{expected:.2g} of them would differ on the average",
        "use --adjust holm, which is valid whatever the learners are",
    )
