"""Reports tell what findings found, whatever it is: few draws are enough for them."""

import pytest


@pytest.fixture(autouse=True)
def _few_draws(few_draws: None) -> None:
    """In every test."""
