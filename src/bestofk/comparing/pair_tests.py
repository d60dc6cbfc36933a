"""All pairs by one test: p values of both sides, differences and their intervals, effects, and the smallest p."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.comparing.sample import Sample
from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted
from bestofk.evidence import Battles
from bestofk.stats.distributions import t_tail
from bestofk.stats.effects import a12, a12_of_rows, cohens_d, rank_biserial
from bestofk.stats.method import Method, method_of
from bestofk.stats.omnibus.nemenyi import control_in, nemenyi
from bestofk.stats.pair import paired
from bestofk.stats.pairwise import PAIRWISE, stratified_t
from bestofk.stats.pairwise.student import FEWEST_DF, FEWEST_WITHOUT_VARIANCE, StudentResult, untested
from bestofk.stats.pairwise.welch import smallest_dealing, welch_from

Places = npt.NDArray[np.intp]

#: Values per side and batch: K = 200 learners on many items stay within some hundred megabytes.
MOST_VALUES = 4_000_000
#: More units than these give a smaller p than any level, or, where signs are drawn, the same p.
_ENOUGH = 64


@frozen(eq=False)
class PairTests:
    """One row per pair: two-sided p, and ``better``, 1 where the test speaks for the first, −1 for the second.

    ``statistic`` is that of the losses, first against second, ``turned`` of second against first. ``estimate`` is the
    difference of losses, first minus second, that the test is about. ``df`` (pairs, degrees of freedom) has no columns
    where the distribution has none. ``shuffles`` says in how many each p is counted, 0 where a formula gives it, and
    ``exact`` whether they are all there are; None for a test without shuffles. ``degenerate`` pairs cannot be tested by
    Student's distribution: fewer than 3 degrees of freedom, or a difference without any variance on fewer than 6 units;
    or they have too few groups of items; their p is 1.
    """

    statistic: Array
    turned: Array
    pvalue: Array
    estimate: Array
    better: Array
    df: Array
    degenerate: Flags | None = None
    shuffles: Array | None = None
    exact: Flags | None = None


@frozen(eq=False)
class Effects:
    """How large the differences of pairs are, each effect when it is asked for; None where the sample has no such.

    Paired d and A12 where values are paired, rank-biserial where pairs are independent and graded; positive, and A12
    above ½, where the first is better. Values of different data sets, or groups of items, are not set beside each
    other: A12 is the share of those on which the first is better, the only effect without a common scale.
    """

    sample: Sample
    first: Places
    second: Places

    @property
    def _rows(self) -> Array | None:
        """Paired values."""
        sample = self.sample
        unpaired = bool(sample.runs) and not sample.paired
        return None if unpaired or sample.vectors is not None or sample.rows.shape[1] < 2 else sample.rows

    @cached_property
    def cohens_d(self) -> Array | None:
        """Paired d."""
        sized = self._rows is not None and self.sample.scale != "rank"
        return _per_pair(_better_d, self.sample.rows, self.first, self.second) if sized else None

    @cached_property
    def a12(self) -> Array | None:
        """The chance that the first does better."""
        apart = self.sample.kind == "datasets" or bool(self.sample.groups)  # values of other units, or of other sizes
        if self._rows is not None and apart:
            return _per_pair(_better_where, self._rows, self.first, self.second)
        if self._rows is not None:
            return _a12_of_pairs(self._rows, self.first, self.second)
        of_runs = bool(self.sample.runs) and not self.sample.paired and not self.sample.datasets
        return _a12_of_runs(self.sample, self.first, self.second) if of_runs else None

    @cached_property
    def rank_biserial(self) -> Array | None:
        """The matched-pairs rank-biserial correlation."""
        graded = self.sample.kind in ("datasets", "items") and not self.sample.binary and self.sample.scale != "rank"
        rows = self._rows if graded else None
        return None if rows is None else _per_pair(_better_ranks, rows, self.first, self.second)


@frozen(eq=False)
class Intervals:
    """The difference of every pair that the test is about, and the interval of it, when they are asked for.

    ``levels`` are those of the tests, one per pair; ``sides`` are 0, or for a one-sided question 1 where it is asked
    whether the first loses more, −1 where the second: the other end is then open. ``quick`` ends are those of fewer
    shuffles. Each end allows for one more unit on which the learners are ``unseen`` apart, as far as they can be:
    failures that are rare may well be missing from the results.
    """

    sample: Sample
    test: str
    first: Places
    second: Places
    levels: Array
    sides: Array
    seed: int
    quick: bool = False
    unseen: float = 0.0

    def of(self, places: Places) -> tuple[Array, Array, Array] | None:
        """Difference of losses, low and high end, of the pairs at these places; None where the test has no interval."""
        first, second, alpha = self.first[places], self.second[places], self.levels[places]
        sides = self.sides[places]
        alpha = np.where(sides == 0, alpha, np.minimum(2.0 * alpha, 0.999))
        questions = _questions(self.sample, self.test, first, second, self.seed, quick=self.quick)
        found = _intervals(self.sample, self.test, questions, alpha, sides, self.unseen)
        if found is None:
            return None
        estimate, low, high = found
        return estimate, np.where(sides < 0, -np.inf, low), np.where(sides > 0, np.inf, high)


def smallest_pvalue(sample: Sample, test: str, *, one_sided: bool = False, control: bool = False) -> float:
    """The p value of a learner that wins every time, by unequal amounts; 0 where a test of the kind has no smallest.

    ``control``: all others are compared with one learner alone.
    """
    if sample.too_few_groups:
        return 1.0
    if test == "nemenyi":
        agreed = np.tile(np.arange(float(len(sample.learners))), (sample.rows.shape[1], 1))
        return float(np.min(nemenyi(agreed, control=0 if control else None).pvalue))
    if test == "welch-permutation":
        fewer, more = sorted(len(each) for each in sample.runs)[-2:]
        either = fewer == more and not one_sided  # all runs swapped are as extreme
        return min(1.0, (2.0 if either else 1.0) * smallest_dealing(fewer, more))
    if test == "permutation-t":
        return float(min(1.0, (1.0 if one_sided else 2.0) * 0.5 ** _most_shared(sample)))
    if test == "randomized-t":
        return _smallest_of_curves(sample, one_sided)
    if test == "stratified-t":
        if sample.within_df(*np.triu_indices(len(sample.learners), 1)).max() < FEWEST_DF:
            return 1.0
        units = np.inf if sample.divisor_df is None else float(sample.divisor_df.sum())
        # Differences without error of their own in proportion to the degrees of freedom have the largest t.
        return float(t_tail(np.sqrt(2.0 * units), units, "greater" if one_sided else "two-sided"))
    if test not in PAIRWISE:
        return 0.0
    run = PAIRWISE[test]
    facts = method_of(run)
    options: dict[str, Any] = {"rng": 0} if facts.seeded else {}
    options |= {"alternative": "greater"} if one_sided and facts.one_sided else {}
    if facts.design == "runs":
        sizes = sorted(min(len(each), _ENOUGH) for each in sample.runs)[-2:]
        one, two = (_graded(size) for size in sizes)
    elif facts.axes_with({"test_fraction": sample.corrected_by}) == 2:
        shape = sample.replications_and_folds
        if shape[1] < 2:
            return 0.0
        one, two = _graded(shape[0] * shape[1]).reshape(shape), np.zeros(shape)
    else:
        units = min(_most_shared(sample), _ENOUGH)
        one, two = np.ones(units) if facts.design == "items" else _graded(units), np.zeros(units)
        options |= {"test_fraction": sample.corrected_by} if "test_fraction" in facts.flattened_by else {}
    found = run(one + (1.0 if facts.design != "items" else 0.0), two, **options)
    runs = min(len(one), len(two)) if facts.design == "runs" else None
    return 1.0 if untested(found, runs) else float(found.pvalue)


def _graded(units: int) -> Array:
    """Unequal values that are nearly 0."""
    return np.arange(units) / max(1, units) / 1e6


def run_pairs(sample: Sample, test: str, first: Places, second: Places, seed: int) -> PairTests:
    """Test the pairs (first[i], second[i]) of a sample."""
    if test == "nemenyi":
        return _mean_ranks(sample, first, second)
    return _joined([_tested(sample, question) for question in _questions(sample, test, first, second, seed)])


def _intervals(
    sample: Sample, test: str, questions: Iterable[Question], alpha: Array, sides: Array, unseen: float
) -> tuple[Array, Array, Array] | None:
    if test == "nemenyi" or sample.vectors is not None:
        return None
    found, start = [], 0
    for question in questions:
        result = question.run(question.one, question.two)
        if not hasattr(result, "confidence_interval"):
            return None
        number = np.size(result.statistic)
        level = (1.0 - alpha[start : start + number]).reshape(np.shape(result.statistic))
        asked = level if np.ndim(level) else float(level)
        if hasattr(result, "typical_interval"):
            estimate, interval = result.typical_interval(asked)
            low, high = interval.low, interval.high
        elif unseen:
            estimate, one_side = result.estimate, 0.5 + 0.5 * asked
            low, high = -np.inf, np.inf  # an end of which no side is asked stays open
            if (sides >= 0).any():
                low = question.beside(-unseen, "greater").confidence_interval(one_side).low
            if (sides <= 0).any():
                high = question.beside(unseen, "less").confidence_interval(one_side).high
        else:
            estimate, interval = result.estimate, result.confidence_interval(asked)
            low, high = interval.low, interval.high
        degenerate = _untested(sample, result, question)
        constant = np.isinf(result.statistic)
        if constant.any():  # a difference without variance may be no surer than the level
            degenerate = degenerate | (constant & (_careful(result) > 1.0 - level))
        units = sample.units if question.runs is None else question.runs
        few = np.asarray(units) < FEWEST_WITHOUT_VARIANCE  # that are the same throughout say nothing of how far apart
        degenerate = degenerate | (few & (np.asarray(high) <= low))
        low, high = np.where(degenerate, -np.inf, low), np.where(degenerate, np.inf, high)
        found.append([np.atleast_1d(each) for each in (estimate, low, high)])
        start += number
    estimate, low, high = (np.concatenate(each) for each in zip(*found, strict=True))
    return estimate, low, high


#: A test of two sides of losses, by ``alternative``.
Run = Callable[..., Any]


@frozen(eq=False)
class Question:
    """A test, and what it takes of the two learners of a pair, or of many pairs at once.

    ``runs`` is the smaller number of runs of the two, where units are not paired.
    """

    run: Run
    one: Any
    two: Any
    runs: Any = None

    def beside(self, difference: float, alternative: str) -> Any:
        """The result of one side with one more unit, on which the two are so far apart."""
        one, two = (
            np.concatenate([each, np.full((*each.shape[:-1], 1), more)], axis=-1)
            for each, more in ((self.one, difference), (self.two, 0.0))
        )
        return self.run(one, two, alternative=alternative)


def _questions(
    sample: Sample, test: str, first: Places, second: Places, seed: int, *, quick: bool = False
) -> Iterator[Question]:
    if test == "delong":
        yield Question(_area_test(sample), first, second)
        return
    if sample.battles is not None:
        yield Question(_battle_test(sample.battles), first, second)
        return
    if test == "randomized-t":
        for i, j in zip(first, second, strict=True):
            dealt = {"paired": sample.paired, "blocks": sample.blocks_of(i, j), "rng": seed}
            yield Question(_curve_test(dealt), sample.curves[i], sample.curves[j])
        return
    if test == "stratified-t":
        yield Question(_stratified_test(sample), first, second, 1.0 + sample.within_df(first, second))
        return
    facts = method_of(PAIRWISE[test])
    options: dict[str, Any] = {"rng": seed} if facts.seeded else {}
    if sample.corrected_by is not None and "test_fraction" in facts.flattened_by:
        options["test_fraction"] = sample.corrected_by
    if sample.sizes is not None and facts.sized:
        options["sizes"] = sample.sizes
    options |= dict(facts.quick) if quick else {}
    run = partial(PAIRWISE[test], **options)
    if facts.design == "runs":
        yield from _run_questions(sample, test, run, first, second)
        return
    losses = _shaped(sample, facts, options, test)
    if sample.incomplete:
        for i, j in zip(first, second, strict=True):
            yield Question(run, *_shared(sample, losses, i, j))
        return
    for a, b in _batches(first, second, losses[0].size):
        yield Question(run, losses[a], losses[b])


def _run_questions(sample: Sample, test: str, run: Run, first: Places, second: Places) -> Iterator[Question]:
    """Runs of all pairs: Welch's test from means and variances, others together where numbers of runs are equal."""
    sizes = np.array([len(each) for each in sample.runs], dtype=float)
    fewest = np.minimum(sizes[first], sizes[second])
    if test == "welch-t":
        means, variances = (np.array([moment(each) for each in sample.runs]) for moment in (np.mean, _variance))

        def welch(one: Places, two: Places, *, alternative: str = "two-sided") -> Any:
            moments = ((each[one], each[two]) for each in (means, variances, sizes))
            return welch_from(*moments, alternative=alternative)

        yield Question(welch, first, second, fewest)
    elif len(set(sizes.tolist())) == 1:
        runs = np.stack(sample.runs)
        for a, b in _batches(first, second, 10_000 * runs.shape[1]):
            yield Question(run, runs[a], runs[b], runs.shape[1])
    else:
        for i, j, number in zip(first, second, fewest, strict=True):
            yield Question(run, sample.runs[i], sample.runs[j], number)


