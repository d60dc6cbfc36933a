"""Advice on values that look wrong: runs that diverged, learners turned round, amounts without a ratio, margins."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.comparing.sample import Sample
from bestofk.core.arrays import Array, Flags
from bestofk.core.phrases import counted, listed, plural
from bestofk.evidence import Evidence, Scores
from bestofk.evidence.filled_results import WORST
from bestofk.evidence.missing_results import LeftOut

#: Runs that diverged are fewer than half of a learner's, and so many times the range of its others away from them.
#: Where all is well that is seen in at most 1 of 1,000 verdicts on normal runs, in 3 of 100 on few exponential ones.
FAR = 10.0
#: Fewer other runs have no range to speak of.
FEWEST_FELLOWS = 3


def k141(case: Case) -> Advice | None:
    """K141: some runs look as if they had diverged.

    Fire when fewer than half of the runs of a learner are worse than all its others by many times the range of these.
    Runs that were filled in are none of its own.
    """
    sample = case.comparison.sample
    found = _diverged(sample, case.comparison.left_out)
    if not found:
        return None
    some = f"{listed(found[:3])}{' …' if len(found) > 3 else ''}"
    return Advice(
        "K141",
        f"{sample.kind} look as if they had diverged, far worse than all others of the learner: {some}",
        "see their logs: make runs again that broke down by accident, and say how often a learner fails that does so "
        "by itself; a mean over both tells of neither",
    )


def _diverged(sample: Sample, left_out: LeftOut) -> list[str]:
    """Which learners have runs that diverged, and how many of how many; of runs on one data set, else some would be far
    away by chance.
    """
    if sample.blocks:
        return []
    filled = [left_out.filled.get(name, 0) for name in sample.learners]
    own = [np.sort(each)[: len(each) - number] for each, number in zip(sample.runs, filled, strict=False)]
    if left_out.filled_by not in ("", WORST):  # the worst stand last; others may be anywhere
        own = [each[:0] if number else each for each, number in zip(own, filled, strict=False)]
    runs = [each if len(each) > FEWEST_FELLOWS else each[:0] for each in own]
    ranges = [each[len(each) - _most_failed(each) - 1] - each[0] for each in runs if len(each)]
    typical = float(sorted(ranges)[len(ranges) // 2]) if ranges else 0.0
    failed = [_far_behind(each, typical) for each in runs]
    return [
        f"{number} of {len(each)} of {name}"
        for name, each, number in zip(sample.learners, runs, failed, strict=bool(runs))
        if number
    ]


def _most_failed(ordered: Array) -> int:
    return min((len(ordered) - 1) // 2, len(ordered) - FEWEST_FELLOWS)


def _far_behind(ordered: Array, typical: float) -> int:
    """How many of the largest losses are far above all others, whose range is ``typical`` at least.

    Examples
    --------
    >>> _far_behind(np.array([0.10, 0.10, 0.11, 0.12, 0.90]), 0.01), _far_behind(np.array([0.1, 0.1, 0.1, 0.2]), 0.0)
    (1, 0)
    """
    for number in range(1, _most_failed(ordered) + 1):
        fellows = max(float(ordered[-number - 1] - ordered[0]), typical)
        if 0.0 < FAR * fellows < ordered[-number] - ordered[-number - 1]:
            return number
    return 0


#: A learner is the other way round where, turned, it is so many times nearer to the others, and was this far away.
NEARER, APART = 5.0, 0.3
#: On so many units it must also go against the others, of runs it must come as near as this; else nothing is said.
AGAINST, FEWEST_UNITS, NEAR = -0.5, 5, 0.05


def k142(case: Case) -> Advice | None:
    """K142: the results of a learner look turned round.

    Fire when rates of a learner are far from those of the others, and 1 minus them is like these, unit by unit: losses
    among scores.
    """
    comparison, sample = case.comparison, case.comparison.sample
    one_rate = sample.vectors is None and not sample.joint and not sample.groups and sample.scale == "difference"
    whole = comparison.rate_range
    if not one_rate or whole is None:
        return None
    sign = 1.0 if sample.binary else comparison.sign_of_losses  # losses of right and wrong are rates themselves
    turned = _turned(sample, sign / whole)
    found = [name for name, each in zip(sample.learners, turned.tolist(), strict=True) if each]
    if len(found) == len(sample.learners) == 2:
        found = [max(found, key=lambda name: comparison.sign_of_losses * comparison.means[name])]
    if not found or 2 * len(found) >= max(3, len(sample.learners)):
        return None
    top = f"{whole:g}"
    return Advice(
        "K142",
        f"the {comparison.measure} of {listed(found)} looks turned round: {top} minus it is like that of the others",
        "see whether that source has errors where the others have scores, or swapped labels, and turn it",
    )


def _turned(sample: Sample, unit: float) -> Flags:
    """Whose rates, losses times ``unit``, are like those of the others when turned and only then."""
    unpaired = bool(sample.runs) and not sample.paired
    rates = (np.array([[each.mean()] for each in sample.runs]) if unpaired else sample.rows) * unit
    rates = rates[:, ~np.isnan(rates).any(axis=0)]
    if rates.shape[1] < (1 if unpaired else FEWEST_UNITS):
        return np.zeros(len(rates), dtype=bool)
    middle = np.sort(rates, axis=0)[[(len(rates) - 1) // 2, len(rates) // 2]].mean(axis=0)  # np.median loads numpy.ma
    others = rates[::-1] if len(rates) == 2 else np.broadcast_to(middle, rates.shape)
    far, near = np.abs(rates - others).mean(axis=1), np.abs(1.0 - rates - others).mean(axis=1)
    found = far >= np.maximum(APART, NEARER * near)
    if unpaired:  # a learner that guesses one class does not vary
        return np.asarray(found & (near <= NEAR) & [np.ptp(each) > 0 for each in sample.runs])
    for i in np.flatnonzero(found):
        vary = rates[i].std() > 0 and others[i].std() > 0
        found[i] = vary and np.corrcoef(rates[i], others[i])[0, 1] <= AGAINST
    return np.asarray(found)


#: Where more values than these are not positive, the measure is one that has such values.
FEW = 0.1


def k143(case: Case) -> Advice | None:
    """K143: a few amounts are 0 or below, and have no ratio.

    Fire when few values of a measure without a common scale keep data sets from being compared by ratios.
    """
    sample, evidence = case.comparison.sample, case.evidence
    if sample.scale != "rank" or not isinstance(evidence, Scores):
        return None
    whose = evidence.by_dataset()
    numbers = np.array([int((np.asarray(each) <= 0).sum()) for each in whose])
    values = sum(int((~np.isnan(each)).sum()) for each in whose)
    if not 0 < numbers.sum() <= FEW * values:
        return None
    every = [name for name, number in zip(evidence.learners, numbers, strict=True) if number]
    names = f"{listed(every[:3])}{' …' if len(every) > 3 else ''}"
    return Advice(
        "K143",
        f"{counted(int(numbers.sum()), 'value')} of {evidence.measure} of {values}, of {names}, "
        f"{'is' if numbers.sum() == 1 else 'are'} 0 or below: data sets have no ratios then, and only who is ahead "
        "is counted",
        "see whether they are right, or failed runs",
    )


#: Equal on this share of the units, two learners differ on the others alone.
MOSTLY = 0.5


def k144(case: Case) -> Advice | None:
    """K144: two learners differ on few units, and are equal on most.

    Fire when a test that leaves equal results out shows a difference beside the first of the order or the control.
    """
    comparison, sample, reference = case.comparison, case.comparison.sample, case.reference
    if comparison.about != "median" or not comparison.sized:
        return None
    rows = dict(zip(comparison.learners, sample.rows, strict=True))
    found = []
    for name in comparison.learners:
        if name == reference or not comparison.compared(name, reference) or not comparison.differs(name, reference):
            continue
        both = ~np.isnan(rows[name]) & ~np.isnan(rows[reference])
        equal = int((rows[name] == rows[reference])[both].sum())
        if equal > MOSTLY * both.sum():
            found.append((name, equal, int(both.sum())))
    if not found:
        return None
    name, equal, number = found[0]
    more = f" (the same of {counted(len(found) - 1, 'more learner')})" if len(found) > 1 else ""
    return Advice(
        "K144",
        f"{name} and {reference} are equal on {equal} of {number} {plural(sample.unit)}, and differ on the others "
        f"alone{more}",
        "say on how many they differ, and by how much in the mean, beside the difference",
    )


#: A margin of so much of the range of a rate is seldom meant.
WIDE = 0.2
#: Nor is one in per cent of so little of what the results leave open: of equal learners one in ten is shown within it.
NARROW = 0.2


def k145(case: Case) -> Advice | None:
    """K145: the margin is far too large, or too small, for the measure.

    Fire when nearly anybody is within the margin, as of half a point that was typed 0.5; where nothing bounds the
    measure, when no two results are further apart; and when nearly nobody can be shown to be within it, as of five
    points in per cent that were typed 0.05.
    """
    measure, whole = case.comparison.measure, case.comparison.rate_range
    if not case.within or case.rope is None or case.comparison.sample.scale != "difference":
        return None
    if whole is None:
        low, high = _ends(case.evidence)
        if not 0.0 < high - low <= case.rope:
            return None
        seen = f"no two results differ by more than a margin of {case.rope:g}: {measure} is from {low:g} to {high:g}"
        return Advice("K145", seen, f"give how much may be lost in units of {measure}")
    if case.rope >= WIDE * whole:
        size, meant = f"a large part of what {measure} can differ", case.rope / 100
    elif whole > 1.0 and case.rope < WIDE and case.rope < NARROW * _least_left_open(case):
        size, meant = "per cent, far less than these results leave open", 100 * case.rope
    else:
        return None
    return Advice(
        "K145",
        f"a margin of {case.rope:g} is {size}: {meant:g} may be meant",
        f"give how much may be lost in units of {measure}: {whole / 100:g} is one point",
    )


def k148(case: Case) -> Advice | None:
    """K148: large failures that were not seen are not allowed for.

    Fire when grades of items are set beside a margin, and how far two of them can be apart is not known.
    """
    comparison = case.comparison
    beside_margin = case.within or comparison.margin is not None
    if not beside_margin or not comparison.sample.graded_items or comparison.graded_range is not None:
        return None
    return Advice(
        "K148",
        f"{comparison.measure} has no known range: failures larger than those seen are not allowed for",
        "see that the items hold the failures that matter, or cut grades off at the worst that counts",
    )


def _least_left_open(case: Case) -> float:
    """Half of the shortest interval around 0 of a difference from the reference; 0 where there is none."""
    comparison = case.comparison
    if comparison.low is None or comparison.high is None:
        return 0.0
    beside = np.array([case.reference in pair for pair in comparison.pairs])
    halves = (comparison.high - comparison.low) / 2.0
    halves = halves[beside & (comparison.low < 0.0) & (comparison.high > 0.0) & np.isfinite(halves)]
    return float(halves.min()) if halves.size else 0.0


def _ends(evidence: Evidence) -> tuple[float, float]:
    """The smallest and the largest result; of battles, which have none, nothing."""
    values = [np.ravel(each) for each in getattr(evidence, "values", ())]
    every = np.concatenate(values) if values else np.zeros(1)
    return float(np.nanmin(every)), float(np.nanmax(every))
