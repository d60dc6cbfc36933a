"""From evidence to all pairs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bestofk.comparing.comparison import Comparison, Relation, Sides
from bestofk.comparing.omnibus import omnibus_of
from bestofk.comparing.pair_tests import (
    Intervals,
    PairTests,
    Places,
    one_sided,
    run_pairs,
    smallest_pvalue,
)
from bestofk.comparing.sample import Sample, sample_of
from bestofk.comparing.test_choice import Choice
from bestofk.core.arrays import ROUNDING, Array, without_rounding
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.options import alpha_of
from bestofk.evidence import Evidence
from bestofk.evidence.missing_results import LeftOut
from bestofk.stats.adjust import ADJUST
from bestofk.stats.adjust.stepwise import levels_tested
from bestofk.stats.method import adjustment_of, method_of
from bestofk.stats.pairwise import PAIRWISE

if TYPE_CHECKING:
    from bestofk.comparing.curve_shapes import CurveEffects
    from bestofk.comparing.vector_tests import Several

#: Tests of all pairs at once whose p values are adjusted already.
ADJUSTED_ALREADY = ("nemenyi",)
#: Pairs that are compared, unless the environment says another number.
MOST_PAIRS, PAIRS_ALLOWED = 1_000_000, "BESTOFK_PAIRS"


_RELATIONS: dict[float, Relation] = {1.0: "first", -1.0: "second", 0.0: "not significant"}


def compare_pairs(
    evidence: Evidence,
    *,
    choice: Choice,
    adjust: str = "holm",
    alpha: float = 0.05,
    intervals: str = "family",
    control: str | None = None,
    paired: bool = False,
    groups: str | None = None,
    sides: str = "two",
    prior: Sequence[str] | None = None,
    seed: int = 0,
    quantity: str = "",
    left_out: LeftOut | None = None,
) -> Comparison:
    """Compare all pairs, or every learner with the control, by one test; ``paired`` says that runs are.

    ``sides`` "one" asks of every pair whether the learner that ``prior`` names first is worse, and nothing else.
    ``intervals`` "single" bounds every difference by itself at 1 − alpha, "family" at the level that decided it.
    """
    alpha = alpha_of(alpha)
    sample, test = sample_of(evidence, paired=paired, groups=groups), choice.test
    already = test in ADJUSTED_ALREADY
    adjustment, adjust = ADJUST["none" if already else adjust], test if already else adjust
    if adjustment_of(adjustment).all_pairs and control is not None:
        raise InputError(
            f"{adjust} adjusts the p values of all pairs; with a control there are fewer.",
            "argument adjust",
            "use holm, hochberg or another adjustment that needs no pairs: bestofk list adjust.",
        )
    first, second = _places(sample, control)
    names, sign = sample.learners, evidence.sign
    tests, several, relation = _run(sample, test, first, second, adjust=adjust, alpha=alpha, seed=seed)
    if sides == "one":
        tests = _one_sided(sample, test, first, second, seed, prior, tests)
    pvalue, better = tests.pvalue, tests.better
    adjusted = np.asarray(adjustment(pvalue))
    levels = levels_tested(pvalue, adjusted, alpha)
    curves: CurveEffects | None = None
    end: PairTests | None = None
    at_end = np.zeros(len(first))
    if sample.curves:
        from bestofk.comparing.curve_shapes import curve_effects_of, tests_at_end

        options: dict[str, Any] = {"test": test, "adjust": adjust, "alpha": alpha, "seed": seed, "sign": sign}
        curves, adjusted, levels = curve_effects_of(sample, pvalue, adjusted, first, second, **options)
        end = tests_at_end(sample, choice, first, second, alpha=alpha, seed=seed)
        at_end = end.better * (end.pvalue <= alpha)
    if intervals == "single":
        levels = np.full(len(first), alpha)
    if relation is None:
        side = np.where(adjusted <= alpha, better, 0.0)
        relation = tuple(
            "trade-off" if one and one == -end else _RELATIONS[one]
            for one, end in zip(side.tolist(), at_end.tolist(), strict=True)
        )
    smallest = smallest_pvalue(sample, test, one_sided=sides == "one", control=control is not None)
    if several is not None:
        from bestofk.comparing.vector_tests import smallest_vector_pvalue

        better = np.array([{"first": 1.0, "second": -1.0}.get(each, 0.0) for each in relation])
        smallest = smallest_vector_pvalue(sample, test)
    least = smallest_pvalues(sample, test, first, second, smallest, one_sided=sides == "one")
    means = _means(evidence, sample)
    listed_by = "error" if sample.error is not None else evidence.measure
    return Comparison(
        learners=names,
        sample=sample,
        choice=choice,
        measure=listed_by,
        larger_is_better=evidence.larger_is_better and listed_by == evidence.measure,
        means=means[listed_by],
        measure_means=means,
        adjust=adjust,
        alpha=alpha,
        control=control,
        seed=seed,
        sides=cast(Sides, sides),
        smallest=smallest,
        decidable=_decidable(
            least, first, second, alpha, None if several is None and sides == "two" else adjustment, control
        ),
        degenerate=np.zeros(len(first), dtype=bool) if tests.degenerate is None else tests.degenerate,
        pairs=tuple((names[i], names[j]) for i, j in zip(first, second, strict=True)),
        relation=cast(tuple[Relation, ...], relation),
        better=better,
        estimate=None
        if several is not None
        else sign * without_rounding(tests.estimate, sample.largest(first, second)),
        levels=levels,
        intervals=Intervals(sample, test, first, second, levels, -better if sides == "one" else 0.0 * better, seed),
        statistic=tests.statistic if sign > 0 or several is not None else tests.turned,  # losses may be negated scores
        turned=tests.turned if sign > 0 or several is not None else tests.statistic,
        pvalue=pvalue,
        adjusted=adjusted,
        df=tests.df,
        shuffles=tests.shuffles,
        exact=tests.exact,
        omnibus=omnibus_of(sample, test, alpha, seed),
        quantity=quantity,
        left_out=left_out or LeftOut(),
        curves=curves,
        end=end,
        several=several,
    )


def smallest_pvalues(
    sample: Sample, test: str, first: Places, second: Places, smallest: float, *, one_sided: bool
) -> Array:
    """The smallest p of every pair: where results are missing, of the units that both learners have."""
    if not sample.incomplete or sample.vectors is not None:
        return np.full(len(first), smallest)
    shared, found = sample.shared(first, second), np.empty(len(first))
    for number in np.unique(shared).tolist():
        alone = replace(sample, losses=np.zeros((len(sample.learners), number)))
        found[shared == number] = smallest_pvalue(alone, test, one_sided=one_sided)
    return found


def _decidable(
    least: Array, first: Places, second: Places, alpha: float, adjustment: Any | None, control: str | None
) -> bool:
    """Whether some outcome names a best learner, which needs no ``adjustment``, or shows a pair in the family."""
    if adjustment is not None:
        return bool(np.asarray(adjustment(least)).min() <= alpha)
    shown = least <= alpha
    if control is not None:
        return bool(shown.any())
    held = {*first[~shown].tolist(), *second[~shown].tolist()}  # not to be shown better than some other
    return len(held) < len({*first.tolist(), *second.tolist()})


def _run(
    sample: Sample, test: str, first: Places, second: Places, *, adjust: str, alpha: float, seed: int
) -> tuple[PairTests, Several | None, tuple[str, ...] | None]:
    if sample.vectors is None:
        return run_pairs(sample, test, first, second, seed), None, None
    from bestofk.comparing.vector_tests import run_vectors

    found, several, relation = run_vectors(sample, test, first, second, adjust=adjust, alpha=alpha, seed=seed)
    nothing = np.zeros(len(first))
    return (
        PairTests(
            found.statistic,
            found.statistic,
            found.pvalue,
            estimate=nothing,
            better=nothing,
            df=np.zeros((len(first), 0)),  # of the F of the vectors: ``several`` has it
            shuffles=found.shuffles,
            exact=found.exact,
        ),
        several,
        relation,
    )


def adjusted_pvalues(evidence: Evidence, test: str, adjust: str, control: str | None) -> Array:
    """Adjusted two-sided p values of all pairs, and nothing else."""
    sample = sample_of(evidence)
    return np.asarray(ADJUST[adjust](run_pairs(sample, test, *_places(sample, control), seed=0).pvalue))


def _places(sample: Sample, control: str | None) -> tuple[Places, Places]:
    k = len(sample.learners)
    if control is None:
        _refuse_too_many(k)
        first, second = np.triu_indices(k, 1)
        return first, second
    if control not in sample.learners:
        raise unknown(control, sample.learners, what="learner", where="argument control")
    place = sample.learners.index(control)
    others = np.array([i for i in range(k) if i != place], dtype=np.intp)
    return np.full_like(others, place), others


def _refuse_too_many(learners: int) -> None:
    """Refuse more pairs than are compared in a minute and a gigabyte or two, unless the environment allows them."""
    pairs, allowed = learners * (learners - 1) // 2, os.environ.get(PAIRS_ALLOWED, "")
    most = int(allowed) if allowed.isdecimal() else MOST_PAIRS
    if pairs > most:
        raise InputError(
            f"{learners:,} learners are {pairs:,} pairs, and at most {most:,} are compared.",
            "learners",
            f"compare with one learner (control), leave learners out, or allow more pairs: {PAIRS_ALLOWED}={pairs}.",
        )


def _one_sided(
    sample: Sample, test: str, first: Places, second: Places, seed: int, prior: Sequence[str] | None, tests: PairTests
) -> PairTests:
    """The tests with the question whether the preferred one is worse; each p speaks for the other."""
    if prior is None:
        raise InputError("sides is 'one', and there is no preference.", "arguments sides, prior", "give a preference.")
    if (
        test == "nemenyi"
        or sample.vectors is not None
        or (test in PAIRWISE and not method_of(PAIRWISE[test]).one_sided)
    ):
        raise InputError(
            f"{test} cannot be one-sided.", "arguments test, sides", "use a one-sided test: bestofk list pairwise."
        )
    place = np.array([prior.index(name) for name in sample.learners])
    ahead = place[first] < place[second]
    pvalue, shuffles = one_sided(sample, test, first, second, seed, ahead)
    return replace(tests, pvalue=pvalue, shuffles=shuffles, better=np.where(ahead, -1.0, 1.0))


def _means(evidence: Evidence, sample: Sample) -> dict[str, dict[str, float]]:
    """Mean score of every learner, by measure; where gaps are kept, as if every data set had every learner."""
    if sample.vectors is not None:
        table = np.moveaxis(sample.vectors, -1, 0)
        found = {name: _settled(rows.mean(axis=1), rows) for name, rows in zip(sample.names, table, strict=True)}
        if sample.error is not None:
            found = {"error": _settled(sample.error.mean(axis=1), sample.error), **found}
        return {name: dict(zip(sample.learners, row, strict=True)) for name, row in found.items()}
    means = np.array([evidence.means()[name] for name in sample.learners])
    if sample.incomplete or sample.scale == "log-ratio":
        means = evidence.sign * _fitted_means(sample.rows)
    if sample.scale == "log-ratio":  # amounts in other units on every data set: the geometric mean
        means = np.exp(means)
    return {evidence.measure: dict(zip(sample.learners, _settled(means, sample.rows), strict=True))}


def _settled(means: Array, rows: Array) -> list[float]:
    """A mean that is 0 up to rounding, in the scale of the learner's own scores, is 0."""
    largest = np.max(np.abs(rows), axis=1, initial=0.0, where=np.isfinite(rows))
    settled: list[float] = np.where(np.abs(means) <= ROUNDING * largest, 0.0, means).tolist()
    return settled


