"""The paragraph on methods, ready to paste into a paper, and the papers it names."""

from __future__ import annotations

from collections.abc import Iterable

from bestofk.comparing import Comparison
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, listed, p_text
from bestofk.judging import Verdict
from bestofk.reporting.first_screen import listed_by
from bestofk.reporting.method_names import called
from bestofk.reporting.papers import PAPERS, references_of
from bestofk.reporting.words import MOST_NAMES, some, within_words
from bestofk.stats.adjust import ADJUST
from bestofk.stats.aggregates import AGARWAL, RAO
from bestofk.stats.method import Holds, Paper, adjustment_of

_EFFECTS = {"cohens_d": "paired d", "a12": "A12", "rank_biserial": "the matched-pairs rank-biserial correlation"}

#: Differences that are taken for none: no test has this name.
ROPE = PAPERS["benavoli"]


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


def methods_of(verdict: Verdict) -> Methods:
    """Say what was done, with the papers it rests on."""
    other = beside(verdict)
    first = (
        *(_compared(verdict), _tested(verdict), _dominance(verdict), _intervals(verdict), _winner(verdict)),
        *(_rank_intervals(verdict), _margin(verdict), _ordered(verdict), _made(verdict)),
    )
    further = (_overall(verdict), _sizes(verdict), *(each.sentence for each in other))
    own = (paper for name in _names(verdict) for paper in references_of(name))
    named = dict.fromkeys([*own, *(paper for each in other for paper in each.references)])
    return Methods(_joined(first), _joined(further), tuple(named))


def _joined(sentences: Iterable[str]) -> str:
    return " ".join(each for each in sentences if each)


def _names(verdict: Verdict) -> tuple[str, ...]:
    """Registered names in the order of the paragraphs."""
    comparison, ordering = verdict.comparison, verdict.ordering
    within = (_within(comparison),) if comparison.test == "stratified-t" else ()
    several = len(comparison.pairs) > 1 or comparison.alpha_share < 1.0
    adjust = (comparison.adjust,) if several and comparison.tested else ()
    parts = () if comparison.several is None else (comparison.several.part_test, "dominance")
    winner = (*(("winner",) if _winner(verdict) else ()), *(("rank-intervals",) if _rank_intervals(verdict) else ()))
    margin = () if verdict.within is None else ("within",)
    method = () if not _ordered(verdict) or verdict.prior is None else (ordering.method, *_across(verdict))
    omnibus = () if comparison.omnibus is None else (comparison.omnibus.test,)
    roc = ("roc-hull",) if verdict.roc is not None else ()
    return (comparison.test, *within, *adjust, *parts, *winner, *margin, *method, *omnibus, *_effects(verdict), *roc)


def _across(verdict: Verdict) -> tuple[str, ...]:
    ranks = verdict.ordering.ranks
    return () if ranks is None else (ranks.within, ranks.across)


def _effects(verdict: Verdict) -> tuple[str, ...]:
    return tuple(name for name in _EFFECTS if getattr(verdict.comparison, name) is not None)


def _compared(verdict: Verdict) -> str:
    comparison = verdict.comparison
    names = comparison.learners
    who = listed(names) if len(names) <= MOST_NAMES else f"{len(names)} learners"
    by = f"{comparison.measure} ({'larger' if comparison.larger_is_better else 'smaller'} is better)"
    if comparison.several is not None:
        by = listed([repr(each) for each in comparison.sample.measures])
    quantity = f", {comparison.quantity}," if comparison.quantity else ""
    return f"We compared {who} by {by}{quantity} {'with' if comparison.sample.runs else 'on'} {_units(comparison)}."


def _units(comparison: Comparison) -> str:
    """The units, and of data sets what each value is the mean of."""
    sample = comparison.sample
    if sample.kind != "datasets" or sample.replicates is None:
        return sample.units_text
    replications, folds = sample.replicates.shape[-2:]
    several = f"{counted(replications, 'replication')} of " if replications > 1 else ""
    return f"{sample.units_text}, {several}{counted(folds, 'fold')} each"


