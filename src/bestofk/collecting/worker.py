"""The one function that every engine calls in its workers."""

from __future__ import annotations

import time

from bestofk.collecting.job import Done, Job
from bestofk.collecting.limits import run_within_limits
from bestofk.collecting.process import BEGUN, SETTINGS, one_thread


def work(token: str, job: Job) -> Done:
    """Run one job on one thread, within the limits of its setting."""
    setting, begun = SETTINGS[token], BEGUN.get(token)
    if begun is not None:
        begun.send((job.dataset, job.learner, job.start, job.stop))
    start = time.perf_counter()
    with one_thread():
        limited = setting.timeout is not None or setting.memory is not None
        result = run_within_limits(token, setting, job) if limited else setting.run(job)
    return Done(job, result, time.perf_counter() - start)
