"""What the tests take: units of observation and the facts about them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted, plural
from bestofk.core.record import Record
from bestofk.evidence import Battles, Curves, Evidence, Items, Scores
from bestofk.evidence.curves import Runs, by_fold
from bestofk.evidence.divisions import refuse_tested_training
from bestofk.evidence.evidence import Divided
from bestofk.evidence.items import FEWEST_GROUPS
from bestofk.evidence.scores import folds_in_words
from bestofk.evidence.vectors import VectorMeasure, Vectors
from bestofk.measures.catalogue import is_comparable
from bestofk.stats.omnibus.friedman import row_ranks
from bestofk.stats.pairwise.student import FEWEST_RUNS

#: folds: replications × folds of one data set. datasets: one mean per data set. items: one outcome per item.
#: runs: one value per run. curves: whole curves. Both are paired by run only where that is said. battles: votes between
#: two models each.
Kind = Literal["folds", "datasets", "items", "runs", "curves", "battles"]

#: models: trained once each, scored on items. runs: several runs each. learner: on data like this.
#: these data sets: on these and no others. data sets: on data sets like these. battles: on prompts and votes like
#: these.
Scope = Literal["models", "these groups", "runs", "learner", "these data sets", "data sets", "battles"]

_SCOPES: dict[Kind, Scope] = {
    "items": "models",
    "runs": "runs",
    "curves": "runs",
    "folds": "learner",
    "datasets": "data sets",
    "battles": "battles",
}

#: How losses of different data sets are made comparable. difference: they are as they are. log-ratio: by logarithms,
#: for measures in units that differ from one data set to the next. rank: such a measure that is not always positive.
Scale = Literal["difference", "log-ratio", "rank"]

#: Of whole curves the pairs themselves have this share of alpha, their features and steps the rest.
LEVEL_SHARE = 0.5
#: Tests of folds correct for at least this share of test data: more than ten folds depend on each other as ten do.
LEAST_SHARE = 0.1
#: Tests of a few values, which take means for normal, or learners that are equal for equal in all.
APPROXIMATE = ("paired-t", "welch-t", "welch-permutation", "stratified-t")


class Sample(Record, kw_only=True):
    """Losses as the tests take them: (learners, replications, folds), (learners, data sets) or (learners, items).

    With several ``measures``, ``vectors`` is (learners, units, measures) in units of the measures, and ``losses`` are
    those of the measure that learners are listed by: the ``error`` where it is known. ``replicates`` are the losses of
    all folds (learners, data sets, replications, folds) where every data set has the same. ``runs`` has the losses of
    every learner's runs, of ``curves`` (runs, steps) their means; ``paired`` says that runs of one name belong
    together, ``blocks`` names the data set of every run or fold with a curve where there are several. All of these are
    on ``scale``. Curves of folds, ``folds`` in each replication, are folds: losses are means over the steps. ``groups``
    of items, where there are any, are the units: losses are then sums of groups, scaled so that their mean is that of
    all items, and each is a ``group_name``; ``groups_fixed``: items have groups, and the claim is about these. On
    ``scale`` "rank", losses of runs are in units of a spread that is estimated on every data set, with ``divisor_df``
    degrees of freedom, infinite where nothing is estimated. Losses of items with weights are weighted, so that their
    mean is the weighted mean; ``sizes`` are those of the units, with mean 1: items of a group or weights, None where
    all are equal. ``areas`` has the items of which areas under ROC curves are compared, ``battles`` the votes of which
    ratings are: both have one loss per learner, and no values per unit. ``rate``: results lie between 0 and 1, or in
    per cent.
    """

    kind: Kind
    learners: tuple[str, ...]
    measures: tuple[VectorMeasure, ...]
    losses: Array
    vectors: Array | None = None
    error: Array | None = None
    areas: Any = None
    battles: Battles | None = None
    replicates: Array | None = None
    scale: Scale = "difference"
    divisor_df: Array | None = None
    runs: tuple[Array, ...] = ()
    curves: tuple[Array, ...] = ()
    steps: tuple[float, ...] = ()
    paired: bool = False
    folds: int = 0
    blocks: tuple[tuple[str, ...], ...] = ()
    binary: bool = False
    rate: bool = False
    groups: int = 0
    group_name: str = "group"
    groups_fixed: bool = False
    sizes: Array | None = None
    test_fraction: float | None = None  # of random splits, which overlap like folds
    divided: Divided = ""

    def scope(self, test: str) -> Scope:
        """What a claim is about that rests on a test."""
        if test == "stratified-t" or (test == "randomized-t" and self.datasets and not self.paired):
            return "these data sets"  # curves are shuffled within their data sets
        if self.datasets and not self.paired:
            return "data sets"
        if self.groups_fixed:
            return "these groups"
        return _SCOPES[self.kind]

    def level_share(self, adjust: str) -> float:
        """The share of alpha that the pairs have: the family of whole curves has their features and steps, too."""
        return LEVEL_SHARE if self.curves and adjust != "none" else 1.0

    def of_folds(self, test: str) -> bool:
        """Whether a test rests on folds, whose training sets overlap."""
        return self.kind == "folds" or (test == "stratified-t" and self.replicates is not None)

    def sides_fixed(self, test: str) -> str:
        """Why results of a unit cannot be taken for the other learner's; nothing where they can."""
        if self.joint:
            return f"{'items of an area' if self.battles is None else 'battles'} have no value of each learner"
        return "folds are not independent" if self.of_folds(test) else ""

    def approximate(self, test: str) -> bool:
        """Whether the level of a test holds about, not exactly: of folds, battles and runs, and of any t test."""
        return self.of_folds(test) or self.battles is not None or test in APPROXIMATE

    @property
    def fold_test(self) -> str:
        """The t test for the folds of one data set: repeats of all folds tell nothing more of the data."""
        values = self.losses if self.kind == "folds" else self.replicates
        if values is None:
            return ""
        return fold_test(values.shape[-2], values.shape[-1], self.test_fraction, self.divided)

    @property
    def corrected_by(self) -> float | None:
        """The share of test data that tests of folds correct for; None where it is that of so many folds."""
        values = self.losses if self.kind == "folds" else self.replicates
        many = values is not None and values.shape[-1] * LEAST_SHARE > 1.0 + 1e-9
        if self.test_fraction is None:
            return LEAST_SHARE if many else None
        return max(self.test_fraction, LEAST_SHARE) if self.divided else self.test_fraction

    def within_df(self, one: Any, two: Any) -> Array:
        """Degrees of freedom of a test that combines data sets, at most, of the pairs at these places."""
        if self.replicates is not None:
            return np.full(np.shape(one), float(self.replicates.shape[1] * (self.replicates[0, 0].size - 1)))
        own = (self.runs_by_block()[2] - 1.0).sum(axis=1)
        return np.asarray(own[one] + own[two])

    @property
    def shared_blocks(self) -> tuple[str, ...]:
        """The data sets that every learner has runs of."""
        return tuple(name for name in dict.fromkeys(self.blocks[0]) if all(name in names for names in self.blocks))

    @property
    def lone(self) -> str:
        """A learner with a single run, or fewer than three of a data set, which say too little of how much runs differ.

        Empty where there is none. Two runs on one data set are seen to be too few by their degrees of freedom; of
        several, those of other data sets would hide it.
        """
        if not self.runs or self.paired:
            return ""
        numbers = self.runs_by_block()[2] if self.blocks else np.array([[len(each)] for each in self.runs])
        found = np.argwhere(numbers < (FEWEST_RUNS if self.blocks else 2))
        if not len(found):
            return ""
        i, j = found[0]
        of = f" of {self.shared_blocks[j]}" if self.blocks else ""
        return f"{self.learners[i]} has {counted(int(numbers[i, j]), self.unit)}{of}"

    def of_values(self, values: tuple[Array, ...]) -> Sample:
        """The same with these numbers, one per run or per fold with a curve."""
        return self._of_fold_values(np.stack(values)) if self.folds else self.of_runs(values)

    def _of_fold_values(self, values: Array) -> Sample:
        cells = by_fold(values, self.blocks[0] if self.blocks else ("",) * values.shape[1], self.folds)
        if self.kind == "folds":
            return replace(self, losses=cells[:, 0])
        whole = not np.isnan(cells).any() and _are_replicates(cells, self.test_fraction, self.divided)
        return replace(self, losses=np.nanmean(cells, axis=(2, 3)), replicates=cells if whole else None)

    def of_runs(self, runs: tuple[Array, ...]) -> Sample:
        """The same with these numbers, one per run: rows are means, of paired runs the runs, or means of data sets."""
        rows: Any = runs if self.paired else [[float(each.mean())] for each in runs]
        if self.blocks:
            rows = [[each[np.array(names) == name].mean() for name in self.shared_blocks]
                    for each, names in zip(runs, self.blocks, strict=True)]  # fmt: skip
        return replace(self, runs=runs, losses=np.array(rows))

    def runs_by_block(self) -> tuple[Array, Array, Array]:
        """Means, sample variances (of a single run NaN) and numbers of runs, each (learners, data sets)."""
        names = self.shared_blocks
        found = np.empty((3, len(self.learners), len(names)))
        for i, (runs, blocks) in enumerate(zip(self.runs, self.blocks, strict=True)):
            for j, name in enumerate(names):
                own = runs[np.array(blocks) == name]
                found[:, i, j] = own.mean(), own.var(ddof=1) if len(own) > 1 else np.nan, len(own)
        return found[0], found[1], found[2]

    @property
    def joint(self) -> bool:
        """Whether all learners are tested together, and units have no values of their own."""
        return self.areas is not None or self.battles is not None

    @property
    def graded_items(self) -> bool:
        """Whether every unit is an item with a grade, as heavy as any other."""
        alone = not self.groups and self.sizes is None and not self.joint
        return self.kind == "items" and alone and not self.binary

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measures."""
        return tuple(measure.name for measure in self.measures)

    @property
    def datasets(self) -> int:
        """Number of data sets that curves come from, 0 where that is not said."""
        return len({name for names in self.blocks for name in names})

    @property
    def replications_and_folds(self) -> tuple[int, int]:
        """Shape of the folds of one data set."""
        return (int(self.losses.shape[1]), int(self.losses.shape[2])) if self.kind == "folds" else (0, 0)

    @property
    def share(self) -> float | None:
        """Share of the data that a fold or split tests; None where nothing tells it."""
        if self.test_fraction is not None or self.kind != "folds":
            return self.test_fraction
        folds = self.replications_and_folds[1]
        return 1.0 / folds if folds > 1 else None

    @property
    def rows(self) -> Array:
        """One row of paired losses per learner, whatever the kind."""
        return self.losses.reshape(len(self.learners), -1)

    @property
    def mean_ranks(self) -> dict[str, float]:
        """Mean rank of every learner, 1 for the best."""
        ranks = row_ranks(np.ascontiguousarray(self.rows.T)).mean(axis=0)
        return dict(zip(self.learners, ranks.tolist(), strict=True))

    def largest(self, first: Any, second: Any) -> Array:
        """The largest size of a loss of the two learners at these places: what rounding of a difference depends on."""
        sizes = np.max(np.abs(self.rows), axis=1, initial=0.0, where=np.isfinite(self.rows))
        return np.asarray(np.maximum(sizes[first], sizes[second]))

    @property
    def units(self) -> int:
        """How many units a pair of learners is compared on; of curves the smallest number per learner."""
        if self.areas is not None:
            return int(self.areas.truth.size)
        if self.battles is not None:
            return self.groups or len(self.battles.score)
        return min(map(len, self.runs)) if self.runs else int(self.rows.shape[1])

    @property
    def unit(self) -> str:
        """What one unit is."""
        if self.groups:
            return self.group_name if self.battles is None else "prompt"
        names: dict[Kind, str] = {"datasets": "data set"}
        return names.get(self.kind, self.kind[:-1])

    @property
    def too_few_groups(self) -> bool:
        """Whether groups are the units, and so few that nothing can be said of groups like these."""
        return 0 < self.groups < FEWEST_GROUPS

    @property
    def incomplete(self) -> bool:
        """Whether results are missing."""
        return bool(np.isnan(self.losses).any())

    def shared(self, first: Any, second: Any) -> Array:
        """How many units both learners at these places have results of."""
        there = ~np.isnan(self.rows)
        return np.asarray((there[first] & there[second]).sum(axis=-1))

    def blocks_of(self, *learners: int) -> list[tuple[str, ...]] | None:
        """Data sets of these learners' curves, as the tests of curves take them; None where curves need no blocks."""
        return [self.blocks[i] for i in learners] if self.blocks and not self.paired else None

    def facts(self) -> dict[str, Any]:
        """What is known of the sample, without its values."""
        replications, folds = self.replications_and_folds
        return {
            "kind": self.kind,
            "units": self.units,
            "replications": replications or None,
            "folds": folds or None,
            "datasets": self.datasets or None,
            "steps": len(self.steps) or None,
            "paired": not self.runs or self.paired,
            "scale": self.scale,
            "binary": self.binary,
            "groups": self.groups or None,
            "groups_fixed": self.groups_fixed,
            "test_fraction": self.test_fraction,
            "divided": self.divided,
        }

    @property
    def units_text(self) -> str:
        """The units in words."""
        if self.kind == "folds":
            replications, folds = self.replications_and_folds
            if self.divided:
                return f"{folds_in_words(self.divided, replications, folds)}, of one data set"
            if self.test_fraction is not None:
                return f"{counted(replications * folds, 'random split')} of one data set"
            several = f"{counted(replications, 'replication')} of " if replications > 1 else ""
            return f"{several}{counted(folds, 'fold')} of one data set"
        if self.runs:
            sizes = sorted({len(each) for each in self.runs})
            number = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
            paired = ", paired," if self.paired else ""
            within = f" on {self.datasets} data sets" if self.datasets else ""
            inside = {number for names in self.blocks for number in Counter(names).values()}
            if len(sizes) == len(inside) == 1 and sizes[0] == self.datasets * min(inside):
                return f"{counted(min(inside), self.kind[:-1])}{paired} on each of {self.datasets} data sets"
            return f"{number} {self.kind} each{paired}{within}".removesuffix(",")
        if self.battles is not None:
            on = f" on {counted(self.groups, 'prompt')}" if self.groups else ""
            return f"{counted(len(self.battles.score), 'battle')}{on}"
        if self.groups:
            return f"items in {counted(self.groups, self.group_name)}"
        if self.incomplete:
            shared = self.shared(*np.triu_indices(len(self.learners), 1))
            if shared.min() < shared.max():
                return f"{shared.min()} to {shared.max()} {plural(self.unit)} a pair"
        return counted(self.units, self.unit)


