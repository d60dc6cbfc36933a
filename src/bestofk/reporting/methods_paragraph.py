"""The paragraph on methods, ready to paste into a paper, and the papers it names."""

from __future__ import annotations

from collections.abc import Iterable

from bestofk.comparing import Comparison
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, listed
from bestofk.judging import Verdict
from bestofk.reporting.first_screen import listed_by
from bestofk.reporting.method_names import called
from bestofk.reporting.papers import references_of
from bestofk.reporting.words import MOST_NAMES, some, within_words
from bestofk.stats.adjust import ADJUST
from bestofk.stats.method import Holds, Paper, adjustment_of


@frozen
class Methods:
    """What decides the verdict, what was found beside it, and the references in the order of their first mention."""

    paragraph: str
    further: str
    references: tuple[Paper, ...]

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """Both paragraphs, the second where there is anything to say."""
        return tuple(each for each in (self.paragraph, self.further) if each)


class Citing:
    """What a paper calls a registered name, with its papers in brackets; ``papers`` are those cited so far."""

    def __init__(self) -> None:
        self.papers: dict[Paper, None] = {}

    def __call__(self, name: str, words: str = "") -> str:
        """The name, or other words for it."""
        papers = self.shorts(name)
        return (words or called(name)) + (f" ({papers})" if papers else "")

    def shorts(self, name: str) -> str:
        """The papers alone."""
        papers = references_of(name)
        self.papers |= dict.fromkeys(papers)
        return "; ".join(paper.short for paper in papers)


def methods_of(verdict: Verdict) -> Methods:
    """Say what was done, with the papers it rests on."""
    comparison, cited = verdict.comparison, Citing()
    first = (
        *(_compared(comparison), _tested(comparison, cited), _dominance(comparison, cited), _intervals(comparison)),
        *(_winner(verdict, cited), _rank_intervals(comparison, cited), _margin(verdict, cited)),
        *(_ordered(verdict, cited), _made(verdict)),
    )
    paragraph, beside = _joined(first), _beside(verdict, cited)
    further = f"Also given: {'; '.join(beside)}." if beside else ""
    return Methods(paragraph, further, tuple(cited.papers))


def _joined(sentences: Iterable[str]) -> str:
    return " ".join(each for each in sentences if each)


def _compared(comparison: Comparison) -> str:
    names = comparison.learners
    who = listed(names) if len(names) <= MOST_NAMES else f"{len(names)} learners"
    by = f"{comparison.measure} ({'larger' if comparison.larger_is_better else 'smaller'} is better)"
    if comparison.several is not None:
        by = listed([repr(each) for each in comparison.sample.measures])
    quantity = f", {comparison.quantity}," if comparison.quantity else ""
    on = f"{'with' if comparison.sample.runs else 'on'} {comparison.sample.units_text}"
    return f"We compared {who} by {by}{quantity} {on}."


def _tested(comparison: Comparison, cited: Citing) -> str:
    called_so = cited(comparison.test)
    if not comparison.tested:
        return f"There are too few results for {called_so}, and no pair was tested."
    forced = ", although the sample does not allow this test" if comparison.choice.forced else ""
    together = f" in {listed(comparison.names)} together" if comparison.several is not None else ""
    within = (
        f", which combines {cited(_within(comparison))} over data sets" if comparison.test == "stratified-t" else ""
    )
    ratio = f" on logarithms of {comparison.measure}" if comparison.sample.scale == "log-ratio" else ""
    how = together or f" {comparison.sides}-sided"
    test = f"tested{how} by {called_so}{within}{ratio}{forced}"
    if len(comparison.pairs) == 1:
        alone = comparison.alpha_share == 1.0  # one p value has nothing to be adjusted for
        level = f"at level {comparison.alpha:g}" if alone else _family(comparison, cited)
        return f"The difference was {test}, {level}."
    pairs = counted(len(comparison.pairs), "pair")
    which = f"The {pairs} with the control {comparison.control}" if comparison.control else f"All {pairs}"
    return f"{which} were {test}, {_family(comparison, cited)}."


def _within(comparison: Comparison) -> str:
    """The test of every data set by itself, of those that a stratified test combines."""
    return comparison.sample.fold_test or "welch-t"


def _dominance(comparison: Comparison, cited: Citing) -> str:
    """How a learner is shown to be better in every one of several measures."""
    if comparison.several is None:
        return ""
    held = "without adjustment" if comparison.adjust == "none" else "with Holm's method"
    parts, both = cited(comparison.several.part_test), cited("dominance", "intersection–union tests")
    return (
        f"Single measures were then tested by {parts}; a learner is called better where every measure is, by one-sided "
        f"{both} {held}."
    )


#: What alpha is the level of, by what the adjustment holds.
_LEVELS: dict[Holds, str] = {
    "family": "at a family-wise level of {alpha:g}",
    "weak": "at a family-wise level of {alpha:g} (if no two learners differ)",
    "fdr": "at a false discovery rate of {alpha:g}",
    "none": "each at level {alpha:g}",
}


def _family(comparison: Comparison, cited: Citing) -> str:
    """How the p values of several pairs are adjusted, and what alpha is then the level of."""
    holds: Holds = "family"
    if comparison.adjust == comparison.test:
        how = "which adjusts for all pairs " + (
            "with it (the Bonferroni–Dunn test)" if comparison.control else "itself"
        )
    elif comparison.adjust == "none":
        how, holds = "without adjustment", "none"
    else:
        beside = " together with features and steps of the curves" if comparison.alpha_share < 1.0 else ""
        how, holds = f"adjusted{beside} by {cited(comparison.adjust)}", adjustment_of(ADJUST[comparison.adjust]).holds
    return f"{how}, {_LEVELS[holds].format(alpha=comparison.alpha)}"


