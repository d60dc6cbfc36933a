"""Advice on what the results can show: too few of them, or differences too small to matter."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from bestofk.advice.advice import Advice, Case, inside, rope_of, rope_of_comparison
from bestofk.advice.detectable_difference import ByItems, Seeing, beside_others, seeing
from bestofk.comparing import Comparison
from bestofk.comparing.compare import smallest_pvalues
from bestofk.comparing.pair_tests import smallest_pvalue
from bestofk.core.arrays import Array
from bestofk.core.phrases import counted, plural, signed
from bestofk.ordering.methods import best_set_of, means_first, winner_of
from bestofk.stats.pairwise.student import FEWEST_DF

#: Nobody is told to collect more than this.
MOST_UNITS = 64


def k102(case: Case) -> Advice | None:
    """K102: there are too few results to show anything.

    Fire when even a learner that wins every time against all others, they too told apart, could not be shown.
    """
    comparison = case.comparison
    if comparison.decidable:
        return None
    sample, test = comparison.sample, comparison.test
    remedies = ", or ".join(_remedies(comparison))
    if sample.too_few_groups:
        few = f"{counted(sample.groups, sample.unit)} say nothing of other {plural(sample.unit)}"
        return Advice("K102", few, remedies)
    if comparison.degenerate.all():
        few = f"{sample.units_text} leave {test} fewer than {FEWEST_DF:g} degrees of freedom: no pair is tested"
        return Advice("K102", few, remedies)
    if comparison.shared is not None and comparison.sides == "two":
        return Advice("K102", _too_few_shared(comparison, comparison.shared), remedies)
    hidden = comparison.smallest <= comparison.alpha  # by the family of one-sided questions, or of several measures
    adjusted = f" after adjustment for {counted(len(comparison.pairs), 'pair')}" if hidden else ""
    return Advice(
        "K102",
        f"with {sample.units_text} {test} gives p = {comparison.smallest:.3g} at best, and no outcome could be "
        f"significant at {comparison.alpha:g}{adjusted}",
        remedies,
    )


def _too_few_shared(comparison: Comparison, shared: Array) -> str:
    """The pair with the fewest units in common, which keeps everybody from being called best."""
    place = int(np.argmin(shared))
    first, second = (each[place : place + 1] for each in comparison.places)
    least = smallest_pvalues(comparison.sample, comparison.test, first, second, comparison.smallest, one_sided=False)
    one, other = comparison.pairs[place]
    return (
        f"{one} and {other} share {counted(int(shared[place]), comparison.sample.unit)}, with which {comparison.test} "
        f"gives p = {least[0]:.3g} at best, so that nobody could be called best at {comparison.alpha:g}"
    )


def _remedies(comparison: Comparison) -> list[str]:
    """What would make a difference show: more units, another test, another question."""
    sample = comparison.sample
    units = sample.units if comparison.shared is None else int(comparison.shared.min())
    needed = next((n for n in range(units + 1, MOST_UNITS) if _could_show(comparison, n)), None)
    each = " per learner" if sample.runs and not sample.datasets else " of both" if units < sample.units else ""
    ways = [f"collect at least {counted(needed, sample.unit)}{each}" if needed else "add results"]
    ways += ["leave out the learner that lacks them"] if units < sample.units else []
    other = "welch-t" if sample.runs and not sample.paired and not sample.datasets else "paired-t"
    values = sample.kind != "folds" and sample.vectors is None and not sample.joint and not sample.binary
    values &= sample.kind != "datasets" or sample.scale != "rank"  # in other units on every data set
    if values and comparison.test != other and smallest_pvalue(sample, other) <= comparison.alpha:
        ways.append(f"use {other}, which takes results for normal (--test {other})")
    fixed = sample.groups and not sample.joint
    ways += [f"claim it of these {plural(sample.unit)} only (--groups fixed)"] if fixed else []
    return ways


def _could_show(comparison: Comparison, units: int) -> bool:
    """Whether so many units could show one clear winner."""
    sample = comparison.sample
    if sample.datasets or sample.kind == "folds" or sample.vectors is not None or sample.joint:
        return False
    if sample.runs:
        runs, curves = (tuple(np.resize(each, (units, *each.shape[1:])) for each in every)
                        for every in (sample.runs, sample.curves))  # fmt: skip
        larger = replace(sample, runs=runs, curves=curves)
    else:
        losses = np.zeros((len(sample.learners), units))
        larger = replace(sample, losses=losses, groups=units if sample.groups else 0)
    sides, control = comparison.sides == "one", comparison.control is not None
    smallest = smallest_pvalue(larger, comparison.test, one_sided=sides, control=control)
    if comparison.sides == "one":
        return comparison.adjusted_at_best(smallest) <= comparison.alpha
    return smallest <= comparison.alpha


ENOUGH = 10  # Demšar 2006, section 3.2.2: N > 10 and K > 5 for the usual approximation


def k105(case: Case) -> Advice | None:
    """K105: the claim rests on few data sets.

    Fire below ten data sets.
    """
    if case.comparison.kind != "datasets" or case.comparison.scope == "these data sets":
        return None
    datasets = case.comparison.sample.rows.shape[1]
    if datasets >= ENOUGH:
        return None
    return Advice(
        "K105",
        f"{datasets} data sets are few: one more could turn the verdict, and the approximations are rough",
        f"collect at least {ENOUGH}, chosen before the results are known",
    )


#: Fewer degrees of freedom below the line of F than this see large differences only.
FEW = 5.0


def k135(case: Case) -> Advice | None:
    """K135: there are too few folds or data sets for so many measures.

    Fire when the F of Hotelling's test has few degrees of freedom left, or no signs dealt anew can reject.
    """
    comparison = case.comparison
    if case.vectors is None or comparison.several is None:
        return None
    if comparison.kind == "datasets":
        from bestofk.comparing.vector_tests import different_measures

        return _signs(comparison, "data set", different_measures(case.vectors.rows(), *comparison.places))
    return _signs(comparison, "fold", 1) if comparison.test == "threshold-test" else _folds(comparison)


def _folds(comparison: Comparison) -> Advice | None:
    assert comparison.several is not None
    left = float(comparison.several.df[:, 1].min())
    if left >= FEW:
        return None
    return Advice(
        "K135",
        f"{counted(comparison.sample.units, 'fold')} and {counted(len(comparison.names), 'measure')} leave "
        f"{counted(int(left), 'degree')} of freedom: only very large differences can be seen",
        "collect ten folds or more, or judge on fewer measures",
    )


def _signs(comparison: Comparison, unit: str, measures: int) -> Advice | None:
    """Signs of rows, data sets or folds, give p values that are not smaller than a share of their patterns."""
    units, number, how = comparison.sample.units, 0, "signs dealt anew give"
    can = f"cannot show any difference between {counted(len(comparison.learners), 'learner')}"
    if _smallest(comparison, units) <= comparison.alpha:
        number, how = measures, "Wilcoxon's test of one gives"
        can = "can show that learners differ, but in no single measure"
    smallest = _smallest(comparison, units, number)
    if smallest <= comparison.alpha:
        return None
    enough = (rows for rows in range(units, MOST_UNITS) if _smallest(comparison, rows, number) <= comparison.alpha)
    needed = next(enough, None)
    return Advice(
        "K135",
        f"{counted(units, unit)} {can}: {how} p = {smallest:.2g} at best",
        f"collect at least {counted(needed, unit)}" if needed else "compare fewer learners, or choose a larger alpha",
    )


def _smallest(comparison: Comparison, rows: int, measures: int = 0) -> float:
    """The smallest adjusted p of all measures together, signs alike on every pair; or of one of so many ``measures``.

    Of a single one it is that of Wilcoxon's test, whose signs are all counted.
    """
    from bestofk.stats.multivariate.flips import smallest_share

    if not measures:
        return comparison.adjusted_at_best(smallest_share(rows))
    adjusted = comparison.adjusted_at_best(2.0 ** (1 - rows))
    return adjusted if comparison.adjust == "none" else min(1.0, measures * adjusted)


def k118(case: Case) -> Advice | None:
    """K118: a difference is significant and too small to matter.

    Fire when a pair differs significantly and its whole interval lies within the rope.
    """
    rope = rope_of(case)
    if rope is None or case.within:
        return None
    comparison = case.comparison
    differ = np.flatnonzero(comparison.significant)
    inside = comparison.inside(rope, differ)
    if inside is None:
        return None
    small = differ[inside]
    if not small.size:
        return None
    order = case.ordering.order
    names = sorted(comparison.pairs[small[0]], key=lambda name: (name != case.reference, order.index(name)))
    pair = comparison.pair(*reversed(names))  # as the table has it
    others = len(small) - 1
    more = f", and so {'does' if others == 1 else 'do'} {counted(others, 'more pair')}" if others else ""
    return Advice(
        "K118",
        f"{pair.first} and {pair.second} differ significantly, and yet by less than {rope:g} "
        f"({signed(pair.low or 0.0)} to {signed(pair.high or 0.0)}){more}",
        "a difference that small is rarely worth anything: let cost or simplicity decide",
    )


WANTED = 0.8
#: Where the scale of the measure is not known: half a standard deviation of the differences is worth having.
WORTH = 0.5
#: A difference that is seen with power 0.8 is at most this many times half the width of an interval (alpha up to 0.2).
INTERVALS = 1.7


def k119(case: Case) -> Advice | None:
    """K119: not significant is not equal.

    Fire when the two first of the best learners are not significantly different, or the choice by preference and the
    first of the others, and a difference worth having would have been missed.
    """
    comparison = case.comparison
    choice = case.ordering.best if case.preferred else None
    names = deciding_pair(comparison, choice) if comparison.decidable else None  # else K102 says it
    if names is None:
        return None
    # A winner needs alpha against each other learner, without adjustment.
    alone = comparison.sides == "two" and comparison.several is None
    found = seeing(comparison.sample, comparison, level=comparison.alpha if alone else None)
    if found is None:
        return None
    i = comparison.pairs.index(names if names in comparison.pairs else names[::-1])
    # A rope of 0 says that every difference matters, not how large one is worth planning for.
    rope, smallest = rope_of(case) or rope_of_comparison(comparison), float(found.smallest(WANTED, [i])[0])
    worth = WORTH * float(found.spread[i]) if rope is None else rope
    if not smallest > worth > 0:
        return None
    if smallest < INTERVALS * worth and _all_inside(comparison, i, worth):
        return None
    return Advice("K119", _missed(found, case, names, smallest), "report the interval, or plan more: bestofk power")


def _all_inside(comparison: Comparison, pair: int, worth: float) -> bool:
    """Whether the whole interval of a pair is smaller than what matters."""
    bounds = comparison.intervals.of(np.array([pair]))  # of this pair alone: of all pairs they may take long
    return bounds is not None and inside(float(bounds[1][0]), float(bounds[2][0]), worth)


def deciding_pair(comparison: Comparison, choice: str | None = None) -> tuple[str, str] | None:
    """The best mean and the next of the set of the best, or the choice; None where a best one or no pair is shown."""
    order = means_first(comparison)
    if winner_of(comparison) is not None:
        return None
    open_ = best_set_of(comparison, order)
    asked = (pair for pair in combinations(open_, 2) if choice in pair or choice not in open_)
    return next((pair for pair in asked if comparison.compared(*pair) and not comparison.differs(*pair)), None)


def _missed(found: Seeing, case: Case, names: tuple[str, str], smallest: float) -> str:
    """What would not have been seen of a pair."""
    if np.isfinite(smallest):
        size = size_text(smallest, case.comparison)
        alone = ", tested alone," if len(case.comparison.pairs) > 1 else ""
        return f"differences below {size} between {names[0]} and {names[1]}{alone} may well go unseen"
    if isinstance(found, ByItems):
        return f"{names[0]} and {names[1]} disagree on too few items for any difference to be seen"
    by_itself = " of a pair by itself" if beside_others(found, case.comparison) else ""
    return f"no difference{by_itself}, however large, would be seen between {names[0]} and {names[1]} in 4 of 5 cases"


def size_text(size: float, comparison: Comparison) -> str:
    """The size of a difference in units of the measure; of ratios as percent."""
    if comparison.sample.scale != "log-ratio":
        return f"{size:.2g}"
    percent = 100 * np.expm1(size)
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.2g} %"
