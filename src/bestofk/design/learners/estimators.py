"""An estimator of scikit-learn as a learner: fresh copies on demand, settings from its parameters, seeds."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.settings import settings_of

#: Parameters of these types have no parts.
SIMPLE = (type(None), bool, int, float, str)


@dataclass(frozen=True, eq=False)
class Fresh:
    """Makes an unfitted copy of an estimator at each call; can be sent to other processes."""

    estimator: Any
    params: Mapping[str, Any] | None

    @classmethod
    def of(cls, estimator: Any) -> Fresh:
        """Remember the parameters where all are plain values: copies are then made several times faster."""
        params = estimator.get_params(deep=False)
        plain = all(isinstance(value, SIMPLE) for value in params.values())
        return cls(estimator, params if plain else None)

    def __call__(self) -> Any:
        """Make one."""
        if self.params is not None:
            return type(self.estimator)(**self.params)
        from sklearn.base import clone

        return clone(self.estimator)


def learner_of_estimator(
    estimator: Any,
    *,
    name: str | None = None,
    params: Mapping[str, Any] | None = None,
    encoding: Encoding | None = None,
    complexity: float | None = None,
    parameters: Callable[..., int] | None = None,
) -> Learner:
    """Return the learner of an estimator; parameters that it does not have are refused."""
    from sklearn.base import clone

    name = name or _name(estimator)
    where = f"learner {name}"
    try:
        estimator = clone(estimator)
    except (TypeError, RuntimeError, ValueError) as error:
        raise InputError(
            f"scikit-learn cannot copy it: {error}.", where, "let __init__ keep its arguments as they are, and no more."
        ) from None
    if params:
        _set(estimator, params, where)
    settings = settings_of(estimator, where)
    return Learner(name, Fresh.of(estimator), settings, encoding or _encoding(estimator), complexity, parameters)


def _set(estimator: Any, params: Mapping[str, Any], where: str) -> None:
    known = estimator.get_params(deep=True)
    for key in params:
        if key not in known:
            raise unknown(key, known, what=f"parameter of {type(estimator).__name__}", where=where)
    estimator.set_params(**params)


def _encoding(estimator: Any) -> Encoding:
    """A pipeline, or a search or ensemble of pipelines, prepares data itself; gaps are left to those that take them."""
    from sklearn.pipeline import Pipeline
    from sklearn.utils import get_tags

    parts = [estimator, *estimator.get_params(deep=True).values()]
    if any(isinstance(part, Pipeline) for part in parts):
        return Encoding(none=True)
    one_of_n = not waits_for_nominal_columns(estimator.get_params(deep=False))
    try:
        return Encoding(one_of_n=one_of_n, impute=not get_tags(estimator).input_tags.allow_nan)
    except (AttributeError, TypeError):  # an estimator that only looks like scikit-learn's
        return Encoding(one_of_n=one_of_n)


def _name(estimator: Any) -> str:
    """The class; for a pipeline those of its steps."""
    steps = getattr(estimator, "steps", None)
    if isinstance(steps, list):
        return "+".join(type(step).__name__ for _, step in steps if step not in (None, "passthrough"))
    return type(estimator).__name__


#: A parameter of this name, left at None or "from_dtype", is told which columns hold codes of categories.
NOMINAL = "nominal_features"


def waits_for_nominal_columns(params: Mapping[str, Any]) -> bool:
    """Whether an estimator of these parameters takes nominal columns, and the user has not named them."""
    value = params.get(NOMINAL, "none of its parameters")
    return value is None or (isinstance(value, str) and value == "from_dtype")


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
