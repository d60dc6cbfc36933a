"""MultiTest: order K learners by one-sided tests and a prior preference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.registry import registry
from bestofk.ordering.graph import topological
from bestofk.stats.intake import Array, Names, level_inside, numbers, refuse_duplicates
from bestofk.stats.method import method_of
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
    >>> flat = [[.30, .31]] * 5
    >>> good = [[.20, .19], [.21, .20], [.19, .21], [.20, .20], [.20, .21]]
    >>> multitest({"lda": flat, "knn": good, "svm": good}, test="paired-t")
    multitest (paired-t, bonferroni, 0.05): knn < svm < lda
    """
    where = "multitest"
    alpha = level_inside(alpha, name="alpha", where=where)
    run, adjustment = _one_sided(test, where), registry("adjust").load(adjust)
    names, table, axes = _design(losses, method_of(run).axes, where)
    labels: tuple[Any, ...] = names if names is not None else tuple(range(table.shape[-axes - 1]))
    preferred = _prior(prior, labels, where)
    arranged = np.take(table, [labels.index(name) for name in preferred], axis=-axes - 1)
    first, second = np.triu_indices(len(labels), 1)
    result: Result = run(
        np.take(arranged, first, axis=-axes - 1),
        np.take(arranged, second, axis=-axes - 1),
        alternative="greater",
        **options,
    )
    adjusted = np.asarray(adjustment(result.pvalue))
    edges = adjusted <= alpha
    matrix = np.zeros((*edges.shape[:-1], len(labels), len(labels)), dtype=bool)
    matrix[..., first, second] = edges
    order = topological(matrix)
    pairs = tuple((preferred[i], preferred[j]) for i, j in zip(first, second, strict=True))
    single = order.ndim == 1
    to_label = np.array([labels.index(name) for name in preferred])
    return MultiTestOrder(
        order=tuple(preferred[i] for i in order) if single else to_label[order],
        edges=tuple(pair for pair, edge in zip(pairs, edges, strict=True) if edge) if single else edges,
        pairs=pairs,
        statistic=result.statistic,
        pvalue=result.pvalue,
        adjusted=adjusted,
        estimate=result.estimate,
        means=table.mean(axis=tuple(range(-axes, 0))),
        test=test,
        adjust=adjust,
        levels=alpha,
        prior=preferred,
    )


def _one_sided(test: str, where: str) -> Any:
    run = registry("pairwise").load(test)
    if not method_of(run).one_sided:
        raise InputError(
            f"{test} cannot be one-sided, so it cannot order learners.",
            f"{where}, argument test",
            "use 5x2cv-t, paired-t, corrected-t or another one-sided test: bestofk list pairwise.",
        )
    return run


def _design(losses: Any, axes: int, where: str) -> tuple[Names, Array, int]:
    """Names, losses (..., K, design) and the number of design axes; a test over values takes folds flattened."""
    names: Names = None
    if isinstance(losses, Mapping):
        names = tuple(str(key) for key in losses)
        refuse_duplicates(names, what="learner", where=f"{where}, argument losses")
        columns = [numbers(values, name=f"losses[{key!r}]", where=where) for key, values in losses.items()]
        if len({column.shape for column in columns}) > 1:
            raise InputError(
                "the learners have unequal folds: "
                + ", ".join(f"{n} {c.shape}" for n, c in zip(names, columns, strict=True))
                + ".",
                f"{where}, argument losses",
                "give every learner's loss on every fold.",
            )
        if columns and axes == 1 and columns[0].ndim > 1:
            columns = [column.reshape(-1) for column in columns]
        table = np.stack(columns) if columns else np.empty(0)
    else:
        table = numbers(losses, name="losses", where=where)
    if table.ndim < axes + 1 or table.shape[-axes - 1] < 2:
        raise InputError(
            f"losses has the shape {table.shape}.",
            f"{where}, argument losses",
            f"give at least two learners, each with {axes} ax{'is' if axes == 1 else 'es'} of folds.",
        )
    return names, table, axes


def _prior(prior: Sequence[Any] | None, labels: tuple[Any, ...], where: str) -> tuple[Any, ...]:
    if prior is None:
        return labels
    place = f"{where}, argument prior"
    if isinstance(prior, str):
        raise InputError(f"prior is {prior!r}.", place, "give a list of learners, most preferred first.")
    given = tuple(prior)
    refuse_duplicates(given, what="learner", where=place)
    for name in given:
        if name not in labels:
            raise unknown(name, [str(label) for label in labels], what="learner", where=place)
    missing = [str(label) for label in labels if label not in given]
    if missing:
        raise InputError(f"prior does not name {', '.join(missing)}.", place, "name every learner once.")
    return given
