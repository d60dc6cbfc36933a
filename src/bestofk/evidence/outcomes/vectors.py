"""From scores, and whatever else is known of their folds, to vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import refuse_duplicates
from bestofk.evidence.evidence import Evidence
from bestofk.evidence.outcomes.counts import refuse_no_counts, refuse_unequal_rows, unequal_rows
from bestofk.evidence.outcomes.finder import Finder
from bestofk.evidence.outcomes.known import Known
from bestofk.evidence.outcomes.refusals import refuse_copies, refuse_equal_columns, settled_undefined
from bestofk.evidence.outcomes.wanted import WHERE, Wanted, known_direction, names_in, threshold_in, wanted_measures
from bestofk.evidence.scores import Scores
from bestofk.evidence.vectors import VectorMeasure, Vectors

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
    refuse_no_counts(evidence)
    finder = Finder(evidence, known or Known(), undefined, tuple(each.name for each in asked))
    wanted = finder.spelled_out(asked)
    refuse_duplicates([each.name for each in wanted], what="measure", where=f"{WHERE}, recalls spelled out")
    refuse_copies([each.name for each in wanted if finder.derives(each.name)], where=WHERE)
    refuse_unequal_rows([each.name for each in wanted], evidence)
    columns = {each.name: finder.column(each.name, each.said) for each in wanted}  # directions follow what is there
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
    notes = (*evidence.origin.notes, *unequal_rows(evidence), *dict.fromkeys(finder.notes))
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
