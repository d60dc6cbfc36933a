"""One measure: what it needs, which direction is better, and how it is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Needs = Literal["counts", "probabilities", "numbers"]


@dataclass(frozen=True)
class Measure:
    """A measure by name.

    ``compute`` takes, by what the measure ``needs``: *counts*, an array (..., C, C) of truth × prediction, NaN where a
    fold has none; *probabilities*, the codes of the true classes and a matrix rows × classes; *numbers*, the true and
    the predicted values. ``classes`` is 2 for measures that take the second class as the positive one.
    """

    name: str
    needs: Needs
    larger_is_better: bool
    compute: Callable[..., Any]
    classes: int | None = None

    @property
    def task(self) -> str:
        """What kind of data set it is for."""
        return "regression" if self.needs == "numbers" else "classification"
