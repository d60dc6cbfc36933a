"""What counts tp, fn, fp, tn must be, and what is said of those that are strange."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted, listed
from bestofk.evidence.outcomes.refusals import place_of
from bestofk.evidence.scores import COUNTS, Scores
from bestofk.measures.count_columns import ROUNDED, give_whole, not_whole

_WHOLE = give_whole("columns of measures instead: tpr and fpr")


def refuse_no_counts(scores: Scores) -> None:
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


def unequal_rows(scores: Scores) -> tuple[str, ...]:
    """A note where learners have other numbers of positives or negatives in one fold: they saw other test rows."""
    apart = _apart(scores)
    if not apart.any():
        return ()
    folds = counted(int(apart.any(axis=0).sum()), "fold")
    differ = f"learners have different numbers of positives or negatives in {folds}"
    return (f"{differ}, as if tested on other rows ({_first_apart(scores, apart)})",)


def refuse_unequal_rows(names: Sequence[str], scores: Scores) -> None:
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
