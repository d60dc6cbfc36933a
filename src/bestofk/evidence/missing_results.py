"""Missing results: named, and left out only the way the user chose."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.options import one_of
from bestofk.core.phrases import counted, option_text
from bestofk.core.record import Record
from bestofk.evidence import Battles, Curves, Evidence, Items, Runs, Scores
from bestofk.evidence.filled_results import BASELINE, WORST, WORST_OF, filled, fills
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


def completed(evidence: Evidence, missing: str, worst: str | None = None) -> tuple[Evidence, LeftOut]:
    """Return evidence without missing results and what was left out; refuse by default.

    ``worst`` are other words for what that does; it is not offered where they are "".
    """
    if not (isinstance(missing, str) and missing.startswith((BASELINE, WORST_OF))):
        missing = one_of(missing, CHOICES, name="missing", where="judge")
    if _is_of_vectors(evidence) and missing == "keep":
        raise InputError(
            "missing is 'keep', and vectors need every result.",
            "judge, argument missing",
            f"{'; or '.join(['complete the missing results', *_offers(evidence, worst)])}.",
        )
    _refuse_one_learner(evidence)
    _refuse_uneven_replications(evidence)
    _refuse_lone_curves(evidence)
    if isinstance(evidence, Curves):
        refuse_other_steps(evidence)
    if fills(missing):
        kept, way, gone = evidence, missing, LeftOut()
        if missing.startswith(WORST_OF):
            (kept, gone), way = _without_gaps_of_others(evidence, missing.removeprefix(WORST_OF)), WORST
        whole, number = filled(kept, way)
        return whole, replace(gone, filled=number, filled_by=way if number else "")
    if not evidence.missing():
        return evidence, LeftOut()
    if missing == "refuse":
        raise results_missing(evidence, worst)
    if missing not in _ways(evidence):
        raise InputError(
            f"missing is {missing!r}, which does not apply to {evidence!r}.",
            evidence.origin.source,
            f"{'; or '.join(['complete the missing results', *_offers(evidence, worst)])}.",
        )
    if missing == "keep":
        return evidence, LeftOut(gaps=len(_lacking(evidence, "datasets")))
    return _without(evidence, missing.removeprefix("drop-"))


def _without_gaps_of_others(evidence: Evidence, learner: str) -> tuple[Evidence, LeftOut]:
    """Without what another learner than this one lacks: runs of its own, and items and data sets for all."""
    if not evidence.missing() or not isinstance(evidence, Scores | Items | Runs):
        return evidence, LeftOut()
    left: dict[str, Any]
    if isinstance(evidence, Runs):
        told = zip(evidence.learners, evidence.runs, evidence.gaps, strict=True)
        runs = ((name, own[i]) for name, own, gaps in told if name != learner for i in np.flatnonzero(gaps.any(axis=1)))
        lacking = (task for name, task in evidence.lacking_datasets() if name != learner)
        left = {"runs": tuple(runs), "datasets": tuple(dict.fromkeys(lacking))}
    else:
        what = "items" if isinstance(evidence, Items) else "datasets"
        left = {what: tuple(_lacking(evidence.without(learners=[learner]), what))}
    return (evidence.without(**left) if any(left.values()) else evidence), LeftOut(**left)


def _is_of_vectors(evidence: Evidence) -> bool:
    return isinstance(evidence, Vectors) and not evidence.is_area


#: What each way does.
_WORDS = {
    "drop-runs": " leaves those runs out, and the verdict says whose",
    "drop-datasets": " leaves those data sets out",
    "keep": " tests each pair on the data sets it has (Skillings–Mack over all)",
    "drop-items": " leaves those items out",
    WORST: ", or baseline:NAME of a learner, fills them in",
    "drop-learners": " leaves the learners out",
}


def _ways(evidence: Evidence) -> list[str]:
    """What can be done about missing results of such evidence."""
    over_datasets = isinstance(evidence, Scores) and len(evidence.datasets) > 1
    applies = {
        "drop-runs": isinstance(evidence, Curves) and any(each.any() for each in evidence.gaps),
        "drop-datasets": over_datasets or (isinstance(evidence, Runs) and bool(evidence.datasets)),
        "keep": over_datasets and not _is_of_vectors(evidence),
        "drop-items": isinstance(evidence, Items),
        WORST: isinstance(evidence, Scores | Items | Runs) and not isinstance(evidence, Vectors),
        "drop-learners": True,
    }
    return [name for name, each in applies.items() if each]


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
    raise InputError(
        f"replication {evidence.replications[odd]} has {counted(int(sizes[odd]), 'fold')} of {len(evidence.folds)}.",
        evidence.origin.source,
        "give every replication as many folds, under the same names (from 1 up), or leave that replication out.",
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


def _without_runs(curves: Curves) -> tuple[Curves, LeftOut]:
    """The other runs, of which every learner must have as many as a verdict needs, in every task."""
    told = zip(curves.learners, curves.runs, curves.gaps, strict=True)
    gone = tuple((name, runs[i]) for name, runs, gaps in told for i in np.flatnonzero(gaps.any(axis=1)))
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


def _offers(evidence: Evidence, worst: str | None) -> list[str]:
    """The ways that can be gone, as options, and what each does."""
    found = []
    for name in _ways(evidence):
        try:
            if name.startswith("drop-"):
                _without(evidence, name.removeprefix("drop-"))
            elif name == WORST:
                filled(evidence, WORST)
        except InputError:
            continue
        words = _WORDS[name] if name != WORST or worst is None else worst
        found += [f"{option_text('missing', name)}{words}"] if words else []
    return found


def results_missing(evidence: Evidence, worst: str | None = None) -> InputError:
    """The error that names missing results and what may be done; ``worst`` is that of ``completed``."""
    cells = evidence.missing()
    shown = "; ".join(cells[:3]) + ("; …" if len(cells) > 3 else "")
    count = f"{len(cells):,} results are missing" if len(cells) > 1 else "1 result is missing"
    add = "add them"
    if isinstance(evidence, Battles):
        count = f"{counted(len(cells), 'learner')} would have an infinite rating"
        add = "add battles that lead from each to the others by wins and ties, both ways"
    elif evidence.origin.collected:
        add = "collect them (bestofk collect, --retry-failed after failures)"
    fix = f"{'; or '.join([add, *_offers(evidence, worst)])}."
    return InputError(f"{count}: {shown}.", evidence.origin.source, fix)
