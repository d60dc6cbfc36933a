"""Means of learners that were not all tried on the same data sets."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import Array


def fitted_means(rows: Array) -> Array:
    """Least-squares means (K,) of a table (K, D) with gaps: learner + data set, averaged over all data sets.

    A plain mean would favour a learner that is absent where it is hard. Two learners differ by the mean difference on
    the data sets that both have; a complete table gives the plain means.

    Examples
    --------
    >>> fitted_means(np.array([[1.0, 2.0, np.nan], [2.0, 3.0, 9.0]])).round(6).tolist()
    [3.666667, 4.666667]
    """
    learners, datasets = rows.shape
    k, d = np.nonzero(~np.isnan(rows))
    design = np.zeros((len(k), learners + datasets))
    design[np.arange(len(k)), k] = 1.0
    design[np.arange(len(k)), learners + d] = 1.0
    effects = np.linalg.lstsq(design, rows[k, d], rcond=None)[0]
    return np.asarray(effects[:learners] + effects[learners:].mean())
