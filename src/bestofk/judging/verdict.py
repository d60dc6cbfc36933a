"""The verdict as fields; words and figures read them and never compute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from bestofk.advice import Advice
from bestofk.comparing import Comparison
from bestofk.comparing.design import Scope
from bestofk.core.extras import need
from bestofk.core.record import Record
from bestofk.evidence import Evidence
from bestofk.judging.findings import NAMES, Findings
from bestofk.judging.provenance import Provenance
from bestofk.ordering import Ordering

Status = Literal["decided", "preferred", "tied", "undecided"]

#: significant: the data show it. ranked: the ranks of Multi²Test overrule the preference, which is no test of the
#: results. preferred: not shown to be worse. mean: no preference given. graph: none of these, but a
#: learner between the two in the graph of significant differences puts it there. found: the chosen method names it.
#: against: it stands above, and the comparison shows the other to be better.
Ground = Literal["significant", "ranked", "preferred", "mean", "graph", "found", "against"]


class Reason(Record):
    """Why one learner stands above another.

    ``pvalue`` is that of the comparison, adjusted. With a control, two others are not compared: ``pvalue`` is then
    None, or that of the weaker of the two answers that put the control ``between`` them.
    """

    better: str
    worse: str
    ground: Ground
    pvalue: float | None
    between: str | None = None


class Verdict(Findings, Record, kw_only=True):
    """Who is best, in what order the others follow, and how sure that is.

    ``status`` is ``decided`` when every other learner is significantly worse than the best; ``preferred`` when the data
    do not separate it from ``rivals`` and the prior names it; ``tied`` when they do not and no prior was given: then
    ``order`` is by mean alone; ``undecided`` when no outcome could have been significant, or the method finds no best.
    Tied and undecided verdicts have no ``best``. ``beaten_by`` are
    learners that the comparison shows to be better than the first, which mean, preference or method put there all the
    same. ``behind_control`` are learners that were not compared with the first, and that the control is shown to beat.
    ``overtaken`` are learners preferred to the best that somebody is shown to beat, with who. ``reasons`` has every
    pair, the learner that stands above first. ``possible_best`` are the learners that are best under some preference
    (None where the method cannot say). ``evidence`` is what was judged, for figures and tables of raw values,
    ``features`` what is known of the data sets; ``to_dict`` leaves both out. ``rope`` is the largest difference that
    does not matter, None for a hundredth of a rate.

    Found when first read, and None where the design has none: ``two_learners``, ``mean_ranks``, ``bayes``,
    ``sensitivity``, ``detectable``, ``counted_wins``, ``other_goods``, ``where_it_wins``.
    """

    best: str | None
    order: tuple[str, ...]
    status: Status
    rivals: tuple[str, ...]
    beaten_by: tuple[str, ...]
    overtaken: tuple[tuple[str, tuple[str, ...]], ...]
    possible_best: tuple[str, ...] | None
    reasons: tuple[Reason, ...]
    comparison: Comparison
    ordering: Ordering
    advice: tuple[Advice, ...]
    provenance: Provenance
    evidence: Evidence | None = None
    behind_control: tuple[str, ...] = ()
    rope: float | None = None
    features: Mapping[str, Any] | None = None

    @property
    def measure(self) -> str:
        """The measure judged by."""
        return self.comparison.measure

    @property
    def means(self) -> dict[str, float]:
        """Mean score of every learner, in the order of the verdict, in units of the measure."""
        return {name: self.comparison.means[name] for name in self.order}

    @property
    def scope(self) -> Scope:
        """What the claim is about."""
        return self.comparison.scope

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
    def not_compared(self) -> tuple[str, ...]:
        """Rivals of the first that were compared with the control alone."""
        return tuple(name for name in self.rivals if not self.comparison.compared(self.order[0], name))

    @property
    def prior(self) -> tuple[str, ...] | None:
        """The preference, most preferred first."""
        return self.ordering.prior

    def reason(self, better: str, worse: str) -> Reason:
        """Why the one stands above the other."""
        return next(each for each in self.reasons if (each.better, each.worse) == (better, worse))

    def rows(self) -> list[dict[str, Any]]:
        """One dict per learner, best first."""
        return [
            {
                "place": place,
                "learner": name,
                f"mean {self.measure}": self.comparison.means[name],
                **self._against(name),
            }
            for place, name in enumerate(self.order, 1)
        ]

    def _against(self, name: str) -> dict[str, Any]:
        """What the comparison with the first of the order says; empty for the first itself."""
        first = self.order[0]
        if name == first:
            return {"p against first": None, "against first": None}
        finding = (
            "not compared"
            if name in self.not_compared
            else "not separated"
            if name in self.rivals
            else "better"
            if name in self.beaten_by
            else "worse than the control"
            if name in self.behind_control
            else "worse"
        )
        return {"p against first": self.reason(first, name).pvalue, "against first": finding}

    def frame(self) -> Any:
        """Return one row per learner as a pandas data frame."""
        return need("pandas", purpose="a data frame of the verdict").DataFrame(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, ready for JSON; the evidence itself stays where it came from."""
        plain = Record.to_dict(replace(self, evidence=None, features=None))
        found = {name: getattr(self, name) for name in NAMES}
        plain |= {name: each.to_dict() if isinstance(each, Record) else each for name, each in found.items()}
        return {name: value for name, value in plain.items() if name not in ("evidence", "features")}

    def plot(self, name: str, *, ax: Any = None, theme: str = "light") -> Any:
        """Draw a figure by name (``bestofk list plots``) and return the axes; needs the extra ``plots``."""
        from bestofk.plots.figures import figure

        return figure(name, self).draw(ax=ax, theme=theme)

    def report(self, path: str | PathLike[str], *, format: str | None = None) -> Path:
        """Write a report and return its path: .html, .md, .tex, .json or .txt, by suffix or by ``format``."""
        from bestofk.reporting.report import write_report

        return write_report(self, path, format=format)

    def _repr_html_(self) -> str:
        from bestofk.reporting.notebook import verdict_html

        return verdict_html(self)

    def __repr__(self) -> str:
        from bestofk.reporting.words import verdict_text

        return verdict_text(self)
