"""The verdict as fields; words and figures read them and never compute."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache, cached_property
from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
import scipy

from bestofk.advice import Advice, Case, advice_for
from bestofk.comparing import Comparison
from bestofk.comparing.sample import Scope
from bestofk.core.extras import need
from bestofk.core.record import Record
from bestofk.core.version import __version__
from bestofk.evidence import Evidence
from bestofk.judging.findings import NAMES, Findings
from bestofk.judging.findings.filled_in import FilledIn
from bestofk.judging.good_enough import Within
from bestofk.ordering import Ordering
from bestofk.ordering.methods import CORRECTED


class Provenance(Record):
    """Source and hash of the input, how it was read, settings, seed and versions.

    ``reading`` are the arguments of ``read`` that were given.
    """

    source: str
    sha256: str
    notes: tuple[str, ...]
    settings: dict[str, Any]
    seed: int
    versions: dict[str, str]
    reading: dict[str, Any] = field(default_factory=dict)


def provenance_of(evidence: Evidence, settings: dict[str, Any], seed: int) -> Provenance:
    """Collect what is known about a verdict's input and making."""
    return Provenance(
        source=evidence.origin.source,
        sha256=evidence.origin.sha256,
        notes=evidence.origin.said,
        settings=settings,
        seed=seed,
        versions=dict(_versions()),
        reading=dict(evidence.origin.reading),
    )


@cache
def _versions() -> dict[str, str]:
    names = {"bestofk": __version__, "numpy": np.__version__, "scipy": scipy.__version__}
    return {**names, "python": sys.version.split()[0]}


Status = Literal["decided", "within", "preferred", "tied", "undecided"]
#: What every status means.
STATUSES: dict[Status, str] = {
    "decided": "the winner test passes: one learner is better than each other one at alpha",
    "within": "--within: the most preferred learner that is shown to lose at most so much to the best",
    "preferred": "the winner test does not pass, and a preference (or Multi²Test) picks from the set of the best",
    "tied": "the winner test does not pass, and nothing is preferred: the set of the best has several members",
    "undecided": "no outcome could have been significant, a pair of the set of the best could not be tested, its only "
    "member does not pass the winner test, or the chosen method finds no best",
}

#: significant: the data show it. ranked: the ranks of Multi²Test overrule the preference, which is no test of the
#: results. preferred: not shown to be worse. mean, mean rank: no preference given. graph: none of these, but a
#: learner between the two in the graph of significant differences puts it there. found: the chosen method names it.
#: against: it stands above, and the comparison shows the other to be better. winner: it passes the winner test.
#: within: it is the most preferred of those shown within the margin of the best.
Ground = Literal[
    "significant", "winner", "within", "ranked", "preferred", "mean", "mean rank", "graph", "found", "against"
]

#: What the table says of a learner beside the first of the order.
Against = Literal["worse", "better", "not significant", "not tested", "trade-off", "differs", "not compared"]


class Reason(Record):
    """Why one learner stands above another.

    ``pvalue`` is that of the comparison, adjusted; None where the two were not compared, as with a control.
    """

    better: str
    worse: str
    ground: Ground
    pvalue: float | None


