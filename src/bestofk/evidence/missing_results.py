"""Missing results: named, and left out only the way the user chose."""

from __future__ import annotations

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.options import one_of
from bestofk.core.phrases import counted
from bestofk.core.record import Record
from bestofk.evidence.aligning import offers as offers_to_align
from bestofk.evidence.curves import Curves
from bestofk.evidence.evidence import Evidence
from bestofk.evidence.items import Items
from bestofk.evidence.scores import Scores
from bestofk.evidence.vectors import Vectors

#: What to do about missing results. ``keep`` tests each pair on the data sets it has, with Skillings and Mack's
#: test over all learners.
CHOICES = ("refuse", "drop-datasets", "drop-items", "drop-learners", "keep")


class LeftOut(Record):
    """Learners, data sets or items that were left out, by name; ``gaps`` counts data sets whose gaps were kept."""

    learners: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    gaps: int = 0

    def __repr__(self) -> str:
        if self.gaps:
            each = "each pair uses those that both have, and means are fitted as if all were there"
            return f"{counted(self.gaps, 'data set')} {'lacks' if self.gaps == 1 else 'lack'} a result; {each}"
        if self.items:
            are = "is" if len(self.items) == 1 else "are"
            return f"{counted(len(self.items), 'item')} {are} left out for all learners"
        names = ", ".join(self.datasets or self.learners)
        return f"left out {'for all learners' if self.datasets else 'because results are missing'}: {names}"

    def __bool__(self) -> bool:
        return bool(self.learners or self.datasets or self.items or self.gaps)


def completed(evidence: Evidence, missing: str) -> tuple[Evidence, LeftOut]:
    """Return evidence without missing results and what was left out; refuse by default."""
    missing = one_of(missing, CHOICES, name="missing", where="judge")
    several = isinstance(evidence, Vectors) and not evidence.is_area
    if several and missing == "keep":
        raise InputError(
            "missing is 'keep', and vectors need every result.",
            "judge, argument missing",
            "use drop-datasets, drop-items or drop-learners.",
        )
    _refuse_uneven_replications(evidence)
    _refuse_lone_curves(evidence)
    if not evidence.missing():
        return evidence, LeftOut()
    if missing == "drop-learners":
        return _without_learners(evidence)
    if missing == "drop-datasets" and isinstance(evidence, Scores) and len(evidence.datasets) > 1:
        return _without_datasets(evidence)
    if missing == "drop-items" and isinstance(evidence, Items):
        return _without_items(evidence)
    if missing == "keep" and isinstance(evidence, Scores) and len(evidence.datasets) > 1:
        return evidence, LeftOut(gaps=len(_gappy_datasets(evidence)))
    if missing != "refuse":
        raise InputError(
            f"missing is {missing!r}, which does not apply to {evidence!r}.",
            evidence.origin.source,
            "drop-datasets and keep are for tables over data sets, drop-items for items; drop-learners for all.",
        )
    raise results_missing(evidence, may_keep=not several)


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
    """A pair with one curve each has nothing to shuffle."""
    if not isinstance(evidence, Curves):
        return
    lone = [name for name, each in zip(evidence.learners, evidence.values, strict=True) if len(each) == 1]
    if len(lone) > 1:
        raise InputError(
            f"learners {', '.join(lone)} have one curve each: whole curves are shuffled, and two are one way only.",
            evidence.origin.source,
            "give curves of several runs (folds, seeds), told apart by a column run, fold or seed, by names of runs "
            "that say both (ppo-seed1), or in one file per learner.",
        )


def _gappy_datasets(scores: Scores) -> list[str]:
    gone = np.asarray(scores.gaps.any(axis=(0, 2, 3)))
    return [name for name, gap in zip(scores.datasets, gone, strict=True) if gap]


def _without_datasets(scores: Scores) -> tuple[Evidence, LeftOut]:
    gone = _gappy_datasets(scores)
    return scores.without(datasets=gone), LeftOut(datasets=tuple(gone))


def _without_items(items: Items) -> tuple[Evidence, LeftOut]:
    gone = [name for name, gap in zip(items.items, np.asarray(np.isnan(items.values).any(axis=0)), strict=True) if gap]
    return items.without(items=gone), LeftOut(items=tuple(gone))


def _gappy_learners(evidence: Evidence) -> list[str]:
    if isinstance(evidence, Scores):
        gaps = np.asarray(evidence.gaps.any(axis=(1, 2, 3)))
    else:
        gaps = np.array([bool(np.isnan(each).any()) for each in evidence.values])  # type: ignore[attr-defined]
    return [name for name, gap in zip(evidence.learners, gaps, strict=True) if gap]


def _without_learners(evidence: Evidence) -> tuple[Evidence, LeftOut]:
    gone = _gappy_learners(evidence)
    if len(evidence.learners) - len(gone) < 2:
        raise InputError(
            f"results are missing for {', '.join(gone)}; without them fewer than two learners are left.",
            evidence.origin.source,
            "complete the missing results.",
        )
    return evidence.without(learners=gone), LeftOut(learners=tuple(gone))


def _alignments(curves: Curves) -> list[str]:
    """Ways that take a missing point for a step that the curve has not; none where a curve has no point at all."""
    steps = np.array(curves.steps)
    grids = [steps[~np.isnan(line)] for each in curves.values for line in each]
    return offers_to_align(grids) if all(map(len, grids)) else []


def results_missing(evidence: Evidence, *, may_keep: bool = True) -> InputError:
    """The error that names missing results and what may be done; ``may_keep``: pairs may be of different data sets."""
    cells = evidence.missing()
    shown = "; ".join(cells[:3]) + ("; …" if len(cells) > 3 else "")
    offers = ["add the missing results (a run goes on with the same bestofk collect, --retry-failed after failures)"]
    if isinstance(evidence, Curves):
        again = "run the failed folds again (bestofk collect --retry-failed)"
        offers = [again if getattr(evidence, "failures", {}) else "complete the curves", *_alignments(evidence)]
    if isinstance(evidence, Scores) and len(evidence.datasets) > 1:
        offers.append("--missing drop-datasets leaves those data sets out for all learners")
        if may_keep:
            offers.append("--missing keep tests each pair on the data sets it has (Skillings–Mack over all)")
    if isinstance(evidence, Items):  # of which bestofk collects none
        offers = ["add the missing results", "--missing drop-items leaves those items out for all learners"]
    if len(evidence.learners) - len(_gappy_learners(evidence)) > 1:
        offers.append("--missing drop-learners leaves the learners out")
    count = f"{len(cells):,} results are missing" if len(cells) > 1 else "1 result is missing"
    return InputError(f"{count}: {shown}.", evidence.origin.source, "; or ".join(offers) + ".")
