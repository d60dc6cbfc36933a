"""The verdict on several measures in sentences. Words read fields and never compute."""

from __future__ import annotations

from math import isinf

from bestofk.comparing.measures_comparison import MeasuresComparison, MeasuresPair
from bestofk.core.phrases import listed
from bestofk.judging.measures_costs import CostsOfMistakes
from bestofk.judging.measures_verdict import MeasuresVerdict
from bestofk.reporting.level_words import adjusted_words, level_words
from bestofk.reporting.measures_areas import areas_headline, price_words, roc_lines
from bestofk.reporting.measures_notes import note_lines
from bestofk.reporting.measures_phrases import combination_words, error_words, shown_words
from bestofk.reporting.measures_tables import learners_table
from bestofk.reporting.order_words import order_sentence
from bestofk.reporting.tables import aligned

#: So many pairs are told in sentences; the tables have every pair.
MOST_PAIRS = 10
#: What may agree by chance, by what a comparison is of.
_FEW = {"folds": "few folds with small counts", "datasets": "few data sets", "items": "few items"}
MEASURES_STATUS_MEANS = {
    "decided": "decided by the data: one learner dominates every other in these measures",
    "preferred": "chosen by preference: nobody is shown to dominate the choice",
    "tied": "no single best: several learners are in question, and no preference was given",
}


def measures_text(verdict: MeasuresVerdict) -> str:
    """The verdict first, then what differs, then the numbers."""
    return "\n".join([*measures_words(verdict), "", aligned(learners_table(verdict))])


def measures_words(verdict: MeasuresVerdict) -> list[str]:
    """The verdict and why, without tables."""
    return [
        measures_headline(verdict),
        "",
        *(f"- {line}" for line in difference_lines(verdict)),
        *group_lines(verdict),
        "",
        *ground_lines(verdict),
        *note_lines(verdict),
        *order_lines(verdict),
        *cost_lines(verdict),
        *roc_lines(verdict),
        *(repr(advice) for advice in verdict.advice),
        *class_lines(verdict),
    ]


def class_lines(verdict: MeasuresVerdict) -> list[str]:
    """Every class against the rest: who dominates, and what differs."""
    lines = [class_level(verdict)] if verdict.by_class else []
    for each in verdict.by_class:
        lines += ["", f"{class_title(each)}: {measures_headline(each)}"]
        lines += [f"- {line}" for line in difference_lines(each)]
    return ["", *lines] if lines else []


def class_title(verdict: MeasuresVerdict) -> str:
    """The class that a verdict is about."""
    return f"Class {verdict.positive} against the rest"


def class_level(verdict: MeasuresVerdict) -> str:
    """Why every class is judged at a smaller level."""
    number, alpha = len(verdict.by_class), verdict.by_class[0].alpha
    level = f"each at alpha {alpha:.3g}, so that {verdict.alpha:g} holds for all {number}"
    return f"Every class against the rest follows, {level}."


def measures_headline(verdict: MeasuresVerdict) -> str:
    """The verdict in a sentence or two, with the order."""
    names, front = listed(verdict.names), verdict.front
    if verdict.comparison.of_areas:
        return areas_headline(verdict)
    order = order_sentence(verdict.order, verdict.prior)
    if verdict.status == "decided":
        others = "the other learner" if len(verdict.order) == 2 else "every other learner"
        return f"{verdict.best} is best: it is shown to dominate {others}, better in each of {names}. {order}"
    if verdict.status == "preferred":
        return f"{verdict.best} is the choice: nobody is shown to dominate it, and it is preferred. {order}"
    if not verdict.ordering.dominated_by:
        return f"No learner is shown to dominate another in {names}. {_listed(verdict)}"
    return f"Nobody dominates all others in {names}; not dominated: {listed(front)}. {_listed(verdict)}"


def _listed(verdict: MeasuresVerdict) -> str:
    after = ", the dominated after those that dominate them" if verdict.ordering.edges else ""
    of = f" {verdict.comparison.error_of}" if verdict.comparison.error_of else ""
    return f"Listed by mean {verdict.ordering.listed_by}{of}{after}: {', '.join(verdict.order)}."