def _tested(verdict: Verdict) -> str:
    comparison = verdict.comparison
    forced = ", although the sample does not allow this test" if comparison.choice.forced else ""
    together = f" in {listed(comparison.names)} together" if comparison.several is not None else ""
    within = (
        f", which combines {cited(_within(comparison))} over data sets" if comparison.test == "stratified-t" else ""
    )
    ratio = f" on logarithms of {comparison.measure}" if comparison.sample.scale == "log-ratio" else ""
    how = together or f" {comparison.sides}-sided"
    test = f"tested{how} by {cited(comparison.test)}{within}{ratio}{forced}"
    if not comparison.tested:
        return f"There are too few results for {cited(comparison.test)}, and no pair was tested."
    if len(comparison.pairs) == 1:
        alone = comparison.alpha_share == 1.0  # one p value has nothing to be adjusted for
        return f"The difference was {test}, {f'at level {comparison.alpha:g}' if alone else _family(comparison)}."
    pairs = counted(len(comparison.pairs), "pair")
    which = f"The {pairs} with the control {comparison.control}" if comparison.control else f"All {pairs}"
    return f"{which} were {test}, {_family(comparison)}."


def _within(comparison: Comparison) -> str:
    """The test of every data set by itself, of those that a stratified test combines."""
    return comparison.sample.fold_test or "welch-t"


def _dominance(verdict: Verdict) -> str:
    """How a learner is shown to be better in every one of several measures."""
    comparison = verdict.comparison
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


def _family(comparison: Comparison) -> str:
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


def _overall(verdict: Verdict) -> str:
    omnibus = verdict.comparison.omnibus
    if omnibus is None:
        return ""
    freedom = f" on {' and '.join(f'{value:.4g}' for value in omnibus.df)} degrees of freedom" if omnibus.df else ""
    found = f"a statistic of {omnibus.statistic:.4g}{freedom}, {p_text(omnibus.pvalue)}"
    return f"Over all learners, {cited(omnibus.test)} gave {found}."


def _intervals(verdict: Verdict) -> str:
    comparison = verdict.comparison
    if not comparison.sized or not comparison.bounded or not comparison.tested:
        return ""
    level = comparison.interval_level
    at = "the level that decided the pair" if level is None else f"{100 * level:.4g} %"
    return f"Intervals are of the same test, at {at}."


def _sizes(verdict: Verdict) -> str:
    effects = [f"{_EFFECTS[name]} ({references_of(name)[0].short})" for name in _effects(verdict)]
    return f"The size of a difference is given by {listed(effects)}." if effects else ""


def _winner(verdict: Verdict) -> str:
    """How the best learner is found, where its pairs are not adjusted."""
    comparison = verdict.comparison
    alone = len(comparison.pairs) == 1 and comparison.alpha_share == 1.0
    one = alone or comparison.sides == "one" or comparison.several is not None
    if one or verdict.status != "decided" or verdict.ordering.method != "multitest":
        return ""
    return (
        f"{verdict.best} is called best because it is better than each other learner at level {comparison.alpha:g}, "
        f"without adjustment ({_shorts('winner')})."
    )


def _rank_intervals(verdict: Verdict) -> str:
    comparison = verdict.comparison
    if len(comparison.pairs) == 1 or not comparison.holds_family or not comparison.tested:
        return ""
    return f"Rank intervals follow from the pairs that differ ({_shorts('rank-intervals')})."


def _shorts(name: str) -> str:
    return "; ".join(paper.short for paper in references_of(name))