def sample_of(evidence: Evidence, *, paired: bool = False, groups: str | None = None) -> Sample:
    """Say how evidence is paired. Over several data sets each counts once, with the mean of its folds.

    ``paired`` is for curves: runs of one name (a fold, a seed) belong together. Everything else is paired anyway.
    ``groups`` is for items in groups: ``sampled``, unless said otherwise, takes groups for the units of the test,
    ``fixed`` items.
    """
    if groups is not None:
        _refuse_without_groups(evidence, groups)
    measures = (VectorMeasure(evidence.measure, evidence.larger_is_better),)
    facts: dict[str, Any] = {"learners": evidence.learners, "measures": measures, "rate": evidence.is_rate}
    if isinstance(evidence, Curves) and not evidence.of_folds:
        return _of_runs(evidence, paired, facts)
    if paired:
        raise InputError(
            "paired is said of evidence that is no runs.",
            "argument paired",
            "leave it out: folds, data sets and items are compared in pairs anyway.",
        )
    if isinstance(evidence, Curves):
        return _of_fold_curves(evidence, facts)
    if isinstance(evidence, Items):
        return _of_items(evidence, groups == "fixed" or (groups is None and evidence.fixed_groups), facts)
    if isinstance(evidence, Battles):
        facts |= {"battles": evidence, "groups": evidence.prompt_count}
        return Sample(kind="battles", losses=evidence.losses(), **facts)
    assert isinstance(evidence, Scores)
    if isinstance(evidence, Vectors) and evidence.is_area and evidence.values[0].size == 1:
        return Sample(kind="items", losses=evidence.losses()[:, 0, 0], areas=evidence.items, **facts)
    if isinstance(evidence, Vectors) and not evidence.is_area:
        facts |= {"measures": evidence.measures, "vectors": evidence.rows(), "error": evidence.error_rows()}
    losses = evidence.losses() if not isinstance(evidence, Vectors) or evidence.error is None else evidence.error
    if len(evidence.datasets) > 1:
        if "vectors" in facts:
            by_dataset = evidence.sign * evidence.by_dataset() if facts.get("error") is None else facts["error"]
            return Sample(kind="datasets", losses=by_dataset, **facts)
        return _of_datasets(evidence, facts)
    refuse_tested_training(evidence)
    facts |= {"test_fraction": evidence.test_fraction, "divided": evidence.divided}
    return Sample(kind="folds", losses=losses[:, 0], **facts)


