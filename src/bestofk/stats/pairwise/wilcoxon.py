"""Wilcoxon's signed-rank test."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import alternative_of, one_of
from bestofk.stats.distributions import normal_tail, ratio
from bestofk.stats.method import method as described
from bestofk.stats.pair import Pair, paired
from bestofk.stats.pairwise.signed_rank_null import signed_rank_tails
from bestofk.stats.pairwise.walsh import walsh_interval
from bestofk.stats.ranks import average_ranks
from bestofk.stats.results import Interval, Numeric, Result, alpha_of, levels_inside, open_end

#: Beyond this many values ``method="auto"`` takes the normal form; exact p values of tied data then cost seconds.
EXACT_UP_TO = 500


class WilcoxonResult(Result):
    """Result of ``wilcoxon``: ``statistic`` is W⁺; ``z`` its normal score, whichever method gave the p value.

    ``differences`` are those that the interval is of, also where a pair is equal and the test leaves it out: any other
    difference than 0 is tested on all of them.
    """

    z: Numeric
    n: Numeric
    differences: Any = field(repr=False)

    symbol: ClassVar[str] = "W+"

    def confidence_interval(self, level: Any = 0.95) -> Interval:
        r"""Return the interval between the k-th smallest and the k-th largest Walsh average.

        These are the means :math:`(d_i + d_j)/2` of any two differences, :math:`i \le j`, and k is the number of sums
        w = 0, 1, 2, … for which :math:`\Pr[W^+ \le w] \le \alpha/2` without ties, of more than 200 values by the normal
        approximation (Hodges and Lehmann 1963). Where there is none the interval is infinite.
        """
        return self.typical_interval(level)[1]

    def typical_interval(self, level: Any = 0.95) -> tuple[Numeric, Interval]:
        """Return the median of the Walsh averages, which the test is about (``estimate`` is the mean difference).

        Where pairs are equal an end may be 0 although the test, which leaves them out, rejects that.
        """
        level = levels_inside(level, where="wilcoxon, confidence_interval")
        middle, low, high = walsh_interval(self.differences, alpha_of(level, self.alternative))
        return middle, open_end(low, high, self.alternative, level)

    @property
    def turned(self) -> Numeric:
        """Of all ranks those of the other sign."""
        n = np.asarray(self.n)
        return 0.5 * n * (n + 1.0) - self.statistic

    @property
    def side(self) -> Numeric:
        """1 where the first has more than half of the ranks, −1 where it has less."""
        return np.sign(self.z)


@described(
    "values",
    name="wilcoxon",
    one_sided=True,
    papers=("wilcoxon", "demsar", "hodges"),
    called="Wilcoxon's signed-rank test",
    about="median",
    assumes="independent differences that are symmetric about their median",
    not_for="folds, of which it rejects equal learners in up to 16 % of cases, or fewer than six values, which "
    "cannot reject two-sided at 0.05",
)
def wilcoxon(
    first: Any, second: Any, *, zeros: str = "drop", method: str = "auto", alternative: str = "two-sided"
) -> WilcoxonResult:
    r"""Wilcoxon's signed-rank test: W⁺, the ranks of the data sets on which the first loses more.

    .. math:: W^+ = \sum_{d_i > 0} \operatorname{rank} |d_i|

    Parameters
    ----------
    first, second : array_like, (..., N)
        Losses of the two learners on N data sets (or other independent pairs).
    zeros : {"drop", "pratt", "split"}
        Equal pairs: left out; ranked, then left out; or their ranks shared equally by the two sides with an
        odd one dropped (Demšar; his z has no tie correction).
    method : {"auto", "exact", "normal"}
        ``exact`` holds under ties and zeros too: it is the distribution over random signs of the observed ranks.
        ``auto``: exact up to 500 values, then normal. No continuity correction.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.

    References
    ----------
    Wilcoxon 1945. Pratt 1959. Demšar 2006, section 3.1.3. Hodges and Lehmann 1963 for the interval.

    Examples
    --------
    >>> wilcoxon([3, 5, 8, 4, 9], [1, 4, 3, 4.5, 2])
    wilcoxon (two-sided): W+ = 14, p = 0.125: does not reject at 0.05
    """
    where = "wilcoxon"
    alternative = alternative_of(alternative, where=where)
    zeros = one_of(zeros, ("drop", "pratt", "split"), name="zeros", where=where)
    method = one_of(method, ("auto", "exact", "normal"), name="method", where=where)
    return _ranked(paired(first, second, where=where), zeros, method, (alternative,))[0]


def wilcoxon_sides(first: Any, second: Any) -> tuple[WilcoxonResult, WilcoxonResult, WilcoxonResult]:
    """Two-sided, less and greater of ``wilcoxon(first, second)`` at the cost of one of them.

    Examples
    --------
    >>> [each.pvalue for each in wilcoxon_sides([3, 5, 8, 4, 9], [1, 4, 3, 4.5, 2])]
    [0.125, 0.96875, 0.0625]
    """
    two, less, greater = _ranked(
        paired(first, second, where="wilcoxon"), "drop", "auto", ("two-sided", "less", "greater")
    )
    return two, less, greater


def _ranked(pair: Pair, zeros: str, method: str, alternatives: tuple[str, ...]) -> list[WilcoxonResult]:
    difference = np.where(pair.is_zero(pair.difference), 0.0, pair.difference)
    ranks, offset, n = signed_ranks(difference, zeros, pair.rounding)
    taking_part = np.where(difference != 0, ranks, 0.0)
    positive = np.where(difference > 0, ranks, 0.0).sum(axis=-1)
    z = _normal_score(positive, taking_part, n, zeros)
    if method == "normal" or (method == "auto" and difference.shape[-1] > EXACT_UP_TO):
        pvalues = [normal_tail(z, alternative) for alternative in alternatives]
    else:
        tails = signed_rank_tails(taking_part, positive)
        pvalues = [_exact_tail(*tails, alternative) for alternative in alternatives]
    return [
        WilcoxonResult(
            test="wilcoxon",
            statistic=positive + offset,
            pvalue=pvalue,
            df=(),
            estimate=pair.difference.mean(axis=-1),
            alternative=alternative,
            z=z,
            n=n,
            differences=difference,
        )
        for alternative, pvalue in zip(alternatives, pvalues, strict=True)
    ]


def signed_ranks(difference: Array, zeros: str, rounding: Array) -> tuple[Array, Array, Array]:
    """Return the ranks of |d|, what the zeros add to W⁺, and the number of values ranked."""
    ranks = average_ranks(np.abs(difference), rounding)
    count = (difference == 0).sum(axis=-1)
    total = np.full(count.shape, difference.shape[-1])
    if zeros == "pratt":
        return ranks, np.zeros(count.shape), total
    if zeros == "drop":
        return ranks - count[..., None], np.zeros(count.shape), total - count
    # Of an odd number of zeros one is dropped: all ranks move down by one, the rest is shared by both sides.
    odd = count % 2
    even = count - odd
    return ranks - odd[..., None], even * (even + 1) / 4.0, total - odd


def _normal_score(positive: Array, ranks: Array, n: Array, zeros: str) -> Array:
    # Random signs give mean Σr/2 and variance Σr²/4; with mid-ranks that is the tie-corrected variance.
    # Demšar's z (split) has the untied variance over all n ranks.
    variance = np.square(ranks).sum(axis=-1) / 4.0
    if zeros == "split":
        variance = np.where(variance > 0, n * (n + 1.0) * (2.0 * n + 1.0) / 24.0, 0.0)
    nothing = variance == 0
    return ratio(positive - ranks.sum(axis=-1) / 2.0, np.sqrt(variance), no_effect=lambda: nothing, no_spread=nothing)


def _exact_tail(at_least: Array, at_most: Array, alternative: str) -> Array:
    if alternative == "greater":
        return at_least
    if alternative == "less":
        return at_most
    return np.minimum(1.0, 2.0 * np.minimum(at_least, at_most))
