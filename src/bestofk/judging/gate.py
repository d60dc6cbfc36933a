"""May the new model take the place of the old one? Its loss is bounded, and the bounds are set beside a margin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from bestofk.advice import OF_RESULTS, Advice, Case, advice_for
from bestofk.advice.sample import identical
from bestofk.comparing import Comparison
from bestofk.comparing.pair_tests import MOST_VALUES
from bestofk.comparing.sample import Sample, Scope
from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted, option_text
from bestofk.core.record import Record
from bestofk.evidence import Curves, Evidence, Items, Runs, Scores
from bestofk.evidence.filled_results import WORST, WORST_OF
from bestofk.evidence.layouts.dataset_rows import of_dataset
from bestofk.evidence.missing_results import LeftOut, completed
from bestofk.judging.findings.filled_in import INSTEAD, judged_instead
from bestofk.judging.good_enough import level_of, margin_number, margin_of, on_scale, units_needed, upper_bounds
from bestofk.judging.judge import case_beside_margin
from bestofk.settings import PairTesting, options_of
from bestofk.stats.distributions import normal_critical, normal_tail

Outcome = Literal["passed", "undecided", "worse"]
OUTCOMES: tuple[Outcome, ...] = ("passed", "undecided", "worse")
#: How a command ends.
EXIT_CODES: dict[Outcome, int] = {"passed": 0, "worse": 1, "undecided": 3}
#: Two models that share a smaller part of their items, or data sets, are not compared.
FEWEST_SHARED = 0.9
BOTH = "both models"
#: What stands for a group where all items are asked about, beside every group of them.
ALL = "all items"
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


class Check(Record, kw_only=True):
    """One question of a gate, about a measure, or about a group of items or a data set.

    ``worse_by`` is by how much the new model is worse, below 0 where it is better, in units of the measure or, where
    ``relative``, as a share. Each of ``low`` and ``high`` bounds it at one side: ``high`` at alpha, and ``low`` at
    alpha divided by the number of checks. The outcome is ``passed`` where ``high`` is at most the margin, ``worse``
    where ``low`` is above it, else ``undecided``. ``power`` is the chance that an equal model passes, ``seen`` the
    chance that one is called worse that is worse by twice the margin, None where none can be; both are None where
    nothing is known of the spread, as of two models that give the same answers: ``unknown`` says why.
    ``more_between`` says how many more units would let this model pass with a chance of 0.8, and ``more`` is one number
    where all units that it makes are known to a quarter; None where that cannot be said. ``identical`` says that both
    have the same result on every unit, ``quantity`` what of curves was compared. ``advice`` is what to be careful
    about: that of all items is not repeated for every group of them.
    """

    measure: str
    group: str | None
    outcome: Outcome
    new: float
    old: float
    worse_by: float
    low: float
    high: float
    margin: float
    relative: bool
    power: float | None
    seen: float | None
    unknown: Unknown
    more: int | None
    more_between: tuple[int, int] | None
    identical: bool
    units: int
    quantity: str
    test: str
    scope: Scope
    advice: tuple[Advice, ...] = ()
    comparison: Comparison = field(repr=False)


class Alike(Record):
    """Shares of gates of two equal models with each outcome, of so many ``draws``."""

    passed: float
    undecided: float
    worse: float
    draws: int


class Gate(Record, kw_only=True):
    """Whether the new model may take the place of the old one.

    ``outcome`` is ``worse`` where some check is, ``passed`` where all are passed, else ``undecided``. A model whose
    true loss exceeds the margin in some check passes in at most alpha of cases, and one that loses at most the
    margin in all is called worse in at most alpha of cases. ``left_out`` are items, or data sets, of which one of
    the two lacks results, ``left_out_of`` those that each model lacks, ``runs_left_out`` the runs of each model that
    have none; ``filled`` counts the results of the new model that were filled in, as ``filled_by`` says.
    ``outcome_instead`` is what the gate says by ``instead``, another way of missing results: without what was filled
    in, or with what the new model lacks counted as the worst; None where there is none. ``sources`` are the files of
    the two, where each has its own, ``paths`` all files that were read. ``power`` is the chance that an equal model
    passes all checks, counted in gates of equal models; None where they were not drawn, or the power of some check
    is not known. ``alike`` says what all of these gates got, where that was asked for and the results tell it.
    """

    outcome: Outcome
    new: str
    against: str
    checks: tuple[Check, ...]
    alpha: float
    fail_on: str
    left_out: tuple[str, ...] = ()
    left_out_of: dict[str, tuple[str, ...]] = field(default_factory=dict)
    runs_left_out: dict[str, tuple[str, ...]] = field(default_factory=dict)
    filled: dict[str, int] = field(default_factory=dict)
    filled_by: str = ""
    instead: str = ""
    outcome_instead: Outcome | None = None
    sources: dict[str, str] = field(default_factory=dict)
    power: float | None = None
    alike: Alike | None = None
    paths: tuple[str, ...] = field(default=(), repr=False)

    @property
    def failed(self) -> bool:
        """Whether the outcome is one to fail on."""
        return self.outcome == "worse" or self.outcome == self.fail_on

    @property
    def exit_code(self) -> int:
        """What the command ends with: 0, 1 where worse, 3 where undecided."""
        return EXIT_CODES[self.outcome] if self.failed else 0

    @property
    def advised(self) -> tuple[Check, ...]:
        """The checks that advice was asked about: of a measure that is asked of all items no group of them."""
        whole = {each.measure for each in self.checks if each.group == ALL}
        return tuple(each for each in self.checks if each.group == ALL or each.measure not in whole)

    def rows(self) -> list[dict[str, Any]]:
        """One dict per check, with the codes of its advice."""
        return [{**each.to_dict(), "advice": " ".join(said.code for said in each.advice)} for each in self.checks]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON."""
        return {**super().to_dict(), "failed": self.failed, "exit_code": self.exit_code}

    def page(self, reading: Any = None) -> Any:
        """What its report says, before any format."""
        from bestofk.reporting.gate import gate_page

        return gate_page(self)

    def report(self, path: str | PathLike[str], **options: Any) -> Path:
        """Write it, the format by the suffix: md for a pull request, xml for JUnit, json, html, csv, tex, txt."""
        from bestofk.reporting.report import write_report

        return write_report(self, path, **options)

    def __repr__(self) -> str:
        from bestofk.reporting.gate import gate_lines

        return "\n".join(gate_lines(self))


