"""What a part says of itself: a test its design and sides, an adjustment what it holds, each the papers it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import isfunction, signature
from typing import Any, Literal, Protocol, TypedDict, TypeVar, Unpack, overload

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.stats.results import Result

#: values     one axis: folds, data sets or runs
#: 5x2        two axes: 5 replications of 2 folds
#: RxF        two axes: replications and folds
#: runs       one axis of each: independent runs, of any number
#: items      one axis: 0/1 losses on the items of one test set
#: K-values   two axes: learners, then folds
#: values-K   two axes: data sets, then learners
#: items-K    two axes: items (1 = correct), then learners
PairDesign = Literal["values", "runs", "5x2", "RxF", "items"]
Design = PairDesign | Literal["K-values", "values-K", "items-K"]

#: family  the chance of any false finding, whichever hypotheses are true
#: weak    the same, only when all hypotheses are true
#: fdr     the expected share of false findings
#: none    nothing
Holds = Literal["family", "weak", "fdr", "none"]


class PairwiseTest(Protocol):
    """A test of two learners; ``method_of`` says which design it needs, and some take more options.

    The result's ``estimate`` is the mean difference of all values, whatever the statistic; ``typical_interval`` gives
    another where the test is about that. ``confidence_interval(level)``, where a result has it, excludes 0 where the
    test rejects; of items it is made another way, and may not. Equal learners have p = 1.
    ``bestofk.testing.check_pairwise`` asks for all of it.
    """

    def __call__(self, first: Any, second: Any, *, alternative: str = ...) -> Result:
        """Ask whether the first loses more, less, or not as much as the second."""
        ...


Function = TypeVar("Function", bound=Callable[..., Any])
Pairwise = TypeVar("Pairwise", bound=PairwiseTest)


@frozen
class Paper:
    """A paper in short, as a text cites it, and in full."""

    short: str
    full: str
    doi: str = ""


#: Options of tests that shuffle, where many are made to see how often they reject.
QUICK: tuple[tuple[str, Any], ...] = (("shuffles", 2_000), ("refine", False))


@frozen
class Method:
    """Facts about a test that other rooms (ordering, judging, testing) read instead of guessing."""

    design: Design
    one_sided: bool = False
    flattened_by: tuple[str, ...] = ()  # options with which the design is one list of values
    seeded: bool = False  # takes rng=
    sized: bool = False  # takes sizes=, of values that are sums over groups of unequal size
    quick: tuple[tuple[str, Any], ...] = ()  # its options where thousands of tests are asked for
    papers: tuple[Paper | str, ...] = ()  # most important first; a name is that of a paper in reporting/papers.py
    called: str = ""  # in a paper: "the paired t test"
    assumes: str = ""  # a phrase: "independent data sets"
    not_for: str = ""
    about: str = "mean"  # of the differences; where it is another, results have a typical_interval
    name: str = ""  # on the shelf

    @property
    def ranks(self) -> bool:
        """Whether the test counts ranks or signs, of which the median difference is the size."""
        return self.about == "median"

    @property
    def axes(self) -> int:
        """Number of axes at the end that are the design."""
        return 1 if self.design in ("values", "runs", "items") else 2

    def axes_with(self, options: Mapping[str, Any]) -> int:
        """The same when the test is called with these options."""
        return 1 if any(options.get(name) is not None for name in self.flattened_by) else self.axes


@frozen
class AdjustmentMethod:
    """Facts about an adjustment of p values."""

    holds: Holds
    all_pairs: bool = False  # fits p values of all pairs of K learners only
    papers: tuple[Paper | str, ...] = ()
    called: str = ""
    assumes: str = ""
    not_for: str = ""
    name: str = ""


class Facts(TypedDict, total=False):
    """What ``method`` takes beside the design."""

    name: str
    one_sided: bool
    flattened_by: tuple[str, ...]
    papers: tuple[Paper | str, ...]
    called: str
    assumes: str
    not_for: str
    about: str


@overload
def method(design: PairDesign, **facts: Unpack[Facts]) -> Callable[[Pairwise], Pairwise]: ...
@overload
def method(design: Design, **facts: Unpack[Facts]) -> Callable[[Function], Function]: ...
def method(design: Design, **facts: Any) -> Callable[[Any], Any]:
    """Mark a function as a test: its design, its name on the shelf, and the other facts of a ``Method``."""

    def mark(function: Any) -> Any:
        options = signature(function).parameters
        quick = tuple((name, value) for name, value in QUICK if name in options)
        function.method = Method(design, seeded="rng" in options, sized="sizes" in options, quick=quick, **facts)
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


def fewest_values(test: PairwiseTest, most: int = 100) -> int:
    """The fewest values that a pairwise test of values takes."""
    for number in range(2, most):
        try:
            test(np.arange(1.0, number + 1.0), np.zeros(number))
        except InputError:
            continue
        return number
    return most


def adjustment(
    holds: Holds,
    *,
    name: str = "",
    all_pairs: bool = False,
    papers: tuple[Paper | str, ...] = (),
    called: str = "",
    assumes: str = "",
    not_for: str = "",
) -> Callable[[Function], Function]:
    """Mark a function as an adjustment of p values: the error that it holds, the pairs it needs, and its papers."""

    def mark(function: Function) -> Function:
        facts = AdjustmentMethod(holds, all_pairs, papers, called, assumes, not_for, name)
        function.adjustment = facts  # type: ignore[attr-defined]
        return function

    return mark


def adjustment_of(function: Callable[..., Any]) -> AdjustmentMethod:
    """Return what an adjustment says of itself."""
    found = getattr(function, "adjustment", None)
    if not isinstance(found, AdjustmentMethod):
        raise InputError(
            f"{getattr(function, '__name__', function)!r} does not say which error it holds.",
            "registered adjustment",
            'decorate it with bestofk.stats.method.adjustment("family"), or "weak", "fdr", "none".',
        )
    return found


def cites(
    *papers: Paper | str, called: str = "", assumes: str = "", not_for: str = ""
) -> Callable[[Function], Function]:
    """Mark any other part, a way of ordering or a test of curves, with the papers it rests on."""

    def mark(function: Function) -> Function:
        vars(function).update(papers=papers, called=called, assumes=assumes, not_for=not_for)
        return function

    return mark


def named(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of a module's parts whose mark has a name, by that name: what stands on its shelf."""
    functions = (part for part in parts.values() if isfunction(part))
    marks = ((getattr(each, "method", None) or getattr(each, "adjustment", None), each) for each in functions)
    found = [(mark.name, function) for mark, function in marks if mark is not None and mark.name]
    return dict(sorted(found, key=lambda each: str(each[0])))


def called_of(part: Any) -> str:
    """Return what a paper calls a part of any kind; empty where the part does not say."""
    return str(_fact(part, "called", ""))


def papers_of(part: Any) -> tuple[Paper | str, ...]:
    """Return the papers that a part of any kind says it rests on."""
    papers: tuple[Paper | str, ...] = _fact(part, "papers", ())
    return papers


def limits_of(part: Any) -> dict[str, str]:
    """Return what a part of any kind assumes and what it is not for, where the part says it."""
    said = {"assumes": _fact(part, "assumes", ""), "not for": _fact(part, "not_for", "")}
    return {name: text for name, text in said.items() if text}


def _fact(part: Any, name: str, without: Any) -> Any:
    return getattr(getattr(part, "method", None) or getattr(part, "adjustment", None) or part, name, without)
