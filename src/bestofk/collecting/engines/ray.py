"""Tasks of Ray: it runs a task again when a worker dies, and the setting of a run is loaded by each worker once."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from concurrent.futures import Future
from contextlib import closing
from functools import wraps
from pickle import loads
from typing import Any

from bestofk.collecting.cell.failures import reason_of
from bestofk.collecting.engines.pool import Keeper, OfCluster, Rest, refusal, refuse_unportable
from bestofk.collecting.engines.process import SETTINGS
from bestofk.collecting.engines.worker import work
from bestofk.collecting.run.jobs import Done, Job, Setting
from bestofk.core.extras import need

#: Jobs under way per worker: one that runs and one that waits.
PER_WORKER = 2
#: Times that Ray itself runs a task again whose worker died.
RETRIES = 3


class Ray:
    """Runs cells on the Ray cluster that is at hand (``RAY_ADDRESS``), or on this machine."""

    def __init__(self, workers: int | None = None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a Ray that is started here tells nobody
        ray = need("ray", purpose="the engine ray")
        if not ray.is_initialized():  # joins the cluster of RAY_ADDRESS, or starts one here
            ray.init(include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        _speak_on_stderr()
        self.wanted = workers

    @property
    def workers(self) -> int:
        """How many cells run at once."""
        return min(_cores(), self.wanted or _cores())

    def run(self, setting: Setting, jobs: Iterator[Job]) -> Generator[list[Done]]:
        """Run jobs on the cluster; what is under way when this is closed is cancelled."""
        from ray.exceptions import RayTaskError

        refuse_unportable(setting)
        # A task takes one core: where fewer workers are wanted than there are cores, no task may wait.
        slots = self.workers if self.workers < _cores() else PER_WORKER * self.workers
        with closing(_Tasks(setting)) as tasks:
            try:
                yield from Keeper(tasks, setting, jobs, slots).run()
            except RayTaskError as error:
                raise refusal(
                    f"workers of Ray cannot take the plan: {reason_of(error).splitlines()[-1]}",
                    "give all workers the packages and modules of this process, in the same versions.",
                ) from None


def _speak_on_stderr() -> None:
    """Let Ray say on stderr that a worker died: it has no option for it, and stdout is for the answer."""
    from ray._private import worker

    speak = getattr(worker, "print_to_stdstream", None)
    if speak is not None and not hasattr(speak, "__wrapped__"):

        @wraps(speak)
        def aside(data: Any, *words: Any, **options: Any) -> None:
            speak({**data, "is_err": True}, *words, **options)

        worker.print_to_stdstream = aside


def _cores() -> int:
    import ray

    return max(1, int(ray.cluster_resources().get("CPU", 1)))


class _Tasks(OfCluster):
    """Tasks of one run."""

    def __init__(self, setting: Setting) -> None:
        import ray
        from joblib.externals.loky.backend.reduction import dumps
        from ray import exceptions

        self.lost: tuple[type[BaseException], ...] = (
            exceptions.WorkerCrashedError,
            exceptions.OutOfMemoryError,
            exceptions.NodeDiedError,
            exceptions.ObjectLostError,
        )
        super().__init__()
        self.under_way = dict[Future[Done], Any]()
        # Packed, so that a worker has a copy of its own: arrays that Ray itself hands out cannot be written to.
        self.parcel = [ray.put(dumps(setting))]
        self.run = ray.remote(_work).options(num_cpus=1, max_retries=RETRIES)

    def submit(self, job: Job) -> Future[Done]:
        reference = self.run.remote(self.token, self.parcel, job)
        future: Future[Done] = reference.future()
        self.under_way[future] = reference
        future.add_done_callback(lambda done: self.under_way.pop(done, None))
        self.handed_out.add(job)
        return future

    def idle(self) -> Rest | None:
        """Nobody can tell: Ray waits for workers as long as it takes."""
        return None

    def close(self) -> None:
        import ray

        for reference in list(self.under_way.values()):
            ray.cancel(reference, force=True)


def _work(token: str, parcel: list[Any], job: Job) -> Done:
    """Run a job in a worker of Ray."""
    if token not in SETTINGS:
        import ray

        SETTINGS[token] = loads(ray.get(parcel[0]))  # noqa: S301  the process that collects packed it
    return work(token, job)
