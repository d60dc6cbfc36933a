"""What a verdict rests on beside the test of its pairs, for the paragraph on methods: a sentence and its names each."""

from __future__ import annotations

from dataclasses import dataclass

from bestofk.core.phrases import listed
from bestofk.judging import Verdict
from bestofk.reporting.papers import Reference
from bestofk.reporting.references import references_of

#: Differences that are taken for none: no test has this name, so its paper stands here.
ROPE = Reference(
    "Benavoli et al. 2017",
    "Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. Time for a change: a tutorial for comparing multiple "
    "classifiers through Bayesian analysis. Journal of Machine Learning Research 18(77), 1–36, 2017.",
)


@dataclass(frozen=True)
class Said:
    """A sentence, the names (``references_of``) whose papers it cites, and further papers."""

    sentence: str
    names: tuple[str, ...] = ()
    papers: tuple[Reference, ...] = ()

    @property
    def references(self) -> tuple[Reference, ...]:
        """Every paper that the sentence cites, in its order."""
        return (*(paper for name in self.names for paper in references_of(name)), *self.papers)


def beside(verdict: Verdict) -> tuple[Said, ...]:
    """All that was found beside the pairs, in the order of the report."""
    every = (_two(verdict), _ranks(verdict), _bayes(verdict), _wins(verdict), _curves(verdict))
    return tuple(each for each in (*every, _other_datasets(verdict), _goods(verdict), _features(verdict)) if each)


def cited(name: str, called: str | None = None) -> str:
    """A name, or what it is called in a sentence, with its papers in brackets."""
    papers = references_of(name)
    return (called or name) + (f" ({'; '.join(paper.short for paper in papers)})" if papers else "")


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
    ways = [("bayes-signed-rank", "the Bayesian signed-rank test")]
    if pair.hierarchical is not None:
        ways.append(("bayes-hierarchical", "the hierarchical Bayesian model of all folds"))
    by = listed([cited(*way) for way in ways])
    rope = f"differences up to {pair.rope:g} taken for none ({ROPE.short})" if pair.rope else "without a rope"
    both = f"{pair.first} and its strongest rival, {pair.second}, were also compared by {by}, {rope}."
    return Said(both, tuple(name for name, _ in ways), (ROPE,) if pair.rope else ())


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
    where = f"stretches of training in which a pair differs by {cited('clusters')}"
    parts = f"level and shape were tested apart by {cited('split-plot-anova')}"
    single = f", and {traits} of the curves by {cited('feature-test')}" if traits else ""
    names = ("split-plot-anova", "clusters", *(("feature-test",) if traits else ()))
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
