"""What every adjustment of p values must do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.testing.refusals import refuses


def check_adjust(adjust: Callable[..., Any], *, seed: int = 0) -> None:
    """Assert that adjusted p values are monotone, not below the raw ones and at most 1."""
    rng = np.random.default_rng(seed)
    for _ in range(20):
        p = rng.random(10) ** 3  # all pairs of five learners
        adjusted = adjust(p)
        assert adjusted.shape == p.shape, "one adjusted value per p"
        assert (adjusted >= p).all() and (adjusted <= 1.0).all(), "raw ≤ adjusted ≤ 1"
        assert (np.diff(adjusted[np.argsort(p)]) >= -1e-15).all(), "the ranking is kept"
        assert np.allclose(adjust(p.tolist()), adjusted), "lists give what arrays give"
    batch = rng.random((2, 3, 10))
    for index in np.ndindex(2, 3):
        assert np.allclose(adjust(batch)[index], adjust(batch[index]), rtol=1e-13), "same values in a batch"
    assert adjust([0.03]).tolist() == [0.03], "one test needs no adjustment"
    assert (adjust(np.ones(3)) == 1.0).all() and (adjust(np.zeros(3)) == 0.0).all(), "0 and 1 stay"
    for bad, what in (
        ([], "no p value"),
        ([0.5, np.nan, 0.1], "NaN"),
        ([0.5, 1.1, 0.1], "p above 1"),
        (["a"], "text"),
    ):
        refuses(lambda bad=bad: adjust(bad), what=what)  # type: ignore[misc]