def _variance(runs: Array) -> float:
    return float(runs.var(ddof=1)) if len(runs) > 1 else np.nan


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


def _better_where(one: Array, two: Array) -> Any:
    """Share of the units on which the first loses less, those on which neither does counting half."""
    pair = paired(one, two, where="a12")
    return np.mean(np.where(pair.is_zero(pair.difference), 0.5, pair.difference < 0), axis=-1)


def _better_ranks(one: Array, two: Array) -> Any:
    return -np.asarray(rank_biserial(one, two).value) + 0.0


def _a12_of_pairs(rows: Array, first: Places, second: Places) -> Array:
    """A12 of every pair; of many pairs without gaps all values are sorted once."""
    if len(first) < len(rows) or np.isnan(rows).any():
        return _per_pair(_better_a12, rows, first, second)
    return np.asarray(1.0 - a12_of_rows(rows)[first, second])


def _a12_of_runs(sample: Sample, first: Places, second: Places) -> Array | None:
    """A12 of the runs; None when some learner has a single one."""
    if min(map(len, sample.runs)) < 2:
        return None
    pairs = zip(first, second, strict=True)
    return np.array([_better_a12(sample.runs[i], sample.runs[j]) for i, j in pairs], dtype=float)


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


def _area_test(sample: Sample) -> Run:
    """DeLong's test of areas under the ROC curves of the same items; losses are the areas negated: sides change."""
    from bestofk.stats.roc import delong

    items = sample.areas
    return lambda one, two, **side: delong(items.truth, items.scores[two], items.scores[one], tail="t", **side)