def difference_lines(verdict: MeasuresVerdict) -> list[str]:
    """What differs between learners, pair by pair, the clearest first."""
    told = [pair for pair in verdict.comparisons if pair.significant]
    told.sort(key=lambda pair: (not pair.names_a_measure, pair.pvalue))
    lines = [pair_words(pair, verdict.comparison) for pair in told[:MOST_PAIRS]]
    if len(told) > MOST_PAIRS:
        lines.append(f"{len(told) - MOST_PAIRS} more pairs differ: see the tables.")
    only_error = [
        pair for pair in verdict.comparisons if not pair.significant and pair.error and pair.error.significant
    ]
    lines += [f"{_though_single(pair, verdict)}." for pair in _only_single(verdict)[:MOST_PAIRS]]
    lines += [
        f"{pair.first} and {pair.second} are not told apart by {listed(verdict.names)}, though their errors are: "
        f"{error_words(pair, verdict.comparison.error_of)}."
        for pair in only_error[:MOST_PAIRS]
        if error_words(pair)
    ]
    return lines or [f"No two learners are told apart by {listed(verdict.names)}."]


def _only_single(verdict: MeasuresVerdict) -> list[MeasuresPair]:
    """Pairs that all measures together do not tell apart, and one of them does."""
    if len(verdict.names) == 1:
        return []
    return [pair for pair in verdict.comparisons if not pair.significant and pair.names_a_measure]


def _though_single(pair: MeasuresPair, verdict: MeasuresVerdict) -> str:
    together = f"all measures together do not tell the two apart (p = {pair.adjusted:.2g})"
    return f"{shown_words(pair, verdict.comparison.filled)}; {together}, and that is the test that counts"


def pair_words(pair: MeasuresPair, comparison: MeasuresComparison) -> str:
    """What the two do differently, and what their error says."""
    shown = shown_words(pair, comparison.filled) or f"{pair.first} and {pair.second} differ, {_combined(pair)}"
    error = error_words(pair, comparison.error_of)
    together = f"; p = {pair.adjusted:.2g} for all measures together" if len(pair.tests) > 1 else ""
    return f"{shown}{'; ' + error if error else ''}{together}{_same_everywhere(pair, comparison.kind)}."


def _combined(pair: MeasuresPair) -> str:
    """In what two learners differ where no single measure shows it; signs of data sets name no combination."""
    if not any(pair.weights.values()):
        return "though no single measure is shown to"
    units = "each measure in standard deviations of its differences"
    return f"in no single measure but in a combination of them: {combination_words(pair.weights)} ({units})"


def _same_everywhere(pair: MeasuresPair, kind: str) -> str:
    """A warning where p is 0 because nothing varies."""
    if pair.pvalue > 0.0 or not any(isinf(each) for each in (pair.statistic, *(t.statistic for t in pair.tests))):
        return ""
    return f" (a difference is the same everywhere, hence p = 0: of {_FEW[kind]} that may be chance)"


def group_lines(verdict: MeasuresVerdict) -> list[str]:
    """Who is dominated, and who is not told apart: by the vectors and by the error."""
    lines = (
        []
        if verdict.comparison.of_areas
        else [
            f"- {name} is dominated by {_dominators(name, by, verdict)}: better in every measure, as one claim."
            for name, by in verdict.ordering.dominated_by
        ]
    )
    alike = [group for group in verdict.cliques if len(group) > 1]
    if alike:
        lines.append(f"- Not told apart: {_groups(alike)}.")
    by_error = [group for group in verdict.ordering.error_cliques or () if len(group) > 1]
    if by_error and "error" not in verdict.names and by_error != alike:
        lines.append(f"- Not told apart by the error alone: {_groups(by_error)}.")
    return lines


def _dominators(name: str, by: tuple[str, ...], verdict: MeasuresVerdict) -> str:
    """Who dominates a learner, each with the adjusted p of the test of dominance."""
    return listed([f"{other} (p = {verdict.comparison.pair(name, other).dominance_adjusted:.2g})" for other in by])


def cost_lines(verdict: MeasuresVerdict) -> list[str]:
    """Which learner is best for which costs of mistakes: means alone."""
    costs = verdict.costs
    if costs is None:
        return []
    share = f"{100 * costs.positives:.3g} % positives"
    start = f"Best by the price of a false alarm in misses (rates alone, no test; {share}):"
    if not costs.best:
        return [f"{start} no learner at any price, for always or never saying positive costs no more."]
    said = [f"{each.learner} {price_words(each.low, each.high)}" for each in costs.best]
    never = f"; for no costs: {listed(costs.never)}" if costs.never else ""
    return [f"{start} {', '.join(said)}{never}.{_trivial(costs)}"]


