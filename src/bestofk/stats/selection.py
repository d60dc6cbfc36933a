"""Selection of the best classifier by the posteriors it gives to the true class: multinomial selection."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.distributions import chi2_tail
from bestofk.stats.learners import Names, learner_table
from bestofk.stats.results import Numeric, Result

__all__ = ["multinomial_selection"]


class SelectionResult(Result):
    """Result of ``multinomial_selection``.

    ``wins`` per classifier (ties shared), ``best`` the one with most (position, or name; the first of equals),
    ``probability_correct`` the chance that the most frequent winner of a test set of this size is that one, if the
    observed shares (``estimate``) are the true ones.
    """

    wins: Numeric
    best: Any
    probability_correct: Numeric
    names: Names

    symbol: ClassVar[str] = "chi2"


def multinomial_selection(posteriors_of_true_class: Any, *, samples: int = 100_000, rng: Seed = 0) -> SelectionResult:
    r"""Multinomial selection: on each item the classifier most sure of the true class wins.

    χ² of equal chances, Σ (wins − N/K)²/(N/K) with K − 1 degrees of freedom, asks whether any classifier wins more
    often than another. ``probability_correct`` is found by simulating test sets from the observed shares.

    Parameters
    ----------
    posteriors_of_true_class : array_like, (N, K), or dict of name → (N,)
        Probability each classifier gives to the true class of each item.
    samples : int
        Simulated test sets; the Monte Carlo error of the probability is at most 0.5/√samples.
    rng : int, Generator or None
        Seed, 0 unless given, so that the same data give the same answer.

    References
    ----------
    Alsing, Bauer and Miller 2002. Bechhofer, Elmaghraby and Morse 1959.

    Examples
    --------
    >>> multinomial_selection([[.9, .6], [.8, .7], [.4, .4], [.2, .3]]).wins
    array([2.5, 1.5])
    """
    where = "multinomial-selection"
    samples = count_of(samples, name="samples", where=where)
    random = generator(rng, where=where)
    names, table = learner_table(
        posteriors_of_true_class, where=where, learners=-1, name="posteriors_of_true_class", at_least=1
    )
    if table.ndim != 2 or (table < 0).any() or (table > 1).any():
        raise InputError(
            f"posteriors have the shape {table.shape} and lie between {table.min():g} and {table.max():g}.",
            f"{where}, argument posteriors_of_true_class",
            "give one row per item and one probability (0 to 1) per classifier.",
        )
    n, k = table.shape
    top = table >= table.max(axis=-1, keepdims=True)
    wins = (top / top.sum(axis=-1, keepdims=True)).sum(axis=0)
    chi2 = np.square(wins - n / k).sum() / (n / k)
    best = int(np.argmax(wins))
    return SelectionResult(
        test=where,
        statistic=chi2,
        pvalue=chi2_tail(chi2, k - 1.0),
        df=(k - 1.0,),
        estimate=wins / n,
        alternative="two-sided",
        wins=wins,
        best=best if names is None else names[best],
        probability_correct=_probability_correct(wins / n, n, best, samples, random),
        names=names,
    )


def _probability_correct(shares: Array, n: int, best: int, samples: int, random: np.random.Generator) -> float:
    counts = random.multinomial(n, shares / shares.sum(), size=samples)
    top = counts == counts.max(axis=-1, keepdims=True)
    return float((top[:, best] / top.sum(axis=-1)).mean())
