"""All pairs by one test: p values of both sides, an interval for every difference, effects, and the smallest p."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.comparing.sample import Sample
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.stats.effects import a12, cohens_d, rank_biserial
from bestofk.stats.method import Method, method_of
from bestofk.stats.omnibus.nemenyi import control_in, nemenyi
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.pairwise.wilcoxon import wilcoxon, wilcoxon_sides

Places = npt.NDArray[np.intp]

#: Values per side and batch: K = 200 learners on many items stay within some hundred megabytes.
MOST_VALUES = 4_000_000
#: More units than these give a smaller p than any level, or, where signs are drawn, the same p.
_ENOUGH = 64


@dataclass(frozen=True, eq=False)
class PairTests:
    """One row per pair. ``less``: the first loses less; ``greater``: it loses more; None for a test without sides.

    ``statistic`` is that of the losses, first against second, ``turned`` of second against first. ``low`` and ``high``
    bound the difference of losses, first minus second, after ``interval_from``; None where the kind has no interval.
    """

    statistic: Array
    turned: Array
    pvalue: Array
    estimate: Array
    less: Array | None
    greater: Array | None
    low: Array | None = None
    high: Array | None = None
    interval_from: str = ""


@dataclass(frozen=True, eq=False)
class Effects:
    """One entry per pair, positive (``a12``: above ½) where the first is better; None where it does not fit."""

    cohens_d: Array | None = None
    a12: Array | None = None
    rank_biserial: Array | None = None


def run_pairs(sample: Sample, test: str, first: Places, second: Places, alpha: float, seed: int) -> PairTests:
    """Test the pairs (first[i], second[i]) of a sample; a test without interval borrows that of a t test."""
    found = _run(sample, test, first, second, alpha, seed)
    if found.low is not None:
        return replace(found, interval_from=test)
    stand_in = _stand_in(sample)
    if not stand_in:
        return found
    other = _run(sample, stand_in, first, second, alpha, seed=0)
    return replace(found, low=other.low, high=other.high, interval_from=stand_in)


def smallest_pvalue(sample: Sample, test: str, *, one_sided: bool = False) -> float:
    """The p value of a learner that wins every time, by unequal amounts; 0 where a test of the kind has no smallest."""
    if sample.kind == "curves":
        return _smallest_of_curves(sample, one_sided)
    if sample.kind == "folds" or test not in PAIRWISE:
        return 0.0
    run = PAIRWISE[test]
    facts = method_of(run)
    options: dict[str, Any] = {"rng": 0} if facts.seeded else {}
    options |= {"alternative": "greater"} if one_sided and facts.one_sided else {}
    units = min(_most_shared(sample), _ENOUGH)
    worse = np.ones(units) if facts.design == "items" else 1.0 + np.arange(units) / max(1, units) / 1e6
    return float(run(worse, np.zeros(units), **options).pvalue)


def effects_of(sample: Sample, first: Places, second: Places) -> Effects:
    """Paired d and A12 where values are paired, rank-biserial where pairs are independent and graded."""
    if sample.kind == "curves":
        return Effects(a12=_a12_of_curves(sample, first, second))
    rows = sample.rows
    if rows.shape[1] < 2 or sample.vectors is not None:
        return Effects()
    independent = sample.kind in ("datasets", "items") and not sample.binary
    return Effects(
        cohens_d=_per_pair(_better_d, rows, first, second),
        a12=_per_pair(_better_a12, rows, first, second),
        rank_biserial=_per_pair(_better_ranks, rows, first, second) if independent else None,
    )


def _stand_in(sample: Sample) -> str:
    """Rank and permutation tests have no interval of the mean; a t test of the same units has."""
    if sample.areas is not None or sample.kind == "curves":
        return ""
    if sample.kind == "folds":
        return "corrected-t" if sample.share is not None else ""
    return "paired-t" if sample.rows.shape[1] > 1 else ""


def _run(sample: Sample, test: str, first: Places, second: Places, alpha: float, seed: int) -> PairTests:
    if test == "nemenyi":
        return _mean_ranks(sample, first, second)
    if test == "randomized-t":
        return _curve_pairs(sample, first, second, seed)
    if test == "delong":
        return _area_pairs(sample, first, second, alpha)
    run = PAIRWISE[test]
    facts = method_of(run)
    options: dict[str, Any] = {"rng": seed} if facts.seeded else {}
    if sample.test_fraction is not None and "test_fraction" in facts.flattened_by:
        options["test_fraction"] = sample.test_fraction
    losses = _shaped(sample, facts, options, test)
    if sample.incomplete:
        sides = [_shared(sample, losses, i, j) for i, j in zip(first, second, strict=True)]
        return _joined([_tested(run, facts, *side, alpha, options) for side in sides])
    parts = _batches(first, second, losses[0].size)
    return _joined([_tested(run, facts, losses[a], losses[b], alpha, options) for a, b in parts])


def _batches(first: Places, second: Places, values_each: int) -> Iterator[tuple[Places, Places]]:
    """Cut the list of pairs so that no batch holds more than ``MOST_VALUES`` values per side."""
    step = max(1, MOST_VALUES // max(1, values_each))
    return ((first[i : i + step], second[i : i + step]) for i in range(0, len(first), step))


def _per_pair(effect: Callable[[Array, Array], Array], rows: Array, first: Places, second: Places) -> Array:
    """One number per pair; a pair with gaps uses the columns that both have."""
    if not np.isnan(rows).any():
        parts = (np.atleast_1d(effect(rows[a], rows[b])) for a, b in _batches(first, second, rows.shape[1]))
        return np.concatenate(list(parts))
    return np.array([effect(*_common(rows[i], rows[j])) for i, j in zip(first, second, strict=True)], dtype=float)


def _common(one: Array, two: Array) -> tuple[Array, Array]:
    """The values at places where neither is missing."""
    both = ~np.isnan(one) & ~np.isnan(two)
    return one[both], two[both]


# Statistics speak of losses, so their effects are positive where the first loses more; here it is the better one's.


def _better_d(one: Array, two: Array) -> Any:
    return -np.asarray(cohens_d(one, two).value) + 0.0  # no −0


def _better_a12(one: Array, two: Array) -> Any:
    return 1.0 - np.asarray(a12(one, two).value)


def _better_ranks(one: Array, two: Array) -> Any:
    return -np.asarray(rank_biserial(one, two).value) + 0.0


def _a12_of_curves(sample: Sample, first: Places, second: Places) -> Array | None:
    """A12 of the curves' means; None when some learner has a single curve."""
    means = [each.mean(axis=-1) for each in sample.curves]
    if min(len(each) for each in means) < 2:
        return None
    return np.array([_better_a12(means[i], means[j]) for i, j in zip(first, second, strict=True)], dtype=float)


