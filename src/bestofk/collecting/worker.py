"""The one function that every engine calls in its workers.

Cells of one process share the global generators, the filters of warnings and the limits on threads. A worker that runs
several at once, in threads, gives each thread a child process of its own: a lock around a cell would be as right, but
would leave a worker of sixteen threads, as ``dask worker`` starts them, with one cell at a time.
"""

from __future__ import annotations

import time

from bestofk.collecting.job import Done, Job, Setting
from bestofk.collecting.limits import run_apart, run_within_limits
from bestofk.collecting.process import BEGUN, SETTINGS, THREADS, one_thread
from bestofk.collecting.shared_compiling import compiling_seconds
from bestofk.design.plan.cell import CellResult


def work(token: str, job: Job) -> Done:
    """Run one job, within the limits of its setting, with one thread for BLAS and OpenMP."""
    setting, begun = SETTINGS[token], BEGUN.get(token)
    if begun is not None:
        begun.send((job.dataset, job.learner, job.start, job.stop))
    start, compiled = time.perf_counter(), compiling_seconds()
    result = _run(token, setting, job)
    return Done(job, result, time.perf_counter() - start, compiling_seconds() - compiled)


def _run(token: str, setting: Setting, job: Job) -> CellResult:
    if setting.timeout is not None or setting.memory is not None:
        return run_within_limits(token, setting, job)
    if THREADS[token] > 1:
        return run_apart(token, setting, job)
    with one_thread():
        return setting.run(job)