def _of_datasets(scores: Scores, facts: dict[str, Any]) -> Sample:
    """One mean per data set, on a scale that data sets share; and all folds, where data sets have the same."""
    means, values = scores.by_dataset(), scores.values
    scale = _scale(scores.measure, means)
    if scale == "log-ratio":
        means, values = np.log(means), _near(values, means[..., None, None])
    whole = bool(np.isfinite(values).all()) and _are_replicates(values, scores.test_fraction, scores.divided)
    return Sample(
        kind="datasets",
        losses=scores.sign * means,
        scale=scale,
        replicates=scores.sign * values if whole else None,
        test_fraction=scores.test_fraction if whole else None,
        divided=scores.divided if whole else "",
        **facts,
    )


def _are_replicates(values: Array, test_fraction: float | None, divided: Divided) -> bool:
    """Whether the folds of data sets, (…, replications, folds), can be tested data set by data set."""
    several, known = values[0, 0].size > 1, values.shape[-1] > 1 or test_fraction is not None
    return several and known and divided in ("", "uneven")


def _near(values: Array, mean: Array) -> Array:
    """Logarithms of amounts near their mean: the mean of them is its logarithm, and ratios of means are compared."""
    return np.asarray(np.log(mean) + values / mean - 1.0)


def _scale(measure: str, values: Array) -> Scale:
    """Rates are compared as they are; amounts in units of each data set by their ratio, or by ranks."""
    there = values[~np.isnan(values)]
    if is_comparable(measure, there):
        return "difference"
    return "log-ratio" if bool((there > 0).all()) else "rank"


