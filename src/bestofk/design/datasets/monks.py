"""The three MONK's problems: all 432 robots of six traits, and a rule that each problem asks to be found."""

from __future__ import annotations

from typing import Any

from bestofk.design.datasets.by_rule import Codes, dataset_by_rule, every_combination, nominal
from bestofk.design.datasets.dataset import Dataset

#: Values of the traits a1 to a6, numbered from 1.
SIZES = (3, 3, 2, 3, 4, 2)


def monks1() -> Dataset:
    """Return problem 1: a1 equals a2, or a5 is 1."""
    a1, a2, _, _, a5, _ = traits = _traits()
    return _problem("monks1", traits, (a1 == a2) | (a5 == 1))


def monks2() -> Dataset:
    """Return problem 2: exactly two of the six traits are 1."""
    traits = _traits()
    return _problem("monks2", traits, (traits == 1).sum(axis=0) == 2)


def monks3() -> Dataset:
    """Return problem 3, without the noise of its training sample: a5 is 3 and a4 is 1, or a5 is not 4 and a2 not 3."""
    _, a2, _, a4, a5, _ = traits = _traits()
    return _problem("monks3", traits, ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3)))


def _traits() -> Codes:
    return every_combination(*SIZES) + 1


def _problem(name: str, traits: Codes, holds: Any) -> Dataset:
    features = (
        nominal(f"a{number}", values - 1, [str(level) for level in range(1, size + 1)])
        for number, (values, size) in enumerate(zip(traits, SIZES, strict=True), start=1)
    )
    return dataset_by_rule(name, features, holds, ("0", "1"))
