"""The answer of a gate in words and in a table, for the terminal, a page and a pull request."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bestofk.core.phrases import column_texts, counted, listed, plural, signed
from bestofk.core.version import __version__
from bestofk.evidence.items import FEWEST_GROUPS
from bestofk.judging.findings.filled_in import INSTEAD
from bestofk.judging.gate import Check, Gate
from bestofk.judging.loss_bounds import OUTCOMES
from bestofk.judging.shared_results import ALL
from bestofk.reporting.first_screen import LearnersTable, Mark, decimals
from bestofk.reporting.page import Page
from bestofk.reporting.tables import aligned, mean_text, narrowed
from bestofk.reporting.words import WIDTH, margin_words, needed_words, scope_words, units_short, wrapped

#: So many checks stand on the first screen, those that did not pass first.
MOST_CHECKS = 6
_VERBS = {"passed": "is not worse than", "worse": "is worse than", "undecided": "may be worse than"}
_REASONS = {
    "same": "the two gave the same results",
    "constant": "the differences do not vary",
}
_STATES = {"passed": "open", "undecided": "chosen", "worse": "chosen"}


def gate_headline(gate: Gate) -> str:
    """The outcome in a sentence."""
    same = len({margin_text(each) for each in gate.checks}) == 1
    margin = margin_text(gate.checks[0]) if same else "the margin"
    new, old = named(gate)
    said = f"{new} {_VERBS[gate.outcome]} {old} by more than {margin}"
    quantities = "".join(f", {each}" for each in dict.fromkeys(each.quantity for each in gate.checks) if each)
    return f"{gate.outcome.capitalize()}: {said}{_places(gate)}, {_scope(gate)}{quantities}."


def named(gate: Gate) -> tuple[str, str]:
    """The new model and the old one, each with its file where it has one of its own."""
    new, old = (
        f"{name} ({gate.sources[name]})" if gate.sources.get(name) else name for name in (gate.new, gate.against)
    )
    return new, old


def _scope(gate: Gate) -> str:
    """What the outcome is about."""
    if gate.checks[0].group in (None, ALL) or gate.checks[0].comparison.kind == "items":
        return scope_words(gate.checks[0].comparison)
    return f"on these {len({each.group for each in gate.checks})} data sets"


def _places(gate: Gate) -> str:
    """In which of several checks the outcome was found."""
    if len(gate.checks) == 1:
        return ""
    found = [_name(each, gate) for each in gate.checks if each.outcome == gate.outcome]
    if len(found) == len(gate.checks):
        return f" in {listed(found) if len(found) < MOST_CHECKS else f'all {len(found)} checks'}"
    named = f"{listed(found)}, " if len(found) < MOST_CHECKS else ""
    return f" in {named}{len(found)} of {len(gate.checks)} checks"


def _name(check: Check, gate: Gate) -> str:
    """What tells a check from the others."""
    if check.group is None:
        return check.measure
    return f"{check.measure}, {check.group}" if len({each.measure for each in gate.checks}) > 1 else check.group


def margin_text(check: Check) -> str:
    """How much may be lost."""
    return margin_words(check.margin, check.relative)


def gate_table(gate: Gate, most: int | None = None) -> LearnersTable:
    """One row per check, those that did not pass first; of more than ``most`` the last are counted."""
    checks = sorted(gate.checks, key=lambda each: -OUTCOMES.index(each.outcome))
    hidden = [] if most is None or len(checks) <= most else checks[most - 1 :]
    shown = checks[: len(checks) - len(hidden)]
    numbers = [column_texts([getattr(each, side) for each in shown], mean_text) for side in ("new", "old")]
    digits = decimals([(each.margin, (each.low, each.high)) for each in shown])
    rows = [
        (_name(each, gate), *texts, worse_by(each, digits), margin_text(each), each.outcome)
        for each, *texts in zip(shown, *numbers, strict=True)
    ]
    states = [_STATES[each.outcome] for each in shown]
    if hidden:
        counts = {name: sum(each.outcome == name for each in hidden) for name in OUTCOMES}
        rest = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
        rows.append((f"and {len(hidden)} more", "", "", "", "", rest))
        states.append("open")
    return LearnersTable(
        ("check", "new", "old", "worse by [bounds]", "margin", "outcome"),
        tuple(rows),
        frozenset(("new", "old", "margin")),
        tuple(states),
        lesser=("margin", "old", "new"),
        marks=(Mark(None, None, None),) * len(rows),
    )


def worse_by(check: Check, digits: int | None = None) -> str:
    """By how much the new one is worse, with its bounds."""

    def one(value: float) -> str:
        return f"{signed(100 * value)} %" if check.relative else signed(value, digits)

    ends = "" if np.isinf([check.low, check.high]).all() else f" [{one(check.low)}, {one(check.high)}]"
    return f"{one(check.worse_by)}{ends}"


def _notes(gate: Gate) -> dict[str, str]:
    """What stands under the table, by its first word."""
    found = {
        "Careful": "; ".join(filter(None, (_advice(gate), _left_out(gate)))),
        "Needed": _more(gate.checks),
        "Power": _power(gate),
        "A/A": _aa(gate),
        "Tested": _tested(gate),
    }
    return {word: text for word, text in found.items() if text}


def _advice(gate: Gate) -> str:
    """What advice has seen, each once, with the checks that it is about where these are not all."""
    about: dict[str, list[str]] = {}
    for check in gate.advised:
        for each in check.advice:
            about.setdefault(f"{each.seen} ({each.code})", []).append(_name(check, gate))
    every = len(gate.advised)
    return "; ".join(f"{listed(names)}: {seen}" if len(names) < every else seen for seen, names in about.items())


def _left_out(gate: Gate) -> str:
    """What was left out and what was filled in, and whose."""
    said = []
    if gate.left_out:
        items = gate.checks[0].comparison.kind == "items"
        lack = "no result" if items else "missing results"
        number = counted(len(gate.left_out), "item" if items else "data set")
        whose = listed([f"of {name} ({_some(names)})" for name, names in gate.left_out_of.items()])
        said.append(f"{number} left out: {f'{lack} {whose}' if whose else _some(gate.left_out)}")
    if gate.filled:
        numbers = listed([f"{number:,} of {name}" for name, number in gate.filled.items()])
        said.append(f"results filled in by the worst: {numbers}")
    return "; ".join(filter(None, (*said, _instead(gate))))


def _instead(gate: Gate) -> str:
    """What the outcome is without what was filled in, or with what was left out as the worst."""
    if gate.outcome_instead is None:
        return ""
    same = "the same outcome" if gate.outcome_instead == gate.outcome else f"it would be {gate.outcome_instead}"
    if gate.filled:
        return f"{INSTEAD[gate.instead]} {same}"
    worst = "wrong" if gate.checks[0].comparison.sample.binary else "the worst"
    alone = set(gate.left_out_of) | set(gate.runs_left_out) == {gate.new}
    return f"{'' if alone else f'what {gate.new} lacks '}counted as {worst} {same}"


def _some(names: Sequence[str]) -> str:
    """The first of many names."""
    return f"{', '.join(names[:3])}{', …' if len(names) > 3 else ''}"


def _more(checks: Sequence[Check]) -> str:
    """How many more units would let a single check pass."""
    if len(checks) > 1:
        return ""
    return needed_words(checks[0].more, checks[0].more_between, checks[0].comparison, "let it pass")


def _aa(gate: Gate) -> str:
    if gate.alike is None:
        return ""
    shares = ", ".join(f"{name} {100 * getattr(gate.alike, name):.1f} %" for name in OUTCOMES)
    return f"two equal models: {shares} of {gate.alike.draws} gates"


def _power(gate: Gate) -> str:
    """What such a gate can see, of the check that sees least."""
    several = len(gate.checks) > 1
    unknown = _unknown(gate)
    unbounded = [each for each in gate.checks if each.unknown == "unbounded"]
    known = unbounded or [each for each in gate.checks if each.power is not None]
    if not known:
        return unknown
    least = min(known, key=lambda each: each.power or 0.0)
    sample, where = least.comparison.sample, f"in {_name(least, gate)} " if several else ""
    if sample.too_few_groups:
        groups = f"{counted(sample.groups, sample.unit)} are too few: at least {FEWEST_GROUPS} are needed"
        return f"{groups}; --groups fixed asks of these {plural(sample.unit)} only"
    if least.power is None:
        return f"{where}nothing could pass, or be called worse"
    twice = margin_words(2.0 * least.margin, least.relative)
    seen = "" if least.seen is None else f"; one worse by {twice} is called worse in {_share(least.seen)}"
    return (
        f"{where}an equal model passes in {_share(least.power)} of such {'checks' if several else 'gates'}"
        f"{_together(gate)}{seen}"
        f"{f'; {unknown}' if unknown else ''}"
    )


def _unknown(gate: Gate) -> str:
    """In which checks the power is not known although there are bounds, and why."""
    found: dict[str, list[str]] = {}
    for each in gate.checks:
        if each.unknown in _REASONS:
            found.setdefault(_REASONS[each.unknown], []).append(_name(each, gate))
    several = len(gate.checks) > 1
    return "; ".join(f"unknown{f' in {listed(names)}' if several else ''}: {why}" for why, names in found.items())


def _together(gate: Gate) -> str:
    """The chance that an equal model passes all checks."""
    if gate.power is not None:
        return f", and all {len(gate.checks)} in {_share(gate.power)}" if len(gate.checks) > 1 else ""
    powers = [each.power for each in gate.checks if each.power is not None]
    if len(powers) < max(2, len(gate.checks)):
        return ""
    parts = [each.power or 0.0 for each in gate.checks if each.group != ALL]  # all items hang on their groups
    most = "at most " if len(parts) < len(gate.checks) else ""
    return f", and all {len(gate.checks)} in {most}{_share(float(np.prod(parts)))} if these are independent"


def _share(chance: float | None) -> str:
    """A chance in per cent that is never said to be certain."""
    said = 100.0 * (chance or 0.0)
    return "under 1 %" if said < 0.5 else f"{min(said, 99.0):.0f} %"


def _tested(gate: Gate) -> str:
    units = dict.fromkeys(units_short(each.comparison) for each in gate.checks)
    what = next(iter(units)) if len(units) == 1 else counted(len(gate.checks), "check")
    tests = listed(list(dict.fromkeys(each.test for each in gate.checks)))
    about = "about " if any(each.comparison.sample.approximate(each.test) for each in gate.checks) else ""
    share = f", {gate.alpha / len(gate.checks):.2g} to call it worse" if len(gate.checks) > 1 else " at each side"
    return f"{what}, {tests}, alpha {about}{gate.alpha:g}{' to pass' if len(gate.checks) > 1 else ''}{share}"


def gate_lines(gate: Gate, width: int = WIDTH) -> list[str]:
    """The answer in lines."""
    table = aligned(narrowed(gate_table(gate, MOST_CHECKS), width)).split("\n")
    notes = [line for word, text in _notes(gate).items() for line in wrapped(text, width, f"{word:<9}")]
    return [*wrapped(gate_headline(gate), width), "", *table, "", *notes]


def gate_page(gate: Gate) -> Page:
    """What its report says, before any format."""
    return Page(
        title=f"Gate: {gate.outcome}",
        lines=(gate_headline(gate),),
        sections=(),
        about=f"{' against '.join(named(gate))}, {_tested(gate)}",
        version=__version__,
        table=gate_table(gate),
        small=tuple(f"{word}: {text}." for word, text in _notes(gate).items()),
    )
