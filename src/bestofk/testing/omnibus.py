"""What every test of more than two learners must do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.stats.method import Method, method_of
from bestofk.testing.refusals import refuses


def check_omnibus(test: Callable[..., Any], *, seed: int = 0) -> None:
    """Assert the invariants of an omnibus test marked with ``bestofk.stats.method.method``."""
    facts = method_of(test)
    rng = np.random.default_rng(seed)
    for table in (example_table(facts, rng) for _ in range(5)):
        result = test(table)
        assert 0.0 <= result.pvalue <= 1.0, "a p value lies between 0 and 1"
        assert isinstance(result.pvalue, float), "one test gives a plain float"
        assert "\n" not in repr(result), "repr is one line"
        _check_order_of_learners(test, facts, table)
        kept = table.copy()
        assert np.isclose(test(table.tolist()).pvalue, result.pvalue), "lists give what arrays give"
        assert (table == kept).all(), "input is never changed"
    _check_identical(test, facts, rng)
    _check_batch(test, facts, rng)
    check_refused_tables(test, facts, rng)


def example_table(facts: Method, rng: np.random.Generator, batch: tuple[int, ...] = ()) -> Array:
    """Four learners that differ, in the design of a test."""
    if facts.design == "K-values":
        return np.asarray(rng.normal(size=(*batch, 4, 7)) + np.array([0.0, 0.2, 0.5, 0.9])[:, None])
    if facts.design == "values-K":
        return np.asarray(rng.normal(size=(*batch, 7, 4)) + np.array([0.0, 0.2, 0.5, 0.9]))
    return (rng.random((*batch, 25, 4)) < np.array([0.5, 0.6, 0.7, 0.8])).astype(float)


def _check_order_of_learners(test: Callable[..., Any], facts: Method, table: Array) -> None:
    axis = -2 if facts.design == "K-values" else -1
    turned = np.flip(table, axis=axis)
    assert np.isclose(test(table).pvalue, test(turned).pvalue, rtol=1e-9), "the order of learners does not matter"
    assert np.allclose(test(table).estimate, np.flip(test(turned).estimate)), "estimates follow their learners"
    names = ["a", "b", "c", "d"]
    columns = table if axis == -2 else table.T
    named = test(dict(zip(names, columns, strict=True)))
    assert np.isclose(named.pvalue, test(table).pvalue), "a dict gives what an array gives"
    assert named.names == tuple(names), "a dict's names are kept"


def _check_identical(test: Callable[..., Any], facts: Method, rng: np.random.Generator) -> None:
    table = example_table(facts, rng)
    same = np.broadcast_to(table[..., :1, :] if facts.design == "K-values" else table[..., :1], table.shape)
    result = test(same)
    assert np.isclose(result.pvalue, 1.0), "identical learners: p = 1"
    assert np.isclose(result.statistic, 0.0), "identical learners: statistic 0"
    constant = test(np.ones(table.shape))
    assert constant.pvalue == 1.0 and constant.statistic == 0.0, "all values equal: 0/0 is no evidence"


def _check_batch(test: Callable[..., Any], facts: Method, rng: np.random.Generator) -> None:
    table = example_table(facts, rng, batch=(2, 3))
    batch = test(table)
    assert np.shape(batch.pvalue) == (2, 3), "batch axes stay in front"
    for index in np.ndindex(2, 3):
        assert np.isclose(batch.pvalue[index], test(table[index]).pvalue, rtol=1e-12), "same p in a batch"


def check_refused_tables(test: Callable[..., Any], facts: Method, rng: np.random.Generator) -> None:
    """Assert that wrong tables are refused."""
    table = example_table(facts, rng)
    one = table[..., :1, :] if facts.design == "K-values" else table[..., :1]
    few = table[..., :1] if facts.design == "K-values" else table[..., :1, :]
    broken = table.copy()
    broken.flat[0] = np.nan
    refuses(lambda: test(broken), what="NaN")
    refuses(lambda: test(one), what="one learner")
    refuses(lambda: test(few), what="one fold or data set")
    refuses(lambda: test([]), what="empty input")
    refuses(lambda: test(np.full(table.shape, "a")), what="text")
