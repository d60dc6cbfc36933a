"""Fixtures that several files of tests use."""

from __future__ import annotations

import importlib
import itertools
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

# Said before numpy is imported: threads wait for one another longer than small folds take.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from bestofk.core.compiled import CHOICE
from postgresql_server import Server, running_server

# The examples of the quick tests, and those of .ci/run (--hypothesis-profile=full).
settings.register_profile("quick", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("full", deadline=None, derandomize=True, max_examples=200)
settings.register_profile("long", deadline=None, max_examples=1_250)  # about an hour of tests/test_fuzz.py
settings.load_profile("quick")

#: Seconds that a test with one of these marks may take; all others have the limit of pyproject.toml.
LONGER = {"every_set": 3600, "slow": 900}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        marks = [mark for mark in LONGER if item.get_closest_marker(mark)]
        if marks and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(LONGER[marks[0]]))


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chances over data sets are drawn; how well is tested where they are found."""
    monkeypatch.setattr("bestofk.judging.findings.two_learners.SAMPLES", (1_600,))


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One PostgreSQL for all tests of a process; each takes databases of its own."""
    with running_server() as running:
        yield running


@pytest.fixture(params=["compiled", "numpy"])
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "numpy":
        monkeypatch.setenv(CHOICE, "numpy")
    else:
        pytest.importorskip("numba")
    return str(request.param)


NUMBERS = itertools.count()
LEARNERS = """
import os
import numpy as np
from sklearn.naive_bayes import GaussianNB
class Talks(GaussianNB):
    def fit(self, X, y):
        print("fitting aloud", flush=True)
        os.write(1, b"from below\\n")  # as compiled libraries do
        return super().fit(X, y)
class Breaks(GaussianNB):
    def fit(self, X, y):
        raise KeyboardInterrupt
class Speechless(Exception):
    def __str__(self):
        raise RuntimeError
class Mute(GaussianNB):
    def fit(self, X, y):
        raise Speechless
class Nans(GaussianNB):
    def predict(self, X):
        return np.full(len(X), np.nan)
class Fails(GaussianNB):
    def fit(self, X, y):
        raise ValueError("broken")
"""


@pytest.fixture
def learners(tmp_path: Path) -> Iterator[str]:
    """A module of learners that talk or fail, beside the plan."""
    name = f"learners{next(NUMBERS)}"
    (tmp_path / f"{name}.py").write_text(LEARNERS)
    before = list(sys.path)
    yield name
    sys.path[:] = before
    sys.modules.pop(name, None)


@pytest.fixture
def own_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Writes a module of the user's own and returns its name."""
    made: list[str] = []

    def write(text: str) -> str:
        made.append(f"own_code{next(NUMBERS)}")
        (tmp_path / f"{made[-1]}.py").write_text(text)
        importlib.invalidate_caches()
        return made[-1]

    monkeypatch.syspath_prepend(str(tmp_path))
    yield write
    for name in made:
        sys.modules.pop(name, None)
