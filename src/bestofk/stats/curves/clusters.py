"""Where do two sets of curves differ? A cluster-based permutation test over the steps of training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import alternative_of, count_of, number_inside
from bestofk.core.rng import Seed, generator
from bestofk.stats.curves import cluster_mass, matrix_kernel
from bestofk.stats.curves.blocks import block_codes, block_means
from bestofk.stats.curves.cluster_intervals import ClusterInterval, found_clusters, nested
from bestofk.stats.curves.curve_table import CurveTable, curve_sets
from bestofk.stats.curves.dealings import Deck, Lines
from bestofk.stats.curves.features import steps_of
from bestofk.stats.curves.shuffled_sums import Backend, backend_of, reached_by
from bestofk.stats.distributions import t_critical
from bestofk.stats.results import Numeric, Result

Masses = Callable[..., Array]

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
    shuffles = count_of(shuffles, name="shuffles", where=where)
    random = generator(rng, where=where)
    one, two = curve_sets((first, second), where=where)
    grid = steps_of(steps, one.shape[-1], where=where)
    block = block_codes((one.shape[-2], two.shape[-2]), paired=paired, blocks=blocks, where=where)
    table = CurveTable([one, two], block)
    limit = _limit(threshold, table.df_lines, where)
    deck, kernel = Deck(table.sizes, block), backend_of(backend, where)
    enumerate_all = deck.is_exact(exact, where)
    dealings = deck.all() if enumerate_all else deck.random(shuffles, random, kernel)
    trial = _Trial(table, -1.0 if alternative == "less" else 1.0, 2 if alternative == "two-sided" else 1, limit)
    t = trial.observed()
    null = trial.null(dealings, _masses_of(kernel))
    label, mass = found_clusters(t, trial.limit, trial.sides)
    pvalue = _pvalues(mass, null, enumerate_all)
    signed = trial.orient * t
    intervals = nested(label, mass, pvalue, signed, grid)
    at_best = np.argmax(mass, axis=-1)[..., None]
    return ClustersResult(
        test=where,
        statistic=np.take_along_axis(mass, at_best, axis=-1)[..., 0],
        pvalue=np.take_along_axis(pvalue, at_best, axis=-1)[..., 0],
        df=(float(table.df_lines),),
        estimate=trial.difference(),
        alternative=alternative,
        intervals=intervals,
        t=signed,
        pvalue_of_step=pvalue,
        steps=grid,
        threshold=limit,
        null=null,
        shuffles=null.shape[-1],
        exact=enumerate_all,
    )


class _Trial:
    """Centred lines of two sets, oriented so that larger t is what is looked for."""

    def __init__(self, table: CurveTable, orient: float, sides: int, threshold: float) -> None:
        self.orient, self.sides = orient, sides
        self.limit = threshold * (1.0 - 1e-9)  # the same t in another order of adding must join as well
        self.first = int(table.sizes[0])
        self.df = float(table.df_lines)
        indicator = (np.arange(table.lines) < self.first).astype(float)[:, None]
        within = indicator - block_means(indicator, table.block)
        self.weight = float(np.square(within).sum())
        self.lines = orient * table.centred
        self.total = np.square(self.lines).sum(axis=-2)

    def observed(self) -> Array:
        """T of every step, oriented."""
        return cluster_mass.step_t(self.lines[..., : self.first, :].sum(axis=-2), self.total, self.weight, self.df)

    def difference(self) -> Array:
        """Difference of the mean curves, beside blocks where there are any."""
        return np.asarray(self.orient * self.lines[..., : self.first, :].sum(axis=-2) / self.weight)

    def null(self, dealings: Iterator[Lines], masses: Masses) -> Array:
        """The largest mass of every dealing."""
        points = self.lines.shape[-1]
        flat = np.ascontiguousarray(self.lines.reshape(-1, *self.lines.shape[-2:]))
        total = self.total.reshape(-1, points)
        parts = [
            np.stack(
                [
                    masses(lines, dealing, each, self.weight, self.df, self.limit, self.sides)
                    for lines, each in zip(flat, total, strict=True)
                ]
            )
            for dealing in dealings
        ]
        return np.concatenate(parts, axis=-1).reshape(*self.lines.shape[:-2], -1)


def _limit(threshold: Any, df: int, where: str) -> float:
    if threshold is None:
        return float(t_critical(FORMING_LEVEL, df))
    return number_inside(threshold, name="threshold", where=where, low=0.0, high=np.inf)


def _masses_of(backend: Backend) -> Masses:
    if backend is not matrix_kernel:
        from bestofk.stats.curves import cluster_kernel

        return cluster_kernel.shuffled_masses  # type: ignore[no-any-return]
    return cluster_mass.shuffled_masses


def _pvalues(mass: Array, null: Array, exact: bool) -> Array:
    """P of the cluster of every step; 1 for a step in no cluster."""
    columns = [reached_by(mass[..., i], null, exact, np.zeros(())) for i in range(mass.shape[-1])]
    return np.where(mass > 0, np.stack([column[0] for column in columns], axis=-1), 1.0)
