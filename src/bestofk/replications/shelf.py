"""Every paper whose experiment can be run again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from bestofk.core.names import unknown
from bestofk.core.shelf import Shelf
from bestofk.replications.replication import Progress, Replication


class Replicate(Protocol):
    """What a paper brings to the shelf: run its experiment.

    ``runs`` None is the paper's own number; no ``datasets`` are all that are to be had; ``data`` is a folder with
    index.json; ``into`` a file that keeps what is done, so that a run that was stopped goes on.
    """

    def __call__(
        self,
        *,
        runs: int | None,
        datasets: Sequence[str],
        data: str | None,
        into: str | Path | None,
        seed: int,
        workers: int,
        progress: Progress,
    ) -> Replication:
        """Run the experiment and return ours beside theirs."""
        ...


def _papers() -> dict[str, Replicate]:
    from bestofk.replications.bramer.replicate import replicate as bramer
    from bestofk.replications.curves.replicate import replicate as curves
    from bestofk.replications.multitest.replicate import replicate as multitest
    from bestofk.replications.multivariate.replicate import replicate as multivariate

    return {
        "bramer": bramer,
        "curves": curves,
        "multitest": multitest,
        "multivariate": multivariate,
    }


REPLICATIONS: Shelf[Replicate] = Shelf("replications", _papers)


def replicate(
    paper: str,
    *,
    runs: int | None = None,
    datasets: Sequence[str] = (),
    data: str | None = None,
    into: str | Path | None = None,
    seed: int = 1,
    workers: int = 1,
    progress: Progress = lambda done, total, what: None,
) -> Replication:
    """Run the experiment of a paper by its name: ``multitest``, ``curves``, ``multivariate``, ``bramer``."""
    if paper not in REPLICATIONS:
        raise unknown(paper, REPLICATIONS, what="replication", where="replicate, argument paper")
    return REPLICATIONS[paper](
        runs=runs, datasets=tuple(datasets), data=data, into=into, seed=seed, workers=workers, progress=progress
    )