def _fitted_means(rows: Array) -> Array:
    """Least-squares means (K,) of a table (K, D) with gaps: learner + data set, averaged over all data sets.

    A plain mean would favour a learner that is absent where it is hard. Two learners differ by the mean difference on
    the data sets that both have; a complete table gives the plain means.

    Examples
    --------
    >>> _fitted_means(np.array([[1.0, 2.0, np.nan], [2.0, 3.0, 9.0]])).round(6).tolist()
    [3.666667, 4.666667]
    """
    if len(rows) > rows.shape[1]:  # solve for the fewer
        of_datasets = _row_effects(rows.T)
        return np.asarray(_present_means(rows - of_datasets) + of_datasets.mean())
    of_learners = _row_effects(rows)
    return np.asarray(of_learners + _present_means(rows.T - of_learners).mean())


def _row_effects(table: Array) -> Array:
    """Least-squares effects of the rows of a table with gaps, those of its columns eliminated."""
    there = ~np.isnan(table)
    shares = there / np.maximum(there.sum(axis=0), 1)
    normal = np.diag(there.sum(axis=1).astype(float)) - shares @ there.T
    right = np.where(there, table - _present_means(table.T), 0.0).sum(axis=1)
    return np.asarray(np.linalg.lstsq(normal, right, rcond=None)[0])


def _present_means(table: Array) -> Array:
    """Mean of what is there in every row; 0 where nothing is."""
    there = ~np.isnan(table)
    return np.asarray(np.where(there, table, 0.0).sum(axis=1) / np.maximum(there.sum(axis=1), 1))
