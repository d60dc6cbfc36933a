"""Keeping a pool of workers busy, and bringing work to its end when workers die."""

from __future__ import annotations

import warnings
from collections import Counter, deque
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import NamedTuple, Protocol
from uuid import uuid4

from bestofk.collecting.cell.failures import reason_of
from bestofk.collecting.run.jobs import Done, Job, Setting
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.learners.learner import Learner

#: A cell whose worker died runs again once beside others and then alone: a cell that kills is told from its neighbours.
TOGETHER = 1
#: Workers that die so often in a row without having begun anything will never begin.
FALSE_STARTS = 10
#: Seconds between two looks whether a worker is at work.
LOOK_EVERY = 0.2
#: Seconds without a finished job until it is asked whether anybody is at work, how often nobody may be, and how often
#: in turn before jobs are handed out again.
STILL, RESCUES, LOOKS = 30.0, 9, 2


def refusal(wrong: str, fix: str) -> InputError:
    """The error of an engine that cannot work."""
    return InputError(wrong, "collect, engine", fix)


def refuse_unportable(setting: Setting) -> None:
    """Say which learner or data set cannot travel to another process."""
    from joblib.externals.loky.backend.reduction import dumps

    parts: tuple[Learner | Dataset, ...] = (*setting.learners, *setting.datasets)
    for each in parts:
        try:
            dumps(each)
        except Exception as error:
            raise refusal(
                f"{each.name} cannot be sent to a worker process: {reason_of(error).splitlines()[-1]}",
                "keep open files, locks and connections out of it, or use engine='serial' (--engine serial).",
            ) from None


class Idle(UserWarning):
    """Workers of an engine do not take up what they are handed."""


class Rest(NamedTuple):
    """Why nobody works on what was handed out, and whether it waits for workers, of which there are none now."""

    why: str
    waiting: bool


class Pool(Protocol):
    """Workers that take jobs; ``lost`` are the errors that mean that a worker died."""

    @property
    def again(self) -> int:
        """How often a cell whose worker died runs again."""
        ...

    @property
    def lost(self) -> tuple[type[BaseException], ...]:
        """Errors that mean that a worker died."""
        ...

    def submit(self, job: Job) -> Future[Done]:
        """Hand out a job."""
        ...

    def begun(self) -> set[Job]:
        """Jobs that workers have begun since this was last asked."""
        ...

    def renew(self) -> None:
        """Be ready for jobs again after workers died."""
        ...

    def idle(self) -> Rest | None:
        """Why nobody works on what was handed out; None where somebody does, or nobody can tell."""
        ...


class OfCluster:
    """What pools of clusters share: the cluster gives a job to other workers when one dies, before it gives it up."""

    again = 1  # the cluster itself has tried several workers before it gives a cell up

    def __init__(self) -> None:
        self.token, self.handed_out = uuid4().hex, set[Job]()

    def begun(self) -> set[Job]:
        """All that were handed out: the cluster gives a job up only after several workers died with it."""
        handed_out, self.handed_out = self.handed_out, set()
        return handed_out

    def renew(self) -> None:
        """Nothing to do: the cluster goes on with the workers it has, or starts others."""