def _of_fold_curves(curves: Curves, facts: dict[str, Any]) -> Sample:
    """Means of curves over the steps, fold by fold: one data set has folds, of several each counts once."""
    refuse_tested_training(curves)
    curves.refuse_unshared()
    curves = curves.on_same_folds()
    scale, losses, divisor_df = _on_one_scale(curves, tuple(curves.losses().values()))
    return Sample(
        kind="datasets" if curves.datasets else "folds",
        scale=scale,
        divisor_df=divisor_df,
        losses=np.empty((0, 0)),
        curves=losses,
        steps=tuple(float(step) for step in curves.steps),
        folds=curves.folds,
        blocks=curves.datasets,
        test_fraction=curves.test_fraction,
        divided=curves.divided,
        **facts,
    ).of_values(tuple(each.mean(axis=-1) for each in losses))


def _on_one_scale(curves: Curves, losses: tuple[Array, ...]) -> tuple[Scale, tuple[Array, ...], Array | None]:
    """The losses of all runs and steps on a scale that data sets share; and ``divisor_df``."""
    shared = curves.shared_datasets()
    if len(shared) < 2:
        return "difference", losses, None
    scale = _scale(curves.measure, curves.sign * np.concatenate([each.ravel() for each in losses]))
    if scale == "log-ratio":
        losses = tuple(
            _near_means(each, names, curves.sign) for each, names in zip(losses, curves.datasets, strict=True)
        )
    elif scale == "rank":
        losses, freedom = _in_spreads(losses, curves.datasets)
        return scale, losses, np.array([freedom[name] for name in shared])
    return scale, losses, None