def _battle_test(battles: Battles) -> Run:
    """The test of ratings; losses are the ratings negated: sides change."""
    return lambda one, two, **side: battles.strengths.compare(two, one, **side)


def _curve_test(options: dict[str, Any]) -> Run:
    """The randomized t test of the paper, of whole curves."""
    from bestofk.stats.curves import randomized_t

    return partial(randomized_t, **options)


def _stratified_test(sample: Sample) -> Run:
    """The t test of every data set's folds, or of every task's runs, combined over them."""

    def run(one: Places, two: Places, *, alternative: str = "two-sided") -> Any:
        return stratified_t(_within(sample, one, two), divisor_df=sample.divisor_df, alternative=alternative)

    return run


def _within(sample: Sample, one: Places, two: Places) -> StudentResult:
    """The t test of every pair (rows) on every data set (columns)."""
    if sample.replicates is None:
        means, variances, sizes = sample.runs_by_block()
        return welch_from((means[one], means[two]), (variances[one], variances[two]), (sizes[one], sizes[two]))
    if sample.corrected_by is None:
        return PAIRWISE[sample.fold_test](sample.replicates[one], sample.replicates[two])  # type: ignore[return-value]
    flat = sample.replicates.reshape(*sample.replicates.shape[:2], -1)
    options: dict[str, Any] = {"test_fraction": sample.corrected_by}
    return PAIRWISE[sample.fold_test](flat[one], flat[two], **options)  # type: ignore[return-value]


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


