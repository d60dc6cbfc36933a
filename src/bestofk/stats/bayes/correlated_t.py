"""Bayesian correlated t test."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core import special
from bestofk.stats.bayes.posterior import MEAN, Posterior, correlation_of, rope_of
from bestofk.stats.pair import paired
from bestofk.stats.pairwise.student import spread
from bestofk.stats.results import Numeric


class CorrelatedTPosterior(Posterior):
    """Posterior of ``correlated_t``: Student's t around ``estimate`` with ``scale`` and ``df``."""

    scale: Numeric
    df: float


def correlated_t(first: Any, second: Any, *, rope: float, correlation: float) -> CorrelatedTPosterior:
    r"""Bayesian correlated t test on folds of one data set.

    The posterior of the mean difference is Student's t with L − 1 degrees of freedom, located at the mean m with

    .. math:: \text{scale}^2 = \left(\tfrac1L + \tfrac{\rho}{1-\rho}\right) S^2

    Parameters
    ----------
    first, second : array_like, (..., L)
        Losses on L folds.
    rope : float
        Differences between −rope and rope are practically nothing.
    correlation : float
        ρ of two folds, the share of data used for testing: 1/k for k folds.

    Notes
    -----
    Equal differences on all folds leave no spread: the posterior is then a point, which lies in the rope when
    \|m\| ≤ rope.

    References
    ----------
    Corani and Benavoli 2015. Benavoli, Corani, Demšar and Zaffalon 2017.

    Examples
    --------
    >>> result = correlated_t([.3, .2, .4, .3], [.2, .2, .2, .1], rope=0.01, correlation=0.1)
    >>> np.round(result.chances, 4)
    array([0.0503, 0.0194, 0.9303])
    """
    where = "bayes correlated-t"
    rope = rope_of(rope, where=where)
    correlation = correlation_of(correlation, where=where)
    pair = paired(first, second, where=where)
    n = pair.difference.shape[-1]
    mean, variance, constant = spread(pair.difference, pair)
    scale = np.where(constant, 0.0, np.sqrt((1.0 / n + correlation / (1.0 - correlation)) * variance))
    safe = np.where(constant, 1.0, scale)
    better = np.where(constant, mean < -rope - pair.rounding[..., 0], special.stdtr(n - 1.0, (-rope - mean) / safe))
    worse = np.where(constant, mean > rope + pair.rounding[..., 0], special.stdtr(n - 1.0, (mean - rope) / safe))
    chances = np.stack([better, np.maximum(1.0 - better - worse, 0.0), worse], axis=-1)
    return CorrelatedTPosterior(
        test=where,
        about=MEAN,
        chances=chances,
        probabilities=chances,
        rope=rope,
        estimate=mean,
        scale=scale,
        df=n - 1.0,
    )
