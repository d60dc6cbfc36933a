"""The verbs compare, order and judge: one measure or several, from evidence to verdict."""

from __future__ import annotations

from typing import Any, Unpack

from bestofk.comparing import Comparison
from bestofk.core.errors import InputError
from bestofk.evidence import Evidence
from bestofk.evidence.vectors import Vectors
from bestofk.judging import Verdict, compared, judged, ordered
from bestofk.ordering import Ordering
from bestofk.settings import Comparing, Judging
from bestofk.settings import Ordering as OrderingSettings
from bestofk.verbs.reading import read


class JudgingAnything(Judging, total=False):
    """Settings of judge, and what several measures are read with."""

    on: Any
    positive: str | None
    undefined: float | None


def compare(evidence: Any, **settings: Unpack[Comparing]) -> Comparison:
    """Compare all pairs of learners, or every learner with a control: differences, intervals, effects, p values.

    Parameters
    ----------
    evidence : Scores, Items, Curves or Vectors
        What ``read`` returns; anything else goes through ``read`` first.
    **settings
        ``test``, ``adjust``, ``control``, ``paired``, ``groups``, ``alpha``, ``missing``, ``force``, ``seed``: see
        ``judge``.
    """
    return compared(_evidence(evidence), settings)


def order(evidence: Any, **settings: Unpack[OrderingSettings]) -> Ordering:
    """Order the learners by a method: ``multitest``, ``multi2test``, ``test-first``, ``anova-best``,
    ``newman-keuls-best``, or see between which no difference is shown by ``ranges`` and ``cliques``.

    Parameters
    ----------
    evidence : Scores, Items, Curves or Vectors
        What ``read`` returns; anything else goes through ``read`` first.
    **settings
        Those of ``compare``, and ``prior``, ``method`` and ``sides``: see ``judge``.
    """
    return ordered(_evidence(evidence), settings)


def judge(evidence: Any, **settings: Unpack[JudgingAnything]) -> Verdict:
    """Say which learner is best, in what order the others follow, and how sure that is.

    Parameters
    ----------
    evidence : Scores, Items, Curves or Vectors
        What ``read`` returns; anything else goes through ``read`` first.
    prior : sequence of str, or str, optional
        Learners, most preferred first; or a cost, smaller first: ``"fit-time"``, ``"predict-time"``, ``"size"``,
        ``"price"`` or any numeric column. Without it nothing decides between learners that the data do not separate.
    method : str
        A way of ordering: ``bestofk list ordering``.
    test : str
        A test of pairs that fits the evidence, or ``auto``.
    adjust : str
        An adjustment of the p values of all pairs.
    alpha : float
        Family-wise level.
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
        Use a test that the evidence does not allow; the verdict says so.
    missing : {"refuse", "drop-datasets", "drop-items", "drop-learners", "keep"}
        What to do when results are missing.
    rope : float, optional
        The largest difference that does not matter, in units of the measure, for the Bayesian tests over data sets and
        for advice; a hundredth of the scale where it is a rate. It changes no order.
    features : path or mapping, optional
        Features of the data sets (a CSV file with a row each, or ``{name: {"rows": 150, …}}``), to see where the first
        of the order wins. They change no order.
    on, positive, undefined
        Several measures at once, as in ``read``: ``("tpr", "fpr")``, ``"precision,recall"``, ``"confusion"`` (the
        four counts), ``"recalls"`` (of every class), ``"accuracy,fit-seconds"``; of probabilities ``"roc"`` and
        ``"tpr@0.3,fpr@0.3"``; see docs/measures.md.
    task : {"retrieval", "detection"}, optional
        With ``on``: what the learners are for, so that advice can say which measures fit.

    Returns
    -------
    Verdict
        ``best``, ``order``, ``status`` (decided, preferred, tied, undecided), ``best_set``, ``rank_intervals``,
        ``scope``, ``comparison``, ``ordering``, ``advice``, ``provenance``; ``repr`` is the first screen. More is found
        when first read: ``sensitivity``, ``detectable``, ``bayes``, ``roc`` and others.
    """
    given = dict(settings)
    reading = {name: given.pop(name) for name in ("on", "positive", "undefined") if name in given}
    return judged(_evidence(evidence, **{name: value for name, value in reading.items() if value is not None}), given)


def _evidence(evidence: Any, **reading: Any) -> Evidence:
    if evidence is None:
        raise InputError("the evidence is None.", "argument evidence", "give bestofk.read('results.csv').")
    if "on" in reading and isinstance(evidence, Vectors):
        raise InputError("the measures were named when reading.", "arguments on, positive, undefined", "leave it out.")
    if "on" not in reading and reading:
        name, value = next(iter(reading.items()))
        raise InputError(f"{name} is {value!r}, and on is not given.", f"argument {name}", 'say on=("tpr", "fpr").')
    if isinstance(evidence, Evidence) and not reading:
        return evidence
    found: Evidence = read(evidence, **reading)
    return found
