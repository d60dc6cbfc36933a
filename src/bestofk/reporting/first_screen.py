"""The table of the first screen: one row per learner, and beside its numbers where they stand on a common axis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from bestofk.comparing import Comparison, Pair
from bestofk.core.arrays import Flags
from bestofk.core.frozen import frozen
from bestofk.core.phrases import TINY, column_texts, p_words, signed
from bestofk.judging import Verdict
from bestofk.judging.good_enough import bound_text
from bestofk.ordering.contest import is_smaller
from bestofk.ordering.methods import means_first
from bestofk.reporting.tables import (
    PlainTable,
    is_ratio,
    mean_text,
    number_text,
    parts_text,
    ratio_text,
)

#: So many learners stand on the first screen; of more, those of the set of the best and the next ones.
MOST_LEARNERS = 8
#: By how much a learner is at most below the best.
BOUND = "behind"
#: Headings of the table itself.
_OURS = ("", "learner", "rank", "mean rank", "finding", BOUND)
#: Longer names do not stand in a heading.
_SHORT_NAME = 20
#: About so many numbers stand on the axis, and so much room, in per cent, is left at its ends.
_TICKS, _MARGIN = 5, 4.0


@frozen
class Mark:
    """An interval and the value in it, in per cent of the axis; None is nothing to draw."""

    low: float | None
    at: float | None
    high: float | None


@frozen
class Axis:
    """Places and texts of the numbers on it, in per cent; ``zero`` is where there is no difference."""

    ticks: tuple[tuple[float, str], ...]
    zero: float | None


@frozen
class LearnersTable(PlainTable):
    """The table with its drawing: a mark for each row in the column ``drawn``; ``better`` is the better end.

    Nothing is drawn where all ranks are open: ``drawn`` is empty then.
    """

    drawn: str = ""
    marks: tuple[Mark, ...] = ()
    axis: Axis = Axis((), None)
    better: str = ""


def first_table(verdict: Verdict, *, most: int = MOST_LEARNERS) -> LearnersTable:
    """One row per learner: the chosen one first, the others by the measure; of many learners the first ones."""
    shown, hidden = _shown(verdict, most)
    comparison, reference = verdict.comparison, _reference_name(verdict)
    known = {} if verdict.evidence is None else verdict.evidence.costs
    only = next(iter(known)) if verdict.within is not None and len(known) == 1 else ""  # a margin is given for its sake
    cost = verdict.ordering.prior_from or only
    costs = known.get(cost, {})
    means = _listed_by(comparison)
    numbers = {name: column_texts([each[one] for one in shown], mean_text) for name, each in means.items()}
    if costs:
        texts = column_texts([costs[one] for one in shown], number_text)
        numbers[f"{cost} (cost)" if cost in _OURS else cost] = ["" if each == "nan" else each for each in texts]
    if verdict.within is not None:
        numbers[BOUND] = [bound_text(verdict.within.bounds[one], verdict.within.relative) for one in shown]
    gaps = _gaps(verdict, shown)
    short = f"{'ratio to' if gaps.ratio else 'vs'} {reference}"
    gap = {gaps.heading(reference): short} if comparison.sized else {}
    findings = "finding" if gap else f"beside {reference}"
    columns = ("", "learner", *numbers, *gap, "rank", findings)
    rows = [
        (
            ">" if name == verdict.best else "",
            name,
            *(texts[i] for texts in numbers.values()),
            *((gaps.text(gaps.pairs[i]),) if gap else ()),
            rank_text(verdict.rank_intervals[name]),
            finding(verdict, name),
        )
        for i, name in enumerate(shown)
    ]
    states = [_state(verdict, name) for name in shown]
    axis, marks = gaps.drawn() if comparison.sized else drawn_ranks(verdict, shown)
    if hidden:
        rows.append(("", f"and {len(hidden)} more", *[""] * (len(columns) - 3), _rest(verdict, hidden)))
        states.append("open" if set(hidden) & set(verdict.best_set) else "worse")
        marks = (*marks, Mark(None, None, None))
    left = not comparison.sized or not comparison.larger_is_better
    asked = [each for each in comparison.measure_means if each in comparison.names]
    unasked = [each for each in comparison.measure_means if each not in asked] if asked else []
    return LearnersTable(
        columns,
        tuple(rows),
        frozenset(numbers),
        tuple(states),
        lesser=tuple(map(_heading, asked[1:])),
        unasked=tuple(map(_heading, unasked)),
        spare=_spare(means, shown),
        short=gap,
        drawn=next(iter(gap)) if gap else "rank" if len(set(verdict.rank_intervals.values())) > 1 else "",
        marks=marks,
        axis=axis,
        better="left" if left else "right",
    )


def _heading(measure: str) -> str:
    """The name of a measure's column; those of the table itself are taken."""
    return f"mean {measure}" if measure in _OURS else measure


