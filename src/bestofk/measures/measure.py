"""One measure: its names, its direction, its scale, what it needs and how it is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Needs = Literal["counts", "probabilities", "numbers"]
#: ``rate``: from 0 to 1, or all of it in percent. ``percent``: from 0 to 100. ``correlation``: from −1 to 1.
#: ``positive``: from 0 up. ``unbounded``: any number, or not known.
Scale = Literal["rate", "percent", "correlation", "positive", "unbounded"]


@dataclass(frozen=True)
class Measure:
    """A measure by name.

    ``compute`` takes, by what the measure ``needs``: *counts*, an array (..., C, C) of truth × prediction, NaN where a
    fold has none; *probabilities*, the codes of the true classes and a matrix rows × classes; *numbers*, the true and
    the predicted values. Where bestofk reads a measure and does not compute it, it needs None. ``classes`` is 2 for
    measures that take the second class as the positive one.

    ``synonyms`` are other names of the same quantity, ``complement`` is the measure that is 1 minus this one.
    ``per_row`` gives the values whose mean it is, one per row, where it is such a mean. ``undefined`` says how much of
    it is 0/0, from 0 to 1, from the totals of true and of predicted classes. ``cost`` marks what is paid: time, size,
    price.
    """

    name: str
    needs: Needs | None
    larger_is_better: bool
    compute: Callable[..., Any]
    classes: int | None = None
    scale: Scale = "unbounded"
    synonyms: tuple[str, ...] = ()
    complement: str = ""
    per_row: Callable[..., Any] | None = None
    undefined: Callable[..., Any] | None = None
    cost: bool = False

    @property
    def task(self) -> str:
        """What kind of data set it is for."""
        return "regression" if self.needs == "numbers" else "classification"

    @property
    def is_rate(self) -> bool:
        """Whether it lies between 0 and 1, or between 0 and 100 in percent."""
        return self.scale in ("rate", "percent")
