"""Fixtures that several files of tests use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bestofk.core.compiled import CHOICE

#: Seconds that a test with one of these marks may take; all others have the limit of pyproject.toml.
LONGER = {"every_set": 3600, "slow": 900}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        marks = [mark for mark in LONGER if item.get_closest_marker(mark)]
        if marks and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(LONGER[marks[0]]))


@pytest.fixture
def one_thread() -> Iterator[None]:
    """scikit-learn's threads wait for one another longer than these small folds take."""
    threadpoolctl = pytest.importorskip("threadpoolctl")
    with threadpoolctl.threadpool_limits(1):
        yield


@pytest.fixture(params=["compiled", "numpy"])
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "numpy":
        monkeypatch.setenv(CHOICE, "numpy")
    else:
        pytest.importorskip("numba")
    return str(request.param)
