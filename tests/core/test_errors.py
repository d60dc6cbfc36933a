"""Errors, missing extras, seeds."""

import sys

import numpy as np
import pytest

from bestofk.core import extras
from bestofk.core.errors import InputError, MissingExtra, UnknownName
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


def test_lines_of_others_make_no_further_lines():
    error = InputError("it says: first\nsecond\r\n.", "a\u2028b.csv", "look\x0bthere.")
    assert len(str(error).splitlines()) == 3
    assert "first second" in error.wrong


def test_a_long_cell_is_cut_and_what_is_said_of_it_stays():
    cell = "x" * 100_000
    error = InputError(f"accuracy is {cell!r}, which is no number.", f"a.csv, line 3, column {cell}", f"mend {cell}.")
    assert max(map(len, str(error).splitlines())) < 1000
    assert error.wrong.startswith("accuracy is 'xx")
    assert error.wrong.endswith("xx', which is no number.")
    assert error.where.startswith("a.csv, line 3")


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