def _near_means(losses: Array, blocks: tuple[str, ...], sign: float) -> Array:
    """Logarithms of amounts (runs, steps) near their mean, step by step and within a data set, as of folds."""
    found, names = np.empty(losses.shape), np.array(blocks)
    for name in dict.fromkeys(blocks):
        own = sign * losses[names == name]
        found[names == name] = sign * _near(own, own.mean(axis=0))
    return found


def _in_spreads(
    losses: tuple[Array, ...], blocks: tuple[tuple[str, ...], ...]
) -> tuple[tuple[Array, ...], dict[str, float]]:
    """Losses (runs, steps) in units of how much runs of one learner vary on their data set, and its degrees of freedom.

    Where they do not vary at all, in units of how far learners are apart there: nothing is estimated.
    """
    freedoms: dict[str, float] = {}
    found, names = tuple(np.empty(each.shape) for each in losses), [np.array(each) for each in blocks]
    for name in dict.fromkeys(name for each in blocks for name in each):
        own = [each[here == name] for each, here in zip(losses, names, strict=True)]
        apart = np.concatenate([(each - each.mean(axis=0)).mean(axis=-1) for each in own if len(each)])
        freedom = float(sum(max(0, len(each) - 1) for each in own))
        spread, values = float(np.sqrt(np.square(apart).sum() / max(1, freedom))), np.concatenate(own)
        if spread <= 1e-12 * float(np.abs(values).max()):
            spread, freedom = float(np.ptp(values)) or 1.0, np.inf
        freedoms[name] = freedom
        for made, each, here in zip(found, own, names, strict=True):
            made[here == name] = each / spread
    return found, freedoms


