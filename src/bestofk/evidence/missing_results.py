"""Missing results: named, and left out only the way the user chose."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import slip_of
from bestofk.core.options import one_of
from bestofk.core.phrases import counted, option_text
from bestofk.core.record import Record
from bestofk.evidence import Battles, Curves, Evidence, Items, Runs, Scores
from bestofk.evidence.filled_results import BASELINE, WORST, filled, fills
from bestofk.evidence.step_grids import refuse_other_steps
from bestofk.evidence.vectors import Vectors

#: What to do about missing results. ``keep`` tests each pair on the data sets it has, with Skillings and Mack's
#: test over all learners; ``worst`` and ``baseline:NAME`` fill them in.
CHOICES = ("refuse", "drop-datasets", "drop-items", "drop-learners", "drop-runs", "keep", WORST)


class LeftOut(Record):
    """Learners, data sets or items that were left out, by name; ``gaps`` counts data sets whose gaps were kept.

    ``runs`` are (learner, run).
    ``filled`` counts the results of each learner that were filled in, by ``filled_by``.
    """

    learners: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    gaps: int = 0
    runs: tuple[tuple[str, str], ...] = ()
    filled: dict[str, int] = field(default_factory=dict)
    filled_by: str = ""

    def __repr__(self) -> str:
        if self.gaps:
            each = "each pair uses those that both have, and means are fitted as if all were there"
            return f"{counted(self.gaps, 'data set')} {'lacks' if self.gaps == 1 else 'lack'} a result; {each}"
        if self.items:
            are = "is" if len(self.items) == 1 else "are"
            return f"{counted(len(self.items), 'item')} {are} left out for all learners"
        names = ", ".join(self.datasets or self.learners or (f"{learner} {run}" for learner, run in self.runs))
        return f"left out {'for all learners' if self.datasets else 'because results are missing'}: {names}"

    def __bool__(self) -> bool:
        return bool(self.learners or self.datasets or self.items or self.gaps or self.runs or self.filled)


def completed(evidence: Evidence, missing: str) -> tuple[Evidence, LeftOut]:
    """Return evidence without missing results and what was left out; refuse by default."""
    if not (isinstance(missing, str) and missing.startswith(BASELINE)):
        missing = one_of(missing, CHOICES, name="missing", where="judge")
    several = isinstance(evidence, Vectors) and not evidence.is_area
    if several and missing == "keep":
        raise InputError(
            "missing is 'keep', and vectors need every result.",
            "judge, argument missing",
            "use drop-datasets, drop-items or drop-learners.",
        )
    _refuse_one_learner(evidence)
    _refuse_uneven_replications(evidence)
    _refuse_lone_curves(evidence)
    if isinstance(evidence, Curves):
        refuse_other_steps(evidence)
    if fills(missing):
        whole, number = filled(evidence, missing)
        return whole, LeftOut(filled=number, filled_by=missing if number else "")
    if not evidence.missing():
        return evidence, LeftOut()
    over_datasets = isinstance(evidence, Scores) and len(evidence.datasets) > 1
    applies = {
        "drop-learners": True,
        "drop-datasets": over_datasets or _are_in_tasks(evidence),
        "drop-items": isinstance(evidence, Items),
        "drop-runs": isinstance(evidence, Curves),
        "keep": over_datasets,
    }
    if missing == "refuse":
        raise results_missing(evidence, may_keep=not several)
    if not applies[missing]:
        raise InputError(
            f"missing is {missing!r}, which does not apply to {evidence!r}.",
            evidence.origin.source,
            "drop-datasets and keep are for tables over data sets, drop-items for items, drop-runs for runs; "
            "drop-learners for all.",
        )
    if missing == "keep":
        return evidence, LeftOut(gaps=len(_lacking(evidence, "datasets")))
    return _without(evidence, missing.removeprefix("drop-"))


def _are_in_tasks(evidence: Evidence) -> bool:
    return isinstance(evidence, Runs) and bool(evidence.datasets)


def _refuse_one_learner(evidence: Evidence) -> None:
    if len(evidence.learners) < 2:
        raise InputError(
            f"there is one learner: {evidence.learners[0]}.",
            evidence.origin.source,
            "give the results of at least two learners: several files, or the folder that they are in.",
        )


def _refuse_uneven_replications(evidence: Evidence) -> None:
    """Folds of one data set must be a full table of replications and folds."""
    if not isinstance(evidence, Scores) or len(evidence.datasets) > 1 or np.asarray(evidence.planned).all():
        return
    sizes = np.asarray(evidence.planned)[0].sum(axis=1)
    odd = int(np.argmin(sizes))
    if sizes.min() == sizes.max():
        raise InputError(
            "the replications have folds of different names, so that folds cannot be matched.",
            evidence.origin.source,
            "number the folds of every replication alike, from 1 up.",
        )
    raise InputError(
        f"replication {evidence.replications[odd]} has {counted(int(sizes[odd]), 'fold')}, another has {sizes.max()}.",
        evidence.origin.source,
        "give every replication the same number of folds, under the same names, or leave that replication out.",
    )


def _refuse_lone_curves(evidence: Evidence) -> None:
    """A pair with one curve each has nothing to shuffle; a learner with one run tells nothing of its spread."""
    if isinstance(evidence, Runs):
        evidence.refuse_lone()
    if not isinstance(evidence, Curves):
        return
    lone = [name for name, each in zip(evidence.learners, evidence.values, strict=True) if len(each) == 1]
    if len(lone) > 1:
        raise InputError(
            f"learners {', '.join(lone)} have one curve each: whole curves are shuffled, and two are one way only.",
            evidence.origin.source,
            "give curves of several runs (folds, seeds), told apart by a column run, fold or seed, by names of runs "
            "that say both (ppo-seed1), or in one file per learner; of an iteration that numbers folds say --rows "
            "folds (rows='folds').",
        )


def _lacking(evidence: Evidence, what: str) -> list[str]:
    """Learners, data sets or items that lack a result."""
    if isinstance(evidence, Runs):
        return list(dict.fromkeys(task if what == "datasets" else learner for learner, task in evidence.incomplete()))
    gaps = evidence.gaps if what == "learners" else np.moveaxis(evidence.gaps, 1, 0)
    return [name for name, gap in zip(getattr(evidence, what), gaps, strict=True) if np.any(gap)]


def _failed_runs(curves: Curves) -> tuple[tuple[str, str], ...]:
    """Learner and run of every curve that lacks a value."""
    told = zip(curves.learners, curves.runs, curves.gaps, strict=True)
    return tuple((name, runs[i]) for name, runs, gaps in told for i in np.flatnonzero(gaps.any(axis=1)))


def _without_runs(curves: Curves) -> tuple[Curves, LeftOut]:
    """The other runs, of which every learner must have as many as a verdict needs, in every task."""
    gone = _failed_runs(curves)
    kept = curves.without(runs=gone)
    if kept.missing():  # tasks of which a learner has no run at all
        raise results_missing(kept)
    _refuse_lone_curves(kept)
    return kept, LeftOut(runs=gone)


def _without(evidence: Evidence, what: str) -> tuple[Evidence, LeftOut]:
    if what == "runs" and isinstance(evidence, Curves):
        return _without_runs(evidence)
    gone = _lacking(evidence, what)
    if what == "learners" and len(evidence.learners) - len(gone) < 2:
        raise InputError(
            f"results are missing for {', '.join(gone)}; without them fewer than two learners are left.",
            evidence.origin.source,
            "complete the missing results.",
        )
    left: dict[str, Any] = {what: tuple(gone)}
    return evidence.without(**left), LeftOut(**left)


def _leaving_runs_out(curves: Curves) -> list[str]:
    """The way without the runs that failed, where it can be gone."""
    if not _failed_runs(curves):
        return []
    try:
        _without_runs(curves)
    except InputError:
        return []
    return [f"{option_text('missing', 'drop-runs')} leaves those runs out, and the verdict says whose"]


def results_missing(evidence: Evidence, *, may_keep: bool = True) -> InputError:
    """The error that names missing results and what may be done; ``may_keep``: pairs may be of different data sets."""
    cells = evidence.missing()
    shown = "; ".join(cells[:3]) + ("; …" if len(cells) > 3 else "")
    if isinstance(evidence, Battles):
        rest = "" if evidence.unrated.sum() > len(evidence.learners) - 2 else f"; or {_dropping_learners()}"
        wrong = f"{counted(len(cells), 'learner')} would have an infinite rating: {shown}."
        fix = f"add battles that lead from each to the others by wins and ties, both ways{rest}."
        return InputError(wrong, evidence.origin.source, fix)
    again = " (a run goes on with the same bestofk collect, --retry-failed after failures)"
    offers = [f"add the missing results{again if evidence.origin.collected else ''}"]
    if isinstance(evidence, Runs):
        offers = ["add the missing runs", *_leaving_runs_out(evidence)]
        if _are_in_tasks(evidence):
            offers.append(f"{option_text('missing', 'drop-datasets')} leaves those tasks out for all learners")
    elif isinstance(evidence, Curves):
        again = "run the failed folds again (bestofk collect --retry-failed)"
        offers = [again if evidence.failures else "complete the curves", *_leaving_runs_out(evidence)]
    if isinstance(evidence, Scores) and len(evidence.datasets) > 1:
        offers.append(f"{option_text('missing', 'drop-datasets')} leaves those data sets out for all learners")
        if may_keep:
            keep = option_text("missing", "keep")
            offers.append(f"{keep} tests each pair on the data sets it has (Skillings–Mack over all)")
    if isinstance(evidence, Items):  # of which bestofk collects none
        drop = option_text("missing", "drop-items")
        offers = ["add the missing results", f"{drop} leaves those items out for all learners"]
    if isinstance(evidence, Scores | Items | Runs) and not isinstance(evidence, Vectors):
        offers.append(f"{option_text('missing', WORST)}, or baseline:NAME of a learner, fills them in")
    if len(evidence.learners) - len(_lacking(evidence, "learners")) > 1:
        offers.append(_dropping_learners())
    count = f"{len(cells):,} results are missing" if len(cells) > 1 else "1 result is missing"
    return InputError(f"{count}: {shown}.", evidence.origin.source, f"{_slip(evidence)}{'; or '.join(offers)}.")


def _dropping_learners() -> str:
    return f"{option_text('missing', 'drop-learners')} leaves the learners out"


def _slip(evidence: Evidence) -> str:
    """The question whether a learner that has few results is another one, whose name is nearly the same."""
    values = getattr(evidence, "values", ())
    numbers = {n: int(np.isfinite(each).sum()) for n, each in zip(evidence.learners, values, strict=False)}
    for name in _lacking(evidence, "learners"):
        meant = slip_of(name, evidence.learners)
        if meant is not None and 2 * numbers.get(name, 0) < numbers.get(meant, 0):
            return f"did you mean {meant!r} by {name!r}? Else "
    return ""
