"""Reports tell what findings found, whatever it is: few draws are enough for them."""

import pytest


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chances over data sets are drawn; how well is tested where they are found."""
    monkeypatch.setattr("bestofk.judging.findings.two_learners.SAMPLES", (1_600,))
