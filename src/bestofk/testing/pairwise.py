"""What every pairwise test must do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.stats.method import Method, method_of
from bestofk.testing.refusals import refuses

_SHAPES = {"values": (9,), "5x2": (5, 2), "RxF": (3, 4), "items": (30,)}


def check_pairwise(test: Callable[..., Any], *, seed: int = 0) -> None:
    """Assert the invariants of a pairwise test marked with ``bestofk.stats.method.method``."""
    facts = method_of(test)
    rng = np.random.default_rng(seed)
    for first, second in (_example(facts, rng) for _ in range(5)):
        _check_fields(test, first, second)
        _check_symmetry(test, facts, first, second)
        if facts.design != "items":
            _check_invariance(test, first, second)
        _check_input_kept(test, first, second)
    _check_identical(test, facts, rng)
    _check_batch(test, facts, rng)
    _check_refusals(test, facts, rng)


def _example(facts: Method, rng: np.random.Generator, batch: tuple[int, ...] = ()) -> tuple[Array, Array]:
    shape = batch + _SHAPES[facts.design]
    if facts.design == "items":
        return rng.integers(0, 2, size=shape).astype(float), (rng.random(shape) < 0.3).astype(float)
    return 0.3 + 0.05 * rng.normal(size=shape), 0.25 + 0.05 * rng.normal(size=shape)


def _run(test: Callable[..., Any], first: Any, second: Any, **options: Any) -> Any:
    if method_of(test).seeded:
        options.setdefault("rng", 0)
    return test(first, second, **options)


def _check_fields(test: Callable[..., Any], first: Array, second: Array) -> None:
    result = _run(test, first, second)
    assert isinstance(result.pvalue, float), "one test gives a plain float"
    assert 0.0 <= result.pvalue <= 1.0, "a p value lies between 0 and 1"
    assert isinstance(result.df, tuple) and all(isinstance(value, float) for value in result.df), "df: floats"
    assert np.isclose(result.estimate, np.mean(first - second)), "estimate is the mean difference"
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


def _check_invariance(test: Callable[..., Any], first: Array, second: Array) -> None:
    plain = _run(test, first, second).pvalue
    assert np.isclose(plain, _run(test, 3.7 * first, 3.7 * second).pvalue), "scaling both changes no p"
    difficulty = np.linspace(0.0, 0.4, first.size).reshape(first.shape)
    assert np.isclose(plain, _run(test, first + difficulty, second + difficulty).pvalue), "fold difficulty cancels"


def _check_input_kept(test: Callable[..., Any], first: Array, second: Array) -> None:
    copies = first.copy(), second.copy()
    from_lists = _run(test, first.tolist(), second.tolist())
    assert np.isclose(from_lists.pvalue, _run(test, first, second).pvalue), "lists give what arrays give"
    assert (first == copies[0]).all() and (second == copies[1]).all(), "input is never changed"


def _check_identical(test: Callable[..., Any], facts: Method, rng: np.random.Generator) -> None:
    first, _ = _example(facts, rng)
    result = _run(test, first, first)
    assert result.pvalue == 1.0, "identical learners: no evidence, p = 1"
    assert np.isfinite(result.statistic), "identical learners: a finite statistic"
    if facts.one_sided:
        assert _run(test, first, first, alternative="greater").pvalue >= 0.5, "identical learners: one-sided p ≥ 0.5"


def _check_batch(test: Callable[..., Any], facts: Method, rng: np.random.Generator) -> None:
    first, second = _example(facts, rng, batch=(2, 3))
    batch = _run(test, first, second)
    assert np.shape(batch.pvalue) == (2, 3), "batch axes stay in front"
    for index in np.ndindex(2, 3):
        single = _run(test, first[index], second[index])
        assert np.isclose(batch.pvalue[index], single.pvalue, rtol=1e-12), "a batch gives what single calls give"
        assert np.isclose(batch.statistic[index], single.statistic, rtol=1e-12), "same statistic in a batch"


def _check_refusals(test: Callable[..., Any], facts: Method, rng: np.random.Generator) -> None:
    first, second = _example(facts, rng)
    broken = first.copy()
    broken.flat[0] = np.nan
    refuses(lambda: test(broken, second), what="NaN")
    broken.flat[0] = np.inf
    refuses(lambda: test(broken, second), what="infinity")
    refuses(lambda: test([], []), what="empty input")
    refuses(lambda: test(first[..., :-1], second), what="unequal designs")
    refuses(lambda: test(np.full(first.shape, "a"), second), what="text")
    refuses(lambda: test(first, second, alternative="sideways"), what="an unknown alternative")
