"""What every test that compares all pairs of learners at once must do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.stats.method import method_of
from bestofk.testing.omnibus import check_refused_tables, example_table
from bestofk.testing.refusals import refuses


def check_ranges(test: Callable[..., Any], *, seed: int = 0) -> None:
    """Assert the invariants of a range test: p values of all pairs of learners, (..., K, K)."""
    facts = method_of(test)
    rng = np.random.default_rng(seed)
    axis = -2 if facts.design == "K-values" else -1
    for _ in range(5):
        table = example_table(facts, rng)
        pvalue = test(table).pvalue
        assert pvalue.shape == (4, 4), "one p value per pair of learners"
        assert (pvalue == pvalue.T).all() and (np.diag(pvalue) == 1.0).all(), "symmetric, 1 on the diagonal"
        assert (pvalue >= 0.0).all() and (pvalue <= 1.0).all(), "p values lie between 0 and 1"
        turned = test(np.flip(table, axis=axis)).pvalue
        assert np.allclose(turned[::-1, ::-1], pvalue, rtol=1e-9), "the order of learners does not matter"
        columns = table if axis == -2 else table.T
        assert test(dict(zip("abcd", columns, strict=True))).names == tuple("abcd"), "a dict's names are kept"
        assert "\n" not in repr(test(table)), "repr is one line"
    same = np.ones((3, 4) if axis == -1 else (4, 3))
    assert (test(same).pvalue == 1.0).all(), "identical learners: p = 1"
    batch = example_table(facts, rng, batch=(2, 3))
    for index in np.ndindex(2, 3):
        assert np.allclose(test(batch).pvalue[index], test(batch[index]).pvalue, rtol=1e-9), "same p in a batch"
    check_refused_tables(test, facts, rng)
    for alpha in (0.0, 1.0, -0.1, "0.05"):
        refuses(lambda alpha=alpha: test(table, alpha=alpha), what=f"alpha {alpha!r}")  # type: ignore[misc]
