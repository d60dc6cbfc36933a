"""Scores of K learners on the same replications and folds of one data set."""

from __future__ import annotations

from dataclasses import dataclass

from bestofk.core.errors import InputError
from bestofk.stats.arrays import Array, numbers
from bestofk.stats.options import refuse_duplicates
from bestofk.stats.results import Fields


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Fields):
    """Complete paired scores: ``values`` is (learners, replications, folds).

    Examples
    --------
    >>> scores = Scores(("lda", "knn"), [[[.1, .2]], [[.2, .3]]], "error", larger_is_better=False)
    >>> scores
    2 learners on 1 data set, 1 replication of 2 folds, measure error: smaller is better
    """

    learners: tuple[str, ...]
    values: Array
    measure: str
    larger_is_better: bool
    source: str = "arrays"

    def __post_init__(self) -> None:
        values = numbers(self.values, name="values", where="scores")
        refuse_duplicates(self.learners, what="learner", where="scores, learners")
        if values.ndim != 3 or len(values) != len(self.learners) or len(values) < 2 or 0 in values.shape:
            raise InputError(
                f"values has the shape {values.shape} for {len(self.learners)} learners.",
                "scores, values",
                "give (learners, replications, folds) with at least two learners.",
            )
        object.__setattr__(self, "values", values.copy())
        super().__post_init__()

    def losses(self, axes: int = 2) -> dict[str, Array]:
        """Return what every later room works on, smaller is better: (replications, folds), or one list with axes=1."""
        sign = -1.0 if self.larger_is_better else 1.0
        shape = self.values.shape[1:] if axes == 2 else (-1,)
        return {name: sign * self.values[i].reshape(shape) for i, name in enumerate(self.learners)}

    def means(self) -> dict[str, float]:
        """Return the mean score of every learner, in units of the measure."""
        return {name: float(self.values[i].mean()) for i, name in enumerate(self.learners)}

    def __repr__(self) -> str:
        _, replications, folds = self.values.shape
        times = f"{replications} replication{'s' if replications > 1 else ''}"
        direction = "larger" if self.larger_is_better else "smaller"
        return (
            f"{len(self.learners)} learners on 1 data set, {times} of {folds} fold{'s' if folds > 1 else ''}, "
            f"measure {self.measure}: {direction} is better"
        )
