"""Bounds of the loss of a new model against an old one, and of models that are equal, drawn from the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from bestofk.comparing import Comparison
from bestofk.comparing.pair_tests import MOST_VALUES
from bestofk.comparing.sample import Sample
from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.evidence import Evidence, Items
from bestofk.judging.good_enough import level_of, margin_of, on_scale, upper_bounds
from bestofk.judging.shared_results import ALL
from bestofk.stats.distributions import normal_critical, normal_tail

Outcome = Literal["passed", "undecided", "worse"]
OUTCOMES: tuple[Outcome, ...] = ("passed", "undecided", "worse")
#: Gates of equal models that are drawn; of runs, which are few and quick, more.
DRAWS, DRAWS_OF_RUNS = 500, 2000
#: Of checks of so many units each, groups of items for themselves, equal models are drawn also where that is not asked
#: for: bounds of few are seldom near normal.
FEW_UNITS = 300

#: Why the power is not known. same: all results are equal. constant: all differences are. unbounded: there is too
#: little for a bound.
Unknown = Literal["", "same", "constant", "unbounded"]
#: Lower and upper bounds of the loss of many new models.
Ends = tuple[Array, Array]


class Drawn(NamedTuple):
    """Lower and upper bounds of the loss of equal models, and lower ones of models worse by twice the margin; these
    are None where no model can be so much worse.
    """

    low: Array
    high: Array
    low_of_worse: Array | None


def _upper(comparison: Comparison, one: int, other: int) -> float:
    """The upper bound of the loss of one model against the other."""
    return float(upper_bounds(comparison)[0][one, other])


class LossBounds:
    """Bounds of the loss of the new model against the old one, each of one side: ``high`` at alpha, ``low`` at its
    share of alpha. They are on the scale of the sample, where a relative margin is a logarithm.
    """

    def __init__(self, comparison: Comparison, given: Any, new: str, old: str, checks: int) -> None:
        level = level_of(comparison)
        self.comparison, self.levels = comparison.bounded_at(level), (level, level / checks)
        self.new, self.old = comparison.learners.index(new), comparison.learners.index(old)
        self.said, self.relative = margin_of(_of_measure(given, comparison.measure), comparison, name="margin")
        self.margin, self.twice = (on_scale(times * self.said, self.relative) for times in (1, 2))
        shared = self.comparison.bounded_at(self.levels[1])
        self.low, self.high = -_upper(shared, self.old, self.new), _upper(self.comparison, self.new, self.old)
        self.outcome = OUTCOMES[int(self.outcomes(np.array(self.low), np.array(self.high)))]

    def outcomes(self, low: Array, high: Array) -> Array:
        """Places among ``OUTCOMES``."""
        return np.where(high <= self.margin, 0, np.where(low > self.margin, 2, 1))

    def unknown(self, low: float, high: float) -> Unknown:
        """Why nothing is known of the spread of differences."""
        sample = self.comparison.sample
        if not np.isfinite([low, high]).all():
            return "unbounded"
        if sample.joint or (sample.runs and not sample.paired):
            return "" if high > low else "constant"
        one, two = sample.losses[[self.new, self.old]]
        if (one == two).all() and not sample.groups:  # sums of groups may be equal where answers are not
            return "same"  # bounds of right and wrong answers have a width, and how much others disagree is not known
        return "" if high - low > 1e-9 * float(np.abs(sample.losses).max()) else "constant"

    @property
    def _room(self) -> float:
        """By how much a model can be worse than two equal ones whose result is the mean of these."""
        comparison, whole = self.comparison, 1.0 if self.comparison.sample.binary else self.comparison.rate_range
        if whole is None or self.relative:
            return np.inf
        mean = float(np.mean([comparison.means[comparison.learners[each]] for each in (self.new, self.old)]))
        return mean if comparison.larger_is_better else whole - mean

    @property
    def _possible(self) -> bool:
        """Whether there is room for a model that is worse by twice the margin."""
        return self.twice < self._room

    def chances(self, half: float, drawn: Drawn | None) -> tuple[float, float | None]:
        """That an equal model passes, and that one is called worse that is worse by twice the margin; None where none
        can be.

        Both are counted in gates that were drawn. Without them bounds are taken for normal, ``half`` of their width
        from the difference: to which side they are skewed is chance. Of right and wrong answers a worse model makes
        more disagree, and their number is that of the errors.
        """
        sample, room = self.comparison.sample, self._room
        if drawn is not None:
            worse = None if drawn.low_of_worse is None else float(np.mean(drawn.low_of_worse > self.margin))
            return float(np.mean(drawn.high <= self.margin)), worse
        z, share = (normal_critical(level / 2.0) for level in self.levels)
        error = half / z
        if sample.binary and self._possible:
            apart = float((sample.losses[0] != sample.losses[1]).mean())
            more = self.twice * (1.0 - apart / room)  # some of those turned wrong are wrong in the old model
            error = float(np.sqrt(max(apart + more - self.twice**2, 0.0) / sample.units)) or error
        ends = np.array([z * self.margin / half - z, (self.twice - self.margin) / error - share])
        passed, seen = normal_tail(ends, "less")
        return float(passed), float(seen) if self._possible else None

    def outcomes_of(self, sample: Sample) -> Array:
        """Places among ``OUTCOMES`` of the first learner against the second, the third against the fourth, and so on.

        The sample is one like that of the two models.
        """
        return self.outcomes(*self._ends_of(sample))

    def _ends_of(self, sample: Sample, *, quick: bool = False) -> Ends:
        pairs = np.arange(len(sample.learners) // 2)
        intervals = replace(self.comparison.intervals, sample=sample, first=2 * pairs, second=2 * pairs + 1)
        intervals = replace(intervals, quick=quick)
        ends = []
        for level, side in zip(self.levels, (-1.0, 1.0), strict=True):
            levels = np.full(len(pairs), level / 2.0)  # that of one side
            found = replace(intervals, levels=levels, sides=np.full(len(pairs), side)).of(pairs)
            assert found is not None
            ends.append(found)
        above, below = ends
        return below[1], above[2]

    def alike(self, swapped: Flags, rng: np.random.Generator) -> Drawn:
        """Bounds of two equal models, one per draw, and of one that is worse; units change sides where ``swapped``."""
        sample = self._levelled()
        step = max(1, min(len(swapped), MOST_VALUES // max(1, sample.losses.size)))
        parts = [swapped[start : start + step] for start in range(0, len(swapped), step)]
        low, high, worse = zip(*(self._drawn_of(_equal(sample, part, rng), rng) for part in parts), strict=True)
        return Drawn(np.concatenate(low), np.concatenate(high), np.concatenate(worse) if self._possible else None)

    def _drawn_of(self, equal: Sample, rng: np.random.Generator) -> tuple[Array, Array, Array]:
        """Bounds of equal models, and lower ones where the first is worse by twice the margin: it gives wrong answers
        to some that were right, and any other result of it is so much worse.
        """
        low, high = self._ends_of(equal, quick=True)
        if not equal.binary or not self._possible:
            return low, high, low + self.twice
        losses = equal.losses.copy()
        turned = rng.random(losses[::2].shape) < self.twice / self._room
        losses[::2][turned] = losses.max()  # what is wrong already stays so
        return low, high, self._ends_of(replace(equal, losses=losses), quick=True)[0]

    def _levelled(self) -> Sample:
        """The sample without the difference that was found, the new model first; right and wrong answers stay as they
        are, and runs are centred when they are dealt.
        """
        comparison, sample = self.comparison, self.comparison.sample
        if sample.runs and not sample.paired:
            return sample
        losses, apart = sample.losses[[self.new, self.old]], 0.0
        if not sample.binary and comparison.estimate is not None:
            apart = comparison.sign_of_losses * (self.old - self.new) * float(comparison.estimate[0])
        shift = np.reshape([apart, 0.0], (2, *[1] * (losses.ndim - 1)))
        return replace(sample, losses=losses - shift * (1.0 if sample.sizes is None else sample.sizes))


def _of_measure(given: Any, measure: str) -> Any:
    """The margin of one measure."""
    if given is None:
        raise InputError("no margin is given.", "gate, argument margin", "say how much may be lost: --margin 0.01.")
    if not isinstance(given, Mapping):
        return given
    if measure not in given:
        raise InputError(f"{measure} has no margin.", "gate, argument margin", f"add it: {measure}=0.01.")
    return given[measure]


def refuse_fixed_sides(comparisons: Sequence[Comparison]) -> None:
    """Refuse to make equal models of results that cannot change sides."""
    reasons = [why for each in comparisons if (why := each.sample.sides_fixed(each.test))]
    if reasons:
        raise InputError(
            f"equal models are made of results that change sides, and {reasons[0]}.",
            "gate, argument aa",
            "leave it out: the gate says in the line Power how often an equal model passes.",
        )


def drawn_of(
    bounds: Sequence[LossBounds], parts: Sequence[tuple[str | None, Evidence]], seed: int, *, asked: bool
) -> list[Drawn | None]:
    """Bounds of equal models; measures of one group are dealt alike, and all items as their groups are."""
    groups = [group for group, _ in parts]
    samples = [each.comparison.sample for each in bounds]
    draws = DRAWS_OF_RUNS if all(each.runs and not each.paired for each in samples) else DRAWS

    def swapped(group: str | None, shape: tuple[int, ...]) -> Flags:
        rng = np.random.default_rng([seed, groups.index(group)])
        return rng.integers(2, size=(draws, *shape), dtype=np.bool_)

    found: list[Drawn | None] = []
    few = all(each.units <= FEW_UNITS for each, group in zip(samples, groups, strict=True) if group != ALL)
    for each, (group, part) in zip(bounds, parts, strict=True):
        sample = each.comparison.sample
        if sample.sides_fixed(each.comparison.test) or not (asked or few):
            found.append(None)
            continue
        own = swapped(group, sample.losses.shape[1:])
        if group == ALL and isinstance(part, Items):
            for i, name in enumerate(part.group_names):
                there = part.group_codes == i
                own[:, there] = swapped(name, (int(there.sum()),))
        found.append(each.alike(own, np.random.default_rng([seed, groups.index(group)])))
    return found


def _equal(sample: Sample, swapped: Flags, rng: np.random.Generator) -> Sample:
    """Pairs of equal models, a draw each: results of a unit change sides; runs are centred and dealt anew."""
    number = len(swapped)
    names = tuple(map(str, range(2 * number)))
    if sample.runs and not sample.paired:
        runs = _dealt(sample, number, rng)
        return replace(sample, learners=names, blocks=sample.blocks * number).of_runs(runs)
    one, two = sample.losses
    drawn = np.stack([np.where(swapped, two, one), np.where(swapped, one, two)], axis=1)
    return replace(sample, learners=names, losses=drawn.reshape(2 * number, *sample.losses.shape[1:]))


def _dealt(sample: Sample, number: int, rng: np.random.Generator) -> tuple[Array, ...]:
    """Runs of two models after the other's mean was made their own, dealt to both, within every data set.

    Which of the two is named first, and to which side runs are skewed, is chance: the one of fewer runs is dealt to
    first, out of runs in the order of their size, and half of the draws are the others turned round.
    """
    blocks = np.array([name for names in sample.blocks for name in names] or [""] * sum(map(len, sample.runs)))
    owner = np.repeat([0, 1], [len(each) for each in sample.runs])
    values, half = np.concatenate(sample.runs), (number + 1) // 2
    drawn = np.empty((half, len(values)))
    for name in np.unique(blocks):
        places = [np.flatnonzero((blocks == name) & (owner == side)) for side in (0, 1)]
        centred = np.concatenate([values[own] - values[own].mean() for own in places if len(own)])
        order = np.concatenate(sorted(places, key=len))
        drawn[:, order] = rng.permuted(np.tile(np.sort(centred), (half, 1)), axis=1)
    both = np.concatenate([drawn, -drawn])[:number]
    return tuple(side for row in both for side in (row[owner == 0], row[owner == 1]))
