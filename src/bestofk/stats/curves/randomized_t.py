"""Randomized t test of two sets of curves: one number per curve, numbers dealt anew between the two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, Flags
from bestofk.core.options import alternative_of, count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.curves import matrix_kernel
from bestofk.stats.curves.curve_table import curve_sets
from bestofk.stats.curves.dealings import Codes, Deck, block_codes, block_means
from bestofk.stats.distributions import ratio
from bestofk.stats.method import cites
from bestofk.stats.pairwise.permutation_t import count_extreme
from bestofk.stats.results import Result


class RandomizedTResult(Result):
    """Result of ``randomized_t``: ``shuffles`` dealings were counted, all there are when ``exact``."""

    shuffles: int
    exact: bool

    symbol: ClassVar[str] = "t"

    @property
    def counted(self) -> int:
        """The dealings."""
        return self.shuffles


@cites(
    "piater",
    called="the randomized t test",
    assumes="independent curves, any of which may as well belong to the other algorithm if they are the same",
    not_for="unequal numbers of curves with unequal spread (welch-t of their means)",
)
def randomized_t(
    first: Any,
    second: Any,
    *,
    alternative: str = "two-sided",
    shuffles: int = 9999,
    paired: bool = False,
    blocks: Any = None,
    rng: Seed = None,
    exact: bool | str = "auto",
) -> RandomizedTResult:
    r"""Randomized t test: which of two algorithms has the lower curves, on the average over training?

    Every curve is its mean over the k points, and

    .. math:: t = \frac{\bar y_1 - \bar y_2}{\sqrt{s^2 (1/l_1 + 1/l_2)}}, \qquad{}
              s^2 = \frac{\sum_{i}\sum_{j} (y_{ij} - \bar y_i)^2}{l_1 + l_2 - 2}

    is compared with that of curves dealt out anew, l₁ to the first and l₂ to the second: p = (b + 1)/(z + 1), where b
    of z dealings are at least as extreme. Whole curves are dealt, so the dependence within a curve does no harm.
    Unlike ``randomized_anova`` it can be one-sided, so it can order algorithms.

    Parameters
    ----------
    first, second : array_like, (..., l₁, k) and (..., l₂, k)
        Losses: one row per curve (run, fold), one column per point of training. The runs need not be paired.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.
    shuffles : int
        Number z of random dealings. A batch shares them.
    paired : bool
        Row i of both sets is the same fold or seed: the two curves of a row change places or not (sign flips), and t is
        that of their differences.
    blocks : pair of sequences, optional
        A label per curve, one list per set (a data set, a machine): curves change places within their block only, and
        t is that beside blocks.
    rng : int, Generator or None
        Seed; the same seed gives the same p.
    exact : {"auto", True, False}
        Enumerate all ways to deal the curves; then p = count/ways, the observed way included. ``auto`` does so when
        there are at most 10,000.

    Notes
    -----
    Two-sided p counts dealings with \|t*\| ≥ \|t\|. Curves whose means are all the same give t = 0 and p = 1 on every
    side; means that differ between but not within the two sets give t = ±∞ and the p of the dealings, never 0.

    References
    ----------
    Piater, Cohen, Zhang and Atighetchi 1998, for whole curves. Phipson and Smyth 2010 for (b + 1)/(z + 1).

    Examples
    --------
    >>> slow = [[.9, .8, .6], [.8, .7, .5], [.9, .7, .6]]
    >>> quick = [[.6, .4, .3], [.5, .4, .2], [.6, .3, .2], [.7, .4, .2]]
    >>> randomized_t(slow, quick, alternative="greater")
    randomized-t (greater): t = 9.613, p = 0.02857: rejects at 0.05
    """
    where = "randomized-t"
    one, two = curve_sets((first, second), where=where)
    scale = np.maximum(np.abs(one).max(axis=(-2, -1)), np.abs(two).max(axis=(-2, -1)))
    how: Any = {"alternative": alternative, "shuffles": shuffles, "paired": paired, "blocks": blocks, "rng": rng}
    found = dealt_t(one.mean(axis=-1), two.mean(axis=-1), scale=scale, exact=exact, where=where, **how)
    return RandomizedTResult(**found)


_TIES = 1e-9  # sums this close, relatively, are the same sum in another order of adding
_CHUNK = 2_000_000  # numbers held at once; the answer does not depend on it


def dealt_t(
    first: Array,
    second: Array,
    *,
    scale: Array,
    alternative: str,
    shuffles: int,
    paired: bool,
    blocks: Any,
    rng: Seed,
    exact: bool | str,
    where: str,
) -> dict[str, Any]:
    """Compare two sets of numbers, (..., l₁) and (..., l₂); ``scale`` (...) is the size of the data they came from.

    Returns the fields of a result; ``estimate`` is the difference of means, beside blocks where there are any.
    """
    alternative = alternative_of(alternative, where=where)
    shuffles = count_of(shuffles, name="shuffles", where=where)
    random = generator(rng, where=where)
    sizes = first.shape[-1], second.shape[-1]
    block = block_codes(sizes, paired=paired, blocks=blocks, where=where)
    deck = Deck(np.array(sizes), block)
    enumerate_all = deck.is_exact(exact, where)
    rounding = 4.0 * ROUNDING * scale
    values = np.concatenate([first, second], axis=-1)
    centred = values - (values.mean(axis=-1, keepdims=True) if block is None else _own_means(values, block))
    centred = np.where(np.abs(centred) <= rounding[..., None], 0.0, centred)
    hands = _hands(deck, shuffles, random, enumerate_all)
    # The total sum of squares stays the same, so t grows with the sum of the first hand: the sum is enough.
    observed = centred[..., : sizes[0]].sum(axis=-1)
    slack = _TIES * np.abs(observed) + sizes[0] * rounding
    extreme, counted = count_extreme(centred, hands, observed, slack, alternative)
    effect, t = _effect_and_t(values, sizes, block, rounding)
    pvalue = np.maximum(extreme, 1.0) / counted if enumerate_all else (extreme + 1.0) / (counted + 1.0)
    return {
        "test": where,
        "statistic": t,
        "pvalue": pvalue,
        "df": (),
        "estimate": effect,
        "alternative": alternative,
        "shuffles": counted,
        "exact": enumerate_all,
    }


def _own_means(values: Array, block: Codes) -> Array:
    return block_means(values[..., None], block)[..., 0]


def _effect_and_t(values: Array, sizes: tuple[int, int], block: Codes | None, rounding: Array) -> tuple[Array, Array]:
    codes = np.zeros(values.shape[-1], dtype=np.int64) if block is None else block
    indicator = (np.arange(values.shape[-1]) < sizes[0]).astype(float)
    within = indicator - _own_means(indicator, codes)
    weight = float(within @ within)
    if block is None:  # two plain means: what a reader would compute, to the last digit
        effect = values[..., : sizes[0]].mean(axis=-1) - values[..., sizes[0] :].mean(axis=-1)
    else:
        effect = values @ within / weight
    residual = values - _own_means(values, codes) - effect[..., None] * within
    no_spread: Flags = (np.abs(residual) <= rounding[..., None]).all(axis=-1)
    variance = np.square(residual).sum(axis=-1) / (values.shape[-1] - codes.max() - 2.0)
    error = np.sqrt(variance / weight)
    return effect, ratio(effect, error, no_effect=lambda: np.abs(effect) <= rounding, no_spread=no_spread)


def _hands(deck: Deck, shuffles: int, random: np.random.Generator, enumerate_all: bool) -> Iterator[Array]:
    """First hands as rows of 0 and 1."""
    if deck.block is None and not enumerate_all:
        return _random_hands(deck, shuffles, random)
    dealings = deck.all() if enumerate_all else deck.random(shuffles, random, matrix_kernel)
    return (_rows(np.asarray(dealing), deck.lines) for dealing in dealings)


def _rows(chosen: np.ndarray[tuple[int, ...], np.dtype[np.int64]], lines: int) -> Array:
    rows = np.zeros((len(chosen), lines))
    np.put_along_axis(rows, chosen, 1.0, axis=-1)
    return rows


def _random_hands(deck: Deck, shuffles: int, random: np.random.Generator) -> Iterator[Array]:
    observed = (np.arange(deck.lines) < deck.sizes[0]).astype(float)
    step = max(1, _CHUNK // deck.lines)
    for start in range(0, shuffles, step):
        yield random.permuted(np.tile(observed, (min(step, shuffles - start), 1)), axis=-1)
