"""Errors, registry, extras, seeds."""

import sys

import numpy as np
import pytest

from bestofk.core import extras
from bestofk.core.errors import BestOfKError, InputError, MissingExtra, UnknownName
from bestofk.core.names import nearest
from bestofk.core.registry import Registry, registry
from bestofk.core.rng import generator


def test_errors_are_also_the_built_in_ones():
    lines = ("wrong", "where", "fix")
    assert isinstance(InputError(*lines), ValueError)
    assert isinstance(UnknownName(*lines), KeyError)
    assert isinstance(UnknownName(*lines), InputError)
    assert isinstance(MissingExtra(*lines), ImportError)
    for kind in (InputError, UnknownName, MissingExtra):
        assert str(kind(*lines)) == "wrong\n  where: where\n  to do: fix"
        assert kind(*lines).to_dict() == {"wrong": "wrong", "where": "where", "fix": "fix"}


def test_registry_suggests_near_names():
    with pytest.raises(UnknownName, match="did you mean '5x2cv-t'"):
        registry("pairwise").load("5x2cv_t")
    assert nearest("zzz", ["holm"]) is None


def test_registry_names_load_nothing():
    assert "holm" in registry("adjust").names()
    assert Registry("nothing-of-this-kind").names() == ()


class Entry:
    def __init__(self, name, value):
        self.name, self.value = name, value

    def load(self):
        return self.value


def test_a_plug_in_is_found_and_a_clash_is_named(monkeypatch):
    monkeypatch.setattr(
        "bestofk.core.registry.entry_points", lambda group: [Entry("mine", "a:b"), Entry("mine", "a:b")]
    )
    assert Registry("pairwise").load("mine") == "a:b"
    monkeypatch.setattr(
        "bestofk.core.registry.entry_points", lambda group: [Entry("mine", "a:b"), Entry("mine", "c:d")]
    )
    with pytest.raises(BestOfKError, match="two pairwise parts are called 'mine': a:b and c:d"):
        Registry("pairwise").names()


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