def _of_runs(curves: Curves, paired: bool, facts: dict[str, Any]) -> Sample:
    """One number per run, of curves their mean over the steps; over several data sets the rows are their means."""
    refuse_tested_training(curves)
    curves.refuse_unshared()
    losses = tuple((curves.paired_losses() if paired else curves.losses()).values())
    if paired and curves.datasets:
        raise InputError(
            f"paired is said of runs on {len(curves.shared_datasets())} data sets.",
            "argument paired",
            "leave it out: runs are compared within each data set.",
        )
    scale, losses, divisor_df = _on_one_scale(curves, losses)
    return Sample(
        kind="runs" if isinstance(curves, Runs) else "curves",
        scale=scale,
        divisor_df=divisor_df,
        losses=np.empty((0, 0)),
        curves=() if isinstance(curves, Runs) else losses,
        steps=() if isinstance(curves, Runs) else tuple(float(step) for step in curves.steps),
        paired=paired,
        blocks=curves.datasets,
        **facts,
    ).of_runs(tuple(each.mean(axis=-1) for each in losses))


def _refuse_without_groups(evidence: Evidence, groups: str) -> None:
    if not isinstance(evidence, Items) or evidence.groups is None:
        raise InputError(
            f"groups is {groups!r}, and there are no groups of items.",
            "argument groups",
            "leave it out, or name the group of every item in a column group; tasks of a log stay groups by --tasks "
            "groups.",
        )


def _of_items(items: Items, fixed: bool, facts: dict[str, Any]) -> Sample:
    """Items one by one, or where they are in groups the sums of groups: items of one group err together."""
    losses, names, number = items.losses(), items.group_names, len(items.items)
    grouped, what = 0 < len(names) < number, items.group_name
    facts |= {"group_name": what}
    if grouped and len(names) == 1 and not fixed:
        raise InputError(
            f"all {counted(number, 'item')} are in one {what}, {names[0]}, and one {what} is no sample of them.",
            f"{items.origin.source}, groups",
            f"claim it of this {what} only: --groups fixed (groups='fixed'); or give items of more {plural(what)}.",
        )
    weights = items.weights if items.weighted else None
    if fixed or not grouped:
        facts |= {"binary": items.binary and not items.weighted, "groups_fixed": grouped, "sizes": _sizes(weights)}
        return Sample(kind="items", losses=losses, **facts)
    sums, sizes = (
        np.array([np.bincount(items.group_codes, weights=row, minlength=len(names)) for row in rows])
        for rows in (losses, [weights])
    )
    facts |= {"groups": len(names), "sizes": _sizes(sizes[0])}
    return Sample(kind="items", losses=sums * (len(names) / number), **facts)


def _sizes(weights: Array | None) -> Array | None:
    """Sizes of units with mean 1; None where all are equal."""
    return None if weights is None or (weights == weights[0]).all() else weights / weights.mean()


def fold_test(replications: int, folds: int, test_fraction: float | None = None, divided: Divided = "") -> str:
    """The t test of folds or random splits whose size is right by ``benchmarks/calibration``, with the most power.

    Folds that were ``divided`` unequally have a mean share of test data, and are repeated where replications are.

    Examples
    --------
    >>> fold_test(5, 2), fold_test(1, 10), fold_test(10, 10), fold_test(100, 1, test_fraction=0.1)
    ('corrected-t', 'corrected-t', 'repeated-cv-t', 'repeated-cv-t')
    """
    share = 1.0 / folds if test_fraction is None or divided else test_fraction
    return "repeated-cv-t" if share < 0.5 and replications * folds * share > 1.0 + 1e-9 else "corrected-t"


def share_not_known(replications: int, where: str, instead: str) -> InputError:
    """The error of replications of one fold, random splits as it seems; ``instead`` is what else can be done."""
    return InputError(
        f"{replications} replications of 1 fold look like random splits, whose share of test data is not known.",
        where,
        f"say --test-fraction 0.3 (test_fraction=0.3) if 30 % were tested on; --rows runs (rows='runs') if they are "
        f"runs with other seeds on the same data; or {instead}.",
    )
