"""Newman–Keuls: 30,000 runs of 5 learners on 10 folds."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from scipy.stats import studentized_range

from benchmarks.speed.measure import Row, contest, same
from bestofk.stats.omnibus import newman_keuls

RUNS, LEARNERS, FOLDS = 30_000, 5, 10
PEER_RUNS = 50
ALPHA = 0.05

COLD = """
import time
import numpy as np
from bestofk.stats.omnibus import newman_keuls
losses = np.random.default_rng(0).normal(size=({shape}))
start = time.process_time()
newman_keuls(losses)
print(time.process_time() - start)
"""


def by_scipy(losses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One run, step down from the widest range: q and p (NaN where nothing is tested), by place in the order."""
    k, folds = losses.shape
    means = losses.mean(axis=1)
    error = np.square(losses - means[:, None]).sum() / (k * (folds - 1))
    ordered = np.sort(means)
    q, p = np.full((k, k), np.nan), np.full((k, k), np.nan)
    for size in range(k, 1, -1):
        for i in range(k - size + 1):
            j = i + size - 1
            around = [p[i - 1, j]] if i > 0 else []
            around += [p[i, j + 1]] if j < k - 1 else []
            if all(outer <= ALPHA for outer in around):  # NaN: not tested itself, so nothing inside is
                q[i, j] = (ordered[j] - ordered[i]) * np.sqrt(folds / error)
                p[i, j] = max(studentized_range.sf(q[i, j], size, k * (folds - 1)), *around, 0.0)
    return q, p


def rows() -> list[Row]:
    rng = np.random.default_rng(6)
    noise = rng.normal(size=(RUNS, LEARNERS, FOLDS))
    found = []
    for what, apart in (("learners apart", 1.0), ("learners equal", 0.0)):  # many ranges to test, or one
        found.append(_row(noise + apart * np.arange(LEARNERS)[:, None], what))
    return [*found, _cold((LEARNERS, FOLDS)), _cold((RUNS, LEARNERS, FOLDS))]


def _row(losses: np.ndarray, what: str) -> Row:
    few = losses[:PEER_RUNS]
    tested = _check(few)
    our_time, peer_time = contest(lambda: newman_keuls(losses, alpha=ALPHA), lambda: [by_scipy(run) for run in few])
    return Row(
        f"Newman–Keuls, {RUNS:,} runs × K = {LEARNERS} (L = {FOLDS}), {what}",
        "`scipy.stats.studentized_range.sf` per tested range",
        our_time,
        peer_time * RUNS / PEER_RUNS,
        demand=1000,
        note=f"peer timed on {PEER_RUNS} runs, {tested / PEER_RUNS:.1f} ranges tested in a run",
    )


def _check(few: np.ndarray) -> int:
    """Same q and p on every tested range, nothing told apart elsewhere; how many ranges the peer tests."""
    ours = newman_keuls(np.repeat(few, 2, axis=0), alpha=ALPHA)  # each twice: 64 or more p values come from the table
    count = 0
    for run, losses in enumerate(few):
        q, p = by_scipy(losses)
        tested = ~np.isnan(p)
        count += int(tested.sum())
        order = np.ix_(ours.order[2 * run], ours.order[2 * run])
        same(ours.statistic[2 * run][order][tested], q[tested], "q")
        same(ours.pvalue[2 * run][order][tested], p[tested], "p of Newman–Keuls")
        together = np.triu(~(p <= ALPHA), 1)  # accepted, or inside an accepted range
        same(np.triu(ours.ranges[2 * run][order], 1), together, "ranges not told apart")
    return count


def _cold(shape: tuple[int, ...]) -> Row:
    """The first call of a process builds the tables of the studentized range."""
    script = COLD.format(shape=", ".join(map(str, shape)))
    times = [
        float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    what = f"{shape[0]:,} runs" if len(shape) == 3 else "one run"
    return Row(f"Newman–Keuls, first call in a new process, {what} × K = {LEARNERS}", "", min(times))
