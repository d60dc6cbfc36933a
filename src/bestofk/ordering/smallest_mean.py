"""TestFirst: try to show that the learner with the smallest mean is best (a file named test_… is for pytest)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.core.options import level_inside
from bestofk.ordering.contest import contest, one_sided_test
from bestofk.stats.method import method_of


def test_first(
    losses: Any,
    prior: Sequence[Any] | None = None,
    *,
    test: str = "5x2cv-t",
    alpha: float = 0.05,
    level: float | None = None,
    **options: Any,
) -> Any:
    """Return the learner with the smallest mean loss if it beats every simpler one, else None.

    It is compared one-sided with each learner preferred to it, never with the less preferred ones; equal means go to
    the preferred learner. A batch gives positions, −1 where there is no best.

    Parameters
    ----------
    losses : dict of name → design, or array_like (..., K, design)
    prior : sequence, optional
        Learners, most preferred first; the order given when absent.
    test : str
        A registered pairwise test that can be one-sided.
    alpha : float
        Family-wise level.
    level : float, optional
        Level of each test; MultiTest's α/(K(K−1)/2) when absent.
    **options
        Passed to the test.

    References
    ----------
    Yıldız and Alpaydın 2006, section 4.2.

    Examples
    --------
    >>> losses = {"simple": [.30, .31, .33], "complex": [.21, .22, .20]}
    >>> test_first(losses, test="paired-t")
    'complex'
    """
    where = "test_first"
    alpha = level_inside(alpha, name="alpha", where=where)
    run = one_sided_test(test, where=where)
    given = contest(losses, prior, axes=method_of(run).axes_with(options), where=where)
    k = len(given.preferred)
    each = 2.0 * alpha / (k * (k - 1)) if level is None else level_inside(level, name="level", where=where)
    best = given.by_mean()[..., 0]
    index = np.asarray(best)[(..., *[None] * (given.axes + 1))]
    winner = np.take_along_axis(given.losses, index, axis=-given.axes - 1)
    pvalue = np.asarray(run(given.losses, winner, alternative="greater", **options).pvalue)
    simpler = np.arange(k) < np.asarray(best)[..., None]
    found = (~simpler | (pvalue <= each)).all(axis=-1)
    return given.named(np.asarray(np.where(found, best, -1)))


test_first.__test__ = False  # type: ignore[attr-defined]  # the paper's name; pytest must not collect it
