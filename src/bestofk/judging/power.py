"""How many results are needed, from a few that exist."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from bestofk.comparing import Comparison, Family, Sample
from bestofk.comparing.sample import fold_test, share_not_known
from bestofk.comparing.test_choice import fitting_test
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import count_of
from bestofk.core.phrases import plural
from bestofk.core.record import Record
from bestofk.evidence import Evidence
from bestofk.evidence.items import FEWEST_GROUPS
from bestofk.judging.judge import compared
from bestofk.ordering.methods import means_first
from bestofk.settings import Comparing
from bestofk.stats.power import PilotPlan, from_curves, from_folds, from_items, from_pilot, from_runs
from bestofk.stats.power.pilot import renamed, runs_planned, tests_of_values
from bestofk.stats.power.sample_size import power_method

WHERE = "power from results"

#: Simulated experiments of tests of values, and data sets beyond which Wilcoxon's statistic is taken for normal.
RUNS, SIMULATED_UP_TO = 2_000, 100
#: Fewer values of a pair say nothing of their spread.
FEWEST = 3


#: Of more pairs than these only those of the first learner, or of the control, with so many others are planned for.
MOST_PAIRS, RIVALS = 45, 10
#: Results enough for any test to reject, and replications.
ENOUGH, MANY = Family(alpha=1.0), 1_000


def _plannable(comparison: Comparison) -> tuple[str, ...]:
    """Tests that can be planned from a sample; the first is the one that ``judge`` takes with results enough."""
    sample = comparison.sample
    if sample.vectors is not None:
        raise InputError(
            "several measures are not planned for together from results.",
            WHERE,
            "plan for one measure; or give numbers: bestofk power --test hotelling --effect 1 --measures 2.",
        )
    if sample.joint:
        raise InputError(
            f"{sample.units_text} of {comparison.test} are no results that can be planned from.",
            WHERE,
            "give numbers: bestofk power --effect 0.5.",
        )
    if sample.kind == "folds":
        once = _of_many_replications(sample)
        return (once, "corrected-t") if once != "corrected-t" else (once,)
    if sample.kind == "items" and sample.binary:
        return "mcnemar-auto", "mcnemar-mid-p", "mcnemar-exact", "mcnemar"
    if sample.runs and not sample.paired and not sample.datasets:
        return ("welch-t", "welch-permutation", *(("randomized-t",) if sample.curves else ()))
    if comparison.test == "stratified-t":  # of these data sets; of others like them only where that is asked for
        return "stratified-t", *tests_of_values()
    first = fitting_test(sample, ENOUGH)[0]
    return (first, *(name for name in tests_of_values() if name != first))


class PairPlan(Record, kw_only=True):
    """What a pair's results say about how many results show a difference like theirs.

    ``difference`` is first minus second in units of the measure; of a measure with other units on every data set it is
    the logarithm of the ratio. ``alpha`` is the level of this pair, which shares it with all ``pairs``; ``compared``
    are the pairs that the learners make, of which those are planned for that decide.
    """

    first: str
    second: str
    difference: float
    alpha: float
    pairs: int
    compared: int
    plan: PilotPlan

    def rows(self) -> list[dict[str, str]]:
        """One row of text."""
        careful = self.plan.needed_cautious
        return [
            {
                "first": self.first,
                "second": self.second,
                "difference": f"{self.difference:.4g}",
                "effect": f"{self.plan.effect:.3g}",
                "needed": self.plan.needed.number,
                "cautious effect": f"{self.plan.cautious:.3g}",
                "needed then": "not known which is better" if careful is None else careful.number,
                "unit": self.plan.needed.unit,
                "test": self.plan.test,
                "by": self.plan.needed.way,
            }
        ]

    def __repr__(self) -> str:
        among = f", to show this pair among {self.pairs}, alpha {self.alpha:.3g}" if self.pairs > 1 else ""
        return f"{self.first} and {self.second}{among}: {self.plan!r}"


def plans_from(
    evidence: Evidence,
    *,
    power: float = 0.8,
    pairs: int | None = None,
    one_sided: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
    **settings: Unpack[Comparing],
) -> tuple[PairPlan, ...]:
    """Plan for every pair of learners from results that exist, compared as ``judge`` compares them.

    Of more than 45 pairs those of the learner with the best mean, or of the control, and its ten closest rivals are
    planned for.

    Parameters
    ----------
    evidence : Scores, Items, Runs or Curves
        Complete pilot results: on at least three data sets, folds of one, items, runs, curves. Items in groups, and in
        several replications, count as ``judge`` counts them.
    power : float
    pairs : int, optional
        So many pairs share alpha equally, instead of all that are compared.
    one_sided : bool
        Plan to ask whether the better one of the pilot is better.
    progress : callable, optional
        Called before every pair: its place, how many there are, and what they are.
    **settings
        Those of ``compare``. ``test`` is ``auto``, the one that ``judge`` takes of results enough, or over data sets,
        and for graded items, any pairwise test of values; ``corrected-t`` or ``repeated-cv-t`` for folds, one of
        ``mcnemar…`` for items that are right or wrong, ``welch-t`` or ``welch-permutation`` for runs, of curves
        ``randomized-t`` as well.
    """
    asked = settings.get("test", "auto")
    comparison = compared(evidence, {**settings, "test": "auto"})
    sample, test = comparison.sample, _fitting(asked, comparison)
    number = len(comparison.pairs) if pairs is None else count_of(pairs, name="pairs", where=WHERE)
    level, sign = comparison.alpha * comparison.alpha_share / number, -1.0 if comparison.larger_is_better else 1.0
    first, second = comparison.places
    deciding = _deciding(comparison)
    found = []
    for place, at in enumerate(deciding, start=1):
        if progress is not None:
            progress(place, len(deciding), "pairs")
        i, j = int(first[at]), int(second[at])
        plan = _plan(sample, i, j, test, {"power": power, "alpha": level}, one_sided, comparison.seed)
        found.append(
            PairPlan(
                first=sample.learners[i],
                second=sample.learners[j],
                difference=sign * plan.difference,
                alpha=level,
                pairs=number,
                compared=len(comparison.pairs),
                plan=plan,
            )
        )
    return tuple(found)


def _deciding(comparison: Comparison) -> list[int]:
    """Places of all pairs, or where they are many of those of the first learner with the closest others."""
    if len(comparison.pairs) <= MOST_PAIRS:
        return list(range(len(comparison.pairs)))
    first = comparison.control or means_first(comparison)[0]
    own = [at for at, pair in enumerate(comparison.pairs) if first in pair]
    means = comparison.means
    gaps = [abs(means[comparison.pairs[at][0]] - means[comparison.pairs[at][1]]) for at in own]
    return sorted(own[at] for at in np.argsort(gaps, kind="stable")[:RIVALS])


def _plan(sample: Sample, i: int, j: int, test: str, asked: dict[str, Any], one_sided: bool, seed: int) -> PilotPlan:
    by_mean = "two-sided" if not one_sided else "greater" if _mean(sample, i) > _mean(sample, j) else "less"
    if sample.runs and test in ("welch-t", "welch-permutation", "stratified-t", "randomized-t"):
        return _of_runs(sample, i, j, test, {**asked, "alternative": by_mean}, seed)
    if test == "stratified-t" and sample.replicates is not None:
        return _of_folds(sample, sample.replicates[[i, j]], _of_many_replications(sample), by_mean, asked)
    if sample.kind == "folds":
        return _of_folds(sample, sample.losses[[i, j]], test, by_mean, asked)
    first, second = sample.losses[i], sample.losses[j]
    if sample.kind == "items" and sample.binary:
        return from_items(first, second, test=test, alternative=by_mean, **asked)
    more: dict[str, Any] = {"rng": seed, "runs": RUNS} if power_method(test).simulated else {}
    more |= {"simulate_up_to": SIMULATED_UP_TO} if test == "wilcoxon" else {}
    more |= {"least": FEWEST_GROUPS} if sample.groups else {}
    unit = "data sets" if sample.datasets else plural(sample.unit)
    return renamed(from_pilot(first, second, test=test, one_sided=one_sided, **asked, **more), unit)


def _of_many_replications(sample: Sample) -> str:
    """The test of the folds of one data set that ``judge`` takes of many replications."""
    values = sample.losses if sample.replicates is None else sample.replicates
    return fold_test(MANY, values.shape[-1], sample.test_fraction, sample.divided)


def _of_folds(sample: Sample, sides: Array, test: str, alternative: str, asked: dict[str, Any]) -> PilotPlan:
    """Folds (2, replications, folds) of one data set, or of several with an axis more; splits are in one row."""
    fraction = sample.corrected_by
    sides = sides if fraction is None else sides.reshape(*sides.shape[:-2], -1)
    return from_folds(*sides, test=test, test_fraction=fraction, alternative=alternative, **asked)


def _of_runs(sample: Sample, i: int, j: int, test: str, asked: dict[str, Any], seed: int) -> PilotPlan:
    """Runs of one data set, or of several as they are; of curves their means."""
    if test == "randomized-t":
        return from_curves(sample.curves[i], sample.curves[j], rng=seed, **asked)
    if test == "stratified-t":
        moments = (each[[i, j]] for each in sample.runs_by_block())
        return runs_planned(*moments, divisor_df=sample.divisor_df, **asked)
    return from_runs(sample.runs[i], sample.runs[j], test=test, **asked)


def _fitting(test: str, comparison: Comparison) -> str:
    """The test, if the pilot's sample can plan for it."""
    sample, known = comparison.sample, _plannable(comparison)
    if sample.incomplete:
        fix = "leave out what is not complete: --missing drop-datasets or drop-learners."
        raise InputError("results are missing.", WHERE, fix)
    if not sample.runs and sample.units < FEWEST and not (test in ("auto", known[0]) and known[0] == "stratified-t"):
        raise InputError(
            f"there {'is' if sample.units == 1 else 'are'} {sample.units_text}, too few for a pilot.",
            WHERE,
            f"give results on at least {FEWEST} {'folds' if sample.kind == 'folds' else plural(sample.unit)}.",
        )
    if sample.kind == "folds" and sample.test_fraction is None and sample.losses.shape[1] > sample.losses.shape[2] == 1:
        raise share_not_known(sample.losses.shape[1], WHERE, "give a pilot of whole folds")
    if test != "auto" and test not in known:
        power_method(test)
        raise InputError(
            f"{test} is not planned from {sample.units_text}.",
            f"{WHERE}, test",
            f"use {', '.join(known)}, or give numbers.",
        )
    return known[0] if test == "auto" else test


def _mean(sample: Sample, learner: int) -> float:
    return float(sample.losses[learner].mean())
