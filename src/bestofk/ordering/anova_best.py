"""The best learner according to ANOVA: the preferred one, where all are equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.core.options import level_inside
from bestofk.ordering.contest import contest
from bestofk.stats.omnibus.anova import anova


def anova_best(losses: Any, prior: Sequence[Any] | None = None, *, alpha: float = 0.05) -> Any:
    """Return the most preferred learner when ANOVA finds no difference, else None.

    A rejection says that some learner differs, not which. Losses are (..., K, L) or a dict of name → values; a batch
    gives positions, −1 where there is no best.

    References
    ----------
    Yıldız and Alpaydın 2006, section 4.2.

    Examples
    --------
    >>> anova_best({"simple": [.30, .21, .25], "complex": [.21, .32, .20]})
    'simple'
    """
    where = "anova_best"
    alpha = level_inside(alpha, name="alpha", where=where)
    given = contest(losses, prior, axes=1, where=where)
    accepted = np.asarray(anova(given.losses).pvalue) > alpha
    return given.named(np.asarray(np.where(accepted, 0, -1)))