def gated(
    several: Sequence[Evidence],
    new: str,
    old: str,
    settings: Mapping[str, Any],
    sources: Mapping[str, str] | None = None,
) -> Gate:
    """Ask of every evidence, which has the results of both models by one measure, whether the new one may pass."""
    margin = settings["margin"]
    for given in margin.values() if isinstance(margin, Mapping) else () if margin is None else (margin,):
        margin_number(given, name="margin")  # before results are asked about
    lacking = Lacking(settings["missing"], new, old, FEWEST_SHARED)
    parts, cases, left_out, bounds = _bounded(several, lacking, settings)
    comparisons = [each.comparison for each in cases]
    if settings["aa"]:
        _refuse_fixed_sides(comparisons)
    drawn = _drawn(bounds, parts, settings["seed"], asked=settings["aa"])
    checks = tuple(each.check(*part, own) for each, own, part in zip(bounds, drawn, parts, strict=True))
    known = [each.power is not None for each in checks]  # equal models are made of results that differ
    alike = _alike(bounds, drawn) if any(known) else None
    gone = _all_left_out((*left_out, *(each.left_out for each in comparisons)))
    gone["left_out_of"] = _left_out_of(several, gone["left_out"])
    of_new = gone["left_out_of"].get(new) or gone["runs_left_out"].get(new)
    others = INSTEAD if gone["filled"] else [WORST] if of_new else []
    ways = partial(_outcome_instead, several, lacking, settings)
    gone["instead"], gone["outcome_instead"] = judged_instead(lacking.missing, ways, others)
    gate = Gate(
        outcome=_worst(bounds),
        new=new,
        against=old,
        checks=checks,
        alpha=comparisons[0].alpha,
        fail_on=settings["fail_on"],
        sources=dict(sources or {}),
        **gone,
        power=alike.passed if alike and all(known) else None,
        alike=alike if settings["aa"] else None,
        paths=tuple(dict.fromkeys(path for each in several for path in each.origin.paths)),
    )
    asked = zip(checks, cases, strict=True)
    before = {each.measure: own for each, own in zip(several, left_out, strict=True)}
    told = tuple(
        _with_advice(each, case, gate, before.get(each.measure, LeftOut())) if each in gate.advised else each
        for each, case in asked
    )
    return replace(gate, checks=told)


class Lacking(NamedTuple):
    """What is done about results that one of the two models lacks, and the least share of units that both must have."""

    missing: str
    new: str
    old: str
    fewest: float

    @property
    def said(self) -> str:
        """As everything below a gate is told: the worst stands for results of the new model alone.

        Of the old one it would let the new one pass on what nobody knows.
        """
        return f"{WORST_OF}{self.new}" if self.missing == WORST else self.missing