class Keeper:
    """Hands out jobs so that ``slots`` are under way, and gives what has finished."""

    def __init__(self, pool: Pool, setting: Setting, jobs: Iterator[Job], slots: int) -> None:
        self.pool, self.setting, self.jobs, self.slots = pool, setting, jobs, slots
        self.under_way: dict[Future[Done], Job] = {}
        self.again: deque[Job] = deque()
        self.suspects: deque[Job] = deque()
        self.deaths: Counter[Job] = Counter()
        self.killers: set[int] = set()  # learners of which a cell killed its worker every time
        self.begun: set[Job] = set()
        self.false_starts = 0
        self.rescues = self.looks = 0

    def run(self) -> Generator[list[Done]]:
        """Give what has finished, until nothing is left to do; when interrupted, what has finished by then.

        An empty list comes first where a worker is at work and nothing has finished yet.
        """
        told = False
        while self._fill():
            try:
                done, _ = wait(self.under_way, STILL if told else LOOK_EVERY, FIRST_COMPLETED)
            except KeyboardInterrupt:
                yield [future.result() for future in self.under_way if future.done() and future.exception() is None]
                raise
            if not done and not told:
                self.begun |= self.pool.begun()
                if told := bool(self.begun):
                    yield []
                continue
            if not done:
                self._rescue()
                continue
            self.rescues = self.looks = 0
            finished = self._collect()
            if finished:
                yield finished

    def _rescue(self) -> None:
        """Hand out again what nobody works on at two looks in turn; when that was of no use, say so and end.

        What waits for workers is left alone: handed out again, a cell that kills them would count as a new one.
        """
        rest = self.pool.idle()
        if rest is None:
            self.rescues = self.looks = 0
            return
        self.rescues, self.looks = self.rescues + 1, 0 if rest.waiting else self.looks + 1
        if self.rescues > RESCUES:
            raise refusal(
                f"{rest.why}, {self.rescues * STILL:.0f} seconds long.",
                "what has finished is in the store: see what became of the workers, and run the same command again.",
            )
        if self.looks < LOOKS:
            return
        warnings.warn(f"{rest.why}: {counted(len(self.under_way), 'cell')} handed out again.", Idle, stacklevel=2)
        self.looks = 0
        self.again.extend(self.under_way.values())
        for future in self.under_way:
            future.cancel()
        self.under_way.clear()

    def _fill(self) -> bool:
        """Hand out jobs while there is room; a suspect only when nothing else is under way."""
        if self.suspects and not self.under_way:
            self._submit(self.suspects.popleft())
        while not self.suspects and len(self.under_way) < self.slots:
            job = self.again.popleft() if self.again else next(self.jobs, None)
            if job is not None and job.learner in self.killers:
                self.suspects.append(job)
            elif job is None or not self._submit(job):
                break
        return bool(self.under_way) or (bool(self.suspects) and self._fill())

    def _submit(self, job: Job) -> bool:
        """Hand out a job; False when the pool broke since we last looked, which its other jobs will tell us."""
        try:
            self.under_way[self.pool.submit(job)] = job
        except self.pool.lost:
            if self.under_way:
                self.again.appendleft(job)
                return False
            self.pool.renew()
            self.under_way[self.pool.submit(job)] = job
        return True

    def _collect(self) -> list[Done]:
        finished, died = self._settled()
        if died:
            self._start_anew(any(job in self.begun for job, _ in died))
            more, lost = self._settled()  # a new pool ends what was still under way in the old one
            finished, died = finished + more, died + lost
        return finished + [failed for job, error in died for failed in self._after_death(job, error)]

    def _settled(self) -> tuple[list[Done], list[tuple[Job, BaseException]]]:
        """Take off what is no longer under way: jobs that finished, and jobs whose worker died."""
        finished: list[Done] = []
        died: list[tuple[Job, BaseException]] = []
        self.begun |= self.pool.begun()
        for future in [each for each in self.under_way if each.done()]:
            job = self.under_way.pop(future)
            try:
                finished.append(future.result())
            except self.pool.lost as error:
                died.append((job, error))
        return finished, died

    def _start_anew(self, begun: bool) -> None:
        self.false_starts = 0 if begun else self.false_starts + 1
        if self.false_starts > FALSE_STARTS:
            raise refusal(
                f"workers died {self.false_starts} times in a row before they began to work.",
                "see that there is memory for the data sets in every worker (--engine local:1 needs least), "
                "or find the reason with --engine serial.",
            )
        self.pool.renew()

    def _after_death(self, job: Job, error: BaseException) -> list[Done]:
        self.deaths[job] += job in self.begun  # one that still waited has no part in it
        self.begun.discard(job)
        if self.deaths[job] > (0 if job.learner in self.killers else self.pool.again):
            self.killers.add(job.learner)  # its further cells run alone, and once: each death costs a new pool
            times = counted(self.deaths[job], "time")
            reason = f"{type(error).__name__}: the worker died with this cell {times}."
            return [Done(job, self.setting.failed(job, reason), 0.0)]
        (self.again if self.deaths[job] <= TOGETHER else self.suspects).append(job)
        return []
