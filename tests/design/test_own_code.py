"""Code of the user's own: which modules count as it, and that a change in any of them is another learner."""

from __future__ import annotations

import importlib
import itertools
import sys

import pytest

from bestofk.design.learners import learner_of
from bestofk.design.learners.own_code import is_own, own_modules
from makers import changed

NUMBERS = itertools.count()


BASE = """
from sklearn.base import BaseEstimator, ClassifierMixin
class Base(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = [0, 1]
        return self
"""


MINE = """
from {p}.base import Base
from . import far
import {p}_lone
LIMIT = 3
def near(X):
    return X[:, 0] > LIMIT
class Mine(Base):
    def predict(self, X):
        from .lazy import late
        return near(X) * far.away(X) * {p}_lone.one + late()
"""


FAR = "from .deep import deeper\ndef away(X):\n    return deeper(X)\n"


DEEP = "import os, json, sklearn.tree\ndef deeper(X):\n    return X[:, 1]\n"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of the user's own whose learner uses other modules of it in every way."""
    name = f"own{next(NUMBERS)}"
    folder = tmp_path / name
    folder.mkdir()
    texts = {"__init__": "", "base": BASE, "mine": MINE.format(p=name), "far": FAR, "deep": DEEP, "unused": "A = 1\n"}
    texts["lazy"] = "def late():\n    return 0\n"
    for module, text in texts.items():
        (folder / f"{module}.py").write_text(text)
    (tmp_path / f"{name}_lone.py").write_text("one = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for module in [each for each in sys.modules if each.startswith(name)]:
        del sys.modules[module]


def fingerprint(folder):
    return learner_of(importlib.import_module(f"{folder.name}.mine").Mine()).fingerprint


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("base", "[0, 1]", "[0, 1, 2]"),  # a method of a base class in another module
        ("mine", "> LIMIT", "< LIMIT"),  # a function beside the class
        ("mine", "LIMIT = 3", "LIMIT = 4"),  # a constant beside the class
        ("far", "deeper(X)\n", "-deeper(X)\n"),  # a function of another module
        ("deep", "X[:, 1]", "X[:, 2]"),  # two modules away
        ("lazy", "return 0", "return 1"),  # imported when it runs
        ("__init__", "", "import warnings\n"),  # runs before all others
    ],
)
def test_changed_code_of_ones_own_is_another_learner(package, module, old, new):
    before = fingerprint(package)
    assert fingerprint(package) == before
    changed(package / f"{module}.py", old, new)
    assert fingerprint(package) != before


def test_a_module_beside_the_package_counts_and_one_that_nobody_imports_does_not(package):
    before = fingerprint(package)
    changed(package / "unused.py", "A = 1", "A = 2")
    assert fingerprint(package) == before
    changed(package.parent / f"{package.name}_lone.py", "one = 1", "one = 2")
    assert fingerprint(package) != before


def test_only_the_users_own_modules_are_followed(package):
    importlib.import_module(f"{package.name}.mine")
    found = own_modules(f"{package.name}.mine")
    inner = {f"{package.name}.{each}" for each in ("base", "mine", "far", "deep", "lazy")}
    assert set(found) == {package.name, f"{package.name}_lone", *inner}
    assert not any(map(is_own, ("sklearn.tree", "json", "sys", "numpy", "bestofk.design.plan", "not_there")))


def test_a_folder_that_pip_filled_is_not_the_users_own(package):
    name = f"{package.name}_lone"
    assert is_own(name)
    other = package.parent / "target"
    (other / "thing-1.0.dist-info").mkdir(parents=True)
    (other / "thing-1.0.dist-info" / "INSTALLER").write_text("pip\n")
    (other / "thing.py").write_text("A = 1\n")
    sys.path.insert(0, str(other))
    try:
        assert not is_own("thing")
    finally:
        sys.path.remove(str(other))


def test_where_the_files_are_does_not_count(package, tmp_path, monkeypatch):
    """The same texts in another folder, with the line ends of another system, are the same learner."""
    before = own_modules(f"{package.name}.mine")
    elsewhere = tmp_path / "elsewhere" / package.name
    elsewhere.mkdir(parents=True)
    for file in package.glob("*.py"):
        (elsewhere / file.name).write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    monkeypatch.syspath_prepend(str(elsewhere.parent))
    assert own_modules(f"{package.name}.mine") == before


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder into which pip has put ``thing``, and a folder of experiments in it."""
    (tmp_path / "thing_own-1.0.dist-info").mkdir()
    (tmp_path / "thing_own-1.0.dist-info" / "INSTALLER").write_text("pip\n")
    record = "thing_own.py,sha256=x,6\nthing_folder/__init__.py,,\n../../bin/thing,,\n"
    (tmp_path / "thing_own-1.0.dist-info" / "RECORD").write_text(record)
    for name in ("thing_own.py", "thing_folder/__init__.py", "beside_own.py", "experiments/mine_own.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("A = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path / "experiments"))
    return tmp_path


def test_pip_owns_the_files_that_it_lists_and_no_others(project):
    assert not is_own("thing_own")
    assert not is_own("thing_folder")
    assert is_own("mine_own")
    assert is_own("beside_own")
    before = own_modules("mine_own")
    (project / "experiments" / "mine_own.py").write_text("A = 1000\n")
    assert own_modules("mine_own")["mine_own"] != before["mine_own"]


def test_a_signed_folder_without_a_list_is_pips_but_not_the_folders_in_it(project):
    (project / "thing_own-1.0.dist-info" / "RECORD").unlink()
    assert not is_own("beside_own")
    assert is_own("mine_own")