def difference_text(verdict: Verdict, name: str, other: str) -> str:
    """The difference of a learner from another, with the decimals of the table."""
    return _gaps(verdict, ()).text(_pair(verdict.comparison, name, other))


def _gaps(verdict: Verdict, shown: tuple[str, ...]) -> Gaps:
    """Differences of these learners from the reference, with the decimals that the first rows need."""
    first_rows, _ = _shown(verdict, MOST_LEARNERS)
    comparison, reference = verdict.comparison, verdict.reference
    pairs, few = ([_pair(comparison, name, reference) for name in names] for names in (shown, first_rows))
    bounded = verdict.within is None  # with a margin its bounds, at their own level, are what decides
    return Gaps(comparison, pairs, few, [name == reference for name in shown], bounded=bounded)


def rank_text(interval: tuple[int, int]) -> str:
    """From the best to the worst rank that a learner may have."""
    low, high = interval
    return str(low) if low == high else f"{low}–{high}"


def _listed_by(comparison: Comparison) -> dict[str, dict[str, float]]:
    """The means and mean ranks of learners by column; amounts in other units on every data set have no mean."""
    ranks = {} if comparison.mean_ranks is None else {"mean rank": comparison.mean_ranks}
    if ranks and comparison.sample.scale != "difference":
        return ranks
    if is_ratio(comparison):
        return {"geometric mean": comparison.means, **ranks}
    return {**{_heading(name): each for name, each in comparison.measure_means.items()}, **ranks}


def _spare(means: dict[str, dict[str, float]], shown: Sequence[str]) -> tuple[str, ...]:
    """The mean rank where the first mean tells the same order; else that mean, for learners are listed by mean rank."""
    mean, ranks = next(iter(means)), next(reversed(means))
    if mean == ranks or ranks != "mean rank":
        return ()
    by_rank = [value for _, value in sorted((means[ranks][name], means[mean][name]) for name in shown)]
    return (ranks if by_rank in (sorted(by_rank), sorted(by_rank, reverse=True)) else mean,)


