"""Records behave as frozen dataclasses do."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from inspect import signature
from typing import Any, ClassVar

import numpy as np
import pytest

from bestofk.core.frozen import frozen
from bestofk.core.record import Record


def classes(decorated: Callable[[type], Any]) -> tuple[Any, Any]:
    @decorated
    class Base:
        kind: ClassVar[str] = "base"
        first: int
        second: list[int] = field(default_factory=list)

    @decorated
    class Derived(Base):
        third: str = "c"
        hidden: int = field(default=0, repr=False, compare=False)
        last: int = field(default=1, kw_only=True)

        def __post_init__(self) -> None:
            if self.first < 0:
                raise ValueError("negative")

    return Base, Derived


@frozen
class Kept:
    number: int
    names: tuple[str, ...] = ()


OURS, THEIRS = classes(frozen), classes(dataclass(frozen=True))


@pytest.mark.parametrize("place", [0, 1])
def test_fields_and_signature_are_those_of_a_dataclass(place):
    one, two = OURS[place], THEIRS[place]
    assert [each.name for each in fields(one)] == [each.name for each in fields(two)]
    taken = [[(p.name, p.kind) for p in signature(each).parameters.values()] for each in (one, two)]
    assert taken[0] == taken[1]
    assert one.__match_args__ == two.__match_args__


@pytest.mark.parametrize(
    ("given", "named"),
    [((1,), {}), ((1, [2]), {"last": 3}), ((), {"first": 1, "third": "d"}), ((1, [2], "e", 4), {"last": 5})],
)
def test_the_same_values_and_the_same_text(given, named):
    one, two = OURS[1](*given, **named), THEIRS[1](*given, **named)
    assert vars(one) == vars(two)
    assert repr(one) == repr(two)
    assert one == OURS[1](*given, **named)
    assert one == replace(one, hidden=9)
    assert one != replace(one, last=9)
    assert one != two


@pytest.mark.parametrize(
    ("given", "named"),
    [((), {}), ((1,), {"first": 1}), ((1,), {"fourth": 2}), ((1, [], "c", 0, 7), {}), ((1,), {"kind": "x"})],
)
def test_wrong_calls_are_refused_as_a_dataclass_refuses_them(given, named):
    for cls in (OURS[1], THEIRS[1]):
        with pytest.raises(TypeError):
            cls(*given, **named)


def test_nothing_can_be_changed():
    one = OURS[1](1)
    with pytest.raises(FrozenInstanceError):
        one.first = 2
    with pytest.raises(FrozenInstanceError):
        del one.first
    assert one.second is not OURS[1](1).second
    with pytest.raises(ValueError, match="negative"):
        OURS[1](-1)


def test_equal_records_are_one_key_and_come_back_from_a_pickle():
    one = Kept(1, ("a",))
    assert {one: 1}[Kept(1, ("a",))] == 1
    assert pickle.loads(pickle.dumps(one)) == one


def test_a_frozen_dataclass_may_come_from_a_record_and_a_plain_one_may_not():
    @dataclass(frozen=True)
    class More(Kept):
        more: int = 0

    assert More(1, ("a",), 2).more == 2
    with pytest.raises(TypeError, match="frozen"):

        @dataclass
        class Plain(Kept):
            more: int = 0


def test_fields_that_cannot_be_given_are_refused():
    with pytest.raises(TypeError, match="default"):

        @frozen
        class Late:
            first: int = 0
            second: int

    with pytest.raises(TypeError, match="argument"):

        @frozen
        class Hidden:
            first: int = field(default=0, init=False)

    @frozen
    class Named:
        self: int

    assert Named(self=3).self == 3


def test_a_record_with_a_constructor_of_its_own_shows_that_one():
    @frozen
    class Named:
        name: str

        def __init__(self, first: str, last: str) -> None:
            object.__setattr__(self, "name", f"{first} {last}")

    assert Named("a", "b").name == "a b"
    assert list(signature(Named).parameters) == ["first", "last"]


def test_arrays_of_a_record_are_read_only_and_the_callers_own_is_not():
    class Values(Record):
        values: np.ndarray

    own = np.zeros(2)
    for record in (Values(own), copy.deepcopy(Values(own))):
        with pytest.raises(ValueError, match="read-only"):
            record.values[0] = 1
    own[0] = 1
