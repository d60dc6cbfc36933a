"""Where cells run: here, in processes of this machine, on a Dask cluster, on Ray; and which of these a name means."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from importlib import import_module
from typing import Protocol
from uuid import uuid4

from bestofk.collecting.engines.process import SETTINGS
from bestofk.collecting.engines.worker import end_children, work
from bestofk.collecting.run.jobs import Done, Job, Setting
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.options import count_of

WHERE = "collect, engine"
CLUSTERS = ("tcp://", "tls://", "ucx://", "ws://", "wss://", "inproc://")
KNOWN = ("local", "local:4", "serial", "tcp://host:8786", "ray")


class Engine(Protocol):
    """Runs jobs somewhere. ``workers`` is how many cells run at once."""

    @property
    def workers(self) -> int:
        """How many cells run at once."""
        ...

    def run(self, setting: Setting, jobs: Iterator[Job]) -> Generator[list[Done]]:
        """Run jobs, asking for the next one when there is room, and give what has finished as it finishes.

        What comes in one list is written in one transaction; an empty one says that work has begun. When the iterator
        is closed, nothing of it goes on.
        """
        ...


def engine_of(name: str | Engine, *, workers: int | None = None) -> Engine:
    """Return the engine that a name means: ``local``, ``local:4``, ``serial``, ``tcp://host:8786`` (Dask), ``ray``.

    Examples
    --------
    >>> engine_of("local:3").workers
    3
    """
    if not isinstance(name, str):
        return name
    if workers is not None:
        count_of(workers, name="workers", where=WHERE, at_least=1)
    kind, _, rest = name.partition(":")
    if name.startswith(CLUSTERS):
        return _made("dask", "Dask", name, workers)
    if kind == "local":
        return _made("local", "Local", _number(name, rest, workers))
    if name == "serial":
        return Serial()
    if name == "ray":
        return _made("ray", "Ray", workers)
    raise unknown(name, KNOWN, what="engine", where=WHERE)


def _made(module: str, kind: str, *arguments: object) -> Engine:
    found: Engine = getattr(import_module(f"bestofk.collecting.engines.{module}"), kind)(*arguments)
    return found


def _number(name: str, text: str, workers: int | None) -> int | None:
    if not text and name == "local":
        return workers
    if re.fullmatch("0*[1-9][0-9]{0,5}", text) is None:
        raise InputError(f"the engine {name!r} does not say how many workers.", WHERE, "write local:4, or local.")
    if workers is not None and workers != int(text):
        raise InputError(f"the engine is {name!r}, but workers is {workers}.", WHERE, "say the number once.")
    return int(text)


class Serial:
    """Runs every cell here."""

    workers = 1

    def run(self, setting: Setting, jobs: Iterator[Job]) -> Generator[list[Done]]:
        """Run jobs one by one."""
        token = uuid4().hex
        SETTINGS[token] = setting
        try:
            yield []
            for job in jobs:
                yield [work(token, job)]
        finally:
            del SETTINGS[token]
            end_children(token)
