"""From evidence to all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from bestofk.comparing.batches import Places
from bestofk.comparing.comparison import Comparison, Sides
from bestofk.comparing.curve_effects import CurveEffects, curve_effects_of
from bestofk.comparing.decidable import is_decidable, smallest_pvalue
from bestofk.comparing.design import Design, design_of
from bestofk.comparing.effects import effects_of
from bestofk.comparing.fitted_means import fitted_means
from bestofk.comparing.intervals import interval_of
from bestofk.comparing.omnibus import omnibus_of
from bestofk.comparing.pair_tests import PairTests, run_pairs
from bestofk.core.arrays import ROUNDING, Array
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.options import level_inside, one_of
from bestofk.evidence import Evidence
from bestofk.stats.adjust import ADJUST

#: Adjustments that use which pairs are asked, so they fit all pairs only.
FOR_ALL_PAIRS = ("shaffer", "bergmann-hommel")
#: Tests of all pairs at once whose p values are adjusted already.
ADJUSTED_ALREADY = ("nemenyi",)
SIDES = ("two", "one")


def compare_pairs(
    evidence: Evidence,
    *,
    test: str,
    why: str = "it was asked for",
    forced: bool = False,
    adjust: str = "bonferroni",
    alpha: float = 0.05,
    control: str | None = None,
    paired: bool = False,
    groups: str = "sampled",
    sides: str = "two",
    prior: Sequence[str] | None = None,
    seed: int = 0,
    left_out: str = "",
) -> Comparison:
    """Compare all pairs, or every learner with the control, by one test; ``paired`` says that curves are.

    ``sides`` "one" asks of every pair whether the learner that ``prior`` names first is worse, and nothing else.
    """
    alpha = level_inside(alpha, name="alpha", where="compare")
    design = design_of(evidence, paired=paired, groups=groups)
    if control is not None and adjust in FOR_ALL_PAIRS:
        raise InputError(
            f"{adjust} adjusts the p values of all pairs; with a control there are fewer.",
            "argument adjust",
            "use holm, hochberg or another adjustment that needs no pairs: bestofk list adjust.",
        )
    first, second = _places(design, control)
    adjustment = ADJUST[adjust]
    tests = run_pairs(design, test, first, second, alpha, seed)
    sides = one_of(sides, SIDES, name="sides", where="compare")
    pvalue, better = _answers(design, tests, test, first, second, sides, prior)
    smallest = smallest_pvalue(design, test, one_sided=sides == "one")
    low, high, interval_from = interval_of(design, tests, test, first, second, alpha)
    sign = evidence.sign
    effects = effects_of(design, first, second)
    names = design.learners
    return Comparison(
        learners=names,
        measure=evidence.measure,
        larger_is_better=evidence.larger_is_better,
        means=_means(evidence, design),
        evidence=repr(evidence),
        kind=design.kind,
        design=design.text,
        test=test,
        why_test=why,
        forced=forced,
        adjust=test if test in ADJUSTED_ALREADY else adjust,
        alpha=alpha,
        control=control,
        seed=seed,
        sides=cast(Sides, sides),
        scope=design.scope,
        smallest=smallest,
        decidable=is_decidable(smallest, len(first), "none" if test in ADJUSTED_ALREADY else adjust, alpha),
        pairs=tuple((names[i], names[j]) for i, j in zip(first, second, strict=True)),
        difference=sign * tests.estimate,
        low=low if low is None or sign > 0 else _negated(high),
        high=high if high is None or sign > 0 else _negated(low),
        level=1.0 - alpha,
        interval_from=interval_from,
        cohens_d=effects.cohens_d,
        a12=effects.a12,
        rank_biserial=effects.rank_biserial,
        statistic=tests.statistic if sign > 0 else tests.turned,  # losses of a larger-is-better measure are negated
        turned=tests.turned if sign > 0 else tests.statistic,
        pvalue=pvalue,
        adjusted=pvalue if test in ADJUSTED_ALREADY else np.asarray(adjustment(pvalue)),
        less=tests.less,
        greater=tests.greater,
        better=better,
        omnibus=omnibus_of(design, alpha, seed),
        left_out=left_out,
        curves=_curves(design, first, second, adjust=adjust, alpha=alpha, seed=seed, sign=sign),
        sample=design,
    )


def _curves(design: Design, first: Places, second: Places, **options: Any) -> CurveEffects | None:
    return curve_effects_of(design, first, second, **options) if design.kind == "curves" else None


def adjusted_pvalues(evidence: Evidence, test: str, adjust: str, alpha: float, control: str | None) -> Array:
    """Adjusted two-sided p values of all pairs, and nothing else."""
    design = design_of(evidence)
    pvalue = run_pairs(design, test, *_places(design, control), alpha, seed=0).pvalue
    return np.asarray(ADJUST[adjust](pvalue))


def _places(design: Design, control: str | None) -> tuple[Places, Places]:
    k = len(design.learners)
    if control is None:
        first, second = np.triu_indices(k, 1)
        return first, second
    if control not in design.learners:
        raise unknown(control, design.learners, what="learner", where="argument control")
    place = design.learners.index(control)
    others = np.array([i for i in range(k) if i != place], dtype=np.intp)
    return np.full_like(others, place), others


def _answers(
    design: Design,
    tests: PairTests,
    test: str,
    first: Places,
    second: Places,
    sides: str,
    prior: Sequence[str] | None,
) -> tuple[Array, Array]:
    """The p values of the questions asked, and for whom each speaks: 1 the first, −1 the second, 0 neither."""
    if sides == "two":
        if tests.less is None or tests.greater is None:
            return tests.pvalue, np.asarray(-np.sign(tests.estimate))  # a test without sides: the mean tells
        return tests.pvalue, np.asarray(np.sign(tests.greater - tests.less))
    if prior is None:
        raise InputError("sides is 'one', and there is no preference.", "arguments sides, prior", "give a preference.")
    if tests.less is None or tests.greater is None:
        raise InputError(
            f"{test} cannot be one-sided.", "arguments test, sides", "use a one-sided test: bestofk list pairwise."
        )
    place = np.array([prior.index(name) for name in design.learners])
    ahead = place[first] < place[second]
    return np.where(ahead, tests.greater, tests.less), np.where(ahead, -1.0, 1.0)


def _negated(array: Array | None) -> Array | None:
    return None if array is None else -array


def _means(evidence: Evidence, design: Design) -> dict[str, Any]:
    """Mean score of every learner; where gaps are kept, as if every data set had every learner.

    A mean that is 0 up to rounding, in the scale of the learner's own scores, is 0: what is left of a sum makes nobody
    better.
    """
    means = evidence.means()
    if design.incomplete:
        means = dict(zip(design.learners, (evidence.sign * fitted_means(design.rows)).tolist(), strict=True))
    largest = np.max(np.abs(design.rows), axis=1, initial=0.0, where=np.isfinite(design.rows))
    least = dict(zip(design.learners, (ROUNDING * largest).tolist(), strict=True))
    return {name: 0.0 if abs(mean) <= least[name] else mean for name, mean in means.items()}