def _trivial(costs: CostsOfMistakes) -> str:
    """Where no learner is best: there saying the same of every row costs less."""
    low, high = costs.best[0].low, costs.best[-1].high
    said = [f"below {low:.2g} saying always positive"] if low > 0.0 else []
    said += [f"above {high:.2g} saying never positive"] if high < float("inf") else []
    return f" Outside that no learner is worth having: {' and '.join(said)} costs less." if said else ""


def _groups(groups: list[tuple[str, ...]]) -> str:
    return "; ".join(listed(group) for group in groups)


def ground_lines(verdict: MeasuresVerdict) -> list[str]:
    """What was compared, by which test, and the test over all learners."""
    comparison = verdict.comparison
    positive = f" Positive is {verdict.positive}." if verdict.positive else ""
    number = len(comparison.pairs)
    family = f"{'the pair' if number == 1 else 'all pairs'}{adjusted_words(number, comparison.adjust)}"
    single = f"; single measures by {comparison.measure_test}" if len(comparison.names) > 1 else ""
    lines = [
        f"Evidence: {comparison.evidence}.{positive}",
        f"Test: {comparison.test}, because {comparison.why_test}. Alpha {comparison.alpha:g} for {family}{single}.",
    ]
    if comparison.left_out:
        lines.append(f"Missing results: {comparison.left_out}.")
    return [*lines, *over_lines(verdict)]


def over_lines(verdict: MeasuresVerdict) -> list[str]:
    """One test over three learners or more, and what its eigenvalues say."""
    comparison = verdict.comparison
    if comparison.over_pvalue is None:
        return []
    found = "some learner differs" if comparison.over_pvalue <= comparison.alpha else "no difference is shown"
    manova = comparison.manova
    if manova is None:
        return [f"Over all learners: {comparison.over}: p = {comparison.over_pvalue:.3g}: {found}."]
    wilks = manova.criteria[0]
    df = ", ".join(f"{number:.4g}" for number in wilks.df)
    numbers = f"Wilks' Λ = {wilks.statistic:.4g}, F = {wilks.f_statistic:.4g}, df = {df}, p = {manova.pvalue:.3g}"
    unpaired = " (it does not use that folds are paired; the pairs do)" if not manova.significant else ""
    lines = [f"Over all learners: {manova.test}: {numbers}: {found}{unpaired}."]
    return [*lines, collinear_words(verdict)] if manova.significant and len(manova.eigenvalues) > 1 else lines


def collinear_words(verdict: MeasuresVerdict) -> str:
    """Whether one combination of measures tells the learners apart, and which does it most."""
    manova = verdict.comparison.manova
    assert manova is not None
    share, z = f"{100 * manova.share:.3g} %", f"z = {combination_words(manova.weights)}"
    units = "each measure in standard deviations within learners"
    if manova.collinear:
        return f"The learners are told apart by one combination, {z} ({units}): {share} of the eigenvalues."
    return f"No single combination tells the learners apart: {z} ({units}) has {share} of the eigenvalues."


def order_lines(verdict: MeasuresVerdict) -> list[str]:
    """Every measure by itself: best first, and the groups whose two ends are not told apart."""
    lines = []
    for each in verdict.ordering.by_measure:
        ends = [" … ".join((group[0], group[-1])) if len(group) > 2 else " ".join(group) for group in each.groups]
        joined = " | ".join(ends)
        groups = f"; two ends not told apart: {joined}" if joined else ""
        lines.append(f"By {each.measure}, best first: {' '.join(each.order)}{groups}.")
    return lines


def measures_level_words(verdict: MeasuresVerdict) -> str:
    """What the level means."""
    comparison = verdict.comparison
    said = level_words(len(comparison.pairs), comparison.adjust, comparison.alpha)
    if comparison.of_areas or comparison.adjust == "none":
        return said
    error = ", and the error," if comparison.error_means else ""
    held = f" Single measures{error} are held at it each by themselves"
    more = "" if len(comparison.pairs) == 1 else ", and so is, by Holm's adjustment, that one learner dominates another"
    return f"{said}{held}{more}."
