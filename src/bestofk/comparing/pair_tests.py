"""All pairs by one test: p values of the two-sided and of both one-sided questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bestofk.comparing.batches import Places, batches, common
from bestofk.comparing.design import Design
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.stats.curves import randomized_t
from bestofk.stats.method import Method, method_of
from bestofk.stats.omnibus.nemenyi import control_in, nemenyi
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.pairwise.wilcoxon import wilcoxon, wilcoxon_sides


@dataclass(frozen=True, eq=False)
class PairTests:
    """One row per pair. ``less``: the first loses less; ``greater``: it loses more; None for a test without sides.

    ``statistic`` is that of the losses, first against second, ``turned`` of second against first. ``low`` and ``high``
    bound the difference of losses, first minus second, where the test has an interval.
    """

    statistic: Array
    turned: Array
    pvalue: Array
    estimate: Array
    less: Array | None
    greater: Array | None
    low: Array | None
    high: Array | None


def run_pairs(design: Design, test: str, first: Places, second: Places, alpha: float, seed: int) -> PairTests:
    """Test the pairs (first[i], second[i]) of a design."""
    if test == "nemenyi":
        return _mean_ranks(design, first, second)
    if test == "randomized-t":
        return _curve_pairs(design, first, second, seed)
    run = PAIRWISE[test]
    facts = method_of(run)
    options: dict[str, Any] = {"rng": seed} if facts.seeded else {}
    if design.test_fraction is not None and "test_fraction" in facts.flattened_by:
        options["test_fraction"] = design.test_fraction
    losses = _shaped(design, facts, options, test)
    if design.incomplete:
        each = zip(first, second, strict=True)
        return _joined([_one(run, facts, losses, i, j, alpha, options, design) for i, j in each])
    parts = batches(first, second, losses[0].size)
    return _joined([_tested(run, facts, losses[a], losses[b], alpha, options) for a, b in parts])


def _shaped(design: Design, facts: Method, options: dict[str, Any], test: str) -> Array:
    """Losses with the axes that the test needs: folds as a list when it takes values."""
    if facts.axes_with(options) == 1:
        return design.rows
    if design.losses.ndim == 3:
        return design.losses
    raise InputError(
        f"{test} needs replications and folds; there are {design.text}.",
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
        low=None,
        high=None,
    )


def _one(
    run: Callable[..., Any],
    facts: Method,
    losses: Array,
    i: Any,
    j: Any,
    alpha: float,
    options: Any,
    design: Design,
) -> PairTests:
    """A pair on the data sets that both have."""
    one, two = common(losses[i], losses[j])
    if len(one) < 2:
        raise InputError(
            f"{design.learners[i]} and {design.learners[j]} share {counted(len(one), 'data set')}.",
            f"pair {design.learners[i]} / {design.learners[j]}",
            "complete their results, or leave one of them out.",
        )
    return _tested(run, facts, one, two, alpha, options)


def _joined(parts: list[PairTests]) -> PairTests:
    def all_of(name: str) -> Any:
        arrays = [getattr(part, name) for part in parts]
        return None if any(array is None for array in arrays) else np.concatenate(arrays)

    return PairTests(**{name: all_of(name) for name in PairTests.__dataclass_fields__})


def _mean_ranks(design: Design, first: Places, second: Places) -> PairTests:
    """Nemenyi's test of mean ranks: already adjusted for all pairs; it speaks for the side with the better ranks.

    With a control it is Bonferroni–Dunn's, adjusted for the K − 1 pairs with it.
    """
    control = control_in(first, second, len(design.learners))
    result = nemenyi(np.ascontiguousarray(design.rows.T), control=control)
    pvalue = np.asarray(result.pvalue)[(first, second) if control is None else second]
    ranks = np.asarray(result.mean_ranks)
    gap = ranks[first] - ranks[second]
    return PairTests(
        statistic=gap,
        turned=-gap,
        pvalue=pvalue,
        estimate=design.rows[first].mean(axis=1) - design.rows[second].mean(axis=1),
        less=np.where(gap < 0, pvalue, 1.0),
        greater=np.where(gap > 0, pvalue, 1.0),
        low=None,
        high=None,
    )


def _curve_pairs(design: Design, first: Places, second: Places, seed: int) -> PairTests:
    def each(alternative: str) -> Iterator[Any]:
        for i, j in zip(first, second, strict=True):
            curves = design.curves[i], design.curves[j]
            how: dict[str, Any] = {"paired": design.paired, "blocks": design.blocks_of(i, j), "rng": seed}
            yield randomized_t(*curves, alternative=alternative, **how)

    two_sided = list(each("two-sided"))
    return PairTests(
        statistic=np.array([result.statistic for result in two_sided]),
        turned=-np.array([result.statistic for result in two_sided]),
        pvalue=np.array([result.pvalue for result in two_sided]),
        estimate=np.array([result.estimate for result in two_sided]),
        less=np.array([result.pvalue for result in each("less")]),
        greater=np.array([result.pvalue for result in each("greater")]),
        low=None,
        high=None,
    )
