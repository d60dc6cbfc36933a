"""An estimator of scikit-learn as a learner: fresh copies on demand, settings from its parameters, seeds."""

from __future__ import annotations

import copy
import functools
import hashlib
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bestofk.core.arrays import glimpse
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.own_code import code_of

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


ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
#: Classes that have moved keep the name of their first place, so that results of earlier versions stay theirs.
FIRST_PLACES = {"bestofk.c45.classifier:C45Classifier": "bestofk.design.c45.classifier:C45Classifier"}


def settings_of(estimator: Any, where: str) -> dict[str, Any]:
    """Return class and parameters of an estimator; a parameter that cannot be told by its value is refused."""
    params = estimator.get_params(deep=False)
    plain = {str(key): _plain(value, f"{where}, parameter {key}") for key, value in params.items()}
    return {"class": _path(type(estimator), where), "params": plain, **code_of(type(estimator))}


def _plain(value: Any, where: str) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, dict):
        return {"dict": [[_plain(key, where), _plain(each, where)] for key, each in value.items()]}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [_plain(each, where) for each in value]}
    if isinstance(value, set | frozenset):
        return {"set": sorted((_plain(each, where) for each in value), key=repr)}
    if isinstance(value, np.ndarray) and value.dtype != object:
        digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return {"array": [str(value.dtype), list(value.shape), digest]}
    return _plain_object(value, where)


def _plain_object(value: Any, where: str) -> Any:
    if isinstance(value, np.random.RandomState | np.random.Generator):
        raise InputError(
            f"{glimpse(value)} gives other numbers each time it is used.",
            where,
            "give a seed (an integer), or None to take the plan's.",
        )
    if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
        return {"import": _path(value, where), **code_of(value)}
    if hasattr(value, "get_params"):
        return settings_of(value, where)
    if isinstance(value, functools.partial):
        parts = {"function": value.func, "args": value.args, "keywords": value.keywords}
        return {"partial": {key: _plain(part, where) for key, part in parts.items()}}
    text = repr(value)
    if ADDRESS.search(text):
        return _plain_callable(value, text, where)
    return {"object": [_path(type(value), where), re.sub(r"\s+", " ", text)], **code_of(type(value))}


def _plain_callable(value: Any, text: str, where: str) -> Any:
    """An object that is called, such as make_column_selector(dtype_include=object): its class and what it holds."""
    if not callable(value) or not hasattr(value, "__dict__"):
        raise _nameless(text, where)
    held = {key: _plain(part, where) for key, part in vars(value).items()}
    return {"callable": _path(type(value), where), "holds": held, **code_of(type(value))}


def _path(part: Any, where: str) -> str:
    """Where a class or function can be imported from, or could when it was first published."""
    name = getattr(part, "__qualname__", "<")
    if "<" in name:
        raise _nameless(glimpse(part), where)
    place = f"{part.__module__}:{name}"
    return FIRST_PLACES.get(place, place)


def _nameless(text: str, where: str) -> InputError:
    return InputError(
        f"{text} cannot be named: after a change of its code, old results would be taken for its own.",
        where,
        "define it in a module, by a name, and give objects a __repr__ with all their settings.",
    )
