"""Seeds for estimators that draw random numbers: the same seed, the same model."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np


def with_seed(estimator: Any, seed: int) -> Any:
    """Set every ``random_state`` that is None, in nested estimators and splitters too; returns the estimator.

    A number that the user chose stays. Each gets a seed of its own, in the order of their names.
    """
    params = estimator.get_params(deep=True)
    free = sorted(key for key, value in params.items() if _is_state(key) and value is None)
    splitters = sorted(key for key, value in params.items() if _is_unseeded_splitter(value))
    if not free and not splitters:
        return estimator
    seeds = [int(word) for word in np.random.SeedSequence(seed).generate_state(len(free) + len(splitters))]
    chosen: dict[str, Any] = dict(zip(free, seeds, strict=False))
    for key, each in zip(splitters, seeds[len(free) :], strict=True):
        chosen[key] = copy.copy(params[key])  # the caller's own splitter stays as it is
        chosen[key].random_state = each
    return estimator.set_params(**chosen)


def _is_state(key: str) -> bool:
    return key == "random_state" or key.endswith("__random_state")


def _is_unseeded_splitter(value: Any) -> bool:
    """A splitter, as in ``GridSearchCV(cv=...)``, that shuffles without a seed."""
    return (
        callable(getattr(value, "split", None))
        and callable(getattr(value, "get_n_splits", None))
        and getattr(value, "random_state", 0) is None
        and bool(getattr(value, "shuffle", True))
    )