#: The parts of the evidence by group, what advice looks at and the bounds of each, and what was left out before.
Bounded = tuple[list[tuple[str | None, Evidence]], list[Case], tuple[LeftOut, ...], list["LossBounds"]]


def _bounded(several: Sequence[Evidence], lacking: Lacking, settings: Mapping[str, Any]) -> Bounded:
    """Bounds of the loss of the new model, one for each question of the gate."""
    tested = {name: settings[name] for name in options_of(PairTesting)}
    whole, left_out = zip(*(_shared(each, lacking, settings["by_group"]) for each in _measured(several)), strict=True)
    parts = [part for each in whole for part in _parts(each, settings["by_group"])]
    cases = [_case(part, group, tested, lacking.said) for group, part in parts]
    for each, (_, part) in zip(cases, parts, strict=True):
        _refuse_left_out(part, each.comparison.left_out, lacking, by_group=False)
    names = lacking.new, lacking.old
    return (
        parts,
        cases,
        left_out,
        [LossBounds(each.comparison, settings["margin"], *names, len(parts)) for each in cases],
    )


def _outcome_instead(several: Sequence[Evidence], lacking: Lacking, settings: Mapping[str, Any], way: str) -> Outcome:
    """The outcome by another way of missing results, however many it leaves out: nothing is claimed by it."""
    return _worst(_bounded(several, lacking._replace(missing=way, fewest=0.0), settings)[3])


def _worst(bounds: Sequence[LossBounds]) -> Outcome:
    """The outcome of a gate with these bounds."""
    return OUTCOMES[max(OUTCOMES.index(each.outcome) for each in bounds)]


def _with_advice(check: Check, case: Case, gate: Gate, before: LeftOut) -> Check:
    """The check with what to be careful about; runs that were left out or filled in before it was made are told."""
    runs = tuple((name, run) for name, runs in gate.runs_left_out.items() for run in runs)
    own = case.comparison.left_out
    own = own if own.filled else replace(own, filled=before.filled, filled_by=before.filled_by)
    comparison = replace(case.comparison, left_out=replace(own, runs=runs))
    margin = None if check.relative else check.margin
    case = replace(case, comparison=comparison, rope=margin, set_beside=gate.against, within=True)
    return replace(check, advice=advice_for(case, OF_RESULTS))


def _parts(evidence: Evidence, by_group: bool) -> list[tuple[str | None, Evidence]]:
    """The whole evidence, or that of every group beside all items, or of every data set."""
    if not by_group:
        return [(None, evidence)]
    if isinstance(evidence, Items) and evidence.groups is not None:
        names, codes = np.array(evidence.items, dtype=object), evidence.group_codes
        groups = enumerate(evidence.group_names)
        parts = [(name, evidence.without(items=names[codes != i].tolist())) for i, name in groups]
        return [(ALL, evidence), *parts] if len(parts) > 1 else [*parts]
    if isinstance(evidence, Scores | Curves) and len(datasets := evidence.dataset_names) > 1:
        return [(name, of_dataset(evidence, name)) for name in datasets]
    raise InputError(
        f"by_group is said of {evidence!r}.",
        "gate, argument by_group",
        "name the group of every item in a column group, or the data set in a column dataset; or leave it out.",
    )


def _case(evidence: Evidence, group: str | None, tested: Mapping[str, Any], missing: str) -> Case:
    fixed = {"groups": "fixed"} if isinstance(evidence, Items) and group is not None else {}
    try:
        return case_beside_margin(evidence, {**tested, **fixed}, missing)
    except InputError as error:
        if group is None:
            raise
        fix = f"{error.fix.rstrip('.')}; or leave by_group out."
        raise InputError(error.wrong, f"group {group}, {error.where}", fix) from None


def _measured(several: Sequence[Evidence]) -> list[Evidence]:
    """Each measure on the items, or data sets, that have it: a task may have a measure of its own.

    What neither model has by one measure and both have by another was not to be measured by the first.
    """
    some, whole = zip(*(_there(each) for each in several), strict=True)
    found = []
    for each, own in zip(several, some, strict=True):
        gone = set().union(*whole) - own
        if gone and isinstance(each, Items):
            each = each.without(items=gone)
        elif gone and isinstance(each, Scores):
            each = each.without(datasets=gone)
        found.append(each)
    return found