def _smallest_of_curves(sample: Sample, one_sided: bool) -> float:
    """The two learners with most curves, one below the other throughout."""
    from bestofk.stats.curves import randomized_t

    i, j = sorted(range(len(sample.curves)), key=lambda place: len(sample.curves[place]))[-2:]
    below = np.tile(np.arange(len(sample.curves[i]))[:, None] / 1e6, (1, 2))
    above = 1.0 + np.tile(np.arange(len(sample.curves[j]))[:, None] / 1e6, (1, 2))
    side = "less" if one_sided else "two-sided"
    blocks = sample.blocks_of(i, j)
    return float(randomized_t(below, above, alternative=side, paired=sample.paired, blocks=blocks, rng=0).pvalue)


def _most_shared(sample: Sample) -> int:
    """The largest number of data sets or items that a pair shares."""
    there = ~np.isnan(sample.rows)
    if there.all():
        return int(there.shape[1])
    shared = there.astype(np.int64) @ there.T
    return int(shared[~np.eye(len(there), dtype=bool)].max())


def _area_pairs(sample: Sample, first: Places, second: Places, alpha: float) -> PairTests:
    """DeLong's test of areas under the ROC curves of the same items; losses are the areas negated."""
    from bestofk.stats.roc import delong

    items = sample.areas
    one, two = items.scores[first], items.scores[second]
    found = delong(items.truth, one, two)
    interval = found.confidence_interval(1.0 - alpha)
    return PairTests(
        statistic=-np.asarray(found.statistic),
        turned=np.asarray(found.statistic),
        pvalue=np.asarray(found.pvalue),
        estimate=-np.asarray(found.estimate),
        less=np.asarray(delong(items.truth, one, two, alternative="greater").pvalue),
        greater=np.asarray(delong(items.truth, one, two, alternative="less").pvalue),
        low=-np.asarray(interval.high),
        high=-np.asarray(interval.low),
    )


def _shaped(sample: Sample, facts: Method, options: dict[str, Any], test: str) -> Array:
    """Losses with the axes that the test needs: folds as a list when it takes values."""
    if facts.axes_with(options) == 1:
        return sample.rows
    if sample.losses.ndim == 3:
        return sample.losses
    raise InputError(
        f"{test} needs replications and folds; there are {sample.units_text}.",
        "argument test",
        "use a test that fits: bestofk list pairwise.",
    )


