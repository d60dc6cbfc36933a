"""Every pair of learners: difference, interval, effect, raw and adjusted p, and what is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from bestofk.comparing.pair_tests import Effects, Intervals, PairTests
from bestofk.core.arrays import Array, Flags, without_rounding
from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.core.names import unknown
from bestofk.core.record import Record, jsonable
from bestofk.evidence.missing_results import LeftOut
from bestofk.evidence.vectors import VectorMeasure
from bestofk.measures.catalogue import is_bounded, range_of
from bestofk.stats.adjust import ADJUST
from bestofk.stats.method import adjustment_of, method_of
from bestofk.stats.pairwise import PAIRWISE

if TYPE_CHECKING:
    from bestofk.comparing.curve_shapes import CurveEffects
    from bestofk.comparing.omnibus import Omnibus
    from bestofk.comparing.sample import Sample, Scope
    from bestofk.comparing.test_choice import Choice
    from bestofk.comparing.vector_tests import Parts, Several

#: two: does the pair differ, and which way? one: is the preferred one worse? (MultiTest as in the paper)
Sides = Literal["two", "one"]

#: first, second: that learner is shown to be better, of several measures in every one. trade-off: the two differ, and
#: each is shown to be better in some measure. differ: they differ, and neither is shown. not significant: no
#: difference is shown.
Relation = Literal["first", "second", "trade-off", "differ", "not significant"]
#: Intervals of so few pairs are computed together.
_FEW_PAIRS = 200
#: Difference, low and high end of its interval, or three sizes of effect; None where there is none.
Bounds = tuple[float | None, float | None, float | None]
_TURNED: dict[Relation, Relation] = {"first": "second", "second": "first"}


class Part(Record):
    """One measure of a pair: ``difference`` is first minus second in its units; ``adjusted`` is for all of them.

    ``better`` is the learner with the better mean, None where the means are equal.
    """

    measure: str
    first_mean: float
    second_mean: float
    difference: float
    statistic: float
    pvalue: float
    adjusted: float
    significant: bool
    better: str | None


class Vector(Record):
    """What a pair has where the measures are several: see ``Several``."""

    f_statistic: float | None
    df: tuple[float, ...]
    rank: int
    direction: dict[str, float]
    weights: dict[str, float]
    dominance_pvalue: float
    dominance_adjusted: float
    error: Part | None


class Pair(Record, kw_only=True):
    """One pair as asked for. ``difference`` is in units of the measure, first minus second; effects are positive, and
    ``a12`` above ½, where the first is better. None where the sample or the test has no such number.

    ``low`` and ``high`` bound the difference at ``level``. ``better`` is the learner that the test speaks for,
    significantly or not; ``relation`` says what is shown. ``df`` are the degrees of freedom of the statistic, none
    where its distribution has none. p is counted in ``shuffles``, all there are where ``exact``, or in 0 where a
    formula gives it. ``equivalent`` says whether the difference is shown to be at most the margin that was given, None
    without one. Several measures have ``parts``, one each, and ``vector``.
    """

    first: str
    second: str
    relation: Relation
    significant: bool
    better: str | None
    level: float
    statistic: float
    df: tuple[float, ...]
    pvalue: float
    adjusted: float
    shuffles: int | None = None
    exact: bool | None = None
    equivalent: bool | None = None
    parts: tuple[Part, ...] = ()
    vector: Vector | None = None
    bounds_of: Callable[[], Bounds] = field(repr=False)
    effects_of: Callable[[], Bounds] = field(repr=False)

    @cached_property
    def _bounds(self) -> Bounds:
        return self.bounds_of()  # when first asked for: of many pairs only some are

    @cached_property
    def _effects(self) -> Bounds:
        return self.effects_of()

    @property
    def cohens_d(self) -> float | None:
        """Cohen's d of the paired values, positive where the first is better."""
        return self._effects[0]

    @property
    def a12(self) -> float | None:
        """The chance that the first is better on a random unit of each, ½ where neither is."""
        return self._effects[1]

    @property
    def rank_biserial(self) -> float | None:
        """The matched-pairs rank-biserial correlation, positive where the first is better."""
        return self._effects[2]

    @property
    def difference(self) -> float | None:
        """The difference that the test is about, first minus second."""
        return self._bounds[0]

    @property
    def low(self) -> float | None:
        """The lower end of its interval."""
        return self._bounds[1]

    @property
    def high(self) -> float | None:
        """The upper end of its interval."""
        return self._bounds[2]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON."""
        names = ("difference", "low", "high", "cohens_d", "a12", "rank_biserial")
        return {**super().to_dict(), **dict(zip(names, map(jsonable, (*self._bounds, *self._effects)), strict=True))}

    @property
    def shown(self) -> str | None:
        """The learner that is shown to be better, of several measures in every one."""
        return {"first": self.first, "second": self.second}.get(self.relation)

    def part(self, measure: str) -> Part:
        """The test of one measure, or of the error."""
        error = None if self.vector is None else self.vector.error
        every = {**({"error": error} if error is not None else {}), **{each.measure: each for each in self.parts}}
        if measure not in every:
            raise unknown(measure, every, what="measure", where="part")
        return every[measure]

    def shown_in(self, learner: str) -> tuple[Part, ...]:
        """Measures in which this learner is shown to be better."""
        return tuple(part for part in self.parts if part.significant and part.better == learner)


class Comparison(Record, kw_only=True):
    """All pairs (or all against ``control``) by one test, and one test over all learners when there are three or more.

    ``measure`` is what learners are listed by, with ``means``; ``measures`` are those compared, with their means in
    ``means_of``. Arrays have one entry per pair of ``pairs``. ``statistic`` is the test's for scores of the first
    against the second, ``turned`` the other way round. ``df`` are its degrees of freedom, one column each;
    ``shuffles`` says in how many each p is counted, 0 where a formula gives it, and ``exact`` whether they are all
    there are, None for a test without shuffles. ``pvalue`` is raw, ``adjusted`` the same after ``adjust``: of
    one two-sided question per pair, or with ``sides`` "one" of the question whether the preferred one is worse.
    ``difference`` is what the test is about, first minus second in units of the measure (of ``sample.scale``
    "log-ratio" the logarithm of the ratio), and ``low`` and ``high`` bound it by the same test at the level at which
    the pair was decided, 1 − ``levels``: the interval has 0 inside where, and only where, the pair is not significant
    (an approximate end on the other side of 0 is 0). They are None for a test without interval. Where equal units,
    which rank and sign tests leave out, make a difference that is shown 0, it is the mean. ``degenerate`` pairs could
    not be tested, and have p = 1. ``better`` is 1 where the test speaks for the first, −1 for the second, 0 for
    neither; ``relation`` says what is shown. ``quantity`` is what of a curve was compared. ``curves`` has what whole
    curves say beyond their means, ``end`` has the tests of their last step by itself, ``several`` what several measures
    do. ``decidable`` is False where no outcome at all
    could have been significant: ``smallest`` is the smallest raw p that the test can give. Differences up to
    ``margin``, where it was given, do not matter.
    """

    learners: tuple[str, ...]
    sample: Sample
    choice: Choice
    measure: str
    larger_is_better: bool
    means: dict[str, float]
    measure_means: dict[str, dict[str, float]]
    adjust: str
    alpha: float
    control: str | None
    seed: int
    sides: Sides
    smallest: float
    decidable: bool
    pairs: tuple[tuple[str, str], ...]
    relation: tuple[Relation, ...]
    better: Array
    degenerate: Flags
    estimate: Array | None
    levels: Array
    intervals: Intervals
    statistic: Array
    turned: Array
    pvalue: Array
    adjusted: Array
    df: Array
    shuffles: Array | None
    exact: Flags | None
    omnibus: Omnibus | None
    quantity: str = ""
    left_out: LeftOut = LeftOut()
    curves: CurveEffects | None = None
    end: PairTests | None = None
    several: Several | None = None
    margin: float | None = None

    @property
    def test(self) -> str:
        """The test of pairs."""
        return self.choice.test

    @property
    def kind(self) -> str:
        """Folds, data sets, items, runs or curves."""
        return self.sample.kind

    @property
    def scope(self) -> Scope:
        """What a claim is about."""
        return self.sample.scope(self.test)

    @property
    def measures(self) -> tuple[VectorMeasure, ...]:
        """The measures compared."""
        return self.sample.measures

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measures compared."""
        return self.sample.names

    def means_of(self, measure: str) -> dict[str, float]:
        """Mean of every learner in one of the measures, or of the error beside them."""
        if measure not in self.measure_means:
            raise unknown(measure, self.measure_means, what="measure", where="comparison")
        return self.measure_means[measure]

    @cached_property
    def mean_ranks(self) -> dict[str, float] | None:
        """Mean rank of every learner over data sets, 1 for the best; None where means say more."""
        over_datasets = self.kind == "datasets" or bool(self.sample.datasets)
        ranked = self.ranks or self.sample.scale != "difference"
        told = over_datasets and self.several is None and not self.sample.incomplete and ranked
        return self.sample.mean_ranks if told else None

    @property
    def rate_range(self) -> float | None:
        """By how much two rates can differ: by 1, in per cent by 100; None where the measure is no rate."""
        if not is_bounded(self.measure) and not self.sample.rate:
            return None
        return 1.0 if max(map(abs, self.means.values())) <= 1.0 else 100.0

    def is_larger_better(self, measure: str) -> bool:
        """The direction of one of the measures, or of the error beside them."""
        return next((each.larger_is_better for each in self.measures if each.name == measure), False)

    @cached_property
    def effects(self) -> Effects:
        """Sizes of the differences of all pairs."""
        return Effects(self.sample, *self.places)

    @property
    def cohens_d(self) -> Array | None:
        """Cohen's d of all pairs."""
        return self.effects.cohens_d

    @property
    def a12(self) -> Array | None:
        """A12 of all pairs."""
        return self.effects.a12

    @property
    def rank_biserial(self) -> Array | None:
        """Rank-biserial correlations of all pairs."""
        return self.effects.rank_biserial

    @property
    def difference(self) -> Array | None:
        """Difference of every pair that the test is about, first minus second."""
        return None if self.estimate is None else self._bounds[0]

    @cached_property
    def bounded(self) -> bool:
        """Whether differences have intervals: some tests have none."""
        return self.estimate is not None and self.intervals.of(np.array([0])) is not None

    @cached_property
    def shared(self) -> Array | None:
        """How many units every pair was compared on, where results are missing and pairs differ in that."""
        found = self.sample.shared(*self.places) if self.sample.incomplete and self.several is None else None
        return None if found is None or np.ptp(found) == 0 else found

    @property
    def sized(self) -> bool:
        """Whether differences have a size: not with several measures, nor where data sets have no common scale."""
        return self.estimate is not None and self.sample.scale != "rank"

    @property
    def ranks(self) -> bool:
        """Whether the test counts ranks or signs."""
        return self.test == "nemenyi" or (self.test in PAIRWISE and method_of(PAIRWISE[self.test]).ranks)

    @property
    def about(self) -> str:
        """What of the differences is tested and bounded: mostly the mean; a median need not be that of the means."""
        found = method_of(PAIRWISE[self.test]).about if self.test in PAIRWISE else "mean"
        return found if found != "mean" and self.sized and self.bounded else "mean"

    @property
    def interval_level(self) -> float | None:
        """The level of the intervals, where all have the same."""
        return 1.0 - float(self.levels[0]) if np.ptp(self.levels) == 0.0 else None

    @property
    def low(self) -> Array | None:
        """Lower ends of the intervals of all differences."""
        return self._bounds[1]

    @property
    def high(self) -> Array | None:
        """Upper ends of the intervals of all differences."""
        return self._bounds[2]

    @cached_property
    def _bounds(self) -> tuple[Array, Array | None, Array | None]:
        return self.bounds_of(np.arange(len(self.pairs)))

    def bounds_of(self, places: npt.NDArray[np.intp]) -> tuple[Array, Array | None, Array | None]:
        """Difference and interval of the pairs at these places, in units of the measure."""
        if self.estimate is None:
            return np.zeros(len(places)), None, None
        found = self.intervals.of(places)
        if found is None:
            return self.estimate[places], None, None
        sign = 1.0 if self.sign_of_losses > 0 else -1.0
        difference, low, high = (sign * each for each in found)
        low, high = (low, high) if sign > 0 else (high, low)
        first, second = self.places
        difference = without_rounding(difference, self.sample.largest(first[places], second[places]))
        if self.sides == "one" or self.intervals.unseen:  # what the test decided allows for no unit that was not seen
            return difference, low, high
        return self._agreeing(places, difference, low, high)

    def _agreeing(
        self, places: npt.NDArray[np.intp], difference: Array, low: Array, high: Array
    ) -> tuple[Array, Array, Array]:
        """Differences and ends on the side of 0 that the test decided, where approximate ones are not.

        Rank and sign tests leave equal units out. Where these make a difference that is shown 0, it is the mean, and
        the interval reaches there.
        """
        rejected = self.pvalue[places] <= self.levels[places]
        side = np.where(rejected, self.better[places] * (1.0 if self.larger_is_better else -1.0), 0.0)
        mean = np.zeros(len(places)) if self.estimate is None else self.estimate[places]
        difference = np.where((side != 0) & (side * difference <= 0) & (side * mean > 0), mean, difference)
        nearly = 1e-8 * np.abs(high - low)  # of an end at which the test ties
        tiny = np.finfo(float).tiny  # an end at 0 that is not in the interval
        low = np.where(rejected, low, np.where(low > -nearly, 0.0, low))
        high = np.where(rejected, high, np.where(high < nearly, 0.0, high))
        low, high = np.where(side > 0, np.maximum(low, tiny), low), np.where(side < 0, np.minimum(high, -tiny), high)
        low = np.where(side < 0, np.minimum(low, np.minimum(difference, high)), low)
        high = np.where(side > 0, np.maximum(high, np.maximum(difference, low)), high)
        return difference, low, high

    @property
    def sign_of_losses(self) -> float:
        """−1 where losses are negated scores."""
        return -1.0 if self.larger_is_better else 1.0

    @cached_property
    def places(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Places among the learners of the first and of the second of every pair."""
        place = {name: i for i, name in enumerate(self.learners)}
        first, second = np.array([[place[name] for name in pair] for pair in self.pairs], dtype=np.intp).T
        return first, second

    @cached_property
    def _place(self) -> dict[tuple[str, str], int]:
        return {pair: i for i, pair in enumerate(self.pairs)}

    def _found(self, first: str, second: str) -> tuple[int, bool]:
        """Place of a pair, and whether it is stored the other way round."""
        if (first, second) in self._place:
            return self._place[first, second], False
        if (second, first) in self._place:
            return self._place[second, first], True
        for name in (first, second):
            if name not in self.learners:
                raise unknown(name, self.learners, what="learner", where="comparison")
        raise InputError(
            f"{first} and {second} were not compared.", "comparison", f"every pair has the control, {self.control}."
        )

    def compared(self, first: str, second: str) -> bool:
        """Say whether the pair was tested: with a control only pairs with it are."""
        return (first, second) in self._place or (second, first) in self._place

    def bounded_at(self, level: float) -> Comparison:
        """The same with intervals of two sides at one level, to be set beside a margin."""
        intervals = self._beside_margin(np.full(len(self.pairs), level))
        return replace(self, levels=intervals.levels, intervals=intervals)

    def _beside_margin(self, levels: Array) -> Intervals:
        """Intervals of two sides at these levels, one per pair, that allow for a failure that was not seen."""
        unseen = 0.0
        if self.sample.graded_items:
            unseen = self.graded_range or float(np.nanmax(self.sample.rows) - np.nanmin(self.sample.rows))
        return replace(self.intervals, levels=levels, sides=0.0 * levels, unseen=unseen)

    @cached_property
    def graded_range(self) -> float | None:
        """By how much two grades of an item can differ; None where that is not known, or there are no such items."""
        if not self.sample.graded_items:
            return None
        return range_of(self.measure, self.sign_of_losses * self.sample.rows, rate=self.sample.rate)

    def untested(self, first: str, second: str) -> bool:
        """Say whether the pair has too few results, or results that vary too little, for its test."""
        return bool(self.degenerate[self._found(first, second)[0]])

    def asked(self, first: str, second: str) -> bool:
        """Say whether the test asks about the way the pair differs; a test of two sides always does."""
        return not self.not_asked[self._found(first, second)[0]]

    @cached_property
    def not_asked(self) -> Flags:
        """One entry per pair: whether it differs the way that a one-sided test does not ask about."""
        if self.sides == "two" or self.estimate is None:
            return np.zeros(len(self.pairs), dtype=bool)
        return np.asarray(~self.significant & (-self.sign_of_losses * self.estimate * self.better < 0))

    def pair(self, first: str, second: str) -> Pair:
        """Return one pair with the first named first."""
        i, turned = self._found(first, second)
        sign = -1.0 if turned else 1.0

        relation = self.relation[i]
        return Pair(
            first=first,
            second=second,
            relation=_TURNED.get(relation, relation) if turned else relation,
            significant=relation != "not significant",
            better=(None, first, second)[int(sign * self.better[i])],
            level=1.0 - float(self.levels[i]),
            statistic=float((self.turned if turned else self.statistic)[i]),
            df=tuple(self.df[i].tolist()),
            pvalue=float(self.pvalue[i]),
            adjusted=float(self.adjusted[i]),
            shuffles=None if self.shuffles is None else int(self.shuffles[i]),
            exact=None if self.exact is None else bool(self.exact[i]),
            equivalent=None if self.equivalent is None else bool(self.equivalent[i]),
            parts=()
            if self.several is None
            else self._parts(self.several, self.several.parts, i, (first, second), turned),
            vector=None if self.several is None else self._vector(self.several, i, (first, second), turned),
            bounds_of=partial(self._one_bounds, i, turned),
            effects_of=partial(self._one_effects, i, turned),
        )

    def _one_effects(self, i: int, turned: bool) -> Bounds:
        together = "effects" in self.__dict__
        first, second = self.places
        found = self.effects if together else Effects(self.sample, first[i : i + 1], second[i : i + 1])
        place = i if together else 0
        d, a12, ranks = (
            None if each is None else float(each[place]) for each in (found.cohens_d, found.a12, found.rank_biserial)
        )
        if not turned:
            return d, a12, ranks
        return (
            None if d is None else -d + 0.0,
            None if a12 is None else 1.0 - a12,
            None if ranks is None else -ranks + 0.0,
        )

    def _one_bounds(self, i: int, turned: bool) -> Bounds:
        """Difference and interval of one pair, first minus second or the other way round."""
        if not self.sized:
            return None, None, None
        together = "_bounds" in self.__dict__ or len(self.pairs) <= _FEW_PAIRS
        bounds = self._bounds if together else self.bounds_of(np.array([i]))
        sign, place = -1.0 if turned else 1.0, i if together else 0
        difference, low, high = (None if each is None else sign * float(each[place]) + 0.0 for each in bounds)
        return (difference, high, low) if turned else (difference, low, high)

    def _parts(self, several: Several, parts: Parts, i: int, names: tuple[str, str], turned: bool) -> tuple[Part, ...]:
        sign = -1.0 if turned else 1.0
        of_statistic = 1.0 if method_of(PAIRWISE[several.part_test]).ranks else sign  # t is negated
        means = (parts.second_mean, parts.first_mean) if turned else (parts.first_mean, parts.second_mean)
        return tuple(
            Part(
                measure=measure.name,
                first_mean=float(means[0][i, m]),
                second_mean=float(means[1][i, m]),
                difference=sign * float(parts.difference[i, m]) + 0.0,
                statistic=float(parts.statistic[i, m]) * of_statistic,
                pvalue=float(parts.pvalue[i, m]),
                adjusted=float(parts.adjusted[i, m]),
                significant=bool(parts.adjusted[i, m] <= self.alpha),
                better=(None, *names)[int(sign * parts.better[i, m])],
            )
            for m, measure in enumerate(parts.measures)
        )

    def _vector(self, several: Several, i: int, names: tuple[str, str], turned: bool) -> Vector:
        sign = -1.0 if turned else 1.0

        def named(rows: Array | None) -> dict[str, float]:
            return {} if rows is None else dict(zip(self.names, (sign * rows[i] + 0.0).tolist(), strict=True))

        return Vector(
            f_statistic=None if several.f_statistic is None else float(several.f_statistic[i]),
            df=tuple(several.df[i].tolist()),
            rank=int(several.rank[i]),
            direction=named(several.direction),
            weights=named(several.weights),
            dominance_pvalue=float(several.dominance_pvalue[i].min()),
            dominance_adjusted=float(several.dominance_adjusted[i].min()),
            error=None if several.error is None else self._parts(several, several.error, i, names, turned)[0],
        )

    def wins(self, better: str, worse: str) -> bool:
        """Say whether ``better`` passes its part of the winner test: a two-sided test of the pair alone, at alpha."""
        pvalue = self.winner_pvalue(better, worse)
        if pvalue is None:
            return self.shows(better, worse)
        i, turned = self._found(better, worse)
        side = -1.0 if turned else 1.0
        return bool(pvalue <= self.alpha and self.better[i] == side and self.end_pvalue(worse, better) is None)

    def end_pvalue(self, better: str, worse: str) -> float | None:
        """The p value of the last step of whole curves by itself, where ``better`` is better there at alpha."""
        if self.end is None or not self.compared(better, worse):
            return None
        i, turned = self._found(better, worse)
        found = self.end.pvalue[i] <= self.alpha and self.end.better[i] == (-1.0 if turned else 1.0)
        return float(self.end.pvalue[i]) if found else None

    def winner_pvalue(self, first: str, second: str) -> float | None:
        """The p value of a pair alone, as in the winner test: of whole curves with its features and steps.

        None where the family decides who wins.
        """
        if self.sides == "one" or self.several is not None or not self.compared(first, second):
            return None
        found = self._found(first, second)[0]
        return float(self.pvalue[found]) if self.curves is None else self.curves.pairs[found].alone

    def shows(self, better: str, worse: str) -> bool:
        """Say whether ``better`` is shown to be better than ``worse``, of several measures in every one.

        Nothing is shown of two learners that were compared with the control alone.
        """
        if self.control and not self.compared(better, worse):
            return False
        i, turned = self._found(better, worse)
        return self.relation[i] == ("second" if turned else "first")

    def differs(self, first: str, second: str) -> bool:
        """Say whether a difference between the two is shown, in whatever direction."""
        i, _ = self._found(first, second)
        return self.relation[i] != "not significant"

    @property
    def tested(self) -> bool:
        """Whether any pair could be tested."""
        return not bool(self.degenerate.all())

    @cached_property
    def significant(self) -> Flags:
        """One entry per pair: whether a difference is shown, in whatever direction."""
        return np.array([each != "not significant" for each in self.relation])

    @cached_property
    def shown(self) -> Flags:
        """(learners, learners): the row is shown to be better than the column, by the test of the two."""
        k, relation = len(self.learners), np.array(self.relation)
        (first, second), shown = self.places, np.zeros((k, k), dtype=bool)
        shown[first, second] = relation == "first"
        shown[second, first] = relation == "second"
        return shown

    @cached_property
    def unlike(self) -> Flags:
        """(learners, learners): the two differ, and neither is shown to be better."""
        (first, second), unlike = self.places, np.zeros_like(self.shown)
        unlike[first, second] = unlike[second, first] = np.isin(self.relation, ("trade-off", "differ"))
        return unlike

    @cached_property
    def equivalent(self) -> Flags | None:
        """One entry per pair: whether it is shown to differ by less than the margin; None without a margin."""
        return None if self.margin is None else self.inside(self.margin, np.arange(len(self.pairs)))

    def inside(self, margin: float, places: npt.NDArray[np.intp]) -> Flags | None:
        """Say of the pairs at these places whether the whole interval of their difference is inside ± margin.

        Its ends are each at alpha over the number of pairs, or farther out where those of the pair's own interval are:
        any pair is wrongly found inside in at most alpha of cases. None where there are no intervals.
        """
        if not self.sized or not self.bounded or self.estimate is None:
            return None
        found = np.zeros(len(places), dtype=bool)
        # Of many pairs intervals take long: a mean far outside has none inside, though a typical difference is no mean.
        near = np.flatnonzero(np.abs(self.estimate[places]) < 2.0 * margin)
        levels = np.minimum(self.levels, 2.0 * self.alpha / len(self.pairs))
        bounds = self._beside_margin(levels).of(places[near]) if near.size else None
        if bounds is not None:
            found[near] = (-margin < bounds[1]) & (bounds[2] < margin)
        return found

    def adjusted_pvalue(self, first: str, second: str) -> float:
        """The adjusted p value of a pair."""
        return float(self.adjusted[self._found(first, second)[0]])

    @property
    def holds_family(self) -> bool:
        """Whether the chance of any false finding is held; else alpha says nothing of ranks or the set of the best."""
        return len(self.pairs) == 1 or self.adjust not in ADJUST or adjustment_of(ADJUST[self.adjust]).holds == "family"

    @property
    def ignores_overlap(self) -> bool:
        """Whether folds, which share training data, were tested as if they were independent."""
        if self.kind != "folds":
            return False
        if self.several is not None:
            return self.test == "hotelling"
        return self.test not in PAIRWISE or method_of(PAIRWISE[self.test]).design == "values"

    @property
    def alpha_share(self) -> float:
        """The share of alpha that the pairs have: features and steps of whole curves are in one family with them."""
        return self.sample.level_share(self.adjust)

    def adjusted_at_best(self, pvalue: float) -> float:
        """The smallest adjusted p where every pair has this one; a test of all pairs at once needs no more."""
        adjustment = ADJUST[self.adjust if self.adjust in ADJUST else "none"]
        return float(min(1.0, np.min(adjustment(np.full(len(self.pairs), pvalue))) / self.alpha_share))

    def rows(self) -> list[dict[str, Any]]:
        """One dict per pair, ready for a table."""
        if self.several is None:
            return [
                {name: value for name, value in self.pair(*pair).to_dict().items() if name not in ("parts", "vector")}
                for pair in self.pairs
            ]
        return [
            {
                "first": each.first,
                "second": each.second,
                "statistic": each.statistic,
                "pvalue": each.pvalue,
                "adjusted": each.adjusted,
                "relation": each.relation,
                **{f"difference {part.measure}": part.difference for part in each.parts},
                **{f"adjusted {part.measure}": part.adjusted for part in each.parts},
            }
            for each in (self.pair(*pair) for pair in self.pairs)
        ]

    def frame(self) -> Any:
        """Return one row per pair as a pandas data frame."""
        return need("pandas", purpose="a data frame of the comparison").DataFrame(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON: facts about the sample, the choice of the test, every pair."""
        facts = ("measure", "means", "measure_means", "adjust", "alpha", "control", "seed", "sides", "smallest",
                 "decidable", "quantity")  # fmt: skip
        plain = Record.to_dict(replace(self, several=None, intervals=None, end=None))  # type: ignore[arg-type]
        _ = self.difference, self.effects  # of all pairs at once
        return {
            "learners": plain["learners"],
            "measures": [each.to_dict() for each in self.measures],
            "sample": self.sample.facts(),
            "scope": self.scope,
            "choice": plain["choice"],
            **{name: plain[name] for name in facts},
            "pairs": [self.pair(*pair).to_dict() for pair in self.pairs],
            "part_test": None if self.several is None else self.several.part_test,
            "omnibus": plain["omnibus"],
            "left_out": plain["left_out"],
            "curves": plain["curves"],
        }

    def _repr_html_(self) -> str:
        from bestofk.reporting.notebook import comparison_html

        return comparison_html(self)

    def __repr__(self) -> str:
        from bestofk.reporting.words import comparison_text

        return comparison_text(self)
