"""Sources that do not hold several measures: one score per cell, or no counts where counts are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bestofk.core.errors import BestOfKError, InputError, UnknownName
from bestofk.core.phrases import listed
from bestofk.evidence import Evidence, Items, Scores
from bestofk.evidence.outcomes.wanted import WHERE, Wanted
from bestofk.evidence.scores import COUNTS

#: No measure is called so; a source that has it has scores without a name.
_NO_NAME = "one score of many measures"


class Read(Protocol):
    """Reads the source with one measure in front, or one data set of it alone."""

    def __call__(self, measure: str | None, larger: bool | None, dataset: str | None = None, /) -> Evidence:
        """Return the evidence."""


def refuse_no_counts(read: Read, wanted: Sequence[Wanted]) -> None:
    """Refuse counts as measures where there are none, before anything else is said of the columns."""
    asked = [each.name for each in wanted if each.name in COUNTS]
    if not asked:
        return
    try:
        read("tp", True)
    except UnknownName as error:
        if _holds_items(read):  # whose predictions are counted
            return
        raise InputError(
            f"{listed(asked)} {'is a count' if len(asked) == 1 else 'are counts'}, and there are none.",
            f"{WHERE}, {error.where}",
            "give columns tp, fn, fp, tn; or name measures that are there: --on tpr,fpr.",
        ) from None
    except BestOfKError:
        return


def _holds_items(read: Read) -> bool:
    try:
        return isinstance(read("error", None), Items)
    except BestOfKError:
        return False


def refuse_one_score(read: Read, front: Scores, wanted: Sequence[Wanted]) -> None:
    """Refuse a source with one score per cell, such as a column per learner: it goes by any name that it is given."""
    if front.counts is not None or front.others:
        return
    try:
        found = read(_NO_NAME, True)
    except BestOfKError:  # measures have names there, and this is none of them
        return
    if found.measure == _NO_NAME:
        names, key = ", ".join(each.name for each in wanted), "fold" if front.values.shape[1] == 1 else "dataset"
        raise InputError(
            f"there is one score per learner and {key.replace('data', 'data ')}, which cannot be {names} at once.",
            f"{WHERE}, {front.origin.source}",
            f"give a long table: columns learner, {key}, and one per measure, or tp, fn, fp, tn; or judge by the one "
            "score: --measure NAME without --on.",
        )
