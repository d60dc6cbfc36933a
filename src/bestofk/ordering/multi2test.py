"""Multi²Test: order learners over many data sets."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.options import level_inside, one_of
from bestofk.core.record import Record
from bestofk.ordering.contest import one_sided_test, preferred_of
from bestofk.ordering.graph import topological
from bestofk.ordering.multitest import multitest
from bestofk.stats import adjust as adjustments
from bestofk.stats.adjust import ADJUST
from bestofk.stats.distributions import normal_tail
from bestofk.stats.learners import Names, named_table
from bestofk.stats.method import cites
from bestofk.stats.omnibus.friedman import row_ranks
from bestofk.stats.omnibus.nemenyi import nemenyi
from bestofk.stats.pairwise import sign_test, wilcoxon
from bestofk.stats.shapes import wrong_shape

ACROSS = ("nemenyi", "bergmann-hommel", "sign", "wilcoxon")
ONE_SIDED = ("sign", "wilcoxon")  # the others are two-sided tests of all pairs


class Multi2TestOrder(Record):
    """Learners from best to worst over all data sets; ``ranks`` is the table the order rests on, (D, K).

    ``pvalue`` is adjusted and belongs to ``pairs`` (preferred, other): one-sided for sign and wilcoxon, two-sided for
    nemenyi and bergmann-hommel, where an edge also needs the preferred one to have the worse mean rank.
    """

    order: tuple[Any, ...]
    edges: tuple[tuple[Any, Any], ...]
    ranks: Array
    mean_ranks: Array
    pairs: tuple[tuple[Any, Any], ...]
    pvalue: Array
    prior: tuple[Any, ...]
    learners: tuple[Any, ...]
    within: str
    across: str
    alpha: float

    @property
    def best(self) -> Any:
        """The first of the order."""
        return self.order[0]

    def __repr__(self) -> str:
        return f"multi2test ({self.within}, {self.across}, {self.alpha:g}): " + " < ".join(map(str, self.order))


@cites(
    "ulas",
    called="Multi²Test",
    assumes="independent data sets, what the test within them assumes, and a preference fixed before the results "
    "were seen",
    not_for="calling a learner best: ranks of equal learners repeat the preference, and may only overrule it",
)
def multi2test(
    losses: Any,
    prior: Any = None,
    *,
    within: str = "5x2cv-t",
    across: str = "nemenyi",
    alpha: float = 0.05,
    adjust: str = "bonferroni",
    **options: Any,
) -> Multi2TestOrder:
    """Order K learners over D data sets by what the data say first, the prior preference second.

    MultiTest on each data set gives an order, and the order ranks (1 = best). A post-hoc test across data sets makes an
    edge i → j where i is preferred and j has significantly better ranks; the graph part of MultiTest orders.

    Parameters
    ----------
    losses : array_like (D, K, design) or (D, K), or dict of name → (D, design) or (D,)
        Without folds the losses themselves are ranked.
    prior : sequence of learners, array of costs (D, K), or None
        Most preferred first, the same on all data sets; or a cost per data set: learners are then preferred on each by
        that cost, and across data sets by the mean of their places.
    within : str
        One-sided pairwise test on each data set.
    across : {"nemenyi", "bergmann-hommel", "sign", "wilcoxon"}
        Test of the ranks. The last two are one-sided, adjusted by ``adjust``.
    alpha : float
        Family-wise level, within each data set and across them.
    adjust : str
        Adjustment within data sets, and of sign and wilcoxon across them.

    References
    ----------
    Ulaş, Yıldız and Alpaydın 2012, Pattern Recognition 45.

    Examples
    --------
    >>> table = np.tile([.30, .20, .21], (12, 1)) + 0.01 * np.random.default_rng(0).random((12, 3))
    >>> multi2test(table)
    multi2test (losses ranked, nemenyi, 0.05): 1 < 2 < 0
    """
    where = "multi2test"
    alpha = level_inside(alpha, name="alpha", where=where)
    across = one_of(across, ACROSS, name="across", where=where)
    one_sided_test(within, where=where)
    ADJUST[adjust]  # refuses an unknown name before any work
    names, table = _tables(losses, where)
    k = table.shape[1]
    labels: tuple[Any, ...] = names if names is not None else tuple(range(k))
    places = _places(prior, labels, len(table), where)  # (D, K): 0 = most preferred on that data set
    if table.ndim == 2:
        ranks, within = row_ranks(table), "losses ranked"
    else:
        ranks = _ranks_within(table, places, within, alpha, adjust, options)
    overall = np.argsort(places.mean(axis=0), kind="stable")
    preferred = tuple(labels[i] for i in overall)
    first, second = np.triu_indices(k, 1)
    arranged = ranks[:, overall]
    pvalue = _across(arranged, first, second, across, adjust)
    means = arranged.mean(axis=0)
    edges = (pvalue <= alpha) & (means[first] > means[second])
    matrix = np.zeros((k, k), dtype=bool)
    matrix[first, second] = edges
    pairs = tuple((preferred[i], preferred[j]) for i, j in zip(first, second, strict=True))
    return Multi2TestOrder(
        order=tuple(preferred[i] for i in topological(matrix)),
        edges=tuple(pair for pair, edge in zip(pairs, edges, strict=True) if edge),
        ranks=ranks,
        mean_ranks=ranks.mean(axis=0),
        pairs=pairs,
        pvalue=pvalue,
        prior=preferred,
        learners=labels,
        within=within,
        across=across,
        alpha=alpha,
    )


def _ranks_within(table: Array, places: Array, within: str, alpha: float, adjust: str, options: Any) -> Array:
    ranks = np.empty(table.shape[:2])
    for i, (one, place) in enumerate(zip(table, places, strict=True)):
        preference = np.argsort(place, kind="stable").tolist()
        order = multitest(one, preference, test=within, alpha=alpha, adjust=adjust, **options).order
        ranks[i, list(order)] = np.arange(1, len(order) + 1)
    return ranks


def _across(ranks: Array, first: Any, second: Any, across: str, adjust: str) -> Array:
    """Adjusted p of each pair: that the preferred learner has the worse (larger) ranks, or that ranks differ."""
    if across in ONE_SIDED:
        run = sign_test if across == "sign" else wilcoxon
        one_sided = run(ranks[:, first].T, ranks[:, second].T, alternative="greater").pvalue
        return np.asarray(ADJUST[adjust](one_sided))
    if across == "nemenyi":
        return np.asarray(nemenyi(ranks).pvalue[first, second])
    means = ranks.mean(axis=0)
    n, k = ranks.shape
    z = (means[first] - means[second]) / np.sqrt(k * (k + 1) / (6.0 * n))
    return np.asarray(adjustments.bergmann_hommel(normal_tail(z, "two-sided")))


def _tables(losses: Any, where: str) -> tuple[Names, Array]:
    names, table = named_table(losses, axis=1, where=where)
    if table.ndim < 2 or table.shape[0] < 2 or table.shape[1] < 2 or table.size == 0:
        raise wrong_shape(
            table, "losses", where, "give (data sets, learners, folds) with at least two data sets and two learners."
        )
    return names, table


def _places(prior: Any, labels: tuple[Any, ...], datasets: int, where: str) -> Array:
    if prior is None:
        return np.tile(np.arange(len(labels), dtype=float), (datasets, 1))
    if np.ndim(prior) == 2:
        costs = numbers(prior, name="prior", where=where)
        if costs.shape != (datasets, len(labels)):
            fix = f"give one cost per data set and learner: {(datasets, len(labels))}."
            raise wrong_shape(costs, "prior", where, fix)
        return row_ranks(costs)
    given = preferred_of(prior, labels, where)
    return np.tile([float(given.index(label)) for label in labels], (datasets, 1))
