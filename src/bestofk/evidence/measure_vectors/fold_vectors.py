"""From scores, and whatever else is known of their folds, to vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import refuse_duplicates
from bestofk.core.phrases import counted, listed
from bestofk.evidence.measure_vectors.finder import Finder, settled_undefined
from bestofk.evidence.measure_vectors.known import NOTHING, Known
from bestofk.evidence.measure_vectors.wanted import WHERE, Ask, Wanted, known_direction, threshold_in, wanted_measures
from bestofk.evidence.scores import COUNTS, Scores
from bestofk.evidence.vectors import VectorMeasure, Vectors
from bestofk.measures.count_columns import ROUNDED, give_whole, is_of_one_class, not_whole

_WHOLE = give_whole("columns of measures instead: tpr and fpr")
_PREDICTED, _ALL, _AT = "of the predicted classes", "of all classes", "at the threshold"
#: Two columns of one measure may differ by so much: they are often rounded to two digits.
_ROUNDED_SHARE = 0.0051


def vectors_of(evidence: Scores, ask: Ask, known: Known = NOTHING) -> Vectors:
    """Put the named measures of every fold side by side.

    A ratio 0/0 (the precision of a learner that never says positive) is an error that names the fold where nothing
    says what it counts as.
    """
    asked = wanted_measures(ask.on)
    undefined = settled_undefined(ask.undefined, [each.name for each in asked])
    _refuse_no_counts(evidence)
    finder = Finder(evidence, known, undefined)
    wanted = finder.spelled_out(asked)
    names = [each.name for each in wanted]
    refuse_duplicates(names, what="measure", where=f"{WHERE}, recalls spelled out")
    for first, second in _related([name for name in names if finder.derives(name)], finder):
        raise _copies(first, second)
    _note_unequal_rows(names, finder)
    columns = {each.name: np.ascontiguousarray(finder.column(each.name, each.said)) for each in wanted}
    _refuse_equal_columns(columns, finder)
    measures = tuple(VectorMeasure(each.name, finder.direction(each, ask.larger_is_better)) for each in wanted)
    _refuse_other_direction(wanted, ask.larger_is_better)
    error = columns.get("error")
    error = finder.error() if error is None else error
    cut, error_of, moves = _settled_cut(names, finder, error is not None)
    if cut is not None and moves:
        error = finder.ratio("error", cut)
    if known.positive is not None and any(map(is_of_one_class, names)):
        finder.notes.append(f"the positive class is {known.positive}")
    notes = (*evidence.origin.notes, *dict.fromkeys(finder.notes))
    return evidence.as_kind(
        Vectors,
        **_arrays(measures, columns, error),
        counts=evidence.counts if cut is None else cut,
        origin=replace(evidence.origin, notes=notes),
        measures=measures,
        has_error=error is not None,
        error_of=error_of,
        asked={**ask.said, "undefined": undefined},
        filled={name: value for name, value in finder.filled.items() if name in columns},
        positive=known.positive,
        classes=known.classes,
    )


def _refuse_other_direction(wanted: Sequence[Wanted], larger_is_better: bool | None) -> None:
    """Refuse a direction that a measure contradicts by its name, where it is needed for no other."""
    known = {each.name: known_direction(each.name) for each in wanted if each.larger_is_better is None}
    other = next((name for name, each in known.items() if each is not None and each != larger_is_better), None)
    if larger_is_better is not None and other is not None and None not in known.values():
        better = "larger" if known[other] else "smaller"
        raise InputError(
            f"larger_is_better is {larger_is_better}, and of {other} {better} is better.",
            "arguments larger_is_better and on",
            "leave it out: the names say the direction of every measure.",
        )


def _arrays(measures: tuple[VectorMeasure, ...], columns: dict[str, Array], error: Array | None) -> dict[str, Any]:
    """The first measure in front, the others and the error beside it; a gap in one is a gap in all."""
    gaps = np.isnan(np.stack(list(columns.values()))).any(axis=0)
    first, *rest = (measure.name for measure in measures)
    others = {name: np.where(gaps, np.nan, columns[name]) for name in rest}
    if error is not None and "error" not in columns:
        others["error"] = np.where(gaps, np.nan, error)
    values = np.where(gaps, np.nan, columns[first])
    return {"measure": first, "larger_is_better": measures[0].larger_is_better, "values": values, "others": others}


def _settled_cut(names: Sequence[str], finder: Finder, has_error: bool) -> tuple[Array | None, str, bool]:
    """Counts at the one threshold that is named, None without one; what the error is of, in words; whether it moves.

    The error moves to the threshold where every measure is there. Of three classes or more it is that of all classes,
    which no threshold of one class makes.
    """
    known, found = finder.known, [threshold_in(name) for name in names]
    cuts = {each[1] for each in found if each is not None}
    if not cuts or known.counts_at is None or "error" in names:
        of_all = has_error and "error" not in names and known.positive is not None and len(known.classes) > 2
        return None, _ALL if of_all else "", False
    alone = next(iter(cuts)) if len(cuts) == 1 else None
    at = _PREDICTED if alone is None else f"{_AT} {alone:g}"
    moves = alone is not None and None not in found and len(known.classes) <= 2
    error_of = at if moves else _PREDICTED if has_error else ""
    finder.notes.append((f"the error is {error_of}, and " if error_of else "") + f"the costs of mistakes are {at}")
    return None if alone is None else known.counts_at(alone), error_of, moves


def _refuse_no_counts(scores: Scores) -> None:
    """Refuse a count below 0 or between whole numbers, with its learner and fold."""
    if scores.counts is None:
        return
    counts = np.asarray(scores.counts)
    for wrong, fix in ((counts < 0, "give counts from 0 up."), (not_whole(counts), _WHOLE)):
        if wrong.any():
            first = tuple(np.argwhere(wrong)[0])
            raise InputError(
                f"{COUNTS[first[-1]]} is {counts[first]:.6g}.",
                f"{scores.origin.source}, {scores.first_place(np.asarray(wrong.any(axis=-1)))}",
                fix,
            )


def _note_unequal_rows(names: Sequence[str], finder: Finder) -> None:
    """Note that learners have other numbers of positives or negatives in one fold, as if they saw other test rows.

    Counts as measures are refused then: only shares of them can be compared.
    """
    scores = finder.scores
    if scores.counts is None:
        return
    counts = np.asarray(scores.counts)
    sizes = np.stack([counts[..., :2].sum(axis=-1), counts[..., 2:].sum(axis=-1)], axis=-1)
    fewest, most = np.fmin.reduce(sizes), np.fmax.reduce(sizes)  # of the learners that have the fold
    apart = most - fewest > ROUNDED * np.maximum(most, 1.0)
    if not apart.any():
        return
    d, r, f, kind = (int(i) for i in np.argwhere(apart)[0])
    numbers = f"{fewest[d, r, f, kind]:g} to {most[d, r, f, kind]:g} {('positives', 'negatives')[kind]}"
    first = f"{scores.place_text(*scores.cell_at((0, d, r, f))[1:])}: {numbers}"
    asked = [name for name in names if name in COUNTS]
    if asked:
        raise InputError(
            f"counts are asked for ({listed(asked)}), and the learners were tested on different numbers of rows.",
            f"{scores.origin.source}, {first}",
            "give counts of the same test rows; or compare shares: --on tpr,fpr.",
        )
    folds = counted(int(apart.any(axis=-1).sum()), "fold")
    differ = f"learners have different numbers of positives or negatives in {folds}"
    finder.notes.append(f"{differ}, as if tested on other rows ({first})")


def _refuse_equal_columns(columns: Mapping[str, Array], finder: Finder) -> None:
    """Refuse two columns of one measure that say the same, or one minus it; a user's own may be about other things."""
    for first, second in _related(list(columns), finder):
        one, two = _shares(columns[first]), _shares(columns[second])
        both = ~(np.isnan(one) | np.isnan(two))
        apart = [np.abs(one - other)[both].max(initial=0.0) for other in (two, 1.0 - two)]
        if both.any() and min(apart) <= _ROUNDED_SHARE:
            raise _copies(first, second)


def _related(names: Sequence[str], finder: Finder) -> list[tuple[str, str]]:
    """Pairs of names that mean one measure, or one minus it, at the same threshold."""
    meant = {name: finder.meaning(name) for name in names}
    return [(one, two) for one, two in combinations(names, 2) if meant[one] == meant[two] and meant[one][0]]


def _shares(values: Array) -> Array:
    """Shares, also of what is in percent."""
    return values / 100.0 if np.nanmax(np.abs(values), initial=0.0) > 1.5 else values


def _copies(first: str, second: str) -> InputError:
    return InputError(
        f"{first} and {second} are one measure: the second is the first, or one minus it.",
        WHERE,
        f"leave one of them out: {second} says nothing that the other does not.",
    )
