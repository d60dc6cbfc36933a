"""What Scores, Items and Curves share: learners, one measure with a direction, costs, and where they came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

from bestofk.core.errors import InputError
from bestofk.core.names import refuse_unprintable
from bestofk.core.options import refuse_duplicates
from bestofk.core.phrases import counted
from bestofk.core.record import Record
from bestofk.evidence.origin import Origin

if TYPE_CHECKING:
    from bestofk.evidence.scores import Scores

#: growing: training sets grow from fold to fold. uneven: folds of other sizes than those of k-fold. trained-on: rows
#: were tested that were trained on. Whole folds and random splits need no word.
Divided = Literal["", "growing", "uneven", "trained-on"]


class Evidence(Record, kw_only=True):
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
        refuse_unprintable(self.learners, what="learner", where=self.origin.source)
        refuse_duplicates(self.learners, what="learner", where=self.origin.source)
        if len(self.learners) < 2:
            known = f"there is one learner: {self.learners[0]}." if self.learners else "there is no learner."
            raise InputError(known, self.origin.source, "give at least two learners to compare.")
        object.__setattr__(self, "costs", {name: dict(each) for name, each in self.costs.items()})
        super().__post_init__()

    def _repr_html_(self) -> str:
        from bestofk.reporting.notebook import evidence_html

        return evidence_html(self)

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

    def on(
        self,
        *measures: str,
        positive: str | None = None,
        undefined: float | None = None,
        larger_is_better: bool | None = None,
    ) -> Scores:
        """Return several measures of the same results side by side: ``items.on("tpr", "fpr")`` gives ``Vectors``.

        ``positive`` is the class that is positive, ``undefined`` what a measure 0/0 counts as, ``larger_is_better`` the
        direction of measures that bestofk does not know.
        """
        from bestofk.evidence.outcomes.sources import vectors_from
        from bestofk.evidence.outcomes.wanted import Ask

        on = measures[0] if len(measures) == 1 else measures  # "tpr,fpr" too
        return vectors_from(self, Ask(on, positive, undefined, larger_is_better))


def failed_text(number: int, whole: int) -> str:
    """Failed folds, where there are any, after what was collected."""
    return f"; {number:,} of {counted(whole, 'fold')} failed" if number else ""


def kept_costs(costs: Mapping[str, Mapping[str, float]], learners: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """The costs of the learners that stay; NaN where one is not known."""
    return {name: {learner: each.get(learner, float("nan")) for learner in learners} for name, each in costs.items()}
