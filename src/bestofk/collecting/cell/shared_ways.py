"""Ways of sharing in this process, or why there is none for a learner on a data set.

A way is made once and kept for the cells that follow. Its compiled loops are loaded in one piece; numba compiles them
once on a machine, for they are kept on its disk, and the seconds of that are counted.
"""

from __future__ import annotations

import signal
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from threading import Lock
from typing import Any, Literal

import numpy as np

from bestofk.collecting.cell.failures import reason_of
from bestofk.core.compiled import compiled_wanted
from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Folds
from bestofk.design.learners.learner import Learner
from bestofk.measures.catalogue import Measure
from bestofk.sharing.shelf import way_for
from bestofk.sharing.way import Way

#: When folds share work: from so many on that it pays, always where it can be done, or never.
Sharing = Literal["auto", "always", "never"]
#: Folds of a data set from which on what sharing takes to begin with (loading loops, lists of neighbours) is repaid.
ENOUGH = 100
#: Tolerance of a logistic regression up to which its predictions are those of the optimum; lbfgs with 1e-6 was seen to
#: differ from it in single rows.
TIGHT = 1e-8


def sharing_of(wish: bool | str) -> Sharing:
    """Return what an argument ``sharing`` means."""
    if wish is True or wish is False:
        return "auto" if wish else "never"
    if wish in ("auto", "always", "never"):
        return wish  # type: ignore[return-value]
    raise InputError(f"sharing is {wish!r}.", "collect, argument sharing", 'give True, False or "always".')


def why_of_plan(
    sharing: Sharing, dataset: Dataset, learner: Learner, folds: Folds, measures: Sequence[Measure], keep: bool
) -> str:
    """Why a plan lets the folds of a learner on a data set run by themselves."""
    if sharing == "never":
        return "sharing is off"
    if dataset.task != "classification":
        return "numbers are learnt, not classes"
    if measures:
        return f"{', '.join(each.name for each in measures)} needs more than predictions"
    if keep and hasattr(learner.make(), "predict_proba"):
        return "probabilities are kept with the predictions"
    count = folds.replications * folds.folds
    if sharing == "auto" and count < ENOUGH:
        return f"{count} folds; sharing pays from {ENOUGH} on"
    return ""


def why_unknown(learner: Learner) -> str:
    """Why no way of sharing recognised a learner."""
    estimator = _last(learner.make())
    if type(estimator).__name__ in ("KNeighborsClassifier", "ExactNeighbours") and not compiled_wanted():
        return "neighbours are shared by compiled loops, which the extra fast brings (numba)"
    return f"no sharing knows {type(estimator).__name__} with these parameters, on data prepared like this"


def why_loose(learner: Learner) -> str:
    """Why an estimator that stops before its optimum is not shared: the shared answer is that of the optimum."""
    estimator = _last(learner.make())
    if type(estimator).__name__ != "LogisticRegression" or estimator.tol <= TIGHT:
        return ""
    return f"{estimator.solver} with tol={estimator.tol:g} stops before rows on the border between classes are settled"


def _last(estimator: Any) -> Any:
    return estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator


_CLOCK: dict[str, Any] = {}


def load_loops() -> None:
    """Load numba where it is used, and take the time of what is compiled from now on."""
    if compiled_wanted() and not _CLOCK:
        events: Any = import_module("numba.core.event")
        _CLOCK["numba"] = events.TimingListener()
        events.register("numba:compile", _CLOCK["numba"])


def compiling_seconds() -> float:
    """All seconds of compiling so far."""
    clock = _CLOCK.get("numba")
    return float(clock.duration) if clock is not None and clock.done else 0.0


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait: a package that is half loaded when it comes stays broken for the rest of the process."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


#: Bytes of arrays in all ways that are kept; beyond it those that were not asked for longest are made anew.
MOST_BYTES = 256_000_000


@dataclass(eq=False)
class Found:
    """A way, or ``why`` there is none; ``checked`` when this process has compared it with the plain way."""

    way: Way | None
    why: str = ""
    checked: bool = False
    size: int = 0
    guard: Any = field(default_factory=Lock)  # ties are counted from call to call

    def distrust(self, why: str) -> None:
        """Leave all further folds to the plain way."""
        self.way, self.why = None, why


class Ways:
    """Ways by the very learner and data set, which are kept with them so that no other ones can have their numbers."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most = most
        self._kept: OrderedDict[tuple[int, int], tuple[Learner, Dataset, Found]] = OrderedDict()
        self._guard = Lock()

    def of(self, learner: Learner, dataset: Dataset) -> Found:
        """Return the way of a learner on a data set, made when first asked for."""
        place = (id(learner), id(dataset))
        with self._guard:
            if place not in self._kept:
                self._kept[place] = learner, dataset, way_or_why(learner, dataset)
            self._kept.move_to_end(place)
            return self._kept[place][2]

    def weigh(self, found: Found) -> None:
        """Take a way's size anew, for it grows with its first folds, and forget others where all are too large."""
        found.size = bytes_in(found.way)
        with self._guard:
            total = sum(each.size for *_, each in self._kept.values())
            for place in [place for place, (*_, each) in self._kept.items() if each is not found and each.way]:
                if total <= self.most:
                    return
                total -= self._kept.pop(place)[2].size

    def clear(self) -> None:
        """Forget all ways."""
        with self._guard:
            self._kept.clear()


def way_or_why(learner: Learner, dataset: Dataset) -> Found:
    """Make a way; whatever goes wrong in it is a reason for the plain way."""
    try:
        with uninterrupted():
            way = way_for(learner, dataset)
            if way is not None:
                load_loops()
    except Exception as error:
        return Found(None, f"sharing could not begin: {reason_of(error).splitlines()[-1]}")
    if way is None:
        return Found(None, why_unknown(learner))
    loose = why_loose(learner)
    return Found(None, loose) if loose else Found(way)


def bytes_in(thing: Any) -> int:
    """Bytes of the arrays that belong to a way, those of its data set aside."""
    packages = {"bestofk", _package(thing)}
    return sum({id(array): array.nbytes for array in _arrays(thing, packages, set())}.values())


def _arrays(thing: Any, packages: set[str], seen: set[int]) -> Iterator[Any]:
    if id(thing) in seen or isinstance(thing, Dataset | Learner):
        return
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        yield thing if thing.base is None or not isinstance(thing.base, np.ndarray) else thing.base
        return
    inside: Any = ()
    if isinstance(thing, dict):
        inside = thing.values()
    elif isinstance(thing, list | tuple):
        inside = thing
    elif _package(thing) in packages and hasattr(thing, "__dict__"):
        inside = vars(thing).values()
    for each in inside:
        yield from _arrays(each, packages, seen)


def _package(thing: Any) -> str:
    return type(thing).__module__.partition(".")[0]


WAYS = Ways()