def _there(evidence: Evidence) -> tuple[set[str], set[str]]:
    """Names of the items, or data sets, of which some model has results, and of those of which all have them."""
    if not isinstance(evidence, Items | Scores):
        return set(), set()
    names = evidence.items if isinstance(evidence, Items) else evidence.datasets
    there = ~np.isnan(np.asarray(evidence.values)).reshape(len(evidence.learners), len(names), -1).all(axis=2)
    number = there.sum(axis=0)
    some = {name for name, each in zip(names, number, strict=True) if each}
    return some, {name for name, each in zip(names, number, strict=True) if each == len(evidence.learners)}


def _shared(evidence: Evidence, lacking: Lacking, by_group: bool) -> tuple[Evidence, LeftOut]:
    """Results without gaps, as is asked for, but those of curves: what of them is compared is taken first."""
    if not isinstance(evidence, Items | Scores | Runs):
        return evidence, LeftOut()
    if lacking.missing == "refuse":  # what may not be left out is not offered to be
        some, both = _there(evidence)
        _refuse_gone(evidence, some - both, lacking, by_group)
    kept = lacking.missing == "keep" and isinstance(evidence, Scores)
    way = "drop-datasets" if kept else lacking.said  # two models are one pair
    whole, left_out = completed(evidence, way, _worst_words(evidence, lacking) if evidence.missing() else None)
    _refuse_left_out(evidence, left_out, lacking, by_group)
    return whole, left_out


def _worst_words(evidence: Evidence, lacking: Lacking) -> str:
    """What the worst does in a gate; nothing where it would be refused or change nothing."""
    of_new, of_old = (evidence.without(learners=[name]).missing() for name in (lacking.old, lacking.new))
    if not of_new or evidence.worst is None:
        return ""
    old = f", and leaves out what {lacking.old} lacks" if of_old else ""
    return f" counts what {lacking.new} lacks as the worst{old}"


def _refuse_left_out(evidence: Evidence, left_out: LeftOut, lacking: Lacking, by_group: bool) -> None:
    """Too few results that both models have, or too few runs of one of them, are no comparison.

    Nor are failures that count as the worst result that was seen, which may be a good one.
    """
    if left_out.filled_by == WORST and evidence.worst is None:
        raise InputError(
            f"missing is {WORST!r}, and there is no worst value of {evidence.measure}.",
            evidence.origin.source,
            f"{'answer the items' if isinstance(evidence, Items) else 'make the failed runs'} again.",
        )
    if isinstance(evidence, Curves) and left_out.runs:
        for name, values in zip(evidence.learners, evidence.values, strict=True):
            gone = sum(owner == name for owner, _ in left_out.runs)
            _refuse_few(evidence, lacking, len(values) - gone, len(values), evidence.unit, name)
    _refuse_gone(evidence, {*left_out.items, *left_out.datasets}, lacking, by_group)


def _refuse_gone(evidence: Evidence, gone: set[str], lacking: Lacking, by_group: bool) -> None:
    """Too many items, or data sets, left out of any part that is asked about; one without any has no answer at all."""
    whose = lacking.old if lacking.missing == WORST else BOTH
    for group, part in _parts(evidence, by_group) if gone else []:
        names = (
            part.items if isinstance(part, Items) else part.dataset_names if isinstance(part, Scores | Curves) else ()
        )
        unit, there = "item" if isinstance(part, Items) else "data set", len(set(names) - gone)
        if there == 0 and group not in (None, ALL):
            what = f"group {group} is left without items: of {len(names):,} none has" if unit == "item" else ""
            raise InputError(
                f"{what or f'data set {group} is left out: it has not all'} results of {whose}.",
                part.origin.source,
                f"run both models on the same {unit}s{_or_count(part, lacking, whose)}; or leave by_group out.",
            )
        _refuse_few(part, lacking, there, len(names), unit, whose, "" if group in (None, ALL) else f" of group {group}")


def _refuse_few(
    evidence: Evidence, lacking: Lacking, there: int, number: int, unit: str, whose: str, group: str = ""
) -> None:
    """Too few of so many units have results of both models, or of one of them."""
    if there >= lacking.fewest * number:
        return
    least, have = f"at least {100 * lacking.fewest:g} %", "has" if there == 1 else "have"
    said = f"of {counted(number, unit)}{group} only {there:,} {have} results of {whose}."
    do = f"run both models on the same {unit}s: {least} must be in common"
    if isinstance(evidence, Curves) and whose != BOTH:
        said = f"of {counted(number, unit)} of {whose} only {there:,} {have} results."
        do = f"make the failed runs again: {least} must have results"
    raise InputError(said, evidence.origin.source, f"{do}{_or_count(evidence, lacking, whose)}.")


