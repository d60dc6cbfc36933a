"""The paragraph on methods, ready to paste into a paper, and the papers it names."""

from __future__ import annotations

from dataclasses import dataclass

from bestofk.comparing import Comparison
from bestofk.core.phrases import counted, listed
from bestofk.judging import Verdict
from bestofk.reporting.papers import PAPERS, references_of
from bestofk.reporting.words import holds_family
from bestofk.stats.adjust import ADJUST
from bestofk.stats.aggregates import AGARWAL, RAO
from bestofk.stats.method import Holds, Paper, adjustment_of

_EFFECTS = {"cohens_d": "paired d", "a12": "A12", "rank_biserial": "the matched-pairs rank-biserial correlation"}

#: Differences that are taken for none: no test has this name.
ROPE = PAPERS["benavoli"]


@dataclass(frozen=True)
class Methods:
    """A paragraph and its references in the order of their first mention."""

    paragraph: str
    references: tuple[Paper, ...]


def methods_of(verdict: Verdict) -> Methods:
    """Say what was done, with the papers it rests on."""
    other = beside(verdict)
    sentences = (
        *(_compared(verdict), _tested(verdict), _dominance(verdict), _overall(verdict), _sizes(verdict)),
        *(_winner(verdict), _rank_intervals(verdict), *_ordered(verdict)),
        *(each.sentence for each in other),
    )
    own = (paper for name in _names(verdict) for paper in references_of(name))
    named = dict.fromkeys([*own, *(paper for each in other for paper in each.references)])
    return Methods(" ".join([*(each for each in sentences if each), _made(verdict)]), tuple(named))


def _names(verdict: Verdict) -> tuple[str, ...]:
    """Registered names in the order of the paragraph."""
    comparison, ordering = verdict.comparison, verdict.ordering
    omnibus = () if comparison.omnibus is None else (comparison.omnibus.test,)
    method = () if verdict.prior is None else (ordering.method, *_across(verdict))
    adjust = (comparison.adjust,) if len(comparison.pairs) > 1 else ()
    within = (_within(comparison),) if comparison.test == "stratified-t" else ()
    winner = (*(("winner",) if _winner(verdict) else ()), *(("rank-intervals",) if _rank_intervals(verdict) else ()))
    several = comparison.several
    more = () if several is None else (several.part_test, "dominance")
    roc = ("roc-hull",) if verdict.roc is not None else ()
    return (comparison.test, *within, *adjust, *omnibus, *more, *_effects(verdict), *winner, *method, *roc)


def _across(verdict: Verdict) -> tuple[str, ...]:
    ranks = verdict.ordering.ranks
    return () if ranks is None else (ranks.within, ranks.across)


def _effects(verdict: Verdict) -> tuple[str, ...]:
    return tuple(name for name in _EFFECTS if getattr(verdict.comparison, name) is not None)


def _compared(verdict: Verdict) -> str:
    return f"Compared were {listed(verdict.comparison.learners)}: {verdict.comparison.evidence}."


def _tested(verdict: Verdict) -> str:
    comparison = verdict.comparison
    scope = f"with the control {comparison.control}" if comparison.control else "of learners"
    forced = ", although the sample does not allow this test" if comparison.choice.forced else ""
    together = f" in {listed(comparison.names)} together" if comparison.several is not None else ""
    quantity = f", {comparison.quantity}," if comparison.quantity else ""
    within = f" of each data set's {cited(_within(comparison))}" if comparison.test == "stratified-t" else ""
    ratio = f" on logarithms of {comparison.measure}" if comparison.sample.scale == "log-ratio" else ""
    sides = ", one-sided" if comparison.sides == "one" else ""
    test = f"tested{together}{quantity} by {cited(comparison.test)}{within}{ratio}{sides}{forced}"
    if len(comparison.pairs) == 1:  # one p value has nothing to be adjusted for
        return f"The pair {scope} was {test}; level {comparison.alpha:g}."
    pairs = counted(len(comparison.pairs), "pair")
    adjusted, level = _family(comparison)
    return f"The {pairs} {scope} were {test}, {adjusted}; {level} {comparison.alpha:g}."


def _within(comparison: Comparison) -> str:
    """The test of every data set by itself, of those that a stratified test combines."""
    return comparison.sample.fold_test or "welch-t"


