"""Nemenyi's critical difference of mean ranks, and Bonferroni–Dunn against a control."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.options import level_inside
from bestofk.stats import studentized_range
from bestofk.stats.distributions import normal_critical, normal_tail
from bestofk.stats.learners import Names, learner_table
from bestofk.stats.method import method
from bestofk.stats.omnibus.friedman import row_ranks
from bestofk.stats.results import Numeric, Result


class NemenyiResult(Result):
    """Result of ``nemenyi``.

    ``pvalue`` is (..., K, K), or (..., K) against a control; ``statistic`` holds the differences of mean ranks
    (row minus column; learner minus control).
    """

    critical_difference: float
    mean_ranks: Numeric
    alpha: float
    control: int | None
    names: Names

    symbol: ClassVar[str] = "rank difference"

    def __repr__(self) -> str:
        if np.ndim(self.mean_ranks) > 1:
            return f"{self.test} at {self.alpha:g}, batch of shape {np.shape(self.mean_ranks)[:-1]}"
        labels = self.names or tuple(str(i) for i in range(len(self.mean_ranks)))
        ranks = ", ".join(f"{label} {rank:.4g}" for label, rank in zip(labels, self.mean_ranks, strict=True))
        return f"{self.test} at {self.alpha:g}: critical difference {self.critical_difference:.4g}; mean ranks {ranks}"


@method(
    "values-K",
    papers=("nemenyi", "demsar"),
    called="Nemenyi's test",
    assumes="independent data sets with a result of every learner",
    not_for="pairs whose answer must not depend on which other learners there are (wilcoxon)",
)
def nemenyi(losses: Any, *, alpha: float = 0.05, control: int | str | None = None) -> NemenyiResult:
    r"""Nemenyi's test: which learners' mean ranks differ by at least the critical difference?

    .. math:: CD = q_\alpha \sqrt{K(K+1)/(6N)}

    with q the studentized range of K means at infinite degrees of freedom over √2. With a control each learner
    is compared with that one only, at Bonferroni's level α/(K − 1) of the normal distribution.

    Parameters
    ----------
    losses : array_like (..., N, K), or dict of name → losses on the N data sets
    alpha : float
        Family-wise level of ``critical_difference``.
    control : int or str, optional
        Position or name of the control.

    References
    ----------
    Nemenyi 1963. Dunn 1961. Demšar 2006, section 3.2.2.

    Examples
    --------
    >>> nemenyi([[.1, .2, .3], [.2, .3, .4], [.1, .3, .2], [.2, .4, .5]])
    nemenyi at 0.05: critical difference 1.657; mean ranks 0 1, 1 2.25, 2 2.75
    """
    where = "nemenyi"
    alpha = level_inside(alpha, name="alpha", where=where)
    names, table = learner_table(losses, where=where, learners=-1)
    n, k = table.shape[-2:]
    position = None if control is None else _position(control, names, k, where)
    mean_ranks = row_ranks(table).mean(axis=-2)
    error = np.sqrt(k * (k + 1) / (6.0 * n))
    if position is None:
        difference = mean_ranks[..., :, None] - mean_ranks[..., None, :]
        pvalue = studentized_range.sf(np.abs(difference) / error * np.sqrt(2.0), k, np.inf)
        quantile = studentized_range.critical(alpha, k, np.inf) / np.sqrt(2.0)
    else:
        difference = mean_ranks - mean_ranks[..., position, None]
        pvalue = np.minimum(1.0, (k - 1) * normal_tail(difference / error, "two-sided"))
        quantile = normal_critical(alpha / (2.0 * (k - 1)))
    return NemenyiResult(
        test=where if position is None else "bonferroni-dunn",
        statistic=difference,
        pvalue=pvalue,
        df=(),
        estimate=table.mean(axis=-2),
        alternative="two-sided",
        critical_difference=quantile * error,
        mean_ranks=mean_ranks,
        alpha=alpha,
        control=position,
        names=names,
    )


def control_in(first: npt.NDArray[np.intp], second: npt.NDArray[np.intp], learners: int) -> int | None:
    """The learner that every pair starts with, where these are its pairs with all others; None for other families."""
    with_one = len(first) == learners - 1 and bool((first == first[0]).all())
    return int(first[0]) if with_one and len(set(second.tolist())) == learners - 1 else None


def _position(control: Any, names: Names, k: int, where: str) -> int:
    if names is not None and isinstance(control, str):
        if control not in names:
            raise unknown(control, names, what="learner", where=f"{where}, argument control")
        return names.index(control)
    if isinstance(control, int | np.integer) and not isinstance(control, bool) and 0 <= control < k:
        return int(control)
    raise InputError(
        f"control is {control!r}.",
        f"{where}, argument control",
        f"give a position from 0 to {k - 1}" + (", or one of: " + ", ".join(names) if names else "."),
    )