def _or_count(evidence: Evidence, lacking: Lacking, whose: str) -> str:
    """The offer to count what is missing as the worst, where it is the new model that lacks it."""
    of_old, number = (_there(each)[0] for each in (evidence.without(learners=[lacking.new]), evidence))
    if evidence.worst is None or whose == lacking.old or len(of_old) < lacking.fewest * len(number):
        return ""
    return f"; or count what is missing with {option_text('missing', WORST)}"


def _all_left_out(several: Sequence[LeftOut]) -> dict[str, Any]:
    """What was left out and filled in over all measures and groups, as a gate says it."""
    runs = dict.fromkeys(run for each in several for run in each.runs)
    return {
        "left_out": tuple(dict.fromkeys(name for each in several for name in (*each.items, *each.datasets))),
        "runs_left_out": {
            name: tuple(run for owner, run in runs if owner == name) for name in dict.fromkeys(name for name, _ in runs)
        },
        "filled": dict(sum((Counter(each.filled) for each in several), Counter())),
        "filled_by": next((each.filled_by for each in several if each.filled_by), ""),
    }


def _left_out_of(several: Sequence[Evidence], left_out: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Which of the items, or data sets, that were left out each model lacks results of."""
    lacked: dict[str, set[str]] = {}
    for each in _measured(several):
        told: Sequence[tuple[str, str]] = ()
        if isinstance(each, Runs):
            told = each.incomplete()
        elif isinstance(each, Items | Scores):
            names = np.array(each.items if isinstance(each, Items) else each.datasets, dtype=object)
            gaps: Flags = np.any(each.gaps.reshape(len(each.learners), len(names), -1), axis=2)
            told = [(model, name) for i, model in enumerate(each.learners) for name in names[gaps[i]]]
        for model, name in told:
            lacked.setdefault(model, set()).add(name)
    found = {model: tuple(name for name in left_out if name in own) for model, own in lacked.items()}
    return {model: names for model, names in found.items() if names}


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

    def check(self, group: str | None, evidence: Evidence, drawn: Drawn | None) -> Check:
        """The one question of these two models; ``drawn`` are bounds of equal ones, where there are any."""
        comparison, i, j = self.comparison, self.new, self.old
        upper, estimate = upper_bounds(comparison)
        low, high, middle = self.low, self.high, float(estimate[i, j])
        unknown = self._unknown(-float(upper[j, i]), high)
        power, seen = (None, None) if unknown else self._chances((high + float(upper[j, i])) / 2.0, drawn)
        needed = units_needed(comparison, self.margin, only=i) if self.outcome == "undecided" else None
        low, high, middle = np.expm1([low, high, middle]) if self.relative else (low, high, middle)
        low, high, middle = (float(each) + 0.0 for each in (low, high, middle))  # 0 has no sign
        return Check(
            measure=comparison.measure,
            group=group,
            outcome=self.outcome,
            new=comparison.means[comparison.learners[i]],
            old=comparison.means[comparison.learners[j]],
            worse_by=middle,
            low=low,
            high=high,
            margin=self.said,
            relative=self.relative,
            power=power,
            seen=seen,
            unknown=unknown,
            more=needed.about if needed else None,
            more_between=needed[1:] if needed else None,
            identical=bool(identical(evidence, comparison)),
            units=comparison.sample.units,
            quantity=comparison.quantity,
            test=comparison.test,
            scope=comparison.scope,
            comparison=comparison,
        )

    def _unknown(self, low: float, high: float) -> Unknown:
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

    def _chances(self, half: float, drawn: Drawn | None) -> tuple[float, float | None]:
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


def _refuse_fixed_sides(comparisons: Sequence[Comparison]) -> None:
    """Refuse to make equal models of results that cannot change sides."""
    reasons = [why for each in comparisons if (why := each.sample.sides_fixed(each.test))]
    if reasons:
        raise InputError(
            f"equal models are made of results that change sides, and {reasons[0]}.",
            "gate, argument aa",
            "leave it out: the gate says in the line Power how often an equal model passes.",
        )


def _drawn(
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


def _alike(bounds: Sequence[LossBounds], drawn: Sequence[Drawn | None]) -> Alike | None:
    """Shares of gates of equal models with each outcome, over all checks; None where some were not drawn."""
    ends = [(each, own) for each, own in zip(bounds, drawn, strict=True) if own is not None]
    if len(ends) < len(bounds):
        return None
    worst = np.max([each.outcomes(own.low, own.high) for each, own in ends], axis=0)
    passed, undecided, worse = (np.bincount(worst, minlength=3) / len(worst)).tolist()
    return Alike(passed, undecided, worse, len(worst))


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
