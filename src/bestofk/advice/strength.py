"""Advice on what the results can show: too few of them, or differences too small to matter."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from bestofk.advice.advice import Advice, Case, inside, rope_of, rope_of_comparison
from bestofk.advice.detectable_difference import Seeing, beside_others, seeing
from bestofk.comparing import Comparison
from bestofk.core.phrases import counted, listed
from bestofk.stats.adjust import ADJUST


def k102(case: Case) -> Advice | None:
    """K102: too few results for any outcome to be significant.

    Fire when even a learner that wins every time against all others, they too told apart, could not be shown.
    """
    comparison = case.comparison
    if comparison.decidable:
        return None
    ways, reach = ["add results"], f"no outcome could reach {comparison.alpha:g}"
    if comparison.smallest <= comparison.alpha:  # it is the family that hides it
        pairs = counted(len(comparison.pairs), "pair")
        reach = f"after adjustment for {pairs} one clear winner could not reach {comparison.alpha:g}"
        ways += ["compare fewer learners"]
        ways += ["compare with a control"] if comparison.control is None else []
    ways += ["claim it of these groups only: --groups fixed"] if comparison.sample.groups else []
    return Advice(
        "K102",
        f"with {comparison.sample.units_text} {comparison.test} can give p = {comparison.smallest:.3g} at best, and "
        f"{reach}",
        ", or ".join(ways),
    )


ENOUGH = 10  # Demšar 2006, section 3.2.2: N > 10 and K > 5 for the usual approximation


def k105(case: Case) -> Advice | None:
    """K105: a claim over few data sets.

    Fire below ten data sets.
    """
    if case.comparison.kind != "datasets":
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
#: Nobody is told to collect more than this.
_MOST_ROWS = 64
#: The smallest p of so many rows: ``least(comparison, rows)``.
Least = Callable[[Comparison, int], float]


def k135(case: Case) -> Advice | None:
    """K135: hardly more folds than measures, or too few folds or data sets for signs to show any difference.

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
    """Signs of rows, data sets or folds, give p values that are not smaller than a share of their patterns.

    ``measures`` are those that single ones are adjusted for.
    """
    pairs = len(comparison.pairs)
    if _smallest(comparison, comparison.sample.units) > comparison.alpha:
        learners = counted(len(comparison.learners), "learner")
        can, how, number = f"cannot show any difference between {learners}", "signs dealt anew give", 1
    elif unit == "data set" and _smallest_single(comparison, comparison.sample.units, measures) > comparison.alpha:
        number = measures
        can, how = "can show that learners differ, but in no single measure", "Wilcoxon's test of one gives"
    else:
        return None
    least = _smallest if number == 1 else partial(_smallest_single, measures=number)
    smallest = least(comparison, comparison.sample.units)
    several = pairs > 1 and comparison.adjust != "none"
    family = [counted(pairs, "pair")] if several else []
    family += [counted(number, "measure")] if number > 1 and comparison.adjust != "none" else []
    adjusted = f", adjusted for {listed(family)}" if family else ""
    return Advice(
        "K135",
        f"{counted(comparison.sample.units, unit)} {can}: {how} p = {smallest:.2g} at best{adjusted}",
        ", or ".join(_ways(comparison, unit, least, several)),
    )


def _ways(comparison: Comparison, unit: str, least: Least, several: bool) -> list[str]:
    """What would help: more rows, if any number would, fewer learners, one threshold, or another level."""
    enough = (
        rows for rows in range(comparison.sample.units, _MOST_ROWS) if least(comparison, rows) <= comparison.alpha
    )
    needed = next(enough, None)
    ways = [f"collect at least {counted(needed, unit)}"] if needed is not None else []
    ways += ["compare fewer learners"] if several else []
    ways += ["judge at one threshold, by Hotelling's test"] if unit == "fold" else []
    return ways or [f"choose a larger alpha than {comparison.alpha:g}"]


def _smallest(comparison: Comparison, rows: int) -> float:
    """The smallest adjusted p of all measures together: all signs alike, on every pair."""
    from bestofk.stats.multivariate.flips import smallest_share

    return _adjusted(comparison, smallest_share(rows))


def _smallest_single(comparison: Comparison, rows: int, measures: int) -> float:
    """The same of one measure by Wilcoxon's test, whose signs are all counted, adjusted for so many measures."""
    adjusted = _adjusted(comparison, 2.0 ** (1 - rows))
    return adjusted if comparison.adjust == "none" else min(1.0, measures * adjusted)


def _adjusted(comparison: Comparison, pvalue: float) -> float:
    raw = np.full(len(comparison.pairs), pvalue)
    return float(np.min(ADJUST[comparison.adjust](raw)))


def k118(case: Case) -> Advice | None:
    """K118: significant, and yet practically nothing.

    Fire when a pair differs significantly and its whole interval lies within the rope.
    """
    rope = rope_of(case)
    if rope is None:
        return None
    pairs = [case.comparison.pair(*names) for names in case.comparison.pairs]
    small = [pair for pair in pairs if pair.significant and inside(pair.low, pair.high, rope)]
    if not small:
        return None
    pair = small[0]
    more = f", and so do {counted(len(small) - 1, 'more pair')}" if len(small) > 1 else ""
    return Advice(
        "K118",
        f"{pair.first} and {pair.second} differ significantly by {abs(pair.difference or 0.0):.3g}, and the whole "
        f"interval lies within ±{rope:g}{more}",
        "a difference that small is rarely worth anything: let cost or simplicity decide",
    )


WANTED = 0.8
#: Where the scale of the measure is not known: half a standard deviation of the differences is worth having.
WORTH = 0.5


def k119(case: Case) -> Advice | None:
    """K119: not significant is not equal.

    Fire when a pair is not significantly different and a difference worth having would have been missed.
    """
    pairs = [case.comparison.pair(*names) for names in case.comparison.pairs]
    if all(pair.significant for pair in pairs):
        return None
    found = seeing(case.comparison.sample, case.comparison)
    if found is None:
        return None
    # A rope of 0 says that every difference matters, not how large one is worth planning for.
    rope, smallest = rope_of(case) or rope_of_comparison(case.comparison), found.smallest(WANTED)
    worth = WORTH * found.spread if rope is None else np.full(len(pairs), rope)
    open_ = [
        i
        for i, pair in enumerate(pairs)
        if not pair.significant and smallest[i] > worth[i] > 0 and not inside(pair.low, pair.high, worth[i])
    ]
    if not open_:
        return None
    # The order in which learners were given means nothing: not in the choice of the pair, not in its names.
    i = max(open_, key=lambda place: (smallest[place], sorted((pairs[place].first, pairs[place].second))))
    one, other = sorted((pairs[i].first, pairs[i].second))
    seen, power = float(smallest[i]), found.power(float(worth[i]), i)
    if np.isinf(seen):
        missed = _never_seen(found, case)
    else:
        missed = (
            f"a difference of {worth[i]:.2g} would have been seen with power {power:.2g}, "
            f"only differences of {seen:.2g} or more with power {WANTED:g}"
        )
    return Advice(
        "K119",
        f"{one} and {other} are not significantly different, and that is no sign that they are equal: {missed}",
        "report the interval, or plan more results: bestofk power",
    )


def _never_seen(found: Seeing, case: Case) -> str:
    """Said of a pair of which no difference would have been seen."""
    if found.disagreement is not None:
        return f"they disagree on too few items for any difference to be seen at {found.level:.3g}"
    pair = " of a pair by itself" if beside_others(found, case.comparison) else ""
    return f"with so few results no difference{pair}, however large, could have been seen"
