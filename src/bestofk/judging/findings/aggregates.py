"""Runs on several tasks: one number per learner over all of them, and how often the first beats each other one."""

from __future__ import annotations

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.arrays import Array
from bestofk.core.record import Record
from bestofk.measures.catalogue import is_comparable
from bestofk.stats.aggregates import RESAMPLES, interquartile_mean, probability_of_improvement


class LearnerAggregate(Record, kw_only=True):
    """The interquartile mean of a learner, between the bounds of its interval, in units of the measure."""

    learner: str
    mean: float
    low: float
    high: float


class Improvement(Record, kw_only=True):
    """The chance that a run of the first is better than a run of the second on the same task, with its interval."""

    first: str
    second: str
    chance: float
    low: float
    high: float


class Aggregates(Record, kw_only=True):
    """What runs on all tasks say together (Agarwal et al. 2021): descriptions of these tasks beside the tests.

    ``interquartile_means`` has every learner in the order of the verdict; it is empty where values of different tasks
    have no common scale. ``improvements`` are those of the first of the order over each other. Every interval is by
    itself at ``level``, by so many ``resamples`` of the runs within tasks.
    """

    measure: str
    tasks: tuple[str, ...]
    interquartile_means: tuple[LearnerAggregate, ...]
    improvements: tuple[Improvement, ...]
    level: float
    resamples: int
    seed: int


class TaskRuns(Record, kw_only=True):
    """The losses of every learner's runs with the task of each; ``sign`` times them they are in units of the measure.

    ``comparable``: tasks have a common scale.
    """

    learners: tuple[str, ...]
    losses: tuple[Array, ...]
    tasks: tuple[tuple[str, ...], ...]
    sign: float
    comparable: bool


def task_runs(comparison: Comparison, order: tuple[str, ...]) -> TaskRuns | None:
    """Runs on several tasks, of the learners in this order; None for anything else."""
    sample = comparison.sample
    if sample.kind != "runs" or not sample.blocks:
        return None
    places = [sample.learners.index(name) for name in order]
    sign = -1.0 if comparison.larger_is_better else 1.0
    return TaskRuns(
        learners=order,
        losses=tuple(sample.runs[i] for i in places),
        tasks=tuple(sample.blocks[i] for i in places),
        sign=sign,
        comparable=sample.scale == "difference"
        and is_comparable(comparison.measure, sign * np.concatenate(sample.runs)),
    )


def aggregates_of(comparison: Comparison, order: tuple[str, ...]) -> Aggregates | None:
    """Interquartile means and probabilities of improvement of runs on several tasks; None for anything else."""
    runs = task_runs(comparison, order)
    if runs is None:
        return None
    level, seed = 1.0 - comparison.alpha, comparison.seed
    pairs = list(zip(runs.losses, runs.tasks, strict=True))
    middle = [
        interquartile_mean(runs.sign * losses, tasks, level=level, rng=seed)
        for losses, tasks in pairs
        if runs.comparable
    ]
    (mine, own), *others = pairs
    chances = [probability_of_improvement(mine, each, own, tasks, level=level, rng=seed) for each, tasks in others]
    return Aggregates(
        measure=comparison.measure,
        tasks=tuple(dict.fromkeys(own)),
        interquartile_means=tuple(
            LearnerAggregate(learner=name, mean=each.estimate, low=each.low, high=each.high)
            for name, each in zip(order, middle, strict=runs.comparable)
        ),
        improvements=tuple(
            Improvement(first=order[0], second=name, chance=each.estimate, low=each.low, high=each.high)
            for name, each in zip(order[1:], chances, strict=True)
        ),
        level=level,
        resamples=RESAMPLES,
        seed=seed,
    )
