"""Evidence of a store: scores and curves that know how their rows were divided and which folds failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.evidence import Curves, Scores
from bestofk.stores.divided import GROWING, TRAINED_ON, UNEVEN

Point = tuple[str, str, float]  # learner, run, step


class CollectedScores(Scores, kw_only=True):
    """Scores of a store; ``divided`` is empty for k-fold and random splits (see ``stores.divided`` for the others).

    ``test_fraction`` of growing or uneven folds stands for the mean of test rows per training row.
    """

    divided: str = ""

    def __post_init__(self) -> None:
        if self.divided == TRAINED_ON and self.test_fraction is not None:
            raise InputError(
                f"test_fraction is {self.test_fraction:g}, but every bootstrap sample was tested on the full set, no "
                "random split.",
                self.origin.source,
                f"leave test_fraction out; for a test, collect with folds = {self.spec_for_a_test}.",
            )
        super().__post_init__()

    @property
    def spec_for_a_test(self) -> str:
        """Bootstrap folds as many as these, but at least ten, that can be tested, and other ways."""
        return f'"bootstrap-{max(10, *np.shape(self.values)[-2:])}-oob", "5x2" or "10-fold"'

    def _folds_text(self) -> str:
        if self.divided not in (GROWING, UNEVEN):
            return super()._folds_text()
        each = "each " if len(self.datasets) > 1 else ""
        return f", {each}{folds_in_words(self.divided, len(self.replications), len(self.folds))}"

    def __repr__(self) -> str:
        here = [cell for cell in self.failures if cell[0] in self.learners and cell[1] in self.datasets]
        return super().__repr__() + _failed(len(here), len(self.learners) * int(np.asarray(self.planned).sum()))


class CollectedCurves(Curves, kw_only=True):
    """Curves of a store; ``failures`` gives the reason of a point whose fold failed, ``divided`` is as in scores."""

    failures: Mapping[Point, str] = field(default_factory=dict)
    divided: str = ""

    @property
    def spec_for_a_test(self) -> str:
        """As many curves and sizes, on folds that can be tested."""
        runs = max(10, *map(len, self.values))
        first, second, third = (
            f'"learning-curve-{inner}-{len(self.steps)}"' for inner in (f"bootstrap-{runs}-oob", "5x2", "10-fold")
        )
        return f"{first}, {second} or {third}"

    def missing(self) -> tuple[str, ...]:
        """Name every missing point, with the reason where one is known."""
        return tuple(
            f"learner {name}, run {runs[r]}, step {self.steps[s]:g}" + self._reason((name, runs[r], self.steps[s]))
            for name, runs, each in zip(self.learners, self.runs, self.values, strict=True)
            for r, s in np.argwhere(np.isnan(each))
        )

    def _reason(self, point: Point) -> str:
        reason = self.failures.get(point)
        return f" (failed: {reason})" if reason else ""

    def __repr__(self) -> str:
        runs = dict(zip(self.learners, map(set, self.runs), strict=True))
        here = [(name, run) for name, run, _ in self.failures if run in runs.get(name, ())]
        return super().__repr__() + _failed(len(here), sum(each.size for each in self.values))


def folds_in_words(divided: str, replications: int, folds: int) -> str:
    """Growing or uneven folds, as a sentence names them.

    Examples
    --------
    >>> folds_in_words("growing", 1, 4), folds_in_words("uneven", 10, 5)
    ('4 folds with growing training sets', '10 replications of 5 folds of other sizes than in k-fold')
    """
    several = f"{counted(replications, 'replication')} of " if replications > 1 else ""
    how = {GROWING: "with growing training sets", UNEVEN: "of other sizes than in k-fold"}
    return f"{several}{counted(folds, 'fold')} {how[divided]}"


def _failed(number: int, whole: int) -> str:
    return f"; {number:,} of {counted(whole, 'fold')} failed" if number else ""
