"""Frozen dataclasses that are quick to load.

Their methods are shared: ``dataclasses`` itself writes and compiles code for every class, which takes as long for the
classes of one command as loading numpy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform, overload

if TYPE_CHECKING:
    from inspect import Signature

Class = TypeVar("Class")


@overload
def frozen(cls: type[Class], /) -> type[Class]: ...
@overload
def frozen(*, eq: bool = True, repr: bool = True, kw_only: bool = False) -> Callable[[type[Class]], type[Class]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: Any = None, /, *, eq: bool = True, repr: bool = True, kw_only: bool = False) -> Any:
    """Like ``dataclass(frozen=True)``, and quick to load.

    Examples
    --------
    >>> @frozen
    ... class Point:
    ...     x: float
    ...     y: float = 0.0
    >>> Point(1.0), Point(1.0) == Point(x=1.0, y=0.0)
    (Point(x=1.0, y=0.0), True)
    """
    if cls is None:
        return partial(_made_frozen, eq=eq, repr=repr, kw_only=kw_only)
    return _made_frozen(cls, eq=eq, repr=repr, kw_only=kw_only)


def _made_frozen(cls: Any, *, eq: bool, repr: bool, kw_only: bool) -> Any:
    bases = [vars(base)["__dataclass_params__"] for base in cls.__mro__[1:] if "__dataclass_params__" in vars(base)]
    bases = [each for each in bases if each.frozen]
    for each in bases:
        each.frozen = False  # else the methods that refuse to set would be written anew
    try:
        dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
    finally:
        for each in (*bases, *filter(None, [vars(cls).get("__dataclass_params__")])):
            each.frozen = True
    cls._fields = {each.name: each for each in fields(cls)}
    _refuse_fields(cls)
    methods = {"__init__": _init, "__setattr__": _set, "__delattr__": _delete, "__signature__": _Signature()}
    methods |= {"__repr__": _repr} if repr else {}
    methods |= {"__eq__": _eq, "__hash__": _hash} if eq else {}
    for name, method in methods.items():
        if vars(cls).get(name) is None:  # None: the hash of a class that says itself what is equal
            setattr(cls, name, method)
    return cls


def _refuse_fields(cls: Any) -> None:
    """What the shared constructor cannot do."""
    optional = [not _is_needed(cls._fields[name]) for name in cls.__match_args__]
    if optional != sorted(optional):
        raise TypeError(f"{cls.__name__}: a field without a default is behind one with a default")
    if not all(each.init for each in cls._fields.values()):
        raise TypeError(f"{cls.__name__}: every field of a record is an argument")


def _is_needed(one: Field[Any]) -> bool:
    return one.default is MISSING and one.default_factory is MISSING


def _init(self: Any, /, *given: Any, **named: Any) -> None:
    cls, values = type(self), self.__dict__
    places = cls.__match_args__  # the fields that are not for keywords alone
    if len(given) > len(places):
        raise TypeError(f"{cls.__name__} takes {len(places)} values by place, and {len(given)} are given")
    values.update(zip(places, given, strict=False))
    for name in named:
        if name not in cls._fields or name in values:
            raise TypeError(f"{cls.__name__}: {name!r} is {'given twice' if name in values else 'no field'}")
    values.update(named)
    for name, one in cls._fields.items():
        if name in values:
            continue
        if _is_needed(one):
            raise TypeError(f"{cls.__name__}: {name!r} is not given")
        values[name] = one.default if one.default is not MISSING else one.default_factory()
    if hasattr(self, "__post_init__"):
        self.__post_init__()


def _repr(self: Any) -> str:
    inside = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({inside})"


def _compared(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, each.name) for each in fields(self) if each.compare)


def _eq(self: Any, other: Any) -> Any:
    return _compared(self) == _compared(other) if type(self) is type(other) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_compared(self))


def _set(self: Any, name: str, value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


class _Signature:
    """What ``inspect.signature`` says of a record: its fields."""

    def __get__(self, instance: object, owner: Any) -> Signature:
        from inspect import Parameter, Signature, signature

        if owner.__init__ is not _init:
            full = signature(owner.__init__)
            return full.replace(parameters=list(full.parameters.values())[1:])
        made = []
        for each in fields(owner):
            given = each.default if each.default_factory is MISSING else each.default_factory
            default = Parameter.empty if given is MISSING else given
            kind = Parameter.KEYWORD_ONLY if each.kw_only else Parameter.POSITIONAL_OR_KEYWORD
            made.append(Parameter(each.name, kind, default=default, annotation=each.type))
        return Signature(sorted(made, key=lambda each: each.kind))
