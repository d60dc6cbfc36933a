"""Combined 5×2 cross-validated F test."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.options import alternative_of
from bestofk.stats.distributions import f_tail
from bestofk.stats.method import method
from bestofk.stats.pair import paired
from bestofk.stats.pairwise.five_by_two_t import replication_variances
from bestofk.stats.ratio import ratio
from bestofk.stats.results import Result


class FiveByTwoFResult(Result):
    """Result of ``five_by_two_f``."""

    symbol: ClassVar[str] = "F"


@method("5x2", papers=("alpaydin",))
def five_by_two_f(first: Any, second: Any, *, alternative: str = "two-sided") -> FiveByTwoFResult:
    r"""Combined 5×2 cv F test: all ten differences, whichever fold comes first.

    .. math:: F = \sum_i \sum_j (p_i^{(j)})^2 \Big/ 2 \sum_i s_i^2

    with 10 and 5 degrees of freedom. Two-sided by nature, because it squares the differences.

    Parameters
    ----------
    first, second : array_like, (..., 5, 2)
        Losses of the two learners on 5 replications of 2 folds.
    alternative : {"two-sided"}
        Anything else is an error: use ``five_by_two_t``.

    References
    ----------
    Alpaydın 1999, *Combined 5×2 cv F test for comparing supervised classification learning algorithms*.

    Examples
    --------
    >>> first = [[.31, .30], [.33, .29], [.30, .31], [.32, .30], [.29, .32]]
    >>> second = [[.21, .22], [.20, .22], [.23, .20], [.21, .22], [.22, .20]]
    >>> five_by_two_f(first, second)
    5x2cv-f (two-sided): F = 10.33, df = 10, 5, p = 0.009395: rejects at 0.05
    """
    where = "5x2cv-f"
    if alternative_of(alternative, where=where) != "two-sided":
        raise InputError(
            f"5x2cv-f is two-sided by nature; got alternative={alternative!r}.",
            f"{where}, argument alternative",
            "use 5x2cv-t (five_by_two_t) for a one-sided test.",
        )
    pair = paired(first, second, where=where, axes=2, shape=(5, 2))
    squares, constant = replication_variances(pair)
    f = ratio(
        np.square(pair.difference).sum(axis=(-2, -1)),
        2.0 * squares,
        no_effect=lambda: pair.is_zero(pair.difference).all(axis=(-2, -1)),
        no_spread=constant,
    )
    return FiveByTwoFResult(
        test=where,
        statistic=f,
        pvalue=f_tail(f, 10.0, 5.0),
        df=(10.0, 5.0),
        estimate=pair.difference.mean(axis=(-2, -1)),
        alternative="two-sided",
    )
