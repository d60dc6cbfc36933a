"""An estimator of scikit-learn as a learner: fresh copies on demand, settings from its parameters, seeds."""

from __future__ import annotations

import copy
import functools
import hashlib
import inspect
import json
import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from bestofk.core.errors import InputError, glimpse, message_of
from bestofk.core.frozen import frozen
from bestofk.core.names import told_apart, unknown
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.own_code import code_of

#: Parameters of these types have no parts.
SIMPLE = (type(None), bool, int, float, str)


@frozen(eq=False)
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
    stated: Mapping[str, Any] = MappingProxyType({}),
) -> Learner:
    """Return the learner of an estimator; parameters that it does not have are refused.

    ``stated`` are values that count in its settings even where they equal the defaults of its class.
    """
    from sklearn.base import clone

    name = name or _name(estimator)
    where = f"learner {name}"
    try:
        estimator = clone(estimator)
    except (TypeError, RuntimeError, ValueError) as error:
        raise InputError(
            f"scikit-learn cannot copy it: {message_of(error)}.",
            where,
            "let __init__ keep its arguments as they are, and no more.",
        ) from None
    if params:
        _set(estimator, params, where)
    settings = settings_of(estimator, where, stated)
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


def names_of(estimators: Sequence[Any]) -> list[str]:
    """Name estimators by their classes; those of one class also by the parameters in which they differ.

    Of a pipeline the last step will do, unless something else ends in the same.

    Examples
    --------
    >>> from sklearn.svm import SVC, LinearSVC
    >>> names_of([SVC(C=1.0), SVC(C=10.0), LinearSVC()])
    ['SVC(C=1.0)', 'SVC(C=10.0)', 'LinearSVC']
    """
    whole = [_name(each) for each in estimators]
    ends = [name.rsplit("+", 1)[-1] for name in whole]
    alike = {end: {name for name, other in zip(whole, ends, strict=True) if other == end} for end in ends}
    names = [end if len(alike[end]) == 1 else name for name, end in zip(whole, ends, strict=True)]
    for name in dict.fromkeys(names):
        places = [place for place, each in enumerate(names) if each == name]
        for place, more in zip(places, told_apart([_in_words(estimators[at]) for at in places]), strict=True):
            names[place] = f"{name}({more})" if more else name
    return names


def is_estimator(value: Any) -> bool:
    """Whether something has parameters and can be fitted, as a part of a pipeline may be."""
    return hasattr(value, "get_params") and hasattr(value, "fit") and not isinstance(value, type)


def _in_words(estimator: Any) -> dict[str, str]:
    """Parameters in words, those of parts too; lists of parts are left out."""
    params = estimator.get_params(deep=True)
    words = {key: _name(value) if is_estimator(value) else glimpse(value) for key, value in params.items()}
    return {key: word.strip("'") for key, word in words.items() if not _are_parts(params[key])}


def _are_parts(value: Any) -> bool:
    """Whether a parameter lists steps or other parts, whose own parameters tell more."""
    return isinstance(value, list) and any(isinstance(part, tuple) for part in value)


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
    splitters = sorted(key for key, value in params.items() if is_unseeded_splitter(value))
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


def is_unseeded_splitter(value: Any) -> bool:
    """A splitter, as in ``GridSearchCV(cv=...)``, that shuffles without a seed."""
    return (
        callable(getattr(value, "split", None))
        and callable(getattr(value, "get_n_splits", None))
        and getattr(value, "random_state", 0) is None
        and bool(getattr(value, "shuffle", True))
    )


ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def settings_of(estimator: Any, where: str, stated: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """Return the class of an estimator and the parameters in which it differs from the defaults of its class.

    A version of a library that adds a parameter, or changes a default, does so to everybody: what somebody has chosen
    stays the same learner. ``stated`` values are named whatever the defaults are. A parameter that cannot be told by
    its value is refused.
    """
    defaults = _defaults(type(estimator))
    params = {
        str(key): _plain(value, f"{where}, parameter {key}")
        for key, value in estimator.get_params(deep=False).items()
        if key not in defaults or not _same(value, defaults[key], where) or (key in stated and value == stated[key])
    }
    return {"class": _path(type(estimator), where), "params": params, **code_of(type(estimator))}


def _defaults(kind: type) -> dict[str, Any]:
    """Defaults of the parameters of a class; arguments that it hands on, ``**kwargs``, have those of its base class."""
    found: dict[str, Any] = {}
    for each in inspect.getmro(kind):
        if "__init__" not in vars(each):
            continue
        try:
            parameters = inspect.signature(each.__init__).parameters.values()  # type: ignore[misc]
        except (TypeError, ValueError):  # compiled, without a signature
            break
        for one in parameters:
            if one.default is not one.empty:
                found.setdefault(one.name, one.default)
        if all(one.kind is not one.VAR_KEYWORD for one in parameters):
            break
    return found


def _same(value: Any, default: Any, where: str) -> bool:
    """Whether a value is the default, of the same type too: one feature is not a share of 1.0."""
    if value is default:
        return True
    try:
        first, second = (json.dumps(_plain(each, where), default=repr) for each in (value, default))
    except InputError:
        return False
    return first == second


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
    """Where a class or function can be imported from: the package that offers it rather than a private module."""
    name = getattr(part, "__qualname__", "<")
    if "<" in name:
        raise _nameless(glimpse(part), where)
    public = re.split(r"\._", part.__module__, maxsplit=1)[0]
    offered = getattr(sys.modules.get(public), name, None) is part
    return f"{public if offered else part.__module__}:{name}"


def _nameless(text: str, where: str) -> InputError:
    return InputError(
        f"{text} cannot be named: after a change of its code, old results would be taken for its own.",
        where,
        "define it in a module, by a name, and give objects a __repr__ with all their settings.",
    )
