"""Ray, through the backend that it registers with joblib."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import islice
from uuid import uuid4

from bestofk.collecting.engines.process import SETTINGS
from bestofk.collecting.engines.worker import work
from bestofk.collecting.run.jobs import Done, Job, Setting
from bestofk.core.extras import need

#: Ray's backend gives results wave by wave; a wave of several cells per worker evens out short and long ones.
PER_WORKER = 4


class Ray:
    """Runs cells on the Ray cluster that is at hand (``RAY_ADDRESS``), or on this machine."""

    def __init__(self, workers: int | None = None) -> None:
        ray = need("ray", purpose="the engine ray")
        need("ray.util.joblib", purpose="the engine ray").register_ray()
        if not ray.is_initialized():  # joins the cluster of RAY_ADDRESS, or starts one here
            ray.init(include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        self.wanted = workers

    @property
    def workers(self) -> int:
        """How many cells run at once."""
        from joblib import effective_n_jobs, parallel_config

        with parallel_config(backend="ray", n_jobs=self.wanted or -1):
            return int(effective_n_jobs(self.wanted or -1))

    def run(self, setting: Setting, jobs: Iterator[Job]) -> Generator[list[Done]]:
        """Run jobs in waves; Ray itself runs a task again when its worker dies."""
        from joblib import Parallel, delayed, parallel_config

        token, workers = uuid4().hex, self.workers
        while wave := list(islice(jobs, PER_WORKER * workers)):
            with parallel_config(backend="ray", n_jobs=workers):
                yield Parallel(batch_size=1)(delayed(_tell_and_work)(token, setting, job) for job in wave)


def _tell_and_work(token: str, setting: Setting, job: Job) -> Done:
    SETTINGS.setdefault(token, setting)
    return work(token, job)
