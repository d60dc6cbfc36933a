"""Curves: the paper's whole study, by extrapolation from a part, and the tests that came after it."""

from __future__ import annotations

import numpy as np
from scipy import stats

from benchmarks.speed.measure import Row, contest, near, same, timed
from benchmarks.speed.randomized_anova import f_of
from bestofk.replications.curves.pools import saturating, td0_curves
from bestofk.replications.curves.study import modified_run, power_run, type_one_run
from bestofk.stats.curves import clusters, feature_test, split_plot_anova

SHUFFLES, PEER_SHUFFLES = 10_000, 300
CORES = 2
#: Figures 3 and 4, 5, 6 of Piater et al.: ANOVAs of all rows, of which a part is timed.
DIVIDED = {"chess": 100 * 1000 * 501, "tic-tac-toe": 100 * 1000 * 501, "rl": 100 * 1000 * 501}
MODIFIED = 4 * 10 * 10 * 1000 * 401
POWER_RUNS = 4 * 10 * 8
DEMANDS = {"numba": 5 * 60.0, "numpy": 30 * 60.0}
NAMES = {"numba": "with `fast`", "numpy": "numpy only"}


def rows() -> list[Row]:
    return [*(_study(backend) for backend in DEMANDS), *_clusters(), _feature(), _shape(), *_tictactoe()]


def _study(backend: str) -> Row:
    """Wall seconds on two cores, from CPU seconds of a part: runs are independent and share nothing."""
    pools = {"chess": saturating(20), "tic-tac-toe": saturating(20, rng=1), "rl": saturating(10, rng=2)}
    seconds = sum(
        whole * _per_anova(lambda n, lines=pools[name]: _divided(lines, n, backend)) for name, whole in DIVIDED.items()
    )
    seconds += MODIFIED * _per_anova(lambda n: _modified(pools["chess"], n, backend), shuffles=400)
    seconds += POWER_RUNS * min(
        timed(lambda: power_run(pools["chess"], "a", 5.0, 100, 500, 0.05, _rng())) for _ in range(3)
    )
    total = sum(DIVIDED.values()) + MODIFIED + POWER_RUNS * 600
    peer = total * _peer_per_anova(pools["chess"])
    return Row(
        f"study of Piater et al. ({total / 1e6:.0f} million ANOVAs) on {CORES} cores, {NAMES[backend]}",
        f"{DEMANDS[backend] / 60:.0f} minutes",
        seconds / CORES,
        DEMANDS[backend],
        demand=1.0,
        ceiling=True,
        note=f"from a part; {peer / seconds:,.0f}× a loop over `scipy.stats.permutation_test`",
    )


def _per_anova(work, shuffles: int = 500, experiments: int = 60) -> float:
    work(2)  # compiled, and in cache
    return min(timed(lambda: work(experiments)) for _ in range(3)) / (experiments * (shuffles + 1))


def _divided(lines: np.ndarray, experiments: int, backend: str) -> None:
    type_one_run(lines, experiments, 500, 0.05, _rng(), backend)


def _modified(lines: np.ndarray, experiments: int, backend: str) -> None:
    modified_run(lines, "b", 5.0, experiments, 400, 0.05, _rng(), backend)


def _rng() -> np.random.Generator:
    return np.random.default_rng(0)


def _peer_per_anova(lines: np.ndarray) -> float:
    """CPU seconds of one shuffle in a loop over ``permutation_test`` that gives both F of 2 × 10 curves."""
    half = len(lines) // 2

    def statistic(first: np.ndarray, second: np.ndarray) -> float:
        group = np.zeros(len(lines), dtype=int)
        group[second] = 1
        return f_of(lines, group, 2)[0]

    numbers = (np.arange(half), np.arange(half, len(lines)))
    options = {"vectorized": False, "n_resamples": 500, "alternative": "greater", "rng": 3}
    return min(timed(lambda: stats.permutation_test(numbers, statistic, **options)) for _ in range(2)) / 501


def _pair() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    first, second = np.cumsum(rng.normal(size=(2, 20, 100)), axis=-1)
    return first, second + 0.5


def _largest_mass(t: np.ndarray, threshold: float) -> float:
    """Largest mass of either sign, step by step in Python."""
    best = 0.0
    for side in (t, -t):
        running = 0.0
        for value in side:
            running = running + value if value >= threshold else 0.0
            best = max(best, running)
    return best


