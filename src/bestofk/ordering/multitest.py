"""MultiTest: order K learners by one-sided tests and a prior preference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import level_inside
from bestofk.core.record import Record
from bestofk.ordering.contest import Contest, contest, one_sided_test
from bestofk.ordering.graph import topological
from bestofk.stats.adjust import ADJUST
from bestofk.stats.method import cites, method_of
from bestofk.stats.results import Numeric, Result


class MultiTestOrder(Record, kw_only=True):
    """Learners from best to worst with every test behind the order.

    ``pairs`` lists (preferred, other) in the order of ``pvalue`` and ``adjusted`` (last axis); ``levels`` is the alpha
    each adjusted p value was compared with. For a batch ``order`` is (..., K) of positions and ``edges`` a boolean
    (..., pairs); for one table both use the learners' names.
    """

    order: Any
    edges: Any
    pairs: tuple[tuple[Any, Any], ...]
    pvalue: Numeric
    adjusted: Numeric
    statistic: Numeric = None
    estimate: Numeric = None
    means: Numeric = None
    test: str
    adjust: str
    levels: float
    prior: tuple[Any, ...]
    learners: tuple[Any, ...]

    @property
    def best(self) -> Any:
        """The best learner (for a batch: one position per run)."""
        return self.order[..., 0] if isinstance(self.order, np.ndarray) else self.order[0]

    def __repr__(self) -> str:
        if isinstance(self.order, np.ndarray):
            return f"multitest ({self.test}, {self.adjust}), batch of shape {self.order.shape[:-1]}"
        return f"multitest ({self.test}, {self.adjust}, {self.levels:g}): " + " < ".join(map(str, self.order))


@cites(
    "yildiz",
    called="MultiTest",
    assumes="what its pairwise test assumes, and a preference that was fixed before the results were seen",
    not_for="a claim that the first is better than the others: it may only be preferred",
)
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
    run, adjustment = one_sided_test(test, where=where), ADJUST[adjust]
    given = contest(losses, prior, axes=method_of(run).axes_with(options), where=where)
    first, second = np.triu_indices(len(given.preferred), 1)
    statistic, pvalue, estimate = _tested(given, run, first, second, options)
    means = given.means[..., [given.preferred.index(label) for label in given.labels]]
    facts = {"test": test, "adjust": adjust, "learners": given.labels}
    found = {"statistic": statistic, "estimate": estimate, "means": means}
    return _ordered(pvalue, adjustment, alpha, given.preferred, (first, second), **facts, **found)


#: Values of all pairs held at once: many runs are tested part by part, so that the working arrays stay in cache.
_MOST_VALUES = 300_000


def _tested(given: Contest, run: Any, first: Any, second: Any, options: Any) -> tuple[Array, Array, Array]:
    """Statistic, one-sided p and estimate of all pairs, (..., pairs); a test that draws sees the whole batch."""
    design = given.losses.shape[len(given.batch) + 1 :]
    runs = given.losses.reshape(-1, *given.losses.shape[len(given.batch) :])
    step = max(1, _MOST_VALUES // (len(first) * int(np.prod(design))))
    if method_of(run).seeded or not given.batch:
        step = len(runs)
    parts = []
    for start in range(0, len(runs), step):
        some = runs[start : start + step]
        result: Result = run(some[:, first], some[:, second], alternative="greater", **options)
        parts.append((result.statistic, result.pvalue, result.estimate))
    shape = (*given.batch, len(first))
    statistic, pvalue, estimate = (np.concatenate(part).reshape(shape) for part in zip(*parts, strict=True))
    return statistic, pvalue, estimate


def _ordered(
    pvalue: Array, adjustment: Any, alpha: float, preferred: tuple[Any, ...], places: tuple[Any, Any], **facts: Any
) -> MultiTestOrder:
    """Order by the p values (…, pairs) of the preferred learner of each pair being worse than the other."""
    adjusted = np.asarray(adjustment(pvalue))
    edges = adjusted <= alpha
    matrix = np.zeros((*adjusted.shape[:-1], len(preferred), len(preferred)), dtype=bool)
    matrix[..., *places] = edges
    order = topological(matrix)
    pairs = tuple((preferred[i], preferred[j]) for i, j in zip(*places, strict=True))
    single, positions = adjusted.ndim == 1, np.array([facts["learners"].index(name) for name in preferred])
    return MultiTestOrder(
        order=tuple(preferred[i] for i in order) if single else positions[order],
        edges=tuple(pair for pair, edge in zip(pairs, edges, strict=True) if edge) if single else edges,
        pairs=pairs,
        pvalue=pvalue,
        adjusted=adjusted,
        levels=alpha,
        prior=preferred,
        **facts,
    )
