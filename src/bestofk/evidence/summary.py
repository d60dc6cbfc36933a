"""What was understood of results: learners, what they are compared on, measures, costs, what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import TextWrapper
from typing import Any

import numpy as np

from bestofk.core.record import Record
from bestofk.evidence.battles import Battles
from bestofk.evidence.curves import Curves, Runs
from bestofk.evidence.evidence import ASSUMED, Evidence
from bestofk.evidence.items import Items
from bestofk.evidence.scores import COUNTS, Scores
from bestofk.evidence.vectors import Vectors
from bestofk.measures.catalogue import is_larger_better, spoken

#: Names, notes and missing results that are shown; more are counted.
MOST_NAMES, MOST_NOTES = 8, 6
WIDTH = 80


class Summary(Record):
    """What was understood, without judging. ``repr`` is at most a screen.

    ``kind`` is scores, items, curves, runs or battles; ``units`` says how many there are of what, ``datasets`` and
    ``groups`` their names. ``measures`` has the direction of each, the one that is judged first: larger is better, or
    not, or None where nobody knows. ``results`` is the number of values, ``missing`` names those that are not there.
    ``unsaid`` has the options that a verdict needs, each with the values that it may have.
    """

    source: str
    sentence: str
    kind: str
    learners: tuple[str, ...]
    units: Mapping[str, int]
    datasets: tuple[str, ...]
    groups: tuple[str, ...]
    measures: Mapping[str, bool | None]
    costs: tuple[str, ...]
    results: int
    missing: tuple[str, ...]
    notes: tuple[str, ...]
    assumed: tuple[str, ...]
    unsaid: Mapping[str, tuple[Any, ...]]

    def lines(self, width: int = WIDTH) -> list[str]:
        """Lines of so many letters: the sentence, then what there is, by name."""
        gaps = f", {len(self.missing):,} missing: {_some(self.missing, 2, '; ')}" if self.missing else ""
        notes = [*self.notes[:MOST_NOTES], *([f"{len(self.notes) - MOST_NOTES} more"] * (len(self.notes) > MOST_NOTES))]
        directions = {True: "larger is better", False: "smaller is better", None: "direction not known"}
        told = [f"{name} ({directions[larger]})" for name, larger in self.measures.items()]
        parts = {
            "Source": [self.source],
            "Learners": [f"{len(self.learners)}: {_some(self.learners)}"],
            "Data sets": [_some(self.datasets)] if self.datasets else [],
            "Groups": [_some(self.groups)] if self.groups else [],
            "Measures": [_some(told, 4)],
            "Costs": [_some(self.costs)] if self.costs else [],
            "Results": [f"{self.results:,}{gaps}"],
            "Read": notes,
            "Assumed": [_some([ASSUMED.get(code, code) for code in self.assumed], between="; ")]
            if self.assumed
            else [],
            "To say": [_option(name, choices) for name, choices in self.unsaid.items()],
        }
        wrap = TextWrapper(width, subsequent_indent=" " * 11, break_on_hyphens=False, break_long_words=False)
        found = [*TextWrapper(width, break_on_hyphens=False).wrap(self.sentence + "."), ""]
        for name, texts in parts.items():
            for place, text in enumerate(texts):
                found += wrap.wrap(f"{name if place == 0 else '':10} {text}".rstrip())
        return found

    def __repr__(self) -> str:
        return "\n".join(self.lines())


def _option(name: str, choices: Sequence[Any]) -> str:
    if name == "larger_is_better":
        return "--larger-is-better or --smaller-is-better"
    return f"--{name.replace('_', '-')} {_some([*map(str, choices)], between=' or ')}"


def summary_of(evidence: Evidence, unsaid: Mapping[str, tuple[Any, ...]]) -> Summary:
    """Say what was understood of results; ``unsaid`` are options that were taken for said, with their values."""
    if "larger_is_better" in unsaid:
        evidence = replace(evidence, larger_is_better=None)  # type: ignore[arg-type]  # to be shown only
    datasets: Sequence[str] = ()
    groups: Sequence[str] = ()
    if isinstance(evidence, Items):
        groups = evidence.group_names
        number = len(set(evidence.units)) if evidence.units else len(evidence.items)
        units = {"item": number, "group": len(groups), "fold": len(set(evidence.folds or ()))}
        units["replication"] = len(set(evidence.replications or ()))
        results = int(evidence.values.size)
    elif isinstance(evidence, Curves):
        datasets = evidence.dataset_names
        units = {evidence.block: len(datasets), evidence.unit: sum(map(len, evidence.values))}
        units["step"] = 0 if isinstance(evidence, Runs) else len(evidence.steps)
        results = sum(int(each.sum()) for each in evidence.planned) or sum(each.size for each in evidence.values)
    elif isinstance(evidence, Battles):
        units = {"battle": len(evidence.score), "prompt": evidence.prompt_count}
        results = len(evidence.score) + len(evidence.missing())  # which are learners without a rating
    else:
        assert isinstance(evidence, Scores)
        datasets = () if evidence.datasets == ("data",) else evidence.datasets
        units = {"data set": len(datasets), "replication": len(evidence.replications), "fold": len(evidence.folds)}
        results = len(evidence.learners) * int(np.asarray(evidence.planned).sum())
    named = [name for each in unsaid.get("measure", ()) for name in each.split(",")]
    said = evidence.origin.directions
    named = [name for name in named if spoken(name) != spoken(evidence.measure)]
    others = {name: said.get(name, is_larger_better(spoken(name))) for name in named}
    measures = {**_measures(evidence), **others}
    missing, costs = evidence.missing(), _costs(evidence, measures)
    kind = next(name for each, name in KINDS.items() if isinstance(evidence, each))
    return Summary(
        source=evidence.origin.source,
        sentence=repr(evidence),
        kind=kind,
        learners=evidence.learners,
        units={what: number for what, number in units.items() if number},
        datasets=tuple(datasets),
        groups=tuple(groups),
        measures=measures,
        costs=tuple(name for name, unknown in costs.items() if not unknown),
        results=results - len(missing),
        missing=missing,
        notes=(
            *evidence.origin.said,
            *(f"{name} is not known for {_some(each)}" for name, each in costs.items() if each),
        ),
        assumed=evidence.origin.assumed,
        unsaid=unsaid,
    )


KINDS = {Battles: "battles", Items: "items", Runs: "runs", Curves: "curves", Vectors: "vectors", Scores: "scores"}


def _costs(evidence: Evidence, measures: Mapping[str, bool | None]) -> dict[str, list[str]]:
    """Costs, and the learners for which each is not known; a number of which larger is better is no cost."""
    others = {name: each for name, each in evidence.costs.items() if name not in (*measures, *COUNTS)}
    return {
        name: [learner for learner in evidence.learners if np.isnan(each.get(learner, np.nan))]
        for name, each in others.items()
    }


def _measures(evidence: Evidence) -> dict[str, bool | None]:
    if isinstance(evidence, Vectors):
        return {each.name: each.larger_is_better for each in evidence.measures}
    others = [*(evidence.others if isinstance(evidence, Scores) else ())]
    others += [name for name in evidence.costs if name not in COUNTS and is_larger_better(name) is True]
    return {evidence.measure: evidence.larger_is_better, **{name: is_larger_better(name) for name in others}}


def _some(names: Sequence[str], most: int = MOST_NAMES, between: str = ", ") -> str:
    rest = f"{between}and {len(names) - most:,} more" if len(names) > most else ""
    return f"{between.join(_shortened(name) for name in names[:most])}{rest}"


def _shortened(name: str) -> str:
    """A name as far as a line has room: items may be called by their whole text."""
    return name if len(name) <= WIDTH else f"{name[: WIDTH - 1]}…"
