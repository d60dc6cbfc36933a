"""From scores, and whatever else is known of their folds, to vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.options import refuse_duplicates
from bestofk.core.phrases import counted, listed
from bestofk.evidence.evidence import Evidence
from bestofk.evidence.outcomes.finder import Finder
from bestofk.evidence.outcomes.known import Known
from bestofk.evidence.outcomes.refusals import place_of, refuse_copies, refuse_equal_columns, settled_undefined
from bestofk.evidence.outcomes.wanted import WHERE, Wanted, known_direction, names_in, threshold_in, wanted_measures
from bestofk.evidence.scores import COUNTS, Scores
from bestofk.evidence.vectors import VectorMeasure, Vectors
from bestofk.measures.count_columns import ROUNDED, give_whole, not_whole

_WHOLE = give_whole("columns of measures instead: tpr and fpr")
_PREDICTED, _ALL = "of the predicted classes", "of all classes"


def vectors_of(
    evidence: Evidence,
    on: object,
    *,
    known: Known | None = None,
    undefined: float | None = None,
    larger_is_better: bool | None = None,
) -> Vectors:
    """Put the named measures of every fold side by side.

    ``undefined`` is what a ratio 0/0 counts as (the precision of a learner that never says positive); without it that
    is an error which names the fold. ``larger_is_better`` is the direction of measures that bestofk does not know.
    """
    if not isinstance(evidence, Scores):
        raise InputError(
            f"several measures need folds or data sets, and there are {evidence!r}.",
            WHERE,
            "give results per fold with counts tp, fn, fp, tn, or with a column per measure.",
        )
    asked = wanted_measures(on)
    undefined = settled_undefined(undefined, [each.name for each in asked])
    _refuse_no_counts(evidence)
    finder = Finder(evidence, known or Known(), undefined, tuple(each.name for each in asked))
    wanted = finder.spelled_out(asked)
    refuse_duplicates([each.name for each in wanted], what="measure", where=f"{WHERE}, recalls spelled out")
    refuse_copies([each.name for each in wanted if finder.derives(each.name)], where=WHERE)
    _refuse_unequal_rows([each.name for each in wanted], evidence)
    columns = {each.name: np.ascontiguousarray(finder.column(each.name, each.said)) for each in wanted}  # directions follow what is there
    refuse_equal_columns(columns, where=WHERE)
    measures = tuple(VectorMeasure(each.name, finder.direction(each, larger_is_better)) for each in wanted)
    _refuse_other_direction(wanted, larger_is_better)
    error = columns.get("error")
    error = finder.error() if error is None else error
    cut = _settled_cut([each.name for each in wanted], finder.known, error is not None)
    evidence = evidence if cut.counts is None else replace(evidence, counts=cut.counts)
    if cut.moves_error:
        error = finder.ratio("error", cut.counts)
    finder.notes.extend(cut.notes)
    notes = (*evidence.origin.notes, *_unequal_rows(evidence), *dict.fromkeys(finder.notes))
    noted = replace(evidence, origin=replace(evidence.origin, notes=notes))
    return Vectors(
        **_holding(noted, measures, columns, error),
        measures=measures,
        has_error=error is not None,
        error_of=cut.error_of,
        asked={"on": _said(on), "positive": finder.known.asked, "undefined": undefined},
        filled={name: value for name, value in finder.filled.items() if name in columns},
        positive=finder.known.positive,
        classes=finder.known.classes,
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


def _said(on: object) -> list[str]:
    """The names as they were given, for the lines that make the verdict again."""
    names = names_in(on) if isinstance(on, str) else on
    return [str(each).strip() for each in names]  # type: ignore[attr-defined]


def _holding(
    scores: Scores, measures: tuple[VectorMeasure, ...], columns: dict[str, Array], error: Array | None
) -> dict[str, Any]:
    """The first measure in front, the others and the error beside it; a gap in one is a gap in all."""
    gaps = np.isnan(np.stack(list(columns.values()))).any(axis=0)
    first, *rest = (measure.name for measure in measures)
    others = {name: np.where(gaps, np.nan, columns[name]) for name in rest}
    if error is not None and "error" not in columns:
        others["error"] = np.where(gaps, np.nan, error)
    changed = {"measure": first, "larger_is_better": measures[0].larger_is_better, "others": others}
    known = {each.name: getattr(scores, each.name) for each in fields(Scores)}
    return {**known, **changed, "values": np.where(gaps, np.nan, columns[first])}


@dataclass(frozen=True)
class _Cut:
    """Counts at the one threshold that is named, None without one; and what the error is of, in words."""

    counts: Array | None = None
    moves_error: bool = False
    error_of: str = ""
    notes: tuple[str, ...] = ()


def _settled_cut(names: Sequence[str], known: Known, has_error: bool) -> _Cut:
    """Take counts at the threshold where all thresholds are one; the error too, where every measure is at it.

    Of three classes or more the error is that of all classes, which no threshold of one class makes.
    """
    found = [threshold_in(name) for name in names]
    cuts = {each[1] for each in found if each is not None}
    if not cuts or known.counts_at is None or "error" in names:
        return _Cut(error_of=_ALL if _of_all_classes(names, known, has_error) else "")
    alone = next(iter(cuts)) if len(cuts) == 1 else None
    moves = alone is not None and None not in found and len(known.classes) <= 2
    at = _PREDICTED if alone is None else f"at the threshold {alone:g}"
    error_of = at if moves else _PREDICTED if has_error else ""
    error = f"the error is {error_of}" if error_of else ""
    costs = f"the costs of mistakes are {at}"
    note = f"{error}, and {costs}" if error else costs
    return _Cut(None if alone is None else known.counts_at(alone), moves, error_of, (note,))


def _of_all_classes(names: Sequence[str], known: Known, has_error: bool) -> bool:
    """Whether the error is not that of the one class against the rest whose rates are named."""
    return has_error and "error" not in names and known.positive is not None and len(known.classes) > 2


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
                f"{scores.origin.source}, {place_of(np.asarray(wrong.any(axis=-1)), scores)}",
                fix,
            )


def _unequal_rows(scores: Scores) -> tuple[str, ...]:
    """A note where learners have other numbers of positives or negatives in one fold: they saw other test rows."""
    apart = _apart(scores)
    if not apart.any():
        return ()
    folds = counted(int(apart.any(axis=0).sum()), "fold")
    differ = f"learners have different numbers of positives or negatives in {folds}"
    return (f"{differ}, as if tested on other rows ({_first_apart(scores, apart)})",)


def _refuse_unequal_rows(names: Sequence[str], scores: Scores) -> None:
    """Refuse counts as measures where learners have other numbers of rows: only shares of them can be compared."""
    asked, apart = [name for name in names if name in COUNTS], _apart(scores)
    if asked and apart.any():
        counts = "is a count" if len(asked) == 1 else "are counts"
        raise InputError(
            f"{listed(asked)} {counts}, and the learners were tested on different numbers of rows.",
            f"{scores.origin.source}, {_first_apart(scores, apart)}",
            "give counts of the same test rows; or compare shares: --on tpr,fpr.",
        )


def _sizes(scores: Scores) -> Array:
    """(…, 2): positives and negatives of every learner and fold."""
    counts = np.asarray(scores.counts)
    return np.stack([counts[..., :2].sum(axis=-1), counts[..., 2:].sum(axis=-1)], axis=-1)


def _apart(scores: Scores) -> Flags:
    """Which learners have in which fold other sizes than the first learner that has the fold."""
    if scores.counts is None:
        return np.zeros(scores.values.shape, dtype=bool)
    sizes = _sizes(scores)
    first = _first_known(sizes)
    known = np.where(np.isnan(sizes), first, sizes)
    return np.asarray(np.abs(known - first).max(axis=-1) > ROUNDED * np.maximum(first.max(axis=-1), 1.0))


def _first_known(sizes: Array) -> Array:
    """Of every fold the sizes of the first learner that has them, NaN where none does."""
    place = np.argmax(~np.isnan(sizes), axis=0)[None]
    return np.asarray(np.take_along_axis(sizes, place, axis=0))


def _first_apart(scores: Scores, apart: Flags) -> str:
    """The first such fold, and the sizes in it."""
    k, d, r, f = np.argwhere(apart)[0]
    sizes = _sizes(scores)[:, d, r, f]
    kind = int(np.nanargmax(np.abs(sizes[k] - _first_known(sizes)[0])))
    other = int(np.argmax(~np.isnan(sizes[:, kind])))
    place = place_of(apart, scores).removeprefix(f"learner {scores.learners[k]}, ")
    numbers = [f"{scores.learners[i]} {sizes[i, kind]:g}" for i in (other, k)]
    return f"{place}: {('positives', 'negatives')[kind]} of {', '.join(numbers)}"