def _margin(verdict: Verdict) -> str:
    """How far every learner may be below the best, and who of those that are close enough is taken."""
    within, comparison = verdict.within, verdict.comparison
    if within is None:
        return ""
    others = len(comparison.learners) - 1
    level = f"alpha/(K − 1) = {comparison.alpha / others:.3g}" if others > 1 else f"{comparison.alpha:g}"
    bounds = (
        f"With {100 * (1 - comparison.alpha):g} % confidence no learner's loss to the best is above its largest "
        f"one-sided bound at level {level} ({_shorts('within')})."
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


def _ordered(verdict: Verdict) -> str:
    """By what learners are ordered; nothing where the margin says who is first."""
    ordering = verdict.ordering
    if verdict.within is not None and verdict.status != "decided":
        return ""
    if ordering.prior is None:
        return f"Without a preference, learners are listed by {listed_by(verdict.comparison)}."
    rule = f"Learners were ordered by {cited(ordering.method)} with {_preference(verdict)}"
    if ordering.method == "multi2test":
        within, across = _across(verdict)
        rule += f", {cited(within)} on each data set and {cited(across)} across them"
    elif ordering.method == "multitest":
        rule += ", which only a significant difference overrides"
    return f"{rule}."


def _made(verdict: Verdict) -> str:
    """The program and its seed; the report lists all versions."""
    return f"Computed with bestofk {verdict.provenance.versions['bestofk']} (seed {verdict.provenance.seed})."


@frozen
class Said:
    """A sentence, the names (``references_of``) whose papers it cites, and further papers."""

    sentence: str
    names: tuple[str, ...] = ()
    papers: tuple[Paper, ...] = ()

    @property
    def references(self) -> tuple[Paper, ...]:
        """Every paper that the sentence cites, in its order."""
        return (*(paper for name in self.names for paper in references_of(name)), *self.papers)


def beside(verdict: Verdict) -> tuple[Said, ...]:
    """All that was found beside the pairs, in the order of the report."""
    parts = (_aggregates, _two, _ranks, _bayes, _bayes_folds, _wins, _curves)
    every = tuple(part(verdict) for part in parts)
    return tuple(
        each for each in (*every, _other_datasets(verdict), _pareto_front(verdict), _features(verdict)) if each
    )


def cited(name: str, words: str | None = None) -> str:
    """What a paper calls a registered name, or a sentence in other words, with its papers in brackets."""
    return (words or called(name)) + (f" ({_shorts(name)})" if references_of(name) else "")


def _aggregates(verdict: Verdict) -> Said | None:
    found = verdict.aggregates
    if found is None:
        return None
    means = f"interquartile means ({AGARWAL.short}) and " if found.interquartile_means else ""
    cites = "" if means else f" ({AGARWAL.short})"
    by = f"intervals of about {100 * found.level:g} % by {found.resamples:,} resamples of the runs within tasks"
    drawn = f"of n runs n − 1 are drawn ({RAO.short})"
    return Said(
        f"Also given are {means}probabilities of improvement{cites}, with {by}; {drawn}.", papers=(AGARWAL, RAO)
    )


def _two(verdict: Verdict) -> Said | None:
    if verdict.two_learners is None:
        return None
    names = tuple(each.test for each in verdict.two_learners.tests if each.test != verdict.comparison.test)
    return Said(f"The pair was also tested by {listed([cited(name) for name in names])}.", names)


def _ranks(verdict: Verdict) -> Said | None:
    ranks = verdict.mean_ranks
    if ranks is None:
        return None
    parts = {}
    if ranks.critical_difference is not None:
        parts["nemenyi"] = f"the critical difference of {cited('nemenyi')}"
    if ranks.groups is not None:
        parts["cliques"] = f"{cited('cliques', 'all groups')} without a significant difference"
    beside = f" with {listed(list(parts.values()))}" if parts else ""
    return Said(f"Mean ranks are given{beside}.", tuple(parts))


def _rope(rope: float) -> str:
    return f", differences up to {rope:g} taken for none ({ROPE.short})" if rope else ""


def _bayes(verdict: Verdict) -> Said | None:
    pair = verdict.bayes
    if pair is None:
        return None
    ways = [("bayes-sign", "the Bayesian sign test")]
    if pair.next_dataset_by_folds is not None:
        ways.append(("bayes-hierarchical", "the hierarchical Bayesian model of all folds"))
    by = listed([cited(*way) for way in ways])
    rope = _rope(pair.rope)
    rival = f"Of {pair.first} and its strongest rival, {pair.second}, the chances of the next data set"
    both = f"{rival} were found by {by}{rope}."
    return Said(both, tuple(name for name, _ in ways), (ROPE,) if pair.rope else ())


def _bayes_folds(verdict: Verdict) -> Said | None:
    pair = verdict.bayes_folds
    if pair is None:
        return None
    rope = _rope(pair.rope)
    by = cited("bayes-correlated", "the Bayesian correlated t test")
    said = f"Of {pair.first} and {pair.second} the chances of the mean difference were found by {by}{rope}."
    return Said(said, ("bayes-correlated",), (ROPE,) if pair.rope else ())


def _wins(verdict: Verdict) -> Said | None:
    wins = verdict.counted_wins
    if wins is None:
        return None
    tests = tuple(dict.fromkeys(wins.tests))
    by = f"by {listed([cited(name) for name in tests])} on its folds{wins.level}"
    return Said(
        f"Wins, ties and losses on every data set were counted {by}, and the means compared by {cited('sign')}.",
        (*tests, "sign"),
    )


def _curves(verdict: Verdict) -> Said | None:
    found = verdict.comparison.curves
    if found is None:
        return None
    features = dict.fromkeys(trait.feature for pair in found.pairs for trait in pair.traits)
    traits = f", and {listed([_FEATURES.get(each, each) for each in features])} of the curves," if features else ""
    single = (
        f"Single steps{traits} were compared by t tests, in one family with the level, adjusted by {called('holm')} "
        f"with weights: half on the level, the rest in equal shares on {'each feature and on ' if features else ''}all "
        "steps together."
    )
    if found.parts is None:  # of folds
        return Said(single, ())
    parts = f"Level and shape of whole curves were tested apart by {cited('split-plot-anova')}."
    return Said(f"{parts} {single}", ("split-plot-anova",))


#: Features of curves in words.
_FEATURES = {"final": "final value", "best": "best value", "steps-to": "steps to a level"}


def _other_datasets(verdict: Verdict) -> Said | None:
    found = verdict.sensitivity
    if found is None:
        return None
    two = any(each.flips_two is not None for each in found.pairs)
    left = "one and two data sets at a time" if two else "one data set at a time"
    drawn = cited("bootstrap", f"{found.resamples:,} bootstrap samples of the data sets")
    return Said(f"All conclusions were drawn anew without {left}, and on {drawn}.", ("bootstrap",))


def _pareto_front(verdict: Verdict) -> Said | None:
    front = verdict.pareto_front
    if front is None:
        return None
    tested = [criterion.name for criterion in front.criteria if criterion.tested]
    taken = [criterion.name for criterion in front.criteria if not criterion.tested]
    ways = [f"{listed(tested)} at level {front.criteria[0].level:.3g}"] if tested else []
    ways += [f"{listed(taken)} without a test"] if taken else []
    return Said(f"Measure and costs were weighed against each other, {' and '.join(ways)}.")


def _features(verdict: Verdict) -> Said | None:
    where = verdict.where_it_wins
    if where is None:
        return None
    largest = cited("largest-correlation", "corrected by the largest that chance finds")
    how = f"rank correlations, tested by dealing the differences out anew and {largest}, and by a small tree"
    return Said(
        f"Features of the data sets ({listed(where.features)}) were compared with the difference of {where.first} and "
        f"{where.second} by {how}; alpha {where.alpha:g} for both.",
        ("largest-correlation",),
    )
