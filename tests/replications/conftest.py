"""The learners of the paper on MultiTest, by their plain and by their compiled form."""

from __future__ import annotations

import pytest

from bestofk.core.compiled import CHOICE
from bestofk.core.extras import available
from makers import slow


@pytest.fixture(params=["numpy", *slow("numba")])
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops that only this replication has take long to compile: the quick tests go without."""
    if request.param == "numba" and not available("numba"):
        pytest.skip("needs numba")
    monkeypatch.setenv(CHOICE, request.param)
