"""What of the results of two models a gate compares: parts, what is left out, and when that is too much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bestofk.core.arrays import Flags
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted, option_text
from bestofk.evidence import Curves, Evidence, Items, Runs, Scores
from bestofk.evidence.filled_results import WORST, WORST_OF
from bestofk.evidence.layouts.dataset_rows import of_dataset
from bestofk.evidence.missing_results import LeftOut, completed

#: What stands for a group where all items are asked about, beside every group of them.
ALL = "all items"


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


def parts_of(evidence: Evidence, by_group: bool) -> list[tuple[str | None, Evidence]]:
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


def measured(several: Sequence[Evidence]) -> list[Evidence]:
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


def shared(evidence: Evidence, lacking: Lacking, by_group: bool) -> tuple[Evidence, LeftOut]:
    """Results without gaps, as is asked for, but those of curves: what of them is compared is taken first."""
    if not isinstance(evidence, Items | Scores | Runs):
        return evidence, LeftOut()
    if lacking.missing == "refuse":  # what may not be left out is not offered to be
        some, both = _there(evidence)
        _refuse_gone(evidence, some - both, lacking, by_group)
    kept = lacking.missing == "keep" and isinstance(evidence, Scores)
    way = "drop-datasets" if kept else lacking.said  # two models are one pair
    whole, left_out = completed(evidence, way, _worst_words(evidence, lacking) if evidence.missing() else None)
    refuse_left_out(evidence, left_out, lacking, by_group)
    return whole, left_out


def _worst_words(evidence: Evidence, lacking: Lacking) -> str:
    """What the worst does in a gate; nothing where it would be refused or change nothing."""
    of_new, of_old = (evidence.without(learners=[name]).missing() for name in (lacking.old, lacking.new))
    if not of_new or evidence.worst is None:
        return ""
    old = f", and leaves out what {lacking.old} lacks" if of_old else ""
    return f" counts what {lacking.new} lacks as the worst{old}"


def refuse_left_out(evidence: Evidence, left_out: LeftOut, lacking: Lacking, by_group: bool) -> None:
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
    """Too many items, or data sets, left out of any part that is asked about."""
    whose = lacking.old if lacking.missing == WORST else "both models"
    for group, part in parts_of(evidence, by_group) if gone else []:
        unit, names = "item", part.items if isinstance(part, Items) else ()
        if isinstance(part, Scores | Curves):
            unit, names = "data set", part.dataset_names
        if names:
            there, of_group = len(set(names) - gone), None if group == ALL else group
            _refuse_few(part, lacking, there, len(names), unit, whose, of_group)


def _refuse_few(
    evidence: Evidence, lacking: Lacking, there: int, number: int, unit: str, whose: str, group: str | None = None
) -> None:
    """Too few of so many units have results; of a group that is asked about none has an answer to give."""
    if there and there >= lacking.fewest * number:
        return
    have = f"only {there:,} {'has' if there == 1 else 'have'}" if there else "none has"
    raise InputError(
        f"of {counted(number, unit)}{'' if group is None else f' of group {group}'} {have} results of {whose}.",
        evidence.origin.source,
        f"complete them, at least {100 * lacking.fewest:g} %{_or_count(evidence, lacking, whose)}.",
    )


def _or_count(evidence: Evidence, lacking: Lacking, whose: str) -> str:
    """The offer to count what is missing as the worst, where it is the new model that lacks it."""
    of_old, number = (_there(each)[0] for each in (evidence.without(learners=[lacking.new]), evidence))
    if evidence.worst is None or whose == lacking.old or len(of_old) < lacking.fewest * len(number):
        return ""
    return f"; or count what is missing with {option_text('missing', WORST)}"


def all_left_out(several: Sequence[LeftOut]) -> dict[str, Any]:
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


def left_out_of(several: Sequence[Evidence], left_out: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Which of the items, or data sets, that were left out each model lacks results of."""
    lacked: dict[str, set[str]] = {}
    for each in measured(several):
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
