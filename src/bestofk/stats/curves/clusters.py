"""Where do two sets of curves differ? A cluster-based permutation test over the steps of training."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.options import alternative_of, number_inside
from bestofk.core.record import Record
from bestofk.core.rng import Seed
from bestofk.stats.curves import matrix_kernel
from bestofk.stats.curves.curve_table import CurveTable, dealt_table, reached_by
from bestofk.stats.curves.dealings import block_means
from bestofk.stats.curves.features import steps_of
from bestofk.stats.distributions import t_critical
from bestofk.stats.method import cites
from bestofk.stats.results import Numeric, Result

FORMING_LEVEL = 0.05  # of the t beyond which a step joins a cluster, two-sided, where no threshold is given


class ClustersResult(Result):
    """Result of ``clusters``: ``intervals`` of steps, most massive first; ``statistic`` and ``pvalue`` of that one.

    ``t`` is (..., k); ``pvalue_of_step`` the p of the cluster that a step is in, 1 where it is in none; ``null`` the
    largest mass of every dealing. For a batch ``intervals`` is nested as the batch is.
    """

    intervals: tuple[Any, ...]
    t: Numeric
    pvalue_of_step: Numeric
    steps: Numeric
    threshold: float
    null: Numeric
    shuffles: int
    exact: bool

    symbol: ClassVar[str] = "mass"

    def significant(self, alpha: float = 0.05) -> tuple[ClusterInterval, ...]:
        """The intervals with p at or below alpha, in the order of training; of a single test only."""
        kept = [each for each in self.intervals if isinstance(each, ClusterInterval) and each.pvalue <= alpha]
        return tuple(sorted(kept, key=lambda each: each.start))


@cites(
    "maris",
    called="the cluster-based permutation test",
    assumes="independent curves, any of which may as well belong to the other algorithm if they are the same",
    not_for="the step at which a difference begins or ends: what is shown is that there is one in the interval",
)
def clusters(
    first: Any,
    second: Any,
    *,
    steps: Any = None,
    threshold: float | None = None,
    alternative: str = "two-sided",
    shuffles: int = 9999,
    paired: bool = False,
    blocks: Any = None,
    rng: Seed = None,
    exact: bool | str = "auto",
    backend: str = "auto",
) -> ClustersResult:
    r"""Cluster-based permutation test: in which intervals of training do two algorithms differ?

    Every step has its t (pooled; of differences where paired). Neighbouring steps with \|t\| beyond the threshold and
    the same sign are a cluster, whose mass is the sum of its \|t\|. Whole curves are dealt anew, and every time the
    largest mass is kept: p of a cluster is the share of dealings whose *largest* mass reaches it. So the probability
    that any interval is reported although the algorithms are the same is at most alpha, however many steps there are.

    Parameters
    ----------
    first, second : array_like, (..., l₁, k) and (..., l₂, k)
        Losses: one row per curve (run, fold), one column per step.
    steps : sequence of k numbers, optional
        Where the points lie, for the intervals; 1, 2, 3 … otherwise.
    threshold : float, optional
        t from which a step joins a cluster; the two-sided 5 % point of Student's t otherwise. A low one finds long weak
        differences, a high one short strong ones; p is right with any that was fixed before the data were seen.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.
    shuffles, paired, blocks, rng, exact, backend
        As for ``randomized_anova``.

    Notes
    -----
    What is controlled is the chance of a report where there is no difference at all. A cluster's p says that the
    algorithms differ and that the difference shows there; it is no proof for each single step, and the ends of an
    interval are estimates without an error bar.

    References
    ----------
    Bullmore et al. 1999. Maris and Oostenveld 2007. Sassenhagen and Draschkow 2019 on what it does not say.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> first, second = rng.normal(size=(2, 8, 20))
    >>> second[:, 10:15] -= 3
    >>> clusters(first, second, rng=0).significant()
    (steps 11 to 15: the first loses more, mass 29.2, p = 0.0004,)
    """
    where = "clusters"
    alternative = alternative_of(alternative, where=where)
    how: Any = {"shuffles": shuffles, "paired": paired, "blocks": blocks, "rng": rng, "exact": exact}
    table, kernel, every, dealings = dealt_table((first, second), backend=backend, where=where, **how)
    grid = steps_of(steps, table.points, where=where)
    limit, df = _limit(threshold, table.df_lines, where), float(table.df_lines)
    orient, sides = -1.0 if alternative == "less" else 1.0, 2 if alternative == "two-sided" else 1
    lines, weight = orient * table.centred, _weight(table)  # so turned that a larger t is what is looked for
    sums, total = lines[..., : table.sizes[0], :].sum(axis=-2), np.square(lines).sum(axis=-2)
    joins = limit * (1.0 - 1e-9)  # the same t in another order of adding must join as well
    t = matrix_kernel.step_t(sums, total, weight, df)
    flat = np.ascontiguousarray(lines.reshape(-1, table.lines, table.points)), total.reshape(-1, table.points)
    parts = [
        np.stack([kernel.masses(one, dealing, each, weight, df, joins, sides) for one, each in zip(*flat, strict=True)])
        for dealing in dealings
    ]
    null = np.concatenate(parts, axis=-1).reshape(*lines.shape[:-2], -1)
    label, mass = found_clusters(t, joins, sides)
    pvalue, signed = _pvalues(mass, null, every), orient * t
    intervals = nested(label, mass, pvalue, signed, grid)
    at_best = np.argmax(mass, axis=-1)[..., None]
    return ClustersResult(
        test=where,
        statistic=np.take_along_axis(mass, at_best, axis=-1)[..., 0],
        pvalue=np.take_along_axis(pvalue, at_best, axis=-1)[..., 0],
        df=(df,),
        estimate=orient * sums / weight,
        alternative=alternative,
        intervals=intervals,
        t=signed,
        pvalue_of_step=pvalue,
        steps=grid,
        threshold=limit,
        null=null,
        shuffles=null.shape[-1],
        exact=every,
    )


def _weight(table: CurveTable) -> float:
    """The sum of squares of the first set's indicator within blocks."""
    indicator = (np.arange(table.lines) < table.sizes[0]).astype(float)[:, None]
    return float(np.square(indicator - block_means(indicator, table.block)).sum())


