r"""One number of a learner's runs on all tasks together, with a stratified bootstrap: runs are drawn within tasks.

==============================  =====================================================================
``interquartile_mean``          mean of the middle half of all runs; few lucky runs or tasks move it little
``performance_profile``         share of the runs below a loss, for every loss of a list
``probability_of_improvement``  chance that a run of one learner beats a run of another on the same task
==============================  =====================================================================

Tasks are taken as they are and count the same, however many runs they have: a run on task :math:`t` of :math:`T` has
the weight :math:`1/(T n_t)`. Drawing runs within tasks, with replacement, only changes these weights, so all resamples
are one matrix of weights, and the interval is between quantiles of what they give (percentile interval). Of :math:`n_t`
runs :math:`n_t - 1` are drawn: the variance of their mean is then that of the runs' own, :math:`s_t^2/n_t`. Agarwal et
al. draw :math:`n_t`, and their intervals are shorter by :math:`\sqrt{(n_t - 1)/n_t}`: too short with few runs
(``docs/reference/statistics.md`` has the coverage of both).

The first two compare values of different tasks, which must have the same scale: rates, or scores that are normalized.
The third does not.

References
----------
Agarwal, Schwarzer, Castro, Courville and Bellemare 2021, *Deep reinforcement learning at the edge of the statistical
precipice*. Rao and Wu 1988, *Resampling inference with complex survey data*, for the number that is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, numbers, squarable
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, level_inside
from bestofk.core.record import Record
from bestofk.core.rng import Seed, generator
from bestofk.stats.method import Paper
from bestofk.stats.results import Numeric
from bestofk.stats.shapes import common_batch, wrong_shape

__all__ = ["Aggregate", "interquartile_mean", "performance_profile", "probability_of_improvement"]

AGARWAL = Paper(
    "Agarwal et al. 2021",
    "Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A. C. and Bellemare, M. G. Deep reinforcement learning at "
    "the edge of the statistical precipice. Advances in Neural Information Processing Systems 34, 29304–29320, 2021.",
)
RAO = Paper(
    "Rao and Wu 1988",
    "Rao, J. N. K. and Wu, C. F. J. Resampling inference with complex survey data. Journal of the American Statistical "
    "Association 83(401), 231–241, 1988.",
)

RESAMPLES = 2_000
_CHUNK = 2_000_000  # weights held at once
_CUT = 0.25  # of the runs, at either end


class Aggregate(Record, kw_only=True):
    """An ``estimate`` between ``low`` and ``high``, bounds of an interval at ``level`` by so many ``resamples``."""

    name: str
    estimate: Numeric
    low: Numeric
    high: Numeric
    level: float
    resamples: int

    def __repr__(self) -> str:
        if np.ndim(self.estimate):
            return f"{self.name}, batch of shape {np.shape(self.estimate)}"
        return f"{self.name} = {self.estimate:.4g} ({100 * self.level:g} % interval {self.low:.4g} to {self.high:.4g})"


def interquartile_mean(
    values: Any, tasks: Sequence[Any], *, level: float = 0.95, resamples: int = RESAMPLES, rng: Seed = None
) -> Aggregate:
    r"""Interquartile mean (IQM): the mean of the middle half of the runs of all tasks together.

    .. math:: \mathrm{IQM} = \frac{1}{N - 2g} \sum_{i=g+1}^{N-g} x_{(i)}, \qquad g = \lfloor N/4 \rfloor

    with the :math:`N` values in growing order. Where tasks have different numbers of runs, values have the weights
    above and the share :math:`g/N` of all weight is left out at either end, if need be of a part of a run.

    Parameters
    ----------
    values : array_like, (..., N)
        Losses or scores of a learner's runs on all tasks; the axes before the last are a batch.
    tasks : sequence of N names
        The task of every run; at least two runs each.
    level : float
        Level of the interval.
    resamples : int
    rng : int, Generator or None
        Seed; the same seed gives the same interval.

    References
    ----------
    Agarwal et al. 2021.

    Examples
    --------
    >>> scores, tasks = [.1, .2, .3, .5, .6, .9], ["pong", "pong", "pong", "qbert", "qbert", "qbert"]
    >>> interquartile_mean(scores, tasks, rng=0)
    interquartile-mean = 0.4 (95 % interval 0.3125 to 0.5875)
    """
    name = "interquartile-mean"
    runs = _Runs(values, tasks, name, "values")
    order = np.argsort(runs.values, axis=-1)
    ordered = np.take_along_axis(runs.values, order, axis=-1)
    cut = int(_CUT * runs.number) / runs.number

    def middle(weights: Array) -> Array:
        upto = np.cumsum(np.moveaxis(weights[:, order], 0, -2), axis=-1)  # (..., resamples, N)
        inside = np.clip(upto, cut, 1.0 - cut)
        kept = np.diff(inside, axis=-1, prepend=cut)
        return np.asarray((kept @ ordered[..., None])[..., 0] / (1.0 - 2.0 * cut))

    return _between(name, *runs.resampled(middle, resamples, rng), level)


def performance_profile(
    losses: Any, tasks: Sequence[Any], at: Any, *, level: float = 0.95, resamples: int = RESAMPLES, rng: Seed = None
) -> Aggregate:
    r"""Performance profile: the share of a learner's runs whose loss is below each of some values.

    .. math:: F(\tau) = \frac1T \sum_t \frac{1}{n_t} \sum_i [\,x_{ti} < \tau\,]

    Of scores (larger is better) the share above :math:`\tau` is ``performance_profile(-scores, tasks, -tau)``. The band
    is pointwise: at every single :math:`\tau` it has the level said, not along all of them.

    Parameters
    ----------
    losses : array_like, (..., N)
        Losses of a learner's runs on all tasks; the axes before the last are a batch.
    tasks : sequence of N names
        The task of every run; at least two runs each.
    at : array_like, (P,)
        Where the profile is wanted.
    level, resamples, rng
        As for ``interquartile_mean``. Estimate and bounds are (..., P).

    References
    ----------
    Agarwal et al. 2021. Dolan and Moré 2002, *Benchmarking optimization software with performance profiles*.

    Examples
    --------
    >>> losses, tasks = [.1, .2, .3, .5, .6, .9], ["pong", "pong", "pong", "qbert", "qbert", "qbert"]
    >>> performance_profile(losses, tasks, [.15, .35, .7], rng=0).estimate.round(3).tolist()
    [0.167, 0.5, 0.833]
    """
    name = "performance-profile"
    runs = _Runs(losses, tasks, name, "losses")
    places = np.atleast_1d(numbers(at, name="at", where=name))
    if places.ndim > 1:
        raise wrong_shape(places, "at", name, "give one list of values.")
    below = (runs.values[..., None, :] < places[:, None]).astype(np.float64)  # (..., P, N)

    def share(weights: Array) -> Array:
        return np.minimum(below @ weights.T, 1.0)  # weights may sum to a last digit more

    return _between(name, *runs.resampled(share, resamples, rng), level)


def probability_of_improvement(
    first: Any,
    second: Any,
    first_tasks: Sequence[Any],
    second_tasks: Sequence[Any] | None = None,
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    rng: Seed = None,
) -> Aggregate:
    r"""Probability of improvement: how likely is a run of the first better than a run of the second on the same task?

    .. math:: P = \frac1T \sum_t \frac{1}{n_t m_t} \sum_{i,j} \left([\,x_{ti} < y_{tj}\,]
              + \tfrac12 [\,x_{ti} = y_{tj}\,]\right)

    the mean over tasks of Mann and Whitney's U over :math:`n_t m_t`. It says how often, not by how much, and needs no
    scale that tasks share. ½: neither is better.

    Parameters
    ----------
    first, second : array_like, (..., N) and (..., M)
        Losses of the two learners' runs on all tasks. Losses equal up to rounding are ties.
    first_tasks, second_tasks : sequences of N and M names
        The task of every run; both learners have at least two runs of each. Without the second they are the same.
    level, resamples, rng
        As for ``interquartile_mean``; runs of either learner are drawn by themselves.

    References
    ----------
    Agarwal et al. 2021. Mann and Whitney 1947.

    Examples
    --------
    >>> tasks = ["pong", "pong", "pong", "qbert", "qbert", "qbert"]
    >>> probability_of_improvement([.1, .2, .3, 50, 60, 90], [.2, .4, .5, 70, 80, 85], tasks, rng=0)
    probability-of-improvement = 0.75 (95 % interval 0.3125 to 1)
    """
    name = "probability-of-improvement"
    one = _Runs(first, first_tasks, name, "first")
    two = _Runs(second, first_tasks if second_tasks is None else second_tasks, name, "second")
    batch = common_batch(one.values.shape[:-1], two.values.shape[:-1], where=f"{name}, arguments first and second")
    one.refuse_other_tasks(two)
    resamples, random = count_of(resamples, name="resamples", where=name), generator(rng, where=name)
    estimate, found = np.zeros(batch), np.zeros((*batch, resamples))
    for task, i in one.places.items():
        j = two.places[task]
        wins = _wins(one.values[..., i], two.values[..., j])
        estimate = estimate + wins.mean(axis=(-2, -1))
        mine, other = (_times_drawn(len(each), resamples, random) for each in (i, j))
        found += ((mine @ wins) * other).sum(axis=-1) / ((len(i) - 1) * (len(j) - 1))
    return _between(name, estimate / len(one.places), found / len(one.places), level)


def _wins(first: Array, second: Array) -> Array:
    """1 where a loss of the first is below one of the second, ½ where they tie: (..., n, m)."""
    difference = second[..., None, :] - first[..., :, None]
    scale = np.maximum(np.abs(first).max(axis=-1), np.abs(second).max(axis=-1))[..., None, None]
    return np.asarray(0.5 + 0.5 * np.sign(np.where(np.abs(difference) <= ROUNDING * scale, 0.0, difference)))


class _Runs:
    """Values (..., N) and where the runs of every task are."""

    def __init__(self, values: Any, tasks: Sequence[Any], where: str, name: str) -> None:
        self.where, self.name = where, name
        self.values = squarable(numbers(values, name=name, where=where), name=name, where=where)
        if self.values.ndim < 1 or self.values.size == 0:
            raise wrong_shape(self.values, name, where, "give the runs of all tasks on the last axis.")
        self.number = self.values.shape[-1]
        names = [str(task) for task in tasks]
        if len(names) != self.number:
            raise InputError(
                f"{name} has {self.number} runs and {len(names)} names of tasks.",
                f"{where}, argument tasks",
                "name the task of every run.",
            )
        each: dict[str, list[int]] = {}
        for place, task in enumerate(names):
            each.setdefault(task, []).append(place)
        self.places = {task: np.array(places) for task, places in each.items()}
        lone = next((task for task, places in each.items() if len(places) < 2), None)
        if lone is not None:
            raise InputError(
                f"task {lone} has one run: nothing tells how much its runs differ.",
                f"{where}, argument {name}",
                "give at least two runs of every task, or leave the task out.",
            )

    def refuse_other_tasks(self, other: _Runs) -> None:
        """Refuse a task that one of the two has no runs of."""
        lacking = sorted(set(self.places) ^ set(other.places))
        if lacking:
            having = self.name if lacking[0] in self.places else other.name
            raise InputError(
                f"task {lacking[0]} has runs of {having} only.",
                f"{self.where}, arguments first and second",
                "give runs of the same tasks.",
            )

    def resampled(self, statistic: Callable[[Array], Array], resamples: int, rng: Seed) -> tuple[Array, Array]:
        """A statistic (..., R) of R rows of weights: of all runs, and of as many resamples as asked for."""
        resamples, random = count_of(resamples, name="resamples", where=self.where), generator(rng, where=self.where)
        rows = max(1, _CHUNK // self.values.size)
        chunks = [min(rows, resamples - start) for start in range(0, resamples, rows)]
        found = [statistic(self._weights(number, random)) for number in chunks]
        return statistic(self._weights(1))[..., 0], np.concatenate(found, axis=-1)

    def _weights(self, rows: int, random: np.random.Generator | None = None) -> Array:
        """Weights (rows, N) of runs drawn anew, or of all runs as they are; every task the same in all."""
        found = np.empty((rows, self.number))
        for places in self.places.values():
            n = len(places)
            share = 1.0 / n if random is None else _times_drawn(n, rows, random) / (n - 1)
            found[:, places] = share / len(self.places)
        return found


def _times_drawn(n: int, resamples: int, random: np.random.Generator) -> Array:
    """How many times each of n runs is drawn, of n − 1 drawn with replacement; a row per resample."""
    drawn = random.integers(n, size=(resamples, n - 1)) + n * np.arange(resamples)[:, None]
    return np.bincount(drawn.ravel(), minlength=n * resamples).reshape(resamples, n).astype(np.float64)


def _between(name: str, estimate: Array, found: Array, level: float) -> Aggregate:
    """The estimate, between quantiles of what resamples along the last axis give."""
    level = level_inside(level, name="level", where=name)
    low, high = np.quantile(found, [(1.0 - level) / 2.0, (1.0 + level) / 2.0], axis=-1)
    return Aggregate(name=name, estimate=estimate, low=low, high=high, level=level, resamples=found.shape[-1])
