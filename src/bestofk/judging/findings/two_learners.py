"""Two learners over data sets: several tests of one pair, and Bayesian ones of the first and its strongest rival."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import rope_of_comparison
from bestofk.comparing import Comparison
from bestofk.core.arrays import Array
from bestofk.core.record import Record
from bestofk.evidence import Scores
from bestofk.stats.bayes import correlated_t, hierarchical, sign
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.pairwise.paired_t import Steps, paired_t
from bestofk.stats.pairwise.student import untested

#: Tests shown side by side, after the one of the verdict where it is none of these.
SIDE_BY_SIDE = ("paired-t", "wilcoxon", "sign")


class SideTest(Record):
    """A test of the pair, two-sided: its statistic for scores of the first against the second, and p."""

    test: str
    statistic: float
    pvalue: float
    significant: bool


class TwoLearners(Record, kw_only=True):
    """``difference`` is first minus second in units of the measure, ``low`` and ``high`` bound it at ``level``.

    ``steps`` are the seven textbook steps from the differences to t.
    """

    first: str
    second: str
    difference: float
    low: float
    high: float
    level: float
    tests: tuple[SideTest, ...]
    steps: Steps


def two_learners(evidence: Scores, comparison: Comparison, first: str, second: str) -> TwoLearners | None:
    """Look at two learners by every test of one value per data set; None for more, and where results are missing.

    None as well where results are too few for t: it would say what the verdict does not.
    """
    sample = comparison.sample
    if len(sample.learners) != 2 or sample.incomplete:
        return None
    # In units of the measure, so that the steps are those that a reader can follow with the table in hand.
    one, two = (evidence.sign * sample.rows[sample.learners.index(name)] for name in (first, second))
    student = paired_t(one, two)
    if untested(student):
        return None
    interval = student.confidence_interval(1.0 - comparison.alpha)
    found = [(name, PAIRWISE[name](one, two)) for name in SIDE_BY_SIDE]
    return TwoLearners(
        first=first,
        second=second,
        difference=student.estimate,
        low=interval.low,
        high=interval.high,
        level=1.0 - comparison.alpha,
        tests=(
            *_of_the_verdict(comparison, first, second),
            *(SideTest(name, each.statistic, each.pvalue, each.pvalue <= comparison.alpha) for name, each in found),
        ),
        steps=student.steps(),
    )


def _of_the_verdict(comparison: Comparison, first: str, second: str) -> tuple[SideTest, ...]:
    """The test that decided, where it is not shown anyway."""
    if comparison.test in SIDE_BY_SIDE:
        return ()
    pair = comparison.pair(first, second)
    return (SideTest(comparison.test, float(pair.statistic), float(pair.pvalue), pair.significant),)


Chances = tuple[float, float, float]

#: Posterior samples of the model over folds, half a second for its chains; the second number where they do not agree.
SAMPLES = (16_000, 64_000)
#: Chains whose R-hat is larger do not agree (Vehtari et al. 2021).
LARGEST_RHAT = 1.01


class BayesPair(Record, kw_only=True):
    """Chances that on the next data set (the first is better, the two are practically equal, the second is better).

    ``next_dataset`` has them from one value per data set, ``next_dataset_by_folds`` from all folds of every data set
    by the hierarchical model (None without folds); ``converged`` says whether its chains agree: ``rhat`` at most 1.01.
    Differences up to ``rope``, in units of the measure, are practically nothing; 0 where the scale is not known.
    """

    first: str
    second: str
    rope: float
    rope_known: bool
    next_dataset: Chances
    next_dataset_by_folds: Chances | None
    correlation: float | None
    rhat: float | None
    converged: bool | None
    seed: int


def bayes_pair(
    evidence: Scores, comparison: Comparison, first: str, second: str, *, rope: float | None = None
) -> BayesPair | None:
    """Compare two learners over data sets; None where results are missing.

    Without ``rope`` it is a hundredth of the scale of a rate, and 0 for measures whose scale is not known.
    """
    sample = comparison.sample
    if sample.incomplete:
        return None
    known = rope_of_comparison(comparison) if rope is None else rope
    width = 0.0 if known is None else known
    places = [sample.learners.index(name) for name in (first, second)]
    values = sign(*sample.rows[places], rope=width, samples=1)  # chances have a formula: nothing is drawn
    folds = _with_folds(evidence, comparison, places, width)
    return BayesPair(
        first=first,
        second=second,
        rope=width,
        rope_known=known is not None,
        next_dataset=_chances(values.chances),
        next_dataset_by_folds=None if folds is None else folds[0],
        correlation=None if folds is None else folds[1],
        rhat=None if folds is None else folds[2],
        converged=None if folds is None else folds[2] <= LARGEST_RHAT,
        seed=comparison.seed,
    )


class FoldChances(Record, kw_only=True):
    """Chances that in the mean (the first is better, the two are practically equal, the second is better).

    On data like these, from the folds of one data set. ``correlation`` is that of two folds, the share of test data.
    """

    first: str
    second: str
    rope: float
    mean_difference: Chances
    correlation: float


def fold_chances(comparison: Comparison, first: str, second: str, rope: float) -> FoldChances | None:
    """Compare two learners on the folds of one data set; None of other evidence, or where the overlap is not known."""
    sample = comparison.sample
    if sample.kind != "folds" or sample.incomplete or sample.divided or sample.share is None or sample.units < 2:
        return None
    one, two = (sample.rows[sample.learners.index(name)] for name in (first, second))
    found = correlated_t(one, two, rope=rope, correlation=sample.share)
    chances = _chances(found.chances)
    return FoldChances(first=first, second=second, rope=rope, mean_difference=chances, correlation=sample.share)


def _with_folds(
    evidence: Scores, comparison: Comparison, places: list[int], rope: float
) -> tuple[Chances, float, float] | None:
    """Chances, correlation of folds and comparison of chains, where every data set has the same folds."""
    replications, folds = evidence.values.shape[2:]
    if replications * folds < 2 or not evidence.planned_everywhere or evidence.gaps.any():
        return None
    if folds == 1 and evidence.test_fraction is None:
        return None  # the share of test data, and so the correlation of two results, is not known
    if evidence.divided == "trained-on":
        return None  # results on rows that were trained on are correlated in a way that nobody knows
    correlation = 1.0 / folds if evidence.test_fraction is None else evidence.test_fraction
    values = evidence.values[places]
    if comparison.sample.scale != "difference" and (values <= 0).any():
        return None  # data sets have no common scale
    losses = evidence.sign * (values if comparison.sample.scale == "difference" else np.log(values))
    one, two = losses.reshape(2, len(evidence.datasets), -1)
    for samples in SAMPLES:
        found = hierarchical(one, two, rope=rope, correlation=correlation, samples=samples, rng=comparison.seed)
        if found.rhat <= LARGEST_RHAT:
            break
    return _chances(found.chances), correlation, float(found.rhat)


def _chances(chances: Array) -> Chances:
    first, equal, second = np.asarray(chances).tolist()
    return first, equal, second
