"""What an estimator is, in plain JSON values: its class, and every parameter, however deep."""

from __future__ import annotations

import functools
import hashlib
import math
import re
from typing import Any

import numpy as np

from bestofk.core.arrays import glimpse
from bestofk.core.errors import InputError
from bestofk.design.learners.own_code import code_of

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