def _clusters() -> list[Row]:
    first, second = _pair()
    lines = np.concatenate([first, second])
    threshold = clusters(first, second, shuffles=10, rng=0).threshold

    def statistic(one: np.ndarray, two: np.ndarray) -> float:
        return _largest_mass(stats.ttest_ind(lines[one], lines[two]).statistic, threshold)

    def peer() -> object:
        numbers = (np.arange(20), np.arange(20, 40))
        options = {"vectorized": False, "n_resamples": PEER_SHUFFLES, "alternative": "greater", "rng": 3}
        return stats.permutation_test(numbers, statistic, **options)

    theirs = peer()
    found = []
    for backend, name in NAMES.items():
        ours = clusters(first, second, shuffles=SHUFFLES, rng=5, backend=backend)
        same(ours.statistic, theirs.statistic, f"largest mass ({backend})")
        near(ours.pvalue, theirs.pvalue, (SHUFFLES, PEER_SHUFFLES), f"p of the largest cluster ({backend})")
        times = contest(lambda b=backend: clusters(first, second, shuffles=SHUFFLES, rng=5, backend=b), peer)
        found.append(_row(f"clusters over 100 steps, l = 20, {SHUFFLES:,} shuffles, {name}", times))
    return found


def _feature() -> Row:
    first, second = _pair()
    slopes = [np.polyfit(np.arange(1, 101), side.T, 1)[0] for side in (first, second)]

    def peer() -> object:
        def statistic(one, two, axis):
            return stats.ttest_ind(one, two, axis=axis).statistic

        return stats.permutation_test(slopes, statistic, vectorized=True, n_resamples=SHUFFLES, rng=3)

    ours, theirs = feature_test(first, second, feature="slope", shuffles=SHUFFLES, rng=5), peer()
    same(ours.statistic, theirs.statistic, "t of slopes")
    near(ours.pvalue, theirs.pvalue, (SHUFFLES, SHUFFLES), "p of slopes")
    times = contest(lambda: feature_test(first, second, feature="slope", shuffles=SHUFFLES, rng=5), peer)
    return Row(f"slopes of 2 × 20 curves, {SHUFFLES:,} shuffles", "`scipy.stats.permutation_test`, vectorized", *times)


def _shape() -> Row:
    first, second = _pair()
    shapes = np.concatenate([side - side.mean(axis=-1, keepdims=True) for side in (first, second)])

    def statistic(one: np.ndarray, two: np.ndarray) -> float:
        group = np.zeros(40, dtype=int)
        group[two] = 1
        return f_of(shapes, group, 2)[1] * 99 / 100  # the error of shapes has k − 1 degrees of freedom a curve

    def peer() -> object:
        numbers = (np.arange(20), np.arange(20, 40))
        options = {"vectorized": False, "n_resamples": PEER_SHUFFLES, "alternative": "greater", "rng": 3}
        return stats.permutation_test(numbers, statistic, **options)

    ours, theirs = split_plot_anova(first, second, shuffles=SHUFFLES, rng=5), peer()
    same(ours.f_shape, theirs.statistic, "F of shapes")
    near(ours.p_shape, theirs.pvalue, (SHUFFLES, PEER_SHUFFLES), "p of shapes")
    times = contest(lambda: split_plot_anova(first, second, shuffles=SHUFFLES, rng=5), peer)
    return _row(f"level and shape of 2 × 20 curves of 100 points, {SHUFFLES:,} shuffles, with `fast`", times)


def _row(work: str, times: tuple[float, float]) -> Row:
    return Row(
        work,
        "`scipy.stats.permutation_test`, statistic in Python",
        times[0],
        times[1] * SHUFFLES / PEER_SHUFFLES,
        note=f"peer timed on {PEER_SHUFFLES} shuffles",
    )


def _tictactoe() -> list[Row]:
    td0_curves(1, 1, rng=0)
    times = {"with `fast`": True, "plain Python": False}
    return [
        Row(
            f"TD(0) at tic-tac-toe, 10 curves of 20 points, {name}",
            "",
            timed(lambda c=c: td0_curves(rng=1, compile=c)),
        )
        for name, c in times.items()
    ]