class Verdict(Findings, Record, kw_only=True):
    """Who is best, in what order the others follow, and how sure that is.

    ``status`` is ``decided`` when a learner passes the winner test: better than each other one by a
    two-sided test at alpha. It is ``preferred`` when the data leave several learners and the prior picks one; ``tied``
    when they do and no prior was given: then ``order`` is by mean alone; ``undecided`` when no outcome could have been
    significant, or the method finds no best. Tied and undecided verdicts have no ``best``. ``best_set`` is the winner,
    or all learners that nobody is shown to beat: the best is among them. ``rank_intervals`` bound every learner's
    rank by what is shown. ``within`` is who is shown within a margin of the best, where one was given: the most
    preferred of them is chosen, with the status ``within``. ``by_class`` has a verdict on every class against the
    rest, each at its share of alpha, where that was asked for. ``evidence`` is what was judged, for figures and
    tables of raw values, ``features`` what is known of the data sets; ``to_dict`` leaves both out. ``rope`` is the
    largest difference that does not matter, None for a hundredth of a rate. ``task`` is what the learners are for.
    ``filled_in`` says which results were filled in, and whether the verdict hangs on them.

    Found when first read, and None where the evidence has none: ``two_learners``, ``mean_ranks``, ``bayes``,
    ``sensitivity``, ``detectable``, ``counted_wins``, ``aggregates``, ``pareto_front``, ``where_it_wins``,
    ``by_group``, ``roc``, ``mistake_costs``, ``measure_orders``.
    """

    best: str | None
    order: tuple[str, ...]
    status: Status
    best_set: tuple[str, ...]
    rank_intervals: Mapping[str, tuple[int, int]]
    comparison: Comparison
    ordering: Ordering
    provenance: Provenance
    evidence: Evidence
    within: Within | None = None
    rope: float | None = None
    features: Mapping[str, Any] | None = None
    task: str | None = None
    by_class: tuple[Verdict, ...] = ()
    filled_in: FilledIn | None = None

    @cached_property
    def advice(self) -> tuple[Advice, ...]:
        """What to be careful about, most important first."""
        matters = self.rope if self.within is None or self.within.relative else self.within.margin
        chosen = self.status == "preferred"
        facts = (self.evidence, self.comparison, self.ordering, matters, self.task, chosen, self.reference)
        return advice_for(Case(*facts, within=self.within is not None))

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it was made from."""
        return self.evidence.origin.paths

    @property
    def measure(self) -> str:
        """The measure that learners are listed by."""
        return self.comparison.measure

    @property
    def names(self) -> tuple[str, ...]:
        """The measures judged by."""
        return self.comparison.names

    @property
    def means(self) -> dict[str, float]:
        """Mean score of every learner, in the order of the verdict, in units of the measure."""
        return {name: self.comparison.means[name] for name in self.order}

    @property
    def scope(self) -> Scope:
        """What the claim is about."""
        return self.comparison.scope

    @property
    def decidable(self) -> bool:
        """Whether any outcome at all could have been significant."""
        return self.comparison.decidable

    @property
    def test(self) -> str:
        """The pairwise test."""
        return self.comparison.test

    @property
    def alpha(self) -> float:
        """The family-wise level."""
        return self.comparison.alpha

    @property
    def control(self) -> str | None:
        """The learner that all others were compared with; None when all pairs were."""
        return self.comparison.control

    @property
    def reference(self) -> str:
        """The learner that the others are set beside: the control, else the first of the order."""
        return self.control or self.order[0]

    @property
    def prior(self) -> tuple[str, ...] | None:
        """The preference, most preferred first."""
        return self.ordering.prior

    @property
    def ahead_at_end(self) -> tuple[str, float] | None:
        """Who is better than the first of the order at the last step of whole curves, and p of that step alone.

        Of several the one with the smallest p; nobody where none is at most alpha.
        """
        found = [(name, self.comparison.end_pvalue(name, self.order[0])) for name in self.order[1:]]
        return min(((name, p) for name, p in found if p is not None), key=lambda each: each[1], default=None)

    @property
    def rivals(self) -> tuple[str, ...]:
        """Learners between which and the first nothing is shown, and those with which it trades measures."""
        return self._against_first("not significant", "not tested", "trade-off", "differs", "not compared")

    @property
    def beaten_by(self) -> tuple[str, ...]:
        """Learners that are shown to be better than the first, which mean, preference or method put there."""
        return self._against_first("better")

    @property
    def overtaken(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Learners preferred to the first of the order, each with those that overrule the preference for it."""
        if self.prior is None or not self.ordering.edges:
            return ()
        preferred = self.prior[: self.prior.index(self.order[0])]
        return tuple((name, tuple(head for tail, head in self.ordering.edges if tail == name)) for name in preferred)

    def _against_first(self, *findings: Against) -> tuple[str, ...]:
        return tuple(name for name in self.order[1:] if self.against(self.order[0], name) in findings)

    def against(self, first: str, name: str) -> Against:
        """What is shown of a learner beside another: ``worse`` says that ``name`` is worse than ``first``."""
        comparison = self.comparison
        if comparison.shows(first, name):
            return "worse"
        if comparison.shows(name, first):
            return "better"
        if not comparison.compared(first, name):
            return "not compared"
        relation = comparison.pair(first, name).relation
        if relation == "not significant":
            asked = comparison.asked(first, name) and not comparison.untested(first, name)
            return relation if asked else "not tested"
        return "trade-off" if relation == "trade-off" else "differs"

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why each learner stands above each other, the learner that stands above first."""
        return tuple(self.reason(better, worse) for better, worse in combinations(self.order, 2))

    def reason(self, better: str, worse: str) -> Reason:
        """Why the one stands above the other."""
        compared = self.comparison.compared(better, worse)
        pvalue = self.comparison.adjusted_pvalue(better, worse) if compared else None
        return Reason(better, worse, self._ground(better, worse), pvalue)

    def _ground(self, better: str, worse: str) -> Ground:
        if self.comparison.shows(better, worse):
            return "significant"
        if self.comparison.shows(worse, better):
            return "against"
        if self.status == "decided" and better == self.best:
            return "winner"
        near = self.within.learners if self.status == "within" and self.within is not None else ()
        if better in near and worse not in near:
            return "within"
        if self.ordering.ranks is not None and (worse, better) in self.ordering.ranks.edges:
            return "ranked"
        by_mean: Ground = "mean" if self.comparison.mean_ranks is None else "mean rank"
        if self.prior is None or self.status == "undecided":
            return by_mean
        if self.ordering.method not in CORRECTED:
            return "found" if better == self.ordering.best else by_mean
        return "graph" if self.prior.index(better) > self.prior.index(worse) else "preferred"

    def rows(self) -> list[dict[str, Any]]:
        """One dict per learner, in order: means, rank interval, and what is shown beside the first.

        ``winner test`` says whether the first passes it against this learner, by a p that is not adjusted.
        """
        first, comparison = self.order[0], self.comparison
        return [
            {
                "learner": name,
                **{f"mean {measure}": means[name] for measure, means in comparison.measure_means.items()},
                "rank": self.rank_intervals[name],
                "p against first": None if name == first else self.reason(first, name).pvalue,
                "against first": None if name == first else self.against(first, name),
                "winner test p": None if name == first else comparison.winner_pvalue(first, name),
                "winner test": None if name == first else comparison.wins(first, name),
            }
            for name in self.order
        ]

    def frame(self) -> Any:
        """Return one row per learner as a pandas data frame."""
        return need("pandas", purpose="a data frame of the verdict").DataFrame(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, ready for JSON; the evidence itself stays where it came from."""
        own = ("best", "order", "status", "best_set", "rank_intervals", "within", "rope", "task")
        plain = Record.to_dict(replace(self, evidence=None, features=None, comparison=None, by_class=()))  # type: ignore[arg-type]
        found = {name: getattr(self, name) for name in NAMES}
        return {
            **{name: plain[name] for name in own},
            "scope": self.scope,
            "decidable": self.decidable,
            "comparison": self.comparison.to_dict(),
            "ordering": plain["ordering"],
            "reasons": [reason.to_dict() for reason in self.reasons],
            "findings": {name: each.to_dict() if isinstance(each, Record) else each for name, each in found.items()},
            "advice": [each.to_dict() for each in self.advice],
            "by_class": [each.to_dict() for each in self.by_class],
            "provenance": plain["provenance"],
        }

    def plot(self, name: str | None = None, *, ax: Any = None, theme: str = "light") -> Any:
        """Draw a figure and return the axes; needs the extra ``plots``.

        Without a name (``bestofk list plots``) it is the one that says most of this evidence, the first of
        ``bestofk.plots.figures_for``.
        """
        from bestofk.plots.gallery import figure

        return figure(name, self).draw(ax=ax, theme=theme)

    def report(self, path: str | PathLike[str], *, format: str | None = None, table: bool = False) -> Path:
        """Write a report and return its path: .html, .md, .tex, .json, .txt, .png (a card), by suffix or ``format``.

        ``table`` writes only the first table, for a paper (.tex or .md).
        """
        from bestofk.reporting.report import write_report

        return write_report(self, path, format=format, table=table)

    def _repr_html_(self) -> str:
        from bestofk.reporting.notebook import verdict_html

        return verdict_html(self)

    def __repr__(self) -> str:
        from bestofk.reporting.words import verdict_text

        return verdict_text(self)