def _dominance(verdict: Verdict) -> str:
    """How a learner is shown to be better in every one of several measures."""
    comparison = verdict.comparison
    if comparison.several is None:
        return ""
    held = "without adjustment" if comparison.adjust == "none" else "adjusted for all pairs by Holm"
    return (
        f"Single measures were tested after it by {cited(comparison.several.part_test)}. A learner is better than "
        "another where the two differ and it is shown to be better in every measure, by one-sided tests of which each "
        f"has to reject ({cited('dominance', 'intersection–union')}), {held}."
    )


#: What alpha is the level of, by what the adjustment holds.
_LEVELS: dict[Holds, str] = {
    "family": "family-wise level",
    "weak": "family-wise level (if no two learners differ)",
    "fdr": "false discovery rate",
    "none": "level of each pair",
}


def _family(comparison: Comparison) -> tuple[str, str]:
    """How the p values of several pairs are adjusted, and what alpha is then the level of."""
    if comparison.adjust == comparison.test:
        which = "with the control (the Bonferroni–Dunn test)" if comparison.control else "itself"
        return f"which adjusts for all pairs {which}", "family-wise level"
    if comparison.adjust == "none":
        return "without adjustment", "level of each pair"
    family = "these pairs" if comparison.control else "all pairs"
    level = _LEVELS[adjustment_of(ADJUST[comparison.adjust]).holds]
    return f"with p values adjusted for {family} by {cited(comparison.adjust)}", level


def _overall(verdict: Verdict) -> str:
    omnibus = verdict.comparison.omnibus
    if omnibus is None:
        return ""
    return f"Over all learners, beside the pairs: {cited(omnibus.test, repr(omnibus))}."


def _sizes(verdict: Verdict) -> str:
    comparison = verdict.comparison
    said = []
    if comparison.sized and comparison.bounded:
        level = comparison.interval_level
        at = "the level that decided the pair" if level is None else f"{100 * level:.4g} %"
        said.append(f"Intervals of differences are those of the same test, at {at}.")
    effects = [f"{_EFFECTS[name]} ({references_of(name)[0].short})" for name in _effects(verdict)]
    if effects:
        said.append(f"The size of a difference is given by {listed(effects)}.")
    return " ".join(said)


def _winner(verdict: Verdict) -> str:
    """How the best learner is found, where its pairs are not adjusted."""
    comparison = verdict.comparison
    one = len(comparison.pairs) == 1 or comparison.sides == "one" or comparison.several is not None
    if one or verdict.status != "decided" or verdict.ordering.method != "multitest":
        return ""
    return (
        f"{verdict.best} is called best because it is better than each other learner at level {comparison.alpha:g}, "
        f"without adjustment ({_shorts('winner')})."
    )


def _rank_intervals(verdict: Verdict) -> str:
    comparison = verdict.comparison
    if len(comparison.pairs) == 1 or not holds_family(comparison):
        return ""
    return f"Rank intervals follow from the pairs that differ, and hold together ({_shorts('rank-intervals')})."


def _shorts(name: str) -> str:
    return "; ".join(paper.short for paper in references_of(name))


def _ordered(verdict: Verdict) -> tuple[str, ...]:
    ordering = verdict.ordering
    if ordering.prior is None:
        by = "mean" if verdict.comparison.mean_ranks is None else "mean rank"
        return (f"No preference was given; learners between which no difference is shown are listed by {by}.",)
    source = f", by {ordering.prior_from}, smaller first" if ordering.prior_from else ""
    prior = f"The prior preference was {', '.join(ordering.prior)}{source}."
    rule = f"Learners were ordered by {cited(ordering.method, 'Multi²Test' if ordering.ranks is not None else None)}"
    if ordering.method == "multi2test":
        within, across = _across(verdict)
        rule += f", with {cited(within)} on each data set and {cited(across)} across them"
    elif ordering.method == "multitest":
        rule += ": only a significant difference overrides the preference"
    return (f"{rule}.", prior)


def _made(verdict: Verdict) -> str:
    versions = verdict.provenance.versions
    seed = f"; seed {verdict.provenance.seed}"
    return f"Computed by {', '.join(f'{name} {number}' for name, number in versions.items())}{seed}."


@dataclass(frozen=True)
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
    return tuple(each for each in (*every, _other_datasets(verdict), _goods(verdict), _features(verdict)) if each)


def cited(name: str, called: str | None = None) -> str:
    """A name, or what it is called in a sentence, with its papers in brackets."""
    return (called or name) + (f" ({_shorts(name)})" if references_of(name) else "")