def _shown(verdict: Verdict, most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The first of the order, then the others by mean; of more than ``most`` the last are hidden, the control never."""
    first = verdict.order[0]
    names = (first, *(name for name in means_first(verdict.comparison) if name != first))
    if len(names) <= most:
        return names, ()
    shown = names[: most - 1] if verdict.reference in names[: most - 1] else (*names[: most - 2], verdict.reference)
    return shown, tuple(name for name in names if name not in shown)


def _rest(verdict: Verdict, hidden: tuple[str, ...]) -> str:
    """What is shown of those that have no row."""
    first, comparison = verdict.reference, verdict.comparison
    worse = sum(comparison.shows(first, name) for name in hidden)
    beaten = np.asarray(comparison.shown.any(axis=0))
    others = sum(bool(beaten[comparison.learners.index(name)]) for name in hidden) - worse
    said = {f"worse than {_reference_name(verdict)}": worse, "worse than another": others}
    if verdict.control is not None:
        said[f"better than {_reference_name(verdict)}"] = sum(comparison.shows(name, first) for name in hidden)
    return ", ".join(
        words if number == len(hidden) else f"{number} {words}" for words, number in said.items() if number
    )


def _reference_name(verdict: Verdict) -> str:
    """What the learner that all are set beside is called in headings and findings."""
    long = "the first" if verdict.control is None else "the control"
    return verdict.reference if len(verdict.reference) <= _SHORT_NAME else long


def _pair(comparison: Comparison, name: str, reference: str) -> Pair | None:
    """The learner and the one that all are set beside, if the two were compared."""
    return None if name == reference or not comparison.compared(reference, name) else comparison.pair(name, reference)


class Gaps:
    """Differences from one learner: as texts with the same number of decimals, and on one axis."""

    def __init__(
        self,
        comparison: Comparison,
        pairs: Sequence[Pair | None],
        few: Sequence[Pair | None],
        reference: Sequence[bool] = (),
        *,
        bounded: bool = True,
    ) -> None:
        self.comparison, self.pairs, self.ratio = comparison, pairs, is_ratio(comparison)
        self._bounded = bounded
        self._reference = reference or [not i for i in range(len(pairs))]  # what all are set beside
        self._known = [pair for pair in pairs if pair is not None and pair.difference is not None]
        known = [pair for pair in few if pair is not None and pair.difference is not None]
        self._digits = None if self.ratio else decimals([(pair.difference or 0.0, self._ends(pair)) for pair in known])

    def heading(self, reference: str) -> str:
        """The name of the column."""
        words = f"{self.comparison.measure}, ratio to" if self.ratio else "difference from"
        words = f"{words} {reference}"
        return words + (" [interval]" if any(self._ends(pair) for pair in self._known) else "")

    def text(self, pair: Pair | None) -> str:
        """The difference of a pair with its interval; of amounts in other units on every data set their ratio."""
        if pair is None or pair.difference is None:
            return ""
        ends = self._ends(pair)
        return self._one(pair.difference) + (f" [{self._one(ends[0])}, {self._one(ends[1])}]" if ends else "")

    def _ends(self, pair: Pair) -> tuple[float, float] | None:
        """The interval of a pair; one that has no end on either side says nothing."""
        if not self._bounded or pair.low is None or pair.high is None or np.isinf([pair.low, pair.high]).all():
            return None
        return pair.low, pair.high

    def _one(self, value: float) -> str:
        return ratio_text(value) if self.ratio else signed(value, self._digits)

    def drawn(self) -> tuple[Axis, tuple[Mark, ...]]:
        """Every pair on an axis that reaches from the lowest to the highest end; what has no end goes to its edge."""
        ends = [each for pair in self._known for each in (pair.difference, *(self._ends(pair) or ()))]
        place, ticks = _scale([0.0, *(each for each in ends if each is not None)], logarithms=self.ratio)

        def mark(pair: Pair | None, reference: bool) -> Mark:
            if reference:
                return Mark(None, place(0.0), None)
            if pair is None or pair.difference is None:
                return Mark(None, None, None)
            low, high = self._ends(pair) or (None, None)
            return Mark(*(None if each is None else place(each) for each in (low, pair.difference, high)))

        return Axis(ticks, place(0.0)), tuple(map(mark, self.pairs, self._reference))


def decimals(differences: Sequence[tuple[float, tuple[float, float] | None]]) -> int | None:
    """So many that the narrowest interval has two digits and no end is rounded to 0; None where that is not enough.

    Every difference comes with its interval, or with None.
    """
    widths = [(ends[1] - ends[0]) / 2 for _, ends in differences if ends and 0 < ends[1] - ends[0] < np.inf]
    values = np.abs([each for difference, ends in differences for each in (difference, *(ends or ()))])
    values = values[(values > TINY) & (values < np.inf)]
    if not len(values):
        return None
    digits = max(0, 1 - int(np.floor(np.log10(min(widths, default=values.min())))))
    digits = max(digits, int(np.floor(-np.log10(2 * values.min()))) + 1)
    return digits if digits <= 6 and values.max() < 1e6 else None


def drawn_ranks(verdict: Verdict, shown: Sequence[str]) -> tuple[Axis, tuple[Mark, ...]]:
    """The rank intervals, where differences have no size."""
    place, ticks = _scale([1.0, len(verdict.order)], whole=True)
    ranks = [verdict.rank_intervals[name] for name in shown]
    return Axis(ticks, None), tuple(
        Mark(place(low), place(low) if low == high else None, place(high)) for low, high in ranks
    )


def _scale(
    values: Iterable[float], *, logarithms: bool = False, whole: bool = False
) -> tuple[Callable[[float], float], tuple[tuple[float, str], ...]]:
    """From a value to its place in per cent, and the numbers on the axis."""
    finite = [each for each in values if np.isfinite(each)]
    low, high = min(finite), max(finite)
    if low == high:
        low, high = low - 1.0, high + 1.0

    def place(value: float) -> float:
        if np.isinf(value):
            return 0.0 if value < 0 else 100.0
        return round(_MARGIN + (value - low) / (high - low) * (100 - 2 * _MARGIN), 2)

    if logarithms:
        return place, tuple((place(float(np.log(each))), f"×{each:g}") for each in _round_ratios(low, high))
    step = _round_step((high - low) / _TICKS)
    if whole:
        ranks = range(int(low), int(high) + 1, max(1, round(step)))
        return place, tuple((place(each), str(each)) for each in ranks)
    decimals = max(0, -int(np.floor(np.log10(step))))
    multiples = np.arange(np.ceil(low / step), np.floor(high / step) + 1)
    return place, tuple((place(each * step), signed(each * step, decimals)) for each in multiples.tolist())


def _round_step(step: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(step))
    return float(next(each * power for each in (1, 2, 5, 10) if each * power >= step * (1 - 1e-9)))


def _round_ratios(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten between two logarithms, in steps of a tenth where these are too far apart."""
    powers = 10.0 ** np.arange(np.floor(low / np.log(10)), np.ceil(high / np.log(10)) + 1)
    inside = [ratio for power in powers for ratio in (power, 2 * power, 5 * power) if low <= np.log(ratio) <= high]
    while len(inside) > 2 * _TICKS:
        inside = inside[::2]
    if len(inside) > 1:
        return [float(f"{each:g}") for each in inside]
    step = _round_step((np.exp(high) - np.exp(low)) / _TICKS)
    return [round(float(each), 12) for each in np.arange(np.ceil(np.exp(low) / step) * step, np.exp(high), step)]


def _state(verdict: Verdict, name: str) -> str:
    if name == verdict.best:
        return "chosen"
    return "open" if name in verdict.best_set or passed_alone(verdict, name) else "worse"


def passed_alone(verdict: Verdict, name: str) -> bool:
    """Whether the first is shown to be better than this learner by their own test alone, as the winner test asks."""
    first = verdict.order[0]
    return name != first and verdict.reason(first, name).ground == "winner"


def listed_by(comparison: Comparison) -> str:
    """What learners are listed by, where no preference or test has a say."""
    if len(comparison.names) > 1 or comparison.kind == "battles":
        return comparison.measure
    return "mean" if comparison.mean_ranks is None else "mean rank"


def finding(verdict: Verdict, name: str) -> str:
    """What is shown of a learner beside the first of the order, or beside the control, in a few words."""
    first = verdict.reference
    best_mean = not any(ahead(verdict, other, name) for other in verdict.order)
    best_mean &= verdict.best in (None, name) or ahead(verdict, name, verdict.best)  # of equal ones the choice stands
    best = f"best {listed_by(verdict.comparison)}"
    if name == first:
        words = {"decided": "best", "within": "good enough", "preferred": _chosen(verdict)}
        said = words.get(verdict.status) if name == verdict.best else best if best_mean else ""
        return ", ".join(each for each in ("" if verdict.control is None else "control", said) if each)
    chosen = f"{_chosen(verdict)}, " if verdict.control is not None and name == verdict.best else ""
    against: str = verdict.against(first, name)
    reason = verdict.reason(first, name)
    comparison, p = verdict.comparison, "" if reason.pvalue is None else f", {p_words(_claimed(verdict, first, name))}"
    if name == verdict.best and verdict.status == "decided":  # of two learners, one of them the control
        return f"best{p}"
    if against in ("worse", "better"):
        return f"{chosen}{against}{p}"
    better, unlike = (_clearest(comparison, name, each) for each in (comparison.shown.T, comparison.unlike))
    if against in ("trade-off", "differs") and not better:
        return f"{parts_text(comparison.pair(name, first))}{p}"
    alone = comparison.winner_pvalue(first, name) if reason.ground == "winner" else None
    if alone is not None:
        return f"{p_words(alone)}, tested alone"
    if against == "not significant" and comparison.pair(first, name).equivalent:
        against = "equivalent"
    ranked = ", ranked below" if verdict.ordering.ranks and (name, first) in verdict.ordering.ranks.edges else ""
    if against in ("trade-off", "differs", "not significant", "equivalent", "not tested") and (better or unlike):
        against = (
            f"worse than {_called(better)}" if better else parts_text(comparison.pair(name, unlike), _called(unlike))
        )
    elif best_mean and against == "not significant":
        against = ""
    return chosen + ", ".join(each for each in (best if best_mean else "", against) if each) + ranked


def _chosen(verdict: Verdict) -> str:
    return "preferred" if by_preference(verdict) else "chosen"


def by_preference(verdict: Verdict) -> bool:
    """Whether the choice is the most preferred of several that may be best: the ranks of Multi²Test may overrule it."""
    if verdict.status != "preferred" or verdict.prior is None or len(verdict.best_set) == 1:
        return False
    return verdict.best == min(verdict.best_set, key=verdict.prior.index)


def _claimed(verdict: Verdict, first: str, name: str) -> float:
    """The adjusted p of what is said of two learners: of several measures that of the parts that are named."""
    reason, comparison = verdict.reason(first, name), verdict.comparison
    assert reason.pvalue is not None
    if comparison.several is None or not comparison.compared(first, name):
        return reason.pvalue
    pair = comparison.pair(first, name)
    if pair.vector is not None and pair.relation in ("first", "second"):
        return pair.vector.dominance_adjusted
    shown = [part.adjusted for each in (first, name) for part in pair.shown_in(each)]
    return max(shown, default=reason.pvalue)


def _clearest(comparison: Comparison, name: str, related: Flags) -> str:
    """Of those to whom a learner is so related the one with the smallest p; empty where there is nobody."""
    others = [comparison.learners[i] for i in np.flatnonzero(related[comparison.learners.index(name)])]
    tested = [each for each in others if comparison.compared(each, name)]
    return min(tested, key=lambda each: comparison.adjusted_pvalue(each, name), default="")


def _called(name: str) -> str:
    """A learner beside whom another is found to be worse or different."""
    return name if len(name) <= _SHORT_NAME else "another"


def ahead(verdict: Verdict, one: str, other: str) -> bool:
    """Whether the mean of the one, or its mean rank where learners are listed by that, is better.

    A last digit makes no mean better.
    """
    ranks = verdict.comparison.mean_ranks
    if ranks is not None:
        return is_smaller(ranks[one], ranks[other])
    sign = -1.0 if verdict.comparison.larger_is_better else 1.0
    return is_smaller(sign * verdict.comparison.means[one], sign * verdict.comparison.means[other])
