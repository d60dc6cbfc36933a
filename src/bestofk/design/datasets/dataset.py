"""A data set: columns of numbers or of nominal values, a target, and a fingerprint of all of it."""

from __future__ import annotations

import hashlib
from dataclasses import field
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted

Task = Literal["classification", "regression"]


@frozen(eq=False)
class Feature:
    """One column: ``values`` are numbers, or codes into ``categories`` for a nominal one; NaN where it is missing."""

    name: str
    values: Array
    categories: tuple[str, ...] = ()

    @property
    def nominal(self) -> bool:
        """Whether the column holds categories rather than amounts."""
        return bool(self.categories)


@frozen(eq=False)
class Dataset:
    """Rows to learn from. ``y`` holds codes into ``classes``, or numbers when there are none (regression).

    ``raw`` is what the user gave (array or data frame), handed untouched to learners that prepare data themselves.
    ``groups`` keep rows together in folds; ``ordered`` says that rows are in the order of time.
    """

    name: str
    features: tuple[Feature, ...]
    y: Array
    classes: tuple[str, ...] = ()
    target: str = "class"
    groups: npt.NDArray[np.int64] | None = None
    ordered: bool = False
    raw: Any = None
    source: str = field(default="arrays")

    def __post_init__(self) -> None:
        wrong = [each.name for each in self.features if len(each.values) != len(self.y)]
        if wrong or not self.features or len(self.y) == 0:
            raise self._refusal(
                f"data set {self.name} has {len(self.y)} targets and {len(self.features)} features"
                + (f", and {wrong[0]} has another length." if wrong else "."),
                "give one target per row and at least one feature.",
            )
        if np.isnan(self.y).any():
            missing = np.flatnonzero(np.isnan(self.y))
            gaps = f"{counted(len(missing), 'row')}, the first at row {missing[0] + 1}"
            fix = "leave those rows out, or complete the target."
            raise self._refusal(f"the target {self.target} is missing in {gaps}.", fix)
        if self.classes and len(np.unique(self.y)) < 2:
            only = self.classes[int(self.y[0])]
            fix = "give a target with at least two classes."
            raise self._refusal(f"the target {self.target} has one class: {only}.", fix)

    def _refusal(self, wrong: str, fix: str) -> InputError:
        return InputError(wrong, f"data set {self.name}, {self.source}", fix)

    @property
    def task(self) -> Task:
        """What is to be learnt."""
        return "classification" if self.classes else "regression"

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.y)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of everything a learner can see: names, categories, values, target, groups, order."""
        digest = hashlib.sha256()
        for feature in self.features:
            digest.update(repr((feature.name, feature.categories)).encode())
            digest.update(np.ascontiguousarray(feature.values).tobytes())
        digest.update(repr((self.classes, self.target, self.ordered)).encode())
        digest.update(np.ascontiguousarray(self.y).tobytes())
        digest.update(b"" if self.groups is None else np.ascontiguousarray(self.groups).tobytes())
        return digest.hexdigest()
