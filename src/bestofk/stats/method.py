"""What a registered test says of itself: the design it needs and the questions it can answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any, Literal, TypeVar

from bestofk.core.errors import InputError

#: values     one axis: folds, data sets or runs
#: 5x2        two axes: 5 replications of 2 folds
#: RxF        two axes: replications and folds
#: runs       one axis of each: independent runs, of any number
#: items      one axis: 0/1 losses on the items of one test set
#: K-values   two axes: learners, then folds
#: values-K   two axes: data sets, then learners
#: items-K    two axes: items (1 = correct), then learners
Design = Literal["values", "runs", "5x2", "RxF", "items", "K-values", "values-K", "items-K"]

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Paper:
    """A paper in short, as a text cites it, and in full."""

    short: str
    full: str
    doi: str = ""


@dataclass(frozen=True)
class Method:
    """Facts about a test that other rooms (ordering, judging, testing) read instead of guessing."""

    design: Design
    one_sided: bool = False
    flattened_by: tuple[str, ...] = ()  # options with which the design is one list of values
    seeded: bool = False  # takes rng=
    papers: tuple[Paper | str, ...] = ()  # most important first; a name is that of a paper in reporting/papers.py

    @property
    def axes(self) -> int:
        """Number of axes at the end that are the design."""
        return 1 if self.design in ("values", "runs", "items") else 2

    def axes_with(self, options: Mapping[str, Any]) -> int:
        """The same when the test is called with these options."""
        return 1 if any(options.get(name) is not None for name in self.flattened_by) else self.axes


def method(
    design: Design,
    *,
    one_sided: bool = False,
    flattened_by: tuple[str, ...] = (),
    papers: tuple[Paper | str, ...] = (),
) -> Callable[[Function], Function]:
    """Mark a function as a test: the design that it takes, its sides, and the papers it rests on."""

    def mark(function: Function) -> Function:
        seeded = "rng" in signature(function).parameters
        function.method = Method(design, one_sided, flattened_by, seeded, papers)  # type: ignore[attr-defined]
        return function

    return mark


def method_of(function: Callable[..., Any]) -> Method:
    """Return what a test says of itself."""
    found = getattr(function, "method", None)
    if not isinstance(found, Method):
        raise InputError(
            f"{getattr(function, '__name__', function)!r} does not say which design it needs.",
            "registered test",
            "decorate it with bestofk.stats.method.method(design=...).",
        )
    return found
