"""May the new model take the place of the old one? Its loss is bounded, and the bounds are set beside a margin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.advice import OF_RESULTS, Advice, Case, advice_for
from bestofk.advice.sample import identical
from bestofk.comparing import Comparison
from bestofk.comparing.sample import Scope
from bestofk.core.errors import InputError
from bestofk.core.record import Record
from bestofk.evidence import Evidence, Items
from bestofk.evidence.filled_results import WORST
from bestofk.evidence.missing_results import LeftOut
from bestofk.judging.findings.filled_in import INSTEAD, judged_instead
from bestofk.judging.good_enough import margin_number, units_needed, upper_bounds
from bestofk.judging.judge import case_beside_margin
from bestofk.judging.loss_bounds import OUTCOMES, Drawn, LossBounds, Outcome, Unknown, drawn_of, refuse_fixed_sides
from bestofk.judging.shared_results import (
    ALL,
    Lacking,
    all_left_out,
    left_out_of,
    measured,
    parts_of,
    refuse_left_out,
    shared,
)
from bestofk.settings import PairTesting, options_of

#: How a command ends.
EXIT_CODES: dict[Outcome, int] = {"passed": 0, "worse": 1, "undecided": 3}
#: Two models that share a smaller part of their items, or data sets, are not compared.
FEWEST_SHARED = 0.9


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
        refuse_fixed_sides(comparisons)
    drawn = drawn_of(bounds, parts, settings["seed"], asked=settings["aa"])
    checks = tuple(_check(each, *part, own) for each, own, part in zip(bounds, drawn, parts, strict=True))
    known = [each.power is not None for each in checks]  # equal models are made of results that differ
    alike = _alike(bounds, drawn) if any(known) else None
    gone = all_left_out((*left_out, *(each.left_out for each in comparisons)))
    gone["left_out_of"] = left_out_of(several, gone["left_out"])
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
    before = {each.measure: own for each, own in zip(several, left_out, strict=True)}
    told = tuple(
        _with_advice(each, case, gate, before.get(each.measure, LeftOut())) if each in gate.advised else each
        for each, case in zip(checks, cases, strict=True)
    )
    return replace(gate, checks=told)


#: The parts of the evidence by group, what advice looks at and the bounds of each, and what was left out before.
Bounded = tuple[list[tuple[str | None, Evidence]], list[Case], tuple[LeftOut, ...], list[LossBounds]]


def _bounded(several: Sequence[Evidence], lacking: Lacking, settings: Mapping[str, Any]) -> Bounded:
    """Bounds of the loss of the new model, one for each question of the gate."""
    tested = {name: settings[name] for name in options_of(PairTesting)}
    whole, left_out = zip(*(shared(each, lacking, settings["by_group"]) for each in measured(several)), strict=True)
    parts = [part for each in whole for part in parts_of(each, settings["by_group"])]
    cases = [_case(part, group, tested, lacking.said) for group, part in parts]
    for each, (_, part) in zip(cases, parts, strict=True):
        refuse_left_out(part, each.comparison.left_out, lacking, by_group=False)
    margin, names = settings["margin"], (lacking.new, lacking.old)
    bounds = [LossBounds(each.comparison, margin, *names, len(parts)) for each in cases]
    return parts, cases, left_out, bounds


def _outcome_instead(several: Sequence[Evidence], lacking: Lacking, settings: Mapping[str, Any], way: str) -> Outcome:
    """The outcome by another way of missing results, however many it leaves out: nothing is claimed by it."""
    return _worst(_bounded(several, lacking._replace(missing=way, fewest=0.0), settings)[3])


def _worst(bounds: Sequence[LossBounds]) -> Outcome:
    """The outcome of a gate with these bounds."""
    return OUTCOMES[max(OUTCOMES.index(each.outcome) for each in bounds)]


def _check(bounds: LossBounds, group: str | None, evidence: Evidence, drawn: Drawn | None) -> Check:
    """The one question of these two models; ``drawn`` are bounds of equal ones, where there are any."""
    comparison, i, j = bounds.comparison, bounds.new, bounds.old
    upper, estimate = upper_bounds(comparison)
    low, high, middle = bounds.low, bounds.high, float(estimate[i, j])
    unknown = bounds.unknown(-float(upper[j, i]), high)
    power, seen = (None, None) if unknown else bounds.chances((high + float(upper[j, i])) / 2.0, drawn)
    needed = units_needed(comparison, bounds.margin, only=i) if bounds.outcome == "undecided" else None
    low, high, middle = np.expm1([low, high, middle]) if bounds.relative else (low, high, middle)
    low, high, middle = (float(each) + 0.0 for each in (low, high, middle))  # 0 has no sign
    return Check(
        measure=comparison.measure,
        group=group,
        outcome=bounds.outcome,
        new=comparison.means[comparison.learners[i]],
        old=comparison.means[comparison.learners[j]],
        worse_by=middle,
        low=low,
        high=high,
        margin=bounds.said,
        relative=bounds.relative,
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


def _alike(bounds: Sequence[LossBounds], drawn: Sequence[Drawn | None]) -> Alike | None:
    """Shares of gates of equal models with each outcome, over all checks; None where some were not drawn."""
    ends = [(each, own) for each, own in zip(bounds, drawn, strict=True) if own is not None]
    if len(ends) < len(bounds):
        return None
    worst = np.max([each.outcomes(own.low, own.high) for each, own in ends], axis=0)
    passed, undecided, worse = (np.bincount(worst, minlength=3) / len(worst)).tolist()
    return Alike(passed, undecided, worse, len(worst))


def _with_advice(check: Check, case: Case, gate: Gate, before: LeftOut) -> Check:
    """The check with what to be careful about; runs that were left out or filled in before it was made are told."""
    runs = tuple((name, run) for name, runs in gate.runs_left_out.items() for run in runs)
    own = case.comparison.left_out
    own = own if own.filled else replace(own, filled=before.filled, filled_by=before.filled_by)
    comparison = replace(case.comparison, left_out=replace(own, runs=runs))
    margin = None if check.relative else check.margin
    case = replace(case, comparison=comparison, rope=margin, set_beside=gate.against, within=True)
    return replace(check, advice=advice_for(case, OF_RESULTS))


def _case(evidence: Evidence, group: str | None, tested: Mapping[str, Any], missing: str) -> Case:
    fixed = {"groups": "fixed"} if isinstance(evidence, Items) and group is not None else {}
    try:
        return case_beside_margin(evidence, {**tested, **fixed}, missing)
    except InputError as error:
        if group is None:
            raise
        fix = f"{error.fix.rstrip('.')}; or leave by_group out."
        raise InputError(error.wrong, f"group {group}, {error.where}", fix) from None
