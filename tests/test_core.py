"""Errors, shelves, extras, seeds."""

import math
import sys
from importlib.metadata import EntryPoint

import numpy as np
import pytest

from bestofk.core import extras
from bestofk.core.errors import BestOfKError, InputError, MissingExtra, UnknownName
from bestofk.core.names import nearest
from bestofk.core.rng import generator
from bestofk.core.shelf import Shelf
from bestofk.stats.pairwise import PAIRWISE


def test_errors_are_also_the_built_in_ones():
    lines = ("wrong", "where", "fix")
    assert isinstance(InputError(*lines), ValueError)
    assert isinstance(UnknownName(*lines), KeyError)
    assert isinstance(UnknownName(*lines), InputError)
    assert isinstance(MissingExtra(*lines), ImportError)
    for kind in (InputError, UnknownName, MissingExtra):
        assert str(kind(*lines)) == "wrong\n  where: where\n  to do: fix"
        assert kind(*lines).to_dict() == {"wrong": "wrong", "where": "where", "fix": "fix"}


def test_a_shelf_suggests_near_names():
    with pytest.raises(UnknownName, match="did you mean '5x2cv-t'"):
        PAIRWISE["5x2cv_t"]
    assert nearest("zzz", ["holm"]) is None
    for odd in (None, 3, ["wilcoxon"]):
        assert odd not in PAIRWISE
        with pytest.raises(UnknownName, match="unknown pairwise name"):
            PAIRWISE[odd]


def test_a_shelf_is_filled_at_the_first_use():
    filled = []
    shelf = Shelf("roundings", lambda: filled.append("now") or {"b": round, "a": int})
    assert filled == []
    assert (shelf["a"], shelf.names(), len(shelf), list(shelf.values())) == (int, ("b", "a"), 2, [round, int])
    assert filled == ["now"]


def test_own_names_need_no_look_at_installed_packages(monkeypatch):
    monkeypatch.setattr("bestofk.core.shelf._plug_ins", lambda: pytest.fail("looked"))
    shelf = Shelf("roundings", {"a": int})
    assert "a" in shelf
    assert shelf["a"] is int


def entries(*found):
    return {"bestofk.toys": tuple(EntryPoint(name, value, "bestofk.toys") for name, value in found)}


def test_a_part_of_another_package_is_found_and_a_clash_is_named(monkeypatch):
    found = entries(("mine", "math:floor"), ("mine", "math:floor"), ("also", "math:ceil"))
    monkeypatch.setattr("bestofk.core.shelf._plug_ins", lambda: found)
    shelf = Shelf("toys", {"own": int})
    assert (shelf["mine"], shelf.names()) == (math.floor, ("own", "also", "mine"))
    clashing = entries(("mine", "a:b"), ("mine", "c:d"))
    monkeypatch.setattr("bestofk.core.shelf._plug_ins", lambda: clashing)
    with pytest.raises(BestOfKError, match="two toys parts are called 'mine': a:b and c:d"):
        Shelf("toys", {}).names()
    with pytest.raises(BestOfKError, match="two toys parts are called 'mine': bestofk's own and a:b"):
        Shelf("toys", {"mine": int}).names()


def test_a_missing_extra_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(MissingExtra, match=r'pip install "bestofk\[fast\]"'):
        extras.need("numba", purpose="the compiled kernel")
    with pytest.raises(MissingExtra, match="pip install no_such_package"):
        extras.need("no_such_package", purpose="a test")


def test_generators():
    assert generator(3, where="t").random() == generator(np.int64(3), where="t").random()
    shared = np.random.default_rng(1)
    assert generator(shared, where="t") is shared
    for bad in ("1", 1.5, True, -1):
        with pytest.raises(InputError):
            generator(bad, where="t")
