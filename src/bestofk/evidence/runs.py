"""Independent runs of K learners: one value per seed, of one task or of several."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.evidence.checks import frozen
from bestofk.evidence.curves import Curves


class Runs(Curves, kw_only=True):
    """Runs with one value each: curves of a single step. ``values`` has one list of numbers per learner.

    Learners may have different numbers of runs. ``runs`` are the names of their seeds; ``datasets`` names, learner by
    learner, the task of every run where there are several. Runs are compared within a task only.

    Examples
    --------
    >>> Runs(learners=("a", "b"), values=([.5, .6, .7], [.4, .7]), measure="accuracy", larger_is_better=True)
    2 learners, 3 and 2 runs, measure accuracy: larger is better
    """

    unit: ClassVar[str] = "run"
    block: ClassVar[str] = "task"

    def __post_init__(self) -> None:
        found = tuple(frozen(each, where=self.origin.source) for each in self.values)
        object.__setattr__(self, "values", tuple(each[:, None] if each.ndim == 1 else each for each in found))
        if any(each.shape[1:] != (1,) for each in self.values):
            raise self._wrong_shapes()
        super().__post_init__()

    def _settled_runs(self) -> tuple[tuple[str, ...], ...]:
        """A name of its own for every run of a learner: seeds that are there in several tasks have the task before."""
        if self.datasets and any(len(set(names)) < len(names) for names in self.runs):
            told = zip(self.datasets, self.runs, strict=False)
            named = tuple(tuple(f"{t}/{run}" for t, run in zip(*each, strict=False)) for each in told)
            object.__setattr__(self, "runs", named)
        return super()._settled_runs()

    def _wrong_shapes(self) -> InputError:
        return InputError(
            f"values has the shapes {', '.join(str(each.shape) for each in self.values)} for "
            f"{counted(len(self.learners), 'learner')}.",
            f"{self.origin.source}, values",
            "give one list of numbers for every learner, a number per run.",
        )

    def missing(self) -> tuple[str, ...]:
        """Name every run without a value, with the reason where one is known, and every task without a run."""
        gaps = (
            f"learner {name}, run {runs[place]}{self._reason((name, runs[place], self.steps[0]))}"
            for name, runs, each in zip(self.learners, self.runs, self.values, strict=True)
            for place in np.flatnonzero(np.isnan(each[:, 0]))
        )
        return (*gaps, *(f"learner {name}, task {task} (no run)" for name, task in self.lacking_datasets()))

    def incomplete(self) -> tuple[tuple[str, str], ...]:
        """Learner and task, wherever a run has no value or a learner has no run of a task."""
        tasks = self.datasets or tuple(("",) * len(each) for each in self.values)
        told = zip(self.learners, tasks, self.values, strict=True)
        gaps = {(name, own[i]): None for name, own, each in told for i in np.flatnonzero(np.isnan(each[:, 0]))}
        return (*gaps, *self.lacking_datasets())

    def refuse_lone(self) -> None:
        """Refuse a learner with a single run, of all or in a task: nothing tells how much its runs differ."""
        tasks = self.datasets or ((),) * len(self.values)
        for learner, names, each in zip(self.learners, tasks, self.values, strict=True):
            numbers = Counter(names) if names else {"": len(each)}
            lone = next((task for task, number in numbers.items() if number < 2), None)
            if lone is not None:
                place = f" of task {lone}" if lone else ""
                raise InputError(
                    f"learner {learner} has one run{place}: nothing tells how much its runs differ.",
                    self.origin.source,
                    "give at least two runs of every learner, with different seeds"
                    f"{', in every task' if lone else ''}, or leave the {'task' if lone else 'learner'} out.",
                )

    def _sizes(self) -> str:
        return self._numbers()
