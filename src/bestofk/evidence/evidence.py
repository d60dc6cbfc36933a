"""What Scores, Items and Curves share: learners, one measure with a direction, costs, and where they came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bestofk.core.errors import InputError
from bestofk.evidence.origin import Origin
from bestofk.stats.arrays import Array
from bestofk.stats.options import refuse_duplicates
from bestofk.stats.results import Fields


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Evidence(Fields):
    """Facts about K learners. ``costs`` has one number per learner and cost: ``{"fit_time": {"lda": 0.1, …}}``.

    ``prior`` is the preference that was fixed together with the experiment, if one was.
    """

    learners: tuple[str, ...]
    measure: str
    larger_is_better: bool
    costs: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    origin: Origin = field(default_factory=Origin)
    prior: str | tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "learners", tuple(self.learners))
        refuse_duplicates(self.learners, what="learner", where=self.origin.source)
        if len(self.learners) < 2:
            known = f"there is one learner: {self.learners[0]}." if self.learners else "there is no learner."
            raise InputError(known, self.origin.source, "give at least two learners to compare.")
        super().__post_init__()

    @property
    def sign(self) -> float:
        """Turns scores into losses: the one place where the direction of the measure counts."""
        return -1.0 if self.larger_is_better else 1.0

    @property
    def direction(self) -> str:
        """The direction in words."""
        return f"{'larger' if self.larger_is_better else 'smaller'} is better"

    def means(self) -> dict[str, float]:
        """Return the mean score of every learner, in units of the measure."""
        raise NotImplementedError

    def missing(self) -> tuple[str, ...]:
        """Name every result that should be there and is not, in words."""
        raise NotImplementedError

    def without(self, learners: Any) -> Evidence:
        """Return the evidence without these learners."""
        raise NotImplementedError


def frozen(array: Any) -> Array:
    """Copy into a float array that nobody else can write to."""
    import numpy as np

    copy = np.array(array, dtype=np.float64)
    copy.flags.writeable = False
    return copy


def kept_costs(costs: Mapping[str, Mapping[str, float]], learners: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """The costs of the learners that stay."""
    return {name: {learner: each[learner] for learner in learners} for name, each in costs.items()}


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    Examples
    --------
    >>> listed(["lda"]), listed(["lda", "knn", "svm"])
    ('lda', 'lda, knn and svm')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def counted(number: int, noun: str) -> str:
    """A number and its noun.

    Examples
    --------
    >>> counted(1, "fold"), counted(2, "fold"), counted(1, "data set")
    ('1 fold', '2 folds', '1 data set')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
