"""Randomized ANOVA of learning curves: matrix form (numpy only) and compiled kernel (extra ``fast``)."""

from __future__ import annotations

import numpy as np
from scipy.stats import permutation_test

from benchmarks.speed.measure import Row, contest, near, same
from bestofk.stats.curves import randomized_anova

SHUFFLES = 10_000
PEER_SHUFFLES = 300
BACKENDS = {"numpy": "numpy only", "numba": "with `fast`"}
DEMANDS = {(2, 20, 20): {"numpy": 40, "numba": 300}, (5, 30, 100): {"numpy": 12, "numba": 50}}


def f_of(lines: np.ndarray, group: np.ndarray, algorithms: int) -> tuple[float, float]:
    """F of algorithm and of interaction in plain numpy, one table at a time."""
    count, points = lines.shape
    grand = lines.mean()
    training = count * np.square(lines.mean(axis=0) - grand).sum()
    algorithm = cells = 0.0
    for i in range(algorithms):
        own = lines[group == i]
        algorithm += own.size * (own.mean() - grand) ** 2
        cells += len(own) * np.square(own.mean(axis=0) - grand).sum()
    error = (np.square(lines - grand).sum() - cells) / (points * (count - algorithms))
    interaction = (cells - algorithm - training) / ((algorithms - 1) * (points - 1))
    return algorithm / (algorithms - 1) / error, interaction / error


def by_scipy(curves: np.ndarray, shuffles: float):
    """Whole curves change places: what scipy permutes are the numbers of the lines."""
    algorithms, runs, points = curves.shape
    lines = curves.reshape(-1, points)
    numbers = np.arange(len(lines)).reshape(algorithms, runs)

    def statistic(*dealt: np.ndarray) -> float:
        group = np.empty(len(lines), dtype=int)
        for i, mine in enumerate(dealt):
            group[mine] = i
        return f_of(lines, group, algorithms)[0]

    return permutation_test(
        list(numbers), statistic, vectorized=False, n_resamples=shuffles, alternative="greater", rng=3
    )


def curves_of(algorithms: int, runs: int, points: int) -> np.ndarray:
    """Noisy learning curves with a level of their own and a slight difference between algorithms."""
    rng = np.random.default_rng(4)
    shape = (algorithms, runs, points)
    rise = 1.0 - np.exp(-np.arange(1, points + 1) / (points / 4.0))
    level = 0.05 * rng.normal(size=(algorithms, runs, 1)) + 0.01 * np.arange(algorithms)[:, None, None]
    return rise + level + 0.03 * np.cumsum(rng.normal(size=shape), axis=-1) / np.sqrt(points)


def rows() -> list[Row]:
    _check_exact()
    found = []
    for shape in DEMANDS:
        curves = curves_of(*shape)
        _check_sampled(curves)
        found += [_row(curves, backend, SHUFFLES, demanded) for backend, demanded in DEMANDS[shape].items()]
        # The default number of shuffles, where fixed costs weigh more; the demand says nothing of it.
        found += [_row(curves, backend, 1000, None) for backend in BACKENDS]
    return found


def _row(curves: np.ndarray, backend: str, shuffles: int, demand: float | None) -> Row:
    m, runs, points = curves.shape
    our_time, peer_time = contest(
        lambda: randomized_anova(*curves, shuffles=shuffles, rng=5, backend=backend),
        lambda: by_scipy(curves, PEER_SHUFFLES),
    )
    return Row(
        f"randomized ANOVA m = {m}, l = {runs}, k = {points}, {shuffles:,} shuffles, {BACKENDS[backend]}",
        "`scipy.stats.permutation_test`, F in Python",
        our_time,
        peer_time * shuffles / PEER_SHUFFLES,
        demand=demand,
        note=f"peer timed on {PEER_SHUFFLES} shuffles" + ("; compiled before" if backend == "numba" else ""),
    )


def _check_exact() -> None:
    """All 70 ways to deal 8 curves: the whole null distributions must be the same."""
    curves = curves_of(2, 4, 6)
    theirs = by_scipy(curves, np.inf)
    for backend in BACKENDS:
        ours = randomized_anova(*curves, exact=True, backend=backend)
        same(ours.f_alg, theirs.statistic, f"F ({backend})")
        same(np.sort(ours.null_alg), np.sort(theirs.null_distribution), f"all shuffled F ({backend})")


def _check_sampled(curves: np.ndarray) -> None:
    theirs = by_scipy(curves, PEER_SHUFFLES)
    algorithms, runs, points = curves.shape
    f_int = f_of(curves.reshape(-1, points), np.repeat(np.arange(algorithms), runs), algorithms)[1]
    found = {name: randomized_anova(*curves, shuffles=SHUFFLES, rng=5, backend=name) for name in BACKENDS}
    for name, ours in found.items():
        same(ours.f_alg, theirs.statistic, f"F ({name})")
        same(ours.f_int, f_int, f"F of interaction ({name})")
        near(ours.p_alg, theirs.pvalue, (SHUFFLES, PEER_SHUFFLES), f"p of the randomized ANOVA ({name})")
    for null in ("null_alg", "null_int"):
        same(getattr(found["numba"], null), getattr(found["numpy"], null), f"{null} of both backends", 1e-12)