def _untested(sample: Sample, result: Any, question: Question) -> Flags:
    """Where a test shows nothing, or no test would: so few groups are no sample of groups."""
    return np.asarray(untested(result, question.runs) | sample.too_few_groups)


def _tested(sample: Sample, question: Question, **side: str) -> PairTests:
    run, one, two = question.run, question.one, question.two
    result = run(one, two, **side)
    statistic = np.atleast_1d(result.statistic)
    turned = np.atleast_1d(run(two, one).statistic if result.turned is None else result.turned)
    degenerate = np.atleast_1d(_untested(sample, result, question))
    return PairTests(
        statistic=statistic,
        turned=turned,
        pvalue=np.where(degenerate, 1.0, _careful(result)),
        estimate=np.atleast_1d(result.estimate),
        better=np.where(degenerate, 0.0, 0.0 - np.atleast_1d(result.side)),
        df=df_of(result, len(statistic)),
        degenerate=degenerate,
        **shuffles_of(result, len(statistic)),
    )


def df_of(result: Any, pairs: int) -> Array:
    """(pairs, degrees of freedom), also where all pairs share them or the distribution has none."""
    found = [np.broadcast_to(np.asarray(each, dtype=float), (pairs,)) for each in result.df]
    return np.stack(found, axis=-1) if found else np.zeros((pairs, 0))