def _tested(run: Callable[..., Any], facts: Method, one: Array, two: Array, alpha: float, options: Any) -> PairTests:
    if run is wilcoxon:
        return _wilcoxon_tested(one, two)
    result = run(one, two, **options)
    sides: list[Array | None] = [None, None]
    if facts.one_sided:
        sides = [np.atleast_1d(run(one, two, alternative=side, **options).pvalue) for side in ("less", "greater")]
    interval = result.confidence_interval(1.0 - alpha) if hasattr(result, "confidence_interval") else None
    return PairTests(
        statistic=np.atleast_1d(result.statistic),
        turned=np.atleast_1d(run(two, one, **options).statistic),
        pvalue=np.atleast_1d(result.pvalue),
        estimate=np.atleast_1d(result.estimate),
        less=sides[0],
        greater=sides[1],
        low=None if interval is None else np.atleast_1d(interval.low),
        high=None if interval is None else np.atleast_1d(interval.high),
    )


def _wilcoxon_tested(one: Array, two: Array) -> PairTests:
    """All sides from one null distribution: with ties and many data sets it is nearly all of the work."""
    result, less, greater = wilcoxon_sides(one, two)
    statistic, n = np.atleast_1d(result.statistic), np.atleast_1d(result.n)
    return PairTests(
        statistic=statistic,
        turned=0.5 * n * (n + 1.0) - statistic,  # of all ranks those of the other sign
        pvalue=np.atleast_1d(result.pvalue),
        estimate=np.atleast_1d(result.estimate),
        less=np.atleast_1d(less.pvalue),
        greater=np.atleast_1d(greater.pvalue),
    )


def _shared(sample: Sample, losses: Array, i: Any, j: Any) -> tuple[Array, Array]:
    """Losses of a pair on the data sets that both have."""
    one, two = _common(losses[i], losses[j])
    if len(one) < 2:
        first, second = sample.learners[i], sample.learners[j]
        raise InputError(
            f"{first} and {second} share {counted(len(one), 'data set')}.",
            f"pair {first} / {second}",
            "complete their results, or leave one of them out.",
        )
    return one, two


def _joined(parts: list[PairTests]) -> PairTests:
    def all_of(name: str) -> Any:
        arrays = [getattr(part, name) for part in parts]
        return None if any(array is None for array in arrays) else np.concatenate(arrays)

    names = (name for name in PairTests.__dataclass_fields__ if name != "interval_from")
    return PairTests(**{name: all_of(name) for name in names})


def _mean_ranks(sample: Sample, first: Places, second: Places) -> PairTests:
    """Nemenyi's test of mean ranks: already adjusted for all pairs; it speaks for the side with the better ranks.

    With a control it is Bonferroni–Dunn's, adjusted for the K − 1 pairs with it.
    """
    control = control_in(first, second, len(sample.learners))
    result = nemenyi(np.ascontiguousarray(sample.rows.T), control=control)
    pvalue = np.asarray(result.pvalue)[(first, second) if control is None else second]
    ranks = np.asarray(result.mean_ranks)
    gap = ranks[first] - ranks[second]
    return PairTests(
        statistic=gap,
        turned=-gap,
        pvalue=pvalue,
        estimate=sample.rows[first].mean(axis=1) - sample.rows[second].mean(axis=1),
        less=np.where(gap < 0, pvalue, 1.0),
        greater=np.where(gap > 0, pvalue, 1.0),
    )


def _curve_pairs(sample: Sample, first: Places, second: Places, seed: int) -> PairTests:
    from bestofk.stats.curves import randomized_t

    def each(alternative: str) -> Iterator[Any]:
        for i, j in zip(first, second, strict=True):
            curves = sample.curves[i], sample.curves[j]
            how: dict[str, Any] = {"paired": sample.paired, "blocks": sample.blocks_of(i, j), "rng": seed}
            yield randomized_t(*curves, alternative=alternative, **how)

    two_sided = list(each("two-sided"))
    return PairTests(
        statistic=np.array([result.statistic for result in two_sided]),
        turned=-np.array([result.statistic for result in two_sided]),
        pvalue=np.array([result.pvalue for result in two_sided]),
        estimate=np.array([result.estimate for result in two_sided]),
        less=np.array([result.pvalue for result in each("less")]),
        greater=np.array([result.pvalue for result in each("greater")]),
    )