def _intervals(comparison: Comparison) -> str:
    if not comparison.sized or not comparison.bounded or not comparison.tested:
        return ""
    level = comparison.interval_level
    at = "the level that decided the pair" if level is None else f"{100 * level:.4g} %"
    return f"Intervals are of the same test, at {at}."


def _winner(verdict: Verdict, cited: Citing) -> str:
    """How the best learner is found, where its pairs are not adjusted."""
    comparison = verdict.comparison
    alone = len(comparison.pairs) == 1 and comparison.alpha_share == 1.0
    one = alone or comparison.sides == "one" or comparison.several is not None
    if one or verdict.status != "decided" or verdict.ordering.method != "multitest":
        return ""
    return (
        f"{verdict.best} is called best because it is better than each other learner at level {comparison.alpha:g}, "
        f"without adjustment ({cited.shorts('winner')})."
    )


def _rank_intervals(comparison: Comparison, cited: Citing) -> str:
    if len(comparison.pairs) == 1 or not comparison.holds_family or not comparison.tested:
        return ""
    return f"Rank intervals follow from the pairs that differ ({cited.shorts('rank-intervals')})."


def _margin(verdict: Verdict, cited: Citing) -> str:
    """How far every learner may be below the best, and who of those that are close enough is taken."""
    within, comparison = verdict.within, verdict.comparison
    if within is None:
        return ""
    others = len(comparison.learners) - 1
    level = f"alpha/(K − 1) = {comparison.alpha / others:.3g}" if others > 1 else f"{comparison.alpha:g}"
    bounds = (
        f"With {100 * (1 - comparison.alpha):g} % confidence no learner's loss to the best is above its largest "
        f"one-sided bound at level {level} ({cited.shorts('within')})."
    )
    if not within.learners:
        return f"{bounds} No learner is thereby shown {within_words(verdict)}."
    taken = ""
    if verdict.status == "within" and len(within.learners) > 1:
        by = "the best mean" if verdict.prior is None else _preference(verdict)
        taken = f"; {verdict.best} is taken, by {by}"
    return f"{bounds} Shown {within_words(verdict)}: {some(within.learners)}{taken}."


def _preference(verdict: Verdict) -> str:
    """What is preferred, a cost or names."""
    prior = verdict.prior or ()
    few = ", ".join(prior[:MOST_NAMES]) + (", …" if len(prior) > MOST_NAMES else "")
    cost = verdict.ordering.prior_from
    return f"a preference for smaller {cost}" if cost else f"the preference {few}"


def _ordered(verdict: Verdict, cited: Citing) -> str:
    """By what learners are ordered; nothing where the margin says who is first."""
    ordering = verdict.ordering
    if verdict.within is not None and verdict.status != "decided":
        return ""
    if ordering.prior is None:
        return f"Without a preference, learners are listed by {listed_by(verdict.comparison)}."
    rule = f"Learners were ordered by {cited(ordering.method)} with {_preference(verdict)}"
    if ordering.ranks is not None:
        rule += f", {cited(ordering.ranks.within)} on each data set and {cited(ordering.ranks.across)} across them"
    elif ordering.method == "multitest":
        rule += ", which only a significant difference overrides"
    return f"{rule}."


def _made(verdict: Verdict) -> str:
    """The program and its seed; the report lists all versions."""
    return f"Computed with bestofk {verdict.provenance.versions['bestofk']} (seed {verdict.provenance.seed})."


def _beside(verdict: Verdict, cited: Citing) -> list[str]:
    """All that was found beside the pairs, in the order of the report."""
    comparison, bayes, wins = verdict.comparison, verdict.bayes, verdict.counted_wins
    effects = {"cohens_d": "paired d", "a12": "A12", "rank_biserial": "the matched-pairs rank-biserial correlation"}
    found = [] if comparison.omnibus is None else [cited(comparison.omnibus.test)]
    found += [cited(name, words) for name, words in effects.items() if getattr(comparison, name) is not None]
    if verdict.roc is not None:
        found.append(cited("roc-hull", "the convex hull of ROC curves"))
    if verdict.aggregates is not None:
        means = "interquartile means and " if verdict.aggregates.interquartile_means else ""
        found.append(cited("aggregates", f"{means}probabilities of improvement"))
    if verdict.two_learners is not None:
        found += [cited(each.test) for each in verdict.two_learners.tests if each.test != comparison.test]
    if verdict.mean_ranks is not None and verdict.mean_ranks.groups is not None:
        found.append(cited("cliques", "groups without a significant difference"))
    if bayes is not None:
        rope = f" with a rope of {bayes.rope:g}" if bayes.rope else ""
        found.append(cited("bayes-sign", f"the Bayesian sign test{rope}"))
    if bayes is not None and bayes.next_dataset_by_folds is not None:
        found.append(cited("bayes-hierarchical", "the hierarchical Bayesian model of all folds"))
    if verdict.bayes_folds is not None:
        found.append(cited("bayes-correlated", f"the Bayesian correlated t test with a rope of {verdict.rope:g}"))
    if wins is not None:
        found.append(f"wins on every data set by {listed([cited(name) for name in dict.fromkeys(wins.tests)])}")
    if comparison.curves is not None and comparison.curves.parts is not None:
        found.append(cited("split-plot-anova"))
    if verdict.sensitivity is not None:
        found.append(cited("bootstrap", f"{verdict.sensitivity.resamples:,} bootstrap samples of the data sets"))
    if verdict.where_it_wins is not None:
        found.append(cited("largest-correlation", "correlations with features of the data sets"))
    return found