def shuffles_of(result: Any, pairs: int) -> dict[str, Any]:
    """In how many shuffles the p value of every pair is counted, and whether they are all; nothing without shuffles."""
    number = result.counted
    if number is None:
        return {}
    return {"shuffles": np.broadcast_to(number, (pairs,)), "exact": np.broadcast_to(result.exact, (pairs,))}


def _careful(result: Any) -> Array:
    """The p value; a difference without variance is no surer than its signs."""
    return np.asarray(getattr(result, "careful_pvalue", result.pvalue))


def one_sided(
    sample: Sample, test: str, first: Places, second: Places, seed: int, greater: Flags
) -> tuple[Array, Array | None]:
    """P values of the question whether the first loses more, where ``greater``, elsewhere whether it loses less.

    Beside them in how many shuffles each is counted.
    """
    found: dict[bool, list[PairTests]] = {True: [], False: []}
    for question in _questions(sample, test, first, second, seed):
        for side, parts in found.items():
            parts.append(_tested(sample, question, alternative="greater" if side else "less"))
    more, less = (_joined(found[side]) for side in (True, False))
    pvalue = np.where(greater, more.pvalue, less.pvalue)
    if more.shuffles is None or less.shuffles is None:
        return pvalue, None
    return pvalue, np.where(greater, more.shuffles, less.shuffles)


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

    return PairTests(**{name: all_of(name) for name in PairTests.__dataclass_fields__})


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
        better=-np.sign(gap) + 0.0,
        df=np.zeros((len(gap), 0)),
    )
