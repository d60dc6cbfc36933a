"""How much every data set speaks for one learner of a pair, and how often new data sets would say the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from bestofk.core.arrays import Array
from bestofk.core.options import count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.across.deciding import Decided, decide
from bestofk.stats.across.leaving_out import LeftOut
from bestofk.stats.across.question import Question, table_of


def evidence_for_first(decided: Decided) -> Array:
    """The two-sided p as a normal score, positive where the test speaks for the first learner."""
    half = np.clip(decided.pvalue / 2.0, 1e-300, 0.5)
    return np.asarray(-special.ndtri(half) * decided.side)


def influences(everything: Decided, one_out: LeftOut) -> Array:
    """Return (pairs, data sets): the score with a data set minus that without it; positive where it helps the first.

    Examples
    --------
    >>> from bestofk.stats.across import all_pairs, leave_out
    >>> from bestofk.stats.across.leaving_out import on_all
    >>> losses = np.array([[1.0, 1, 1, 1, 5], [2.0, 2.1, 1.9, 2, 2]])
    >>> ask = all_pairs(2, "paired-t")
    >>> influences(on_all(losses, ask), leave_out(losses, ask, 1))[0].argmin()
    np.int64(4)
    """
    return np.asarray((evidence_for_first(everything) - evidence_for_first(one_out.decided)).T)


def resampled(losses: Array, question: Question, *, resamples: int, rng: Seed) -> Decided:
    """Conclude from data sets drawn with replacement: would others like these say the same?"""
    where = "bootstrap over data sets"
    resamples = count_of(resamples, name="resamples", where=where)
    losses = table_of(losses)
    datasets = losses.shape[1]
    drawn = generator(rng, where=where).integers(0, datasets, size=(resamples, datasets))
    return decide(losses, np.asarray(drawn, dtype=np.intp), question)


def share_alike(before: Any, after: Any) -> Array:
    """Share of rows of ``after`` that conclude as ``before`` does, per pair."""
    return np.asarray((np.asarray(after) == np.asarray(before)).mean(axis=0))
