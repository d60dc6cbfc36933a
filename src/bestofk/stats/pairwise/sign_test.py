"""Sign test."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from bestofk.core.options import alternative_of, one_of
from bestofk.stats.distributions import binomial_half_tail
from bestofk.stats.method import method
from bestofk.stats.pair import paired
from bestofk.stats.pairwise.walsh import median_interval
from bestofk.stats.results import Interval, Numeric, Result, alpha_of, levels_inside, open_end


class SignResult(Result):
    """Result of ``sign_test``: ``statistic`` counts, among ``n``, the pairs in which the first loses more.

    ``differences`` are those that the interval is of, also where a pair is equal and the test leaves it out: any other
    difference than 0 is tested on all of them.
    """

    n: Numeric
    differences: Any = field(repr=False)

    symbol: ClassVar[str] = "wins of the second"

    def confidence_interval(self, level: Any = 0.95) -> Interval:
        r"""Return the interval between the k-th smallest and the k-th largest of all N differences.

        k is the number of counts w = 0, 1, 2, … for which :math:`\Pr[\operatorname{Bin}(N, 1/2) \le w] \le \alpha/2`.
        Where there is none the interval is infinite.
        """
        return self.typical_interval(level)[1]

    def typical_interval(self, level: Any = 0.95) -> tuple[Numeric, Interval]:
        """Return the median difference, which the test is about (``estimate`` is the mean difference).

        Where pairs are equal an end may be 0 although the test, which leaves them out, rejects that.
        """
        level = levels_inside(level, where="sign, confidence_interval")
        middle, low, high = median_interval(self.differences, alpha_of(level, self.alternative))
        return middle, open_end(low, high, self.alternative, level)

    @property
    def side(self) -> Numeric:
        """1 where the first loses more often, −1 where the second does."""
        return np.sign(2.0 * np.asarray(self.statistic) - self.n)


@method(
    "values",
    name="sign",
    one_sided=True,
    papers=("demsar",),
    called="the sign test",
    about="median",
    assumes="independent differences",
    not_for="folds, whose training sets overlap, or fewer than six values, which cannot reject two-sided at 0.05",
)
def sign_test(first: Any, second: Any, *, zeros: str = "drop", alternative: str = "two-sided") -> SignResult:
    r"""Sign test: on how many data sets does the first lose?

    .. math:: p = \Pr[\operatorname{Bin}(n, 1/2) \ge w]

    Distribution free and weak; use ``wilcoxon`` when the size of a difference means something.

    Parameters
    ----------
    first, second : array_like, (..., N)
        Losses of the two learners on N data sets (or other independent pairs).
    zeros : {"drop", "split"}
        Equal pairs: left out, or shared equally by both sides with an odd one dropped.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.

    References
    ----------
    Demšar 2006, section 3.1.4.

    Examples
    --------
    >>> sign_test([3, 4, 5, 6], [1, 2, 3, 4], alternative="greater").pvalue
    0.0625
    """
    where = "sign"
    alternative = alternative_of(alternative, where=where)
    zeros = one_of(zeros, ("drop", "split"), name="zeros", where=where)
    pair = paired(first, second, where=where)
    equal = pair.is_zero(pair.difference)
    wins = ((pair.difference > 0) & ~equal).sum(axis=-1)
    n = (~equal).sum(axis=-1)
    if zeros == "split":
        half = equal.sum(axis=-1) // 2
        wins, n = wins + half, n + 2 * half
    return SignResult(
        test=where,
        statistic=np.asarray(wins, dtype=float),
        pvalue=binomial_half_tail(wins, n, alternative),
        df=(),
        estimate=pair.difference.mean(axis=-1),
        alternative=alternative,
        n=n,
        differences=np.where(equal, 0.0, pair.difference),
    )
