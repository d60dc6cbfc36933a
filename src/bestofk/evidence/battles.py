"""Battles of K models, two at a time: which of the two answers was voted better."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags
from bestofk.core.phrases import counted
from bestofk.evidence.checks import read_only
from bestofk.evidence.evidence import Evidence, kept_costs
from bestofk.stats.battles import FEWEST_UNITS, Strengths, bradley_terry, checked, counts, outside


class Battles(Evidence, kw_only=True):
    """Votes between two models each. ``first`` and ``second`` are places among ``learners``, one entry per battle.

    ``score`` is 1 where the first won, 0 where the second did, ½ for a tie. ``prompts`` numbers the prompt of every
    battle, where it is known: battles on one prompt are not independent; ``prompt_names`` are those of the first
    numbers, and a prompt without one has one battle. The measure is the rating by the Bradley–Terry
    model, whose differences of 400 points are odds of 10 to 1. ``others`` are models that are not compared, at the
    places behind the learners: their battles say how strong the learners are.

    Examples
    --------
    >>> Battles(learners=("a", "b"), first=[0, 1, 0], second=[1, 0, 1], score=[1, 1, 0.5])
    2 learners in 3 battles, measure rating: larger is better
    """

    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    score: Array
    prompts: npt.NDArray[np.intp] | None = None
    prompt_names: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    measure: str = "rating"
    larger_is_better: bool = True

    def __post_init__(self) -> None:
        self._take_lists()
        super().__post_init__()
        given = (self.first, self.second, self.score, self.prompts)
        taken = checked(*given, self.models, where=self.origin.source)
        for name, values in zip(("first", "second", "score", "prompts"), taken, strict=True):
            object.__setattr__(self, name, None if values is None else read_only(values.copy()))

    @property
    def models(self) -> tuple[str, ...]:
        """All that took part."""
        return (*self.learners, *self.others)

    @cached_property
    def strengths(self) -> Strengths:
        """Ratings of all models; only where every one has a finite one."""
        return bradley_terry(self.first, self.second, self.score, prompts=self.prompts, models=len(self.models))

    @property
    def rarely_met(self) -> tuple[str, ...]:
        """Learners with too few battles, or prompts, to be tested."""
        few = self.strengths.units < FEWEST_UNITS
        return tuple(name for name, rare in zip(self.learners, few, strict=False) if rare)

    @cached_property
    def points(self) -> tuple[Array, Array]:
        """Battles of every pair, and points of the row against the column, (models, models) each."""
        return counts(self.first, self.second, self.score, len(self.models))

    @cached_property
    def unrated(self) -> Flags:
        """Models whose rating is not finite: no wins and ties lead from the others to them and back."""
        return outside(self.points[1])

    @property
    def gaps(self) -> Flags:
        """Learners whose rating is not finite."""
        return self.unrated[: len(self.learners)]

    def losses(self) -> Array:
        """Return the ratings (learners, 1), negated: smaller is better."""
        return -self.strengths.ratings[: len(self.learners), None]

    def means(self) -> dict[str, float]:
        """Return the rating of every learner."""
        return dict(zip(self.learners, self.strengths.ratings.tolist(), strict=False))

    def missing(self) -> tuple[str, ...]:
        """Name the learners whose rating is not finite, and why."""
        return tuple(self._why(int(i)) for i in np.flatnonzero(self.unrated))

    def _why(self, i: int) -> str:
        number, points = (float(each[i].sum()) for each in self.points)
        return f"learner {self.models[i]} has {points:g} points in {counted(int(number), 'battle')}"

    def without(self, learners: Iterable[str] = ()) -> Battles:
        """Return the battles in which none of these learners took part."""
        gone = set(learners)
        return self._ordered([name for name in self.learners if name not in gone], self.others)

    def among(self, learners: Iterable[str]) -> Battles:
        """Compare these learners only, by all battles in which nobody else has an infinite rating."""
        kept, rated = list(learners), np.array(self.models)[~self.unrated].tolist()
        return self._ordered(kept, [name for name in rated if name not in kept])

    def _ordered(self, learners: Iterable[str], others: Iterable[str]) -> Battles:
        """Return the battles of these models."""
        names, rest = tuple(learners), tuple(others)
        place = np.full(len(self.models), -1)
        kept = [self.models.index(name) for name in (*names, *rest)]
        place[kept] = np.arange(len(kept))
        first, second = place[self.first], place[self.second]
        rows = (first >= 0) & (second >= 0)
        of_rows: dict[str, Any] = {"first": first[rows], "second": second[rows], "score": self.score[rows]}
        prompts = None if self.prompts is None else self.prompts[rows]
        costs = kept_costs(self.costs, names)
        return replace(self, learners=names, others=rest, prompts=prompts, costs=costs, **of_rows)

    @cached_property
    def prompt_count(self) -> int:
        """Prompts, where some have several battles; 0 where battles are independent as far as is known."""
        number = 0 if self.prompts is None else len(np.unique(self.prompts))
        return number if number < len(self.score) else 0

    def __repr__(self) -> str:
        on = f" on {counted(self.prompt_count, 'prompt')}" if self.prompt_count else ""
        return (
            f"{counted(len(self.learners), 'learner')} in {counted(len(self.score), 'battle')}{on}, "
            f"measure {self.measure}: {self.direction}"
        )
