"""What counts tp, fn, fp, tn must be, and what is said of those that are strange."""

from __future__ import annotations

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.evidence.scores import COUNTS, Scores
from bestofk.evidence.vectors_refusals import place_of
from bestofk.evidence.whole_counts import ROUNDED, give_whole, not_whole
from bestofk.stats.arrays import Flags

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
    if scores.counts is None:
        return ()
    counts = np.asarray(scores.counts)
    sizes = np.stack([counts[..., :2].sum(axis=-1), counts[..., 2:].sum(axis=-1)], axis=-1)  # positives, negatives
    known = np.where(np.isnan(sizes), sizes[:1], sizes)
    apart: Flags = np.abs(known - known[:1]).max(axis=-1) > ROUNDED * np.maximum(known[:1].max(axis=-1), 1.0)
    if not apart.any():
        return ()
    k, d, r, f = np.argwhere(apart)[0]
    kind = int(np.argmax(np.abs(known[k, d, r, f] - known[0, d, r, f])))
    place = place_of(apart, scores).removeprefix(f"learner {scores.learners[k]}, ")
    numbers = [f"{scores.learners[i]} {sizes[i, d, r, f, kind]:g}" for i in (0, k)]
    folds = counted(int(apart.any(axis=0).sum()), "fold")
    what = ("positives", "negatives")[kind]
    differ = f"learners have different numbers of positives or negatives in {folds}"
    return (f"{differ}, as if tested on other rows ({place}: {what} of {', '.join(numbers)})",)
