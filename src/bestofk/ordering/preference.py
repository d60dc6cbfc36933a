"""The prior preference: a list of learners, or a cost that orders them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from bestofk.core.errors import InputError, UnknownName
from bestofk.core.frozen import frozen
from bestofk.core.names import nearest, plain, unknown
from bestofk.evidence import Evidence
from bestofk.evidence.scores import COUNTS
from bestofk.measures.catalogue import cost_of_name, is_larger_better
from bestofk.ordering.contest import complete_prior
from bestofk.tables.cells import looks_like_number, not_a_number

WHERE = "argument prior"


@frozen
class Preference:
    """Learners, most preferred first; ``source`` is the cost that put them there, ``ties`` those of equal cost."""

    names: tuple[str, ...]
    source: str = ""
    ties: tuple[tuple[str, ...], ...] = ()

    def with_ties_in(self, order: tuple[str, ...]) -> Preference:
        """The preference with learners of equal cost, which it does not tell apart, in this order."""
        names, ties = self.names, tuple(tuple(sorted(group, key=order.index)) for group in self.ties)
        for group in ties:
            first = min(map(names.index, group))  # they stand side by side
            names = (*names[:first], *group, *names[first + len(group) :])
        return replace(self, names=names, ties=ties)


def preference_of(prior: Any, evidence: Evidence) -> Preference | None:
    """Resolve names, or the name of a cost (``fit-time``, ``price``, any numeric column); smaller comes first.

    Without one the preference that was fixed with the experiment holds, less learners that were left out.
    """
    if prior is None:
        prior = evidence.prior
        if isinstance(prior, tuple):
            prior = tuple(name for name in prior if name in evidence.learners)
    if prior is None:
        return None
    if isinstance(prior, str):
        return _by_cost(prior, evidence)
    if isinstance(prior, Mapping):
        return _sorted_by({str(name): float(cost) for name, cost in prior.items()}, "cost", evidence)
    if not isinstance(prior, Iterable):
        raise InputError(f"prior is {prior!r}.", WHERE, "give a list of learners, most preferred first, or a cost.")
    names = tuple(str(name) for name in prior)  # learners have text for names, also where the source had numbers
    if len(names) == 1 and names[0] not in evidence.learners:
        return _by_cost(names[0], evidence)
    return Preference(complete_prior(names, evidence.learners, WHERE))


def _by_cost(name: str, evidence: Evidence) -> Preference:
    costs = {plain(cost): cost for cost in evidence.costs}
    if plain(name) not in costs:
        name = next((cost for cost in costs.values() if cost == cost_of_name(name)), name)
    if plain(name) == plain(evidence.measure):
        raise InputError(
            f"{name} is the measure itself.", WHERE, "give another column as the cost, or the learners' names."
        )
    if name in evidence.learners:
        raise InputError(
            f"prior is {name!r}, one learner.", WHERE, "give all learners, most preferred first, as a list."
        )
    odd = {plain(column): found for column, found in evidence.origin.no_amounts.items()}
    if plain(name) not in costs and plain(name) in odd:
        cell, where = odd[plain(name)]
        if looks_like_number(cell):
            raise not_a_number(name, cell, where)
        fix = "write amounts alike, 0.07 or $0.07 in all rows; 0 is free, and an empty cell is not known."
        raise InputError(f"{name} is {cell!r}, no amount of one kind with the others.", where, fix)
    if plain(name) not in costs:
        known = [*(cost for cost in evidence.costs if _may_be_cost(cost)), *evidence.learners]
        error = unknown(name, known, what="cost column or learner", where=WHERE)
        raise UnknownName(error.wrong, WHERE, f"{error.fix} Costs may be in a table of their own: --costs prices.csv.")
    chosen = costs[plain(name)]
    if not _may_be_cost(chosen):
        what = "a count of rows" if plain(chosen) in COUNTS else "a measure of which larger is better"
        raise InputError(f"{chosen} is {what}, and no cost.", WHERE, "give a cost, of which smaller is better.")
    return _sorted_by(evidence.costs[chosen], chosen, evidence)


def _may_be_cost(name: str) -> bool:
    """A preference by cost puts smaller ones first."""
    return plain(name) not in COUNTS and is_larger_better(name) is not True


def _sorted_by(cost: Mapping[str, float], chosen: str, evidence: Evidence) -> Preference:
    unknown_cost = [learner for learner in evidence.learners if not cost.get(learner, float("nan")) < float("inf")]
    source, priced = evidence.origin.priced.get(chosen, (evidence.origin.source, ()))
    where = f"{WHERE}, {source}"
    if unknown_cost:
        near = nearest(unknown_cost[0], [name for name in priced if name not in evidence.learners])
        hint = f"did you mean {unknown_cost[0]!r} where it says {near!r}? " if near else ""
        said = f"{chosen} is not known for {', '.join(unknown_cost)}."
        raise InputError(said, where, f"{hint}give every learner's cost.")
    below = next((learner for learner in evidence.learners if cost[learner] < 0), None)
    if below is not None:
        said = f"{chosen} of {below} is {cost[below]:g}, and no cost is below 0."
        raise InputError(said, where, "correct it; an empty cell is not known.")
    names = tuple(sorted(evidence.learners, key=lambda learner: (cost[learner], learner)))
    equal: dict[float, list[str]] = {}
    for learner in names:
        equal.setdefault(cost[learner], []).append(learner)
    return Preference(names, chosen, tuple(tuple(group) for group in equal.values() if len(group) > 1))
