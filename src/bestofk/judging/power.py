"""How many results are needed, from a few that exist."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bestofk.comparing import Sample, sample_of
from bestofk.comparing.sample import share_not_known
from bestofk.comparing.test_choice import FEWEST_TASKS
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.options import count_of, level_inside
from bestofk.core.phrases import counted
from bestofk.core.record import Record
from bestofk.evidence import Evidence
from bestofk.evidence.item_folds import as_tested
from bestofk.stats.power import PilotPlan, from_curves, from_folds, from_items, from_pilot, from_runs
from bestofk.stats.power.pilot import renamed, runs_planned, tests_of_values
from bestofk.stats.power.sample_size import power_method

WHERE = "power from results"

#: Simulated experiments of tests of values, and data sets beyond which Wilcoxon's statistic is taken for normal.
RUNS, SIMULATED_UP_TO = 2_000, 100
#: Fewer values of a pair say nothing of their spread.
FEWEST = 3


def _plannable(sample: Sample) -> tuple[str, ...]:
    """Tests that can be planned from a sample; the first is the one that ``judge`` takes with results enough."""
    if sample.kind == "folds":
        once = sample.share is not None and sample.share < 0.5
        return ("repeated-cv-t", "corrected-t") if once else ("corrected-t",)
    if sample.kind == "items" and sample.binary:
        return "mcnemar-mid-p", "mcnemar-exact", "mcnemar"
    if sample.runs and not 0 < FEWEST_TASKS <= sample.datasets:
        if sample.datasets:
            return ("welch-t",)
        return ("welch-t", "welch-permutation", *(("randomized-t",) if sample.curves else ()))
    first = "permutation-t" if sample.kind == "items" else "sign" if sample.scale == "rank" else "wilcoxon"
    return (first, *(name for name in tests_of_values() if name != first))


class PairPlan(Record, kw_only=True):
    """What a pair's results say about how many results show a difference like theirs.

    ``difference`` is first minus second in units of the measure; of a measure with other units on every data set it is
    the logarithm of the ratio. ``alpha`` is the level of this pair, which shares it with all ``pairs``.
    """

    first: str
    second: str
    difference: float
    alpha: float
    pairs: int
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
                "needed then": "none is enough" if careful is None else careful.number,
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
    test: str = "auto",
    learners: Sequence[str] | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    pairs: int | None = None,
    one_sided: bool = False,
    seed: int = 0,
    progress: Callable[[int, int, str], None] | None = None,
) -> tuple[PairPlan, ...]:
    """Plan for every pair of learners, or for the two named, from results that exist.

    Parameters
    ----------
    evidence : Scores, Items, Runs or Curves
        Complete pilot results: on at least three data sets, folds of one, items, runs, curves. Items in groups, and in
        several replications, count as ``judge`` counts them.
    test : str
        Over data sets, and for graded items, any pairwise test of values; ``corrected-t`` or ``repeated-cv-t`` for
        folds, one of ``mcnemar…`` for items that are right or wrong, ``welch-t`` or ``welch-permutation`` for runs, of
        curves ``randomized-t`` as well. ``auto`` takes the one that ``judge`` takes of results enough.
    learners : two names, optional
    power, alpha : float
        ``alpha`` is shared equally by all pairs planned for, or by ``pairs``.
    one_sided : bool
        Plan to ask whether the better one of the pilot is better.
    seed : int
    progress : callable, optional
        Called before every pair: its place, how many there are, and what they are.
    """
    alpha = level_inside(alpha, name="alpha", where=WHERE)
    evidence = as_tested(evidence)
    sample = sample_of(evidence)
    asked = _pairs(evidence, learners)
    test = _fitting(test, sample)
    number = len(asked) if pairs is None else count_of(pairs, name="pairs", where=WHERE)
    level = alpha / number
    found = []
    for place, (i, j) in enumerate(asked, start=1):
        if progress is not None:
            progress(place, len(asked), "pairs")
        plan = _plan(sample, i, j, test, {"power": power, "alpha": level}, one_sided, seed)
        difference = float(evidence.sign * plan.difference)
        first, second = evidence.learners[i], evidence.learners[j]
        found.append(PairPlan(first=first, second=second, difference=difference, alpha=level, pairs=number, plan=plan))
    return tuple(found)


def _plan(sample: Sample, i: int, j: int, test: str, asked: dict[str, Any], one_sided: bool, seed: int) -> PilotPlan:
    by_mean = "two-sided" if not one_sided else "greater" if _mean(sample, i) > _mean(sample, j) else "less"
    if sample.runs and test in ("welch-t", "welch-permutation", "randomized-t"):
        return _of_runs(sample, i, j, test, {**asked, "alternative": by_mean}, seed)
    first, second = sample.losses[i], sample.losses[j]
    if sample.kind == "items" and sample.binary:
        return from_items(first, second, test=test, alternative=by_mean, **asked)
    if sample.kind == "folds":
        fraction = sample.test_fraction
        sides = (first, second) if fraction is None else (first.reshape(-1), second.reshape(-1))
        return from_folds(*sides, test=test, test_fraction=fraction, alternative=by_mean, **asked)
    more: dict[str, Any] = {"rng": seed, "runs": RUNS} if power_method(test).simulated else {}
    more |= {"simulate_up_to": SIMULATED_UP_TO} if test == "wilcoxon" else {}
    unit = "groups" if sample.groups else "items" if sample.kind == "items" else "data sets"
    return renamed(from_pilot(first, second, test=test, one_sided=one_sided, **asked, **more), unit)


def _of_runs(sample: Sample, i: int, j: int, test: str, asked: dict[str, Any], seed: int) -> PilotPlan:
    """Runs of one data set, or of several as they are; of curves their means."""
    if test == "randomized-t":
        return from_curves(sample.curves[i], sample.curves[j], rng=seed, **asked)
    if not sample.datasets:
        return from_runs(sample.runs[i], sample.runs[j], test=test, **asked)
    means, variances, sizes = (each[[i, j]] for each in sample.runs_by_block())
    tasks = means.shape[1]
    spread = np.sqrt((variances * (sizes.mean(axis=1, keepdims=True) / sizes)).mean(axis=1) / tasks)
    number = float(sizes[0].mean()), float(sizes[1].mean())
    difference = float((means[0] - means[1]).mean())
    return runs_planned(difference, tuple(spread.tolist()), number, tasks=tasks, test=test, **asked)


def _fitting(test: str, sample: Sample) -> str:
    """The test, if the pilot's sample can plan for it."""
    known = _plannable(sample)
    if sample.incomplete:
        fix = "give a complete pilot, or numbers: bestofk power --test paired-t --effect 0.5."
        raise InputError("results are missing.", WHERE, fix)
    if not sample.runs and sample.units < FEWEST:
        raise InputError(
            f"there {'is' if sample.units == 1 else 'are'} {sample.units_text}, too few for a pilot.",
            WHERE,
            f"give results on at least {FEWEST} {'folds' if sample.kind == 'folds' else f'{sample.unit}s'}.",
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


def _pairs(evidence: Evidence, learners: Sequence[str] | None) -> list[tuple[int, int]]:
    k = len(evidence.learners)
    if learners is None:
        return [(i, j) for i in range(k) for j in range(i + 1, k)]
    for name in learners:
        if name not in evidence.learners:
            raise unknown(name, evidence.learners, what="learner", where=f"{WHERE}, learners")
    if len(set(learners)) != 2:
        number = len(set(learners))
        named = f"{counted(number, 'learner')} {'is' if number == 1 else 'are'} named."
        raise InputError(named, f"{WHERE}, learners", "name two.")
    first, second = (evidence.learners.index(name) for name in learners)
    return [(first, second)]
