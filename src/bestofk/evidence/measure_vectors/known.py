"""What a source knows of folds beside their scores, and who tells it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field, replace
from typing import Any, Protocol

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import plain, unknown
from bestofk.evidence.scores import Scores
from bestofk.measures.catalogue import MEASURES, Measure
from bestofk.measures.counts import class_recall, of_class


@frozen(eq=False)
class Known:
    """What is known of the folds beside the scores.

    ``confusion`` has the counts of all classes of every data set, (learners, replications, folds, classes, classes),
    rows the truth, NaN where a fold has none. ``classes`` are their names where all data sets have the same ones.
    """

    confusion: tuple[Array, ...] = ()
    classes: tuple[str, ...] = ()
    positive: str | None = None
    mixed: bool = False  # data sets with different classes, or of which some have no counts
    untimed: Mapping[str, int] = field(default_factory=dict)  # folds that shared their work, by the cost they lack
    counts_at: Callable[[float], Array] | None = None  # tp, fn, fp, tn of every fold at a threshold of probabilities
    items: Callable[[], Any | InputError] | None = None  # ItemScores of all folds, or why there are none

    @property
    def recalls(self) -> dict[str, Measure]:
        """The recall of every class by name."""
        found = (_recall(name, code) for code, name in enumerate(self.classes if self.confusion else ()))
        return {each.name: each for each in found}

    def rate(self, name: str) -> str:
        """The rate of the positive class, or of the only other one, that a recall by name is; else the name itself."""
        if self.positive is None or name not in self.recalls:
            return name
        of_positive = list(self.recalls).index(name) == self.classes.index(self.positive)
        return "tpr" if of_positive else "tnr" if len(self.classes) == 2 else name

    def measure(self, name: str) -> Measure | None:
        """A measure of the counts of all classes, or the recall of one; None where it is none."""
        if not self.confusion:
            return None
        return self.recalls.get(name) or {each.name: each for each in of_all_classes()}.get(plain(name))


#: Of folds of which nothing more is known.
NOTHING = Known()


def _recall(name: str, code: int) -> Measure:
    return Measure(
        *(f"recall of {name}", "counts", True, of_class(class_recall, code)),
        undefined=lambda truth, said: truth[..., code] == 0,
        empty=f"there is no row of class {name}",
    )


def of_all_classes() -> list[Measure]:
    """Registered measures of counts that need no positive class."""
    return [each for each in MEASURES.values() if each.needs == "counts" and each.classes is None]


def one_against_rest(confusion: Array, code: int) -> Array:
    """Counts tp, fn, fp, tn of one class against the others, (..., 4), from those of all classes, (..., C, C).

    Examples
    --------
    >>> one_against_rest(np.array([[5, 1, 0], [2, 6, 1], [0, 1, 4]]), 1).tolist()
    [6, 3, 2, 9]
    """
    tp = confusion[..., code, code]
    fn, fp = confusion[..., code, :].sum(axis=-1) - tp, confusion[..., :, code].sum(axis=-1) - tp
    return np.stack([tp, fn, fp, confusion.sum(axis=(-2, -1)) - tp - fn - fp], axis=-1)


def known_of_counts(
    scores: Scores, confusion: tuple[Array, ...], classes: Collection[tuple[str, ...]], positive: str | None
) -> tuple[Scores, Known]:
    """The scores with the counts of the positive class, and what counts of all classes tell.

    ``confusion`` has the counts of every data set, none where some result has none; ``classes`` are the lists of
    classes that occur. The second of two classes is positive where nobody says it.
    """
    named = next(iter(classes)) if confusion and len(classes) == 1 else ()
    where = f"judge, argument positive, {scores.origin.source}"
    if positive is not None and not named:
        raise InputError(
            f"positive is {positive!r}, and the data sets have different classes, or no counts of them.",
            where,
            "judge one data set: --dataset NAME (dataset='NAME' of bk.read).",
        )
    if positive is not None and positive not in named:
        raise unknown(positive, named, what="class", where="judge, argument positive")
    chosen = positive or (named[1] if len(named) == 2 else None)
    known = Known(confusion, named, chosen, mixed=bool(classes) and not named and len(scores.datasets) > 1)
    if chosen is None:
        return scores, known
    counts = one_against_rest(np.stack(confusion, axis=1), named.index(chosen))
    return replace(scores, counts=counts), known


class Outcomes(Protocol):
    """What scores were made of, which is read when somebody asks: ``Scores.outcomes``."""

    def known(self, scores: Scores, positive: str | None) -> tuple[Scores, Known]:
        """Return the scores with the counts of the positive class, and what else is known of their folds."""
