"""A plug-in for pytest: the fixture ``assert_not_worse``. It loads nothing before a test asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def assert_not_worse() -> Callable[..., Any]:
    """Fail where a new model is not shown to be as good as the old one, but for a margin: see ``bestofk.testing``."""
    from bestofk.testing import assert_not_worse

    return assert_not_worse
