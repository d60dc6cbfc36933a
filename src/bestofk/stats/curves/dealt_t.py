"""The engine of randomized t tests: one number per curve, numbers dealt anew between two sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, Flags
from bestofk.stats.curves import matrix_kernel
from bestofk.stats.curves.blocks import Codes, block_means
from bestofk.stats.curves.dealings import Deck
from bestofk.stats.ratio import ratio

_TIES = 1e-9  # sums this close, relatively, are the same sum in another order of adding
_CHUNK = 2_000_000  # numbers held at once; the answer does not depend on it


@dataclass(frozen=True)
class DealtT:
    """What a randomized t test found; ``effect`` is the difference of means, beside blocks where there are any."""

    statistic: Array
    pvalue: Array
    effect: Array
    shuffles: int
    exact: bool


def dealt_t(
    first: Array,
    second: Array,
    *,
    scale: Array,
    block: Codes | None,
    alternative: str,
    shuffles: int,
    random: np.random.Generator,
    exact: bool | str,
    where: str,
) -> DealtT:
    """Compare two sets of numbers, (..., l₁) and (..., l₂); ``scale`` (...) is the size of the data they came from."""
    sizes = first.shape[-1], second.shape[-1]
    deck = Deck(np.array(sizes), block)
    enumerate_all = deck.is_exact(exact, where)
    rounding = 4.0 * ROUNDING * scale
    values = np.concatenate([first, second], axis=-1)
    centred = values - (values.mean(axis=-1, keepdims=True) if block is None else _own_means(values, block))
    centred = np.where(np.abs(centred) <= rounding[..., None], 0.0, centred)
    hands = _hands(deck, sizes, shuffles, random, enumerate_all)
    extreme, counted = _count_extreme(centred, sizes[0], hands, alternative, rounding)
    effect, t = _effect_and_t(values, sizes, block, rounding)
    pvalue = np.maximum(extreme, 1.0) / counted if enumerate_all else (extreme + 1.0) / (counted + 1.0)
    return DealtT(t, pvalue, effect, counted, enumerate_all)


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


def _count_extreme(
    centred: Array, dealt: int, hands: Iterator[Array], alternative: str, rounding: Array
) -> tuple[Array, int]:
    # The total sum of squares stays the same, so t grows with the sum of the first hand: the sum is enough.
    values = centred.reshape(-1, centred.shape[-1])
    orient = -1.0 if alternative == "less" else 1.0
    observed = orient * values[:, :dealt].sum(axis=-1)
    if alternative == "two-sided":
        observed = np.abs(observed)
    threshold = (observed - _TIES * np.abs(observed) - dealt * rounding.reshape(-1))[:, None]
    extreme, counted = np.zeros(len(values)), 0
    for hand in hands:
        step = max(1, _CHUNK // len(hand))
        for start in range(0, len(values), step):
            sums = orient * (values[start : start + step] @ hand.T)
            if alternative == "two-sided":
                sums = np.abs(sums)
            extreme[start : start + step] += (sums >= threshold[start : start + step]).sum(axis=-1)
        counted += len(hand)
    return extreme.reshape(centred.shape[:-1]), counted


def _hands(
    deck: Deck, sizes: tuple[int, int], shuffles: int, random: np.random.Generator, enumerate_all: bool
) -> Iterator[Array]:
    """First hands as rows of 0 and 1."""
    if deck.block is None:
        return _all_hands(sizes) if enumerate_all else _random_hands(sizes, shuffles, random)
    dealings = deck.all() if enumerate_all else deck.random(shuffles, random, matrix_kernel)
    return (_rows(np.asarray(dealing), deck.lines) for dealing in dealings)


def _all_hands(sizes: tuple[int, int]) -> Iterator[Array]:
    lines = sum(sizes)
    ways = combinations(range(lines), sizes[0])
    while chosen := list(islice(ways, max(1, _CHUNK // lines))):
        yield _rows(np.array(chosen), lines)


def _rows(chosen: np.ndarray[tuple[int, ...], np.dtype[np.int64]], lines: int) -> Array:
    rows = np.zeros((len(chosen), lines))
    np.put_along_axis(rows, chosen, 1.0, axis=-1)
    return rows


def _random_hands(sizes: tuple[int, int], shuffles: int, random: np.random.Generator) -> Iterator[Array]:
    lines = sum(sizes)
    observed = (np.arange(lines) < sizes[0]).astype(float)
    step = max(1, _CHUNK // lines)
    for start in range(0, shuffles, step):
        yield random.permuted(np.tile(observed, (min(step, shuffles - start), 1)), axis=-1)
