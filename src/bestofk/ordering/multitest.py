"""MultiTest: order K learners by one-sided tests and a prior preference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bestofk.core.registry import registry
from bestofk.ordering.contest import contest, one_sided_test
from bestofk.ordering.graph import topological
from bestofk.stats.method import method_of
from bestofk.stats.options import level_inside
from bestofk.stats.results import Fields, Numeric, Result


@dataclass(frozen=True, eq=False, repr=False)
class MultiTestOrder(Fields):
    """Learners from best to worst with every test behind the order.

    ``pairs`` lists (preferred, other) in the order of ``pvalue`` and ``adjusted`` (last axis); ``levels`` is the alpha
    each adjusted p value was compared with. For a batch ``order`` is (..., K) of positions and ``edges`` a boolean
    (..., pairs); for one table both use the learners' names.
    """

    order: Any
    edges: Any
    pairs: tuple[tuple[Any, Any], ...]
    statistic: Numeric
    pvalue: Numeric
    adjusted: Numeric
    estimate: Numeric
    means: Numeric
    test: str
    adjust: str
    levels: float
    prior: tuple[Any, ...]

    @property
    def best(self) -> Any:
        """The best learner (for a batch: one position per run)."""
        return self.order[..., 0] if isinstance(self.order, np.ndarray) else self.order[0]

    def __repr__(self) -> str:
        if isinstance(self.order, np.ndarray):
            return f"multitest ({self.test}, {self.adjust}), batch of shape {self.order.shape[:-1]}"
        return f"multitest ({self.test}, {self.adjust}, {self.levels:g}): " + " < ".join(map(str, self.order))


def multitest(
    losses: Any,
    prior: Sequence[Any] | None = None,
    *,
    test: str = "5x2cv-t",
    alpha: float = 0.05,
    adjust: str = "bonferroni",
    **options: Any,
) -> MultiTestOrder:
    """Order K learners: what the data say first, the prior preference second.

    For every i preferred to j the one-sided hypothesis μᵢ ≤ μⱼ is tested; where it is rejected, after adjustment for
    all pairs, an edge i → j overrides the preference. Best is the most preferred learner without outgoing edge; taken
    out, the next follows.

    Parameters
    ----------
    losses : dict of name → design, or array_like (..., K, design)
        Losses of every learner in the design of the test, (5, 2) for ``5x2cv-t``.
    prior : sequence, optional
        Learners, most preferred first; the order given when absent.
    test : str
        A registered pairwise test that can be one-sided.
    alpha : float
        Family-wise level.
    adjust : str
        A registered adjustment of p values, or ``"none"``.
    **options
        Passed to the test.

    References
    ----------
    Yıldız and Alpaydın 2006, section 3.

    Examples
    --------
    >>> flat, good = [.30, .31, .30, .31, .30], [.20, .19, .21, .20, .19]
    >>> multitest({"lda": flat, "knn": good, "svm": good}, test="paired-t")
    multitest (paired-t, bonferroni, 0.05): knn < svm < lda
    """
    where = "multitest"
    alpha = level_inside(alpha, name="alpha", where=where)
    run, adjustment = one_sided_test(test, where=where), registry("adjust").load(adjust)
    given = contest(losses, prior, axes=method_of(run).axes_with(options), where=where)
    k = len(given.preferred)
    first, second = np.triu_indices(k, 1)
    result: Result = run(given.of(first), given.of(second), alternative="greater", **options)
    adjusted = np.asarray(adjustment(result.pvalue))
    edges = adjusted <= alpha
    matrix = np.zeros((*given.batch, k, k), dtype=bool)
    matrix[..., first, second] = edges
    order = topological(matrix)
    pairs = tuple((given.preferred[i], given.preferred[j]) for i, j in zip(first, second, strict=True))
    single = not given.batch
    means = given.means[..., [given.preferred.index(label) for label in given.labels]]
    return MultiTestOrder(
        order=tuple(given.preferred[i] for i in order) if single else given.named(order),
        edges=tuple(pair for pair, edge in zip(pairs, edges, strict=True) if edge) if single else edges,
        pairs=pairs,
        statistic=result.statistic,
        pvalue=result.pvalue,
        adjusted=adjusted,
        estimate=result.estimate,
        means=means,
        test=test,
        adjust=adjust,
        levels=alpha,
        prior=given.preferred,
    )