def _aggregates(verdict: Verdict) -> Said | None:
    found = verdict.aggregates
    if found is None:
        return None
    means = f"interquartile means ({AGARWAL.short}) and " if found.interquartile_means else ""
    cites = "" if means else f" ({AGARWAL.short})"
    by = f"intervals of about {100 * found.level:g} % by {found.resamples:,} resamples of the runs within tasks"
    drawn = f"of n runs n − 1 are drawn ({RAO.short})"
    return Said(
        f"Beside them {means}probabilities of improvement{cites} are given, with {by}; {drawn}.", papers=(AGARWAL, RAO)
    )


def _two(verdict: Verdict) -> Said | None:
    if verdict.two_learners is None:
        return None
    names = tuple(each.test for each in verdict.two_learners.tests if each.test != verdict.comparison.test)
    return Said(f"Beside it the pair was tested by {listed([cited(name) for name in names])}.", names)


def _ranks(verdict: Verdict) -> Said | None:
    ranks = verdict.mean_ranks
    if ranks is None:
        return None
    names = ("nemenyi",) if ranks.groups is None else ("nemenyi", "cliques")
    groups = (
        "" if ranks.groups is None else f", and the {cited('cliques')} of learners without a significant difference"
    )
    return Said(f"Mean ranks are given with the critical difference of {cited('nemenyi')}{groups}.", names)


def _bayes(verdict: Verdict) -> Said | None:
    pair = verdict.bayes
    if pair is None:
        return None
    ways = [("bayes-sign", "the Bayesian sign test")]
    if pair.next_dataset_by_folds is not None:
        ways.append(("bayes-hierarchical", "the hierarchical Bayesian model of all folds"))
    by = listed([cited(*way) for way in ways])
    rope = f"differences up to {pair.rope:g} taken for none ({ROPE.short})" if pair.rope else "without a rope"
    rival = f"Of {pair.first} and its strongest rival, {pair.second}, the chances of the next data set"
    both = f"{rival} were found by {by}, {rope}."
    return Said(both, tuple(name for name, _ in ways), (ROPE,) if pair.rope else ())


def _bayes_folds(verdict: Verdict) -> Said | None:
    pair = verdict.bayes_folds
    if pair is None:
        return None
    rope = f"differences up to {pair.rope:g} taken for none ({ROPE.short})" if pair.rope else "without a rope"
    by = cited("bayes-correlated", "the Bayesian correlated t test")
    said = f"Of {pair.first} and {pair.second} the chances of the mean difference were found by {by}, {rope}."
    return Said(said, ("bayes-correlated",), (ROPE,) if pair.rope else ())


def _wins(verdict: Verdict) -> Said | None:
    wins = verdict.counted_wins
    if wins is None:
        return None
    tests = tuple(dict.fromkeys(wins.tests))
    by = f"by {listed([cited(name) for name in tests])} on its folds{wins.level}"
    return Said(
        f"Wins, ties and losses on every data set were counted {by}, beside {cited('sign')} of the means.",
        (*tests, "sign"),
    )


def _curves(verdict: Verdict) -> Said | None:
    found = verdict.comparison.curves
    if found is None:
        return None
    traits = listed(tuple(dict.fromkeys(trait.feature for pair in found.pairs for trait in pair.traits)))
    where = "stretches of training in which a pair differs step by step by t tests"
    parts = f"level and shape were tested apart by {cited('split-plot-anova')}"
    single = f", and {traits} of the curves by t tests, all one family with the level (holm)" if traits else ""
    names = ("split-plot-anova",)
    return Said(f"Of whole curves {parts}, {where}{single}.", names)


def _other_datasets(verdict: Verdict) -> Said | None:
    found = verdict.sensitivity
    if found is None:
        return None
    two = any(each.flips_two is not None for each in found.pairs)
    left = "one and two data sets at a time" if two else "one data set at a time"
    drawn = cited("bootstrap", f"{found.resamples:,} bootstrap samples of the data sets")
    return Said(f"All conclusions were drawn anew without {left}, and on {drawn}.", ("bootstrap",))


def _goods(verdict: Verdict) -> Said | None:
    goods = verdict.other_goods
    if goods is None:
        return None
    tested = listed([good.name for good in goods.goods if good.tested])
    taken = [good.name for good in goods.goods if not good.tested]
    rest = f"; {listed(taken)} without a test" if taken else ""
    level = goods.goods[0].level
    return Said(f"The measure was weighed against other goods ({tested} each tested at {level:.3g}{rest}).")


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