def _limit(threshold: Any, df: int, where: str) -> float:
    if threshold is None:
        return float(t_critical(FORMING_LEVEL, df))
    return number_inside(threshold, name="threshold", where=where, low=0.0, high=np.inf)


def _pvalues(mass: Array, null: Array, exact: bool) -> Array:
    """P of the cluster of every step; 1 for a step in no cluster."""
    columns = [reached_by(mass[..., i], null, exact, np.zeros(())) for i in range(mass.shape[-1])]
    return np.where(mass > 0, np.stack([column[0] for column in columns], axis=-1), 1.0)


# Clusters of neighbouring steps, and the intervals of training that they are.


Labels = npt.NDArray[np.int64]


class ClusterInterval(Record):
    """Neighbouring steps that differ in one direction; ``start`` and ``stop`` are steps and both belong to it."""

    start: float
    stop: float
    first_loses_more: bool
    mass: float
    pvalue: float

    def __repr__(self) -> str:
        where = f"step {self.start:g}" if self.start == self.stop else f"steps {self.start:g} to {self.stop:g}"
        who = "first" if self.first_loses_more else "second"
        return f"{where}: the {who} loses more, mass {self.mass:.3g}, p = {self.pvalue:.4g}"


def found_clusters(t: Array, threshold: float, sides: int) -> tuple[Labels, Array]:
    """Return the number of every step's cluster (0 for none) and, for every step, its cluster's mass.

    Examples
    --------
    >>> found_clusters(np.array([3.0, 0.0, 2.5, 2.5]), 2.0, 2)
    (array([1, 0, 2, 2]), array([3., 0., 5., 5.]))
    """
    sign = np.where(t >= threshold, 1, 0)
    if sides == 2:
        sign = np.where(t <= -threshold, -1, sign)
    begins = sign != 0
    begins[..., 1:] &= sign[..., 1:] != sign[..., :-1]
    label = np.where(sign != 0, np.cumsum(begins, axis=-1), 0)
    mass = np.zeros(t.shape)
    for number in range(1, int(label.max(initial=0)) + 1):
        inside = label == number
        mass += np.where(inside, np.where(inside, np.abs(t), 0.0).sum(axis=-1, keepdims=True), 0.0)
    return label, mass


def nested(label: Labels, mass: Array, pvalue: Array, signed: Array, steps: Array) -> tuple[Any, ...]:
    """The intervals, most massive first; for a batch one tuple per test, nested as the batch is."""
    if label.ndim > 1:
        rows = zip(label, mass, pvalue, signed, strict=True)
        return tuple(nested(*row, steps) for row in rows)
    found = []
    for number in range(1, int(label.max(initial=0)) + 1):
        inside = np.flatnonzero(label == number)
        at = int(inside[0])
        found.append(
            ClusterInterval(
                start=float(steps[at]),
                stop=float(steps[inside[-1]]),
                first_loses_more=bool(signed[at] > 0),
                mass=float(mass[at]),
                pvalue=float(pvalue[at]),
            )
        )
    return tuple(sorted(found, key=lambda each: -each.mass))
