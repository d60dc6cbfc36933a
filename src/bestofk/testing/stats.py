"""What every pairwise test, omnibus test, range test and adjustment of p values must do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.stats.method import Method, adjustment_of, fewest_values, method_of

#: Designs of the examples, the usual one first.
_SHAPES: dict[str, tuple[tuple[int, ...], ...]] = {
    "values": ((9,), (25,)),
    "runs": ((6,), (12,)),
    "5x2": ((5, 2),),
    "RxF": ((3, 4), (1, 2), (10, 10)),
    "items": ((30,), (200,)),
}


def check_pairwise(test: Callable[..., Any], *, seed: int = 0) -> None:
    """Assert the invariants of a pairwise test marked with ``bestofk.stats.method.method``.

    The examples are of several sizes, down to the smallest that the test takes, some with ties or an outlier.
    """
    facts = method_of(test)
    rng = np.random.default_rng(seed)
    for first, second in _examples(test, facts, rng):
        _check_fields(test, first, second)
        _check_symmetry(test, facts, first, second)
        _check_interval(test, facts, first, second)
        if facts.design != "items":
            _check_invariance(test, facts, first, second)
        _check_input_kept(partial(_run, test), first, second)
    _check_identical_pair(test, facts, rng)
    _check_batch(partial(_run, test), *_example_pair(facts, rng, batch=(2, 3)))
    _check_refusals(test, facts, rng)


def _examples(test: Callable[..., Any], facts: Method, rng: np.random.Generator) -> Iterator[tuple[Array, Array]]:
    fewest = ((fewest_values(test),),) if facts.design == "values" else ()
    for shape in (*_SHAPES[facts.design], *fewest):
        for _ in range(3):
            yield _example_pair(facts, rng, shape=shape)
        if facts.design == "items":
            continue
        first, second = _example_pair(facts, rng, shape=shape)
        yield np.round(first, 1), np.round(second, 1)  # ties
        first.flat[0] += 2.0  # an outlier
        yield first, second


def _example_pair(
    facts: Method, rng: np.random.Generator, *, batch: tuple[int, ...] = (), shape: tuple[int, ...] | None = None
) -> tuple[Array, Array]:
    whole = batch + (shape or _SHAPES[facts.design][0])
    if facts.design == "items":
        return rng.integers(0, 2, size=whole).astype(float), (rng.random(whole) < 0.3).astype(float)
    return 0.3 + 0.05 * rng.normal(size=whole), 0.25 + 0.05 * rng.normal(size=whole)


def _run(test: Callable[..., Any], first: Any, second: Any, **options: Any) -> Any:
    if method_of(test).seeded:
        options.setdefault("rng", 0)
    return test(first, second, **options)


def _check_fields(test: Callable[..., Any], first: Array, second: Array) -> None:
    result = _run(test, first, second)
    assert isinstance(result.pvalue, float), "one test gives a plain float"
    assert 0.0 <= result.pvalue <= 1.0, "a p value lies between 0 and 1"
    assert isinstance(result.df, tuple) and all(isinstance(value, float) for value in result.df), "df: floats"
    assert np.isclose(result.estimate, np.mean(first) - np.mean(second)), (
        "estimate is the mean difference of all values"
    )
    assert result.alternative == "two-sided", "two-sided unless told otherwise"
    assert "\n" not in repr(result), "repr is one line"


def _check_symmetry(test: Callable[..., Any], facts: Method, first: Array, second: Array) -> None:
    forth, back = _run(test, first, second), _run(test, second, first)
    assert np.isclose(forth.pvalue, back.pvalue, rtol=1e-9), "swapping the two keeps the two-sided p"
    assert np.isclose(forth.estimate, -back.estimate), "swapping the two flips the estimate"
    if not facts.one_sided:
        refuses(lambda: _run(test, first, second, alternative="greater"), what="a one-sided question")
        return
    greater = _run(test, first, second, alternative="greater").pvalue
    less = _run(test, first, second, alternative="less").pvalue
    assert np.isclose(greater, _run(test, second, first, alternative="less").pvalue), "greater and less mirror"
    assert greater + less >= 1.0 - 1e-9, "the two sides cover everything"


def _check_interval(test: Callable[..., Any], facts: Method, first: Array, second: Array) -> None:
    result = _run(test, first, second)
    if not hasattr(result, "confidence_interval"):
        return
    assert hasattr(result, "typical_interval") == (facts.about != "mean"), "what the test is about has an interval"
    if facts.design != "items" and not 0.049 < result.pvalue < 0.051:  # of items tests and intervals are of two kinds
        found = result.typical_interval() if facts.about != "mean" else (result.estimate, result.confidence_interval())
        ends = found[1]
        assert (ends.low <= 0.0 <= ends.high) == (result.pvalue > 0.05), (
            "the interval excludes 0 where the test rejects"
        )


def _check_invariance(test: Callable[..., Any], facts: Method, first: Array, second: Array) -> None:
    plain = _run(test, first, second).pvalue
    assert np.isclose(plain, _run(test, 3.7 * first, 3.7 * second).pvalue), "scaling both changes no p"
    if facts.design == "runs":
        assert np.isclose(plain, _run(test, first + 0.4, second + 0.4).pvalue), "moving both changes no p"
        assert np.isclose(plain, _run(test, first[::-1], second).pvalue), "runs have no order and are not paired"
        return
    difficulty = np.linspace(0.0, 0.4, first.size).reshape(first.shape)
    assert np.isclose(plain, _run(test, first + difficulty, second + difficulty).pvalue), "fold difficulty cancels"


def _check_input_kept(test: Callable[..., Any], *arrays: Array) -> None:
    copies = [array.copy() for array in arrays]
    from_lists = test(*(array.tolist() for array in arrays))
    assert np.isclose(from_lists.pvalue, test(*arrays).pvalue), "lists give what arrays give"
    assert all((array == copy).all() for array, copy in zip(arrays, copies, strict=True)), "input is never changed"


def _check_batch(test: Callable[..., Any], *arrays: Array, rtol: float = 1e-12) -> None:
    """Assert that tests of a batch, (2, 3, ...), are those of its parts."""
    batch = test(*arrays)
    assert np.shape(batch.pvalue)[:2] == (2, 3), "batch axes stay in front"
    for index in np.ndindex(2, 3):
        single = test(*(array[index] for array in arrays))
        assert np.allclose(batch.pvalue[index], single.pvalue, rtol=rtol), "a batch gives what single calls give"
        assert np.allclose(batch.statistic[index], single.statistic, rtol=rtol), "same statistic in a batch"


def _check_identical_pair(test: Callable[..., Any], facts: Method, rng: np.random.Generator) -> None:
    first, _ = _example_pair(facts, rng)
    result = _run(test, first, first)
    assert result.pvalue == 1.0, "identical learners: no evidence, p = 1"
    assert np.isfinite(result.statistic), "identical learners: a finite statistic"
    if facts.one_sided:
        assert _run(test, first, first, alternative="greater").pvalue >= 0.5, "identical learners: one-sided p ≥ 0.5"


def _check_refusals(test: Callable[..., Any], facts: Method, rng: np.random.Generator) -> None:
    first, second = _example_pair(facts, rng)
    for number, what in ((np.nan, "NaN"), (np.inf, "infinity")):
        broken = first.copy()
        broken.flat[0] = number
        refuses(lambda broken=broken: test(broken, second), what=what)  # type: ignore[misc]
    refuses(lambda: test([], []), what="empty input")
    if facts.design == "runs":
        unequal = _run(test, first[:-1], second)
        assert np.isclose(unequal.estimate, first[:-1].mean() - second.mean()), "numbers of runs may differ"
    else:
        refuses(lambda: test(first[..., :-1], second), what="unequal designs")
    refuses(lambda: test(np.full(first.shape, "a"), second), what="text")
    refuses(lambda: test(first, second, alternative="sideways"), what="an unknown alternative")


def check_omnibus(test: Callable[..., Any], *, seed: int = 0) -> None:
    """Assert the invariants of an omnibus test marked with ``bestofk.stats.method.method``."""
    facts = method_of(test)
    rng = np.random.default_rng(seed)
    for table in (_example_table(facts, rng) for _ in range(5)):
        result = test(table)
        assert 0.0 <= result.pvalue <= 1.0, "a p value lies between 0 and 1"
        assert isinstance(result.pvalue, float), "one test gives a plain float"
        assert "\n" not in repr(result), "repr is one line"
        _check_order_of_learners(test, facts, table)
        _check_input_kept(test, table)
    _check_identical_tables(test, facts, rng)
    _check_batch(test, _example_table(facts, rng, batch=(2, 3)))
    _check_refused_tables(test, facts, rng)


def _example_table(facts: Method, rng: np.random.Generator, batch: tuple[int, ...] = ()) -> Array:
    """Four learners that differ, in the design of a test."""
    if facts.design == "K-values":
        return np.asarray(rng.normal(size=(*batch, 4, 7)) + np.array([0.0, 0.2, 0.5, 0.9])[:, None])
    if facts.design == "values-K":
        return np.asarray(rng.normal(size=(*batch, 7, 4)) + np.array([0.0, 0.2, 0.5, 0.9]))
    return (rng.random((*batch, 25, 4)) < np.array([0.5, 0.6, 0.7, 0.8])).astype(float)


def _check_order_of_learners(test: Callable[..., Any], facts: Method, table: Array) -> None:
    axis = -2 if facts.design == "K-values" else -1
    turned = np.flip(table, axis=axis)
    back = np.flip(test(turned).pvalue)
    assert np.allclose(test(table).pvalue, back, rtol=1e-9), "the order of learners does not matter"
    assert np.allclose(test(table).estimate, np.flip(test(turned).estimate)), "estimates follow their learners"
    named = test(dict(zip("abcd", table if axis == -2 else table.T, strict=True)))
    assert np.allclose(named.pvalue, test(table).pvalue), "a dict gives what an array gives"
    assert named.names == tuple("abcd"), "a dict's names are kept"


def _check_identical_tables(test: Callable[..., Any], facts: Method, rng: np.random.Generator) -> None:
    table = _example_table(facts, rng)
    same = np.broadcast_to(table[..., :1, :] if facts.design == "K-values" else table[..., :1], table.shape)
    result = test(same)
    assert np.isclose(result.pvalue, 1.0), "identical learners: p = 1"
    assert np.isclose(result.statistic, 0.0), "identical learners: statistic 0"
    constant = test(np.ones(table.shape))
    assert constant.pvalue == 1.0 and constant.statistic == 0.0, "all values equal: 0/0 is no evidence"


def _check_refused_tables(test: Callable[..., Any], facts: Method, rng: np.random.Generator) -> None:
    """Assert that wrong tables are refused."""
    table = _example_table(facts, rng)
    one = table[..., :1, :] if facts.design == "K-values" else table[..., :1]
    few = table[..., :1] if facts.design == "K-values" else table[..., :1, :]
    broken = table.copy()
    broken.flat[0] = np.nan
    refuses(lambda: test(broken), what="NaN")
    refuses(lambda: test(one), what="one learner")
    refuses(lambda: test(few), what="one fold or data set")
    refuses(lambda: test([]), what="empty input")
    refuses(lambda: test(np.full(table.shape, "a")), what="text")


def check_ranges(test: Callable[..., Any], *, seed: int = 0) -> None:
    """Assert the invariants of a range test: p values of all pairs of learners, (..., K, K)."""
    facts = method_of(test)
    rng = np.random.default_rng(seed)
    for _ in range(5):
        table = _example_table(facts, rng)
        pvalue = test(table).pvalue
        assert pvalue.shape == (4, 4), "one p value per pair of learners"
        assert (pvalue == pvalue.T).all() and (np.diag(pvalue) == 1.0).all(), "symmetric, 1 on the diagonal"
        assert (pvalue >= 0.0).all() and (pvalue <= 1.0).all(), "p values lie between 0 and 1"
        _check_order_of_learners(test, facts, table)
        assert "\n" not in repr(test(table)), "repr is one line"
    assert (test(np.ones(table.shape)).pvalue == 1.0).all(), "identical learners: p = 1"
    _check_batch(test, _example_table(facts, rng, batch=(2, 3)), rtol=1e-9)
    _check_refused_tables(test, facts, rng)
    for alpha in (0.0, 1.0, -0.1, "0.05"):
        refuses(lambda alpha=alpha: test(table, alpha=alpha), what=f"alpha {alpha!r}")  # type: ignore[misc]


def check_adjust(adjust: Callable[..., Any], *, seed: int = 0) -> None:
    """Assert that adjusted p values are monotone, not below the raw ones and at most 1.

    The adjustment is marked with ``bestofk.stats.method.adjustment``.
    """
    adjustment_of(adjust)
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


def refuses(call: Callable[[], Any], *, what: str) -> None:
    """Assert that a call raises an ``InputError`` that says what is wrong, where, and what to do."""
    try:
        answer = call()
    except InputError as error:
        assert error.wrong and error.where and error.fix, f"{what}: the error lacks one of its three lines"
    else:
        raise AssertionError(f"{what} was answered with {answer!r} instead of an InputError")
