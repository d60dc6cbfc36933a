"""The user's own Dask cluster: cells go to its scheduler, the setting goes to each worker once."""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import closing, contextmanager
from threading import Thread
from typing import Any

from bestofk.collecting.cell.failures import reason_of
from bestofk.collecting.engines.pool import Idle, Keeper, OfCluster, Rest, refusal, refuse_unportable
from bestofk.collecting.engines.worker import work
from bestofk.collecting.run.jobs import Done, Job, Setting
from bestofk.core.extras import need

PER_WORKER = 2
WAIT = 10  # seconds for a scheduler to answer
LOOKS = 6  # times that a first worker is waited for as long: one that starts on a busy machine takes a while
PAUSES = (0.5, 1.0, 2.0, 4.0)  # seconds after each failure to tell all workers: the scheduler then knows who is gone


class Dask:
    """Runs cells on the cluster of a scheduler, for example ``tcp://host:8786``."""

    def __init__(self, address: str, workers: int | None = None) -> None:
        self.address, self.wanted = address, workers
        need("distributed", purpose="a Dask cluster")

    @property
    def workers(self) -> int:
        """How many cells the cluster can run at once."""
        with closing(_client(self.address)) as client:
            return _threads(client, self.wanted)

    def look(self) -> None:
        """Refuse a scheduler that does not answer, or has no worker, before anything is made for the run."""
        _client(self.address).close()

    def run(self, setting: Setting, jobs: Iterator[Job]) -> Generator[list[Done]]:
        """Run jobs on the cluster; it is left as it was found."""
        refuse_unportable(setting)
        with _logging_nothing(), closing(_Cluster(self.address, setting)) as cluster:
            slots = PER_WORKER * _threads(cluster.client, self.wanted)
            try:
                yield from Keeper(cluster, setting, jobs, slots).run()
            except CancelledError:
                raise refusal(
                    f"the connection to the Dask scheduler at {self.address} was lost.",
                    "what has finished is in the store: start the cluster and run the same command again.",
                ) from None


@contextmanager
def _logging_nothing() -> Iterator[None]:
    """Keep what Dask's client logs about a lost connection, tracebacks and all, to ourselves: an error says it."""

    def silent(record: logging.LogRecord) -> bool:
        return record.levelno >= logging.CRITICAL

    loggers = [logging.getLogger(name) for name in ("distributed.client", "distributed.utils", "tornado.application")]
    for logger in loggers:
        logger.addFilter(silent)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(silent)


class _Cluster(OfCluster):
    """A connection whose workers, also those that join later, are told the setting."""

    def __init__(self, address: str, setting: Setting) -> None:
        from distributed import KilledWorker

        self.lost: tuple[type[BaseException], ...] = (KilledWorker,)
        super().__init__()
        self.client = _client(address)
        try:
            _tell_workers(self.client, _messenger(self.token, setting), self.token, address)
        except BaseException:
            self.client.close()
            raise
        self.executor = self.client.get_executor(pure=False)

    def submit(self, job: Job) -> Future[Done]:
        future: Future[Done] = self.executor.submit(work, self.token, job)
        self.handed_out.add(job)
        return future

    def idle(self) -> Rest | None:
        """Whether the scheduler is silent, or its workers or their work is gone."""
        try:
            working = self.client.sync(self.client.scheduler.processing, workers=None, callback_timeout=WAIT)
        except Exception:  # it may be busy; one that is gone cancels everything
            return Rest("the Dask scheduler does not answer", waiting=True)
        if not working:
            return Rest("the Dask cluster has no worker", waiting=True)
        return (
            None if any(working.values()) else Rest("no worker of the Dask cluster has anything to do", waiting=False)
        )

    def close(self) -> None:
        self.executor.shutdown(wait=False)
        try:
            _soon(lambda: self.client.unregister_worker_plugin(self.token))
        except Exception:  # the scheduler may be what went away
            return
        finally:
            self.client.close()


def _tell_workers(client: Any, messenger: Any, name: str, address: str) -> None:
    """Bring the setting to all workers; again where one of them dies just then."""
    for wait in PAUSES:
        try:
            client.register_plugin(messenger, name=name)
            return
        except (OSError, TimeoutError) as error:
            lost = f"{type(error).__name__}: {error}"
            time.sleep(wait)
        except Exception as error:  # what went wrong there comes back as it was, or as its text alone
            raise refusal(
                f"workers of the Dask cluster at {address} cannot take the plan: {reason_of(error).splitlines()[-1]}",
                "give all workers the packages and modules of this process, in the same versions.",
            ) from None
    wrong = f"workers of the Dask cluster at {address} went away {len(PAUSES)} times while the run began ({lost})."
    raise refusal(wrong, "see what ends them (their logs tell), and run the same command again.")


def _messenger(token: str, setting: Setting) -> Any:
    from distributed import WorkerPlugin

    class Messenger(WorkerPlugin):
        """Brings the setting of a run to a worker, and takes it away again.

        It travels by value, with copies of the globals that it names: the worker's own are reached by importing them.
        """

        def setup(self, worker: Any) -> None:
            from bestofk.collecting.engines.process import SETTINGS, THREADS

            SETTINGS[token] = setting
            THREADS[token] += worker.state.nthreads  # workers may also share a process

        def teardown(self, worker: Any) -> None:
            from bestofk.collecting.engines.process import SETTINGS, THREADS
            from bestofk.collecting.engines.worker import end_children

            THREADS[token] -= worker.state.nthreads
            if THREADS[token] <= 0:
                THREADS.pop(token), SETTINGS.pop(token, None)
                end_children(token)

    return Messenger()


def _client(address: str) -> Any:
    distributed: Any = need("distributed", purpose="a Dask cluster")
    try:
        client = _soon(lambda: distributed.Client(address, timeout=WAIT, set_as_default=False))
    except (OSError, TimeoutError, ValueError) as error:
        wrong = f"no Dask scheduler answers at {address} ({type(error).__name__})."
        raise refusal(wrong, "start one (dask scheduler), or give the address that it prints.") from None
    wrong = f"the Dask cluster at {address} has no worker"
    for _ in range(LOOKS):
        try:
            client.wait_for_workers(1, timeout=WAIT)
        except TimeoutError:
            warnings.warn(f"{wrong}: waiting for one.", Idle, stacklevel=2)
        else:
            return client
    client.close()
    raise refusal(f"{wrong}, {LOOKS * WAIT} seconds long.", f"start one: dask worker {address}")


def _soon(ask: Callable[[], Any]) -> Any:
    """What Dask answers, or a TimeoutError: by itself it waits for ever where a call is taken and nothing said."""
    answer: Future[Any] = Future()

    def call() -> None:
        try:
            answer.set_result(ask())
        except BaseException as error:
            answer.set_exception(error)

    Thread(target=call, daemon=True).start()
    return answer.result(timeout=LOOKS * WAIT)


def _threads(client: Any, wanted: int | None) -> int:
    there: int = sum(client.nthreads().values())
    return max(1, there if wanted is None else min(wanted, there))
