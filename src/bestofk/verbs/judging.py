"""The verbs compare, order and judge: one measure or several, from evidence to verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict, Unpack, overload

from bestofk.comparing import Comparison
from bestofk.core.errors import InputError
from bestofk.evidence import Evidence
from bestofk.evidence.vectors import Vectors
from bestofk.judging import Verdict, comparison_of, judge_evidence, ordering_from
from bestofk.judging.measures_judge import judge_measures
from bestofk.judging.measures_verdict import MeasuresVerdict
from bestofk.ordering import Ordering
from bestofk.verbs.reading import read


def compare(
    evidence: Any,
    *,
    test: str = "auto",
    adjust: str = "bonferroni",
    alpha: float = 0.05,
    control: str | None = None,
    paired: bool = False,
    groups: str = "sampled",
    seed: int = 0,
    force: bool = False,
    missing: str = "refuse",
) -> Comparison:
    """Compare all pairs of learners, or every learner with a control: differences, intervals, effects, p values."""
    _, comparison = comparison_of(
        _evidence(evidence),
        test=test,
        adjust=adjust,
        alpha=alpha,
        control=control,
        paired=paired,
        groups=groups,
        seed=seed,
        force=force,
        missing=missing,
    )
    return comparison


def order(
    evidence: Any,
    *,
    prior: str | Sequence[str] | None = None,
    method: str = "multitest",
    test: str = "auto",
    adjust: str = "bonferroni",
    alpha: float = 0.05,
    control: str | None = None,
    paired: bool = False,
    groups: str = "sampled",
    sides: str = "two",
    seed: int = 0,
    force: bool = False,
    missing: str = "refuse",
) -> Ordering:
    """Order the learners by a method: ``multitest``, ``multi2test``, ``test-first``, ``anova-best``,
    ``newman-keuls-best``, or see which are not told apart by ``ranges`` and ``cliques``."""
    settings = {"test": test, "adjust": adjust, "alpha": alpha, "control": control, "paired": paired, "seed": seed}
    settings |= {"groups": groups, "sides": sides}
    return ordering_from(_evidence(evidence), prior=prior, method=method, force=force, missing=missing, **settings)[2]


class _Settings(TypedDict, total=False):
    """Keywords of ``judge`` beside ``on``, for type checkers."""

    prior: str | Sequence[str] | None
    method: str
    test: str
    adjust: str
    alpha: float
    control: str | None
    paired: bool
    seed: int
    force: bool
    missing: str
    rope: float | None
    features: Any
    positive: str | None
    undefined: float | None
    task: str | None


@overload
def judge(evidence: Vectors, *, on: None = None, **settings: Unpack[_Settings]) -> MeasuresVerdict: ...


@overload
def judge(evidence: Any, *, on: None = None, **settings: Unpack[_Settings]) -> Verdict: ...


@overload
def judge(evidence: Any, *, on: Iterable[str], **settings: Unpack[_Settings]) -> MeasuresVerdict: ...


def judge(
    evidence: Any,
    *,
    prior: str | Sequence[str] | None = None,
    method: str = "multitest",
    test: str = "auto",
    adjust: str = "bonferroni",
    alpha: float = 0.05,
    control: str | None = None,
    paired: bool = False,
    groups: str = "sampled",
    sides: str = "two",
    seed: int = 0,
    force: bool = False,
    missing: str = "refuse",
    rope: float | None = None,
    features: Any = None,
    on: Any = None,
    positive: str | None = None,
    undefined: float | None = None,
    task: str | None = None,
) -> Verdict | MeasuresVerdict:
    """Say which learner is best, in what order the others follow, and how sure that is.

    Parameters
    ----------
    evidence : Scores, Items or Curves
        What ``read`` returns; anything else goes through ``read`` first.
    prior : sequence of str, or str, optional
        Learners, most preferred first; or a cost, smaller first: ``"fit-time"``, ``"predict-time"``, ``"size"``,
        ``"price"`` or any numeric column. Without it nothing decides between learners that the data do not separate.
    method : str
        ``multitest``, ``multi2test``, ``test-first``, ``anova-best`` or ``newman-keuls-best``.
    test : str
        A pairwise test (``bestofk list pairwise``), or ``auto``: the one that fits the design.
    adjust : str
        How p values are adjusted for all pairs (``bestofk list adjust``), or ``none``.
    alpha : float
        Family-wise level for all pairs asked.
    control : str, optional
        Compare every learner with this one only. Fewer pairs are asked, so each answer is sharper; two others are told
        apart only where the control is shown to stand between them.
    paired : bool
        Curves with runs of the same name (a fold, a seed) belong together, and are shuffled within it.
    groups : {"sampled", "fixed"}
        Items in groups (documents, tasks, users): groups are the units of the test, because items of one group err
        together. ``"fixed"`` tests items, and the claim is about these groups only.
    sides : {"two", "one"}
        Every pair is asked one two-sided question. ``"one"`` asks, as MultiTest's paper does, only whether the
        preferred one is worse.
    seed : int
        For tests that shuffle; the same seed gives the same verdict.
    force : bool
        Use a test that the design does not allow; the verdict says so.
    missing : {"refuse", "drop-datasets", "drop-items", "drop-learners", "keep"}
        What to do when results are missing.
    rope : float, optional
        The largest difference that does not matter, in units of the measure, for the Bayesian tests over data sets and
        for advice; a hundredth of the scale where it is a rate. It changes no order.
    features : path or mapping, optional
        Features of the data sets (a CSV file with a row each, or ``{name: {"rows": 150, …}}``), to see where the first
        of the order wins. They change no order.
    on : sequence of str, or str, optional
        Several measures at once, by Hotelling's test: ``("tpr", "fpr")``, ``"precision,recall"``, ``"confusion"`` (the
        four counts), ``"recalls"`` (of every class), ``"accuracy,fit-seconds"``; of probabilities ``"roc"`` and
        ``"tpr@0.3,fpr@0.3"``; see docs/measures.md.
    positive : str, optional
        With ``on``: the class that is positive, against the rest; ``"each"`` takes every class in turn.
    undefined : float, optional
        With ``on``: what a measure 0/0 counts as, such as the precision of a learner that never says positive.
    task : {"retrieval", "detection"}, optional
        With ``on``: what the learners are for, so that advice can say which measures fit.

    Returns
    -------
    Verdict, or MeasuresVerdict with ``on``
        ``best``, ``order``, ``status`` (decided, preferred, tied, undecided), ``rivals``, ``reasons``, ``comparison``,
        ``ordering``, ``advice``, ``provenance``; ``repr`` says it in words. Over data sets also ``sensitivity``,
        ``detectable``, ``bayes`` and others, found when first read.
    """
    settings: dict[str, Any] = {"test": test, "adjust": adjust, "alpha": alpha, "control": control, "paired": paired}
    settings |= {"groups": groups, "sides": sides}
    if on is not None or isinstance(evidence, Vectors):
        vectors = _vectors(evidence, on, positive, undefined)
        more: dict[str, Any] = {"method": method, "force": force, "missing": missing, "task": task}
        more |= {"rope": rope, "features": features}
        return judge_measures(vectors, prior=prior, seed=seed, **settings, **more)
    _refuse_without_on(positive=positive, undefined=undefined, task=task)
    return judge_evidence(
        _evidence(evidence),
        prior=prior,
        method=method,
        seed=seed,
        force=force,
        missing=missing,
        rope=rope,
        features=features,
        **settings,
    )


def _vectors(evidence: Any, on: Any, positive: str | None, undefined: float | None) -> Vectors:
    if not isinstance(evidence, Vectors):
        evidence = read(evidence, on=on, positive=positive, undefined=undefined)
    elif on is not None or positive is not None or undefined is not None:
        raise InputError("the measures were named when reading.", "arguments on, positive, undefined", "leave it out.")
    assert isinstance(evidence, Vectors)
    return evidence


def _refuse_without_on(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} is {value!r}, and on is not given.", f"argument {name}", 'say on=("tpr", "fpr").')


def _evidence(evidence: Any) -> Evidence:
    if isinstance(evidence, Evidence):
        return evidence
    if isinstance(evidence, Vectors):
        raise InputError(f"there are {evidence!r}.", "argument evidence", "judge them: this verb takes one measure.")
    if evidence is None:
        raise InputError("the evidence is None.", "argument evidence", "give bestofk.read('results.csv').")
    return read(evidence)
