"""The verdict on several measures as fields; words and figures read them and never compute."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from bestofk.advice import Advice
from bestofk.comparing.measures_comparison import MeasuresComparison, MeasuresPair
from bestofk.core.extras import need
from bestofk.core.names import unknown
from bestofk.core.record import Record
from bestofk.evidence.vectors import VectorMeasure, Vectors
from bestofk.judging.measures_costs import CostsOfMistakes
from bestofk.judging.measures_roc import RocCurves
from bestofk.judging.provenance import Provenance
from bestofk.ordering.measures_order import MeasureOrder, MeasuresOrdering

MeasuresStatus = Literal["decided", "preferred", "tied"]


class MeasuresVerdict(Record, kw_only=True):
    """What differs between learners in several measures, and who is not dominated.

    ``status`` is ``decided`` when one learner is shown to dominate every other; ``preferred`` when it does not
    and the prior names it; ``tied`` when several are in question and no prior was given: then ``best`` is None.
    ``front`` are the learners that nobody dominates. ``task`` is what the user said the learners are for. ``costs``
    says for which costs of mistakes each learner is best, where there are counts of one data set; ``roc`` has the
    curves, where there are probabilities of items. ``by_class`` has a verdict on every class against the rest, each at
    its share of alpha, where that was asked for. ``evidence`` is what was judged, for figures; ``to_dict`` leaves it
    out.
    """

    best: str | None
    order: tuple[str, ...]
    status: MeasuresStatus
    front: tuple[str, ...]
    rivals: tuple[str, ...]
    measures: tuple[VectorMeasure, ...]
    task: str | None
    positive: str | None
    comparison: MeasuresComparison
    ordering: MeasuresOrdering
    costs: CostsOfMistakes | None
    advice: tuple[Advice, ...]
    provenance: Provenance
    roc: RocCurves | None = None
    by_class: tuple[MeasuresVerdict, ...] = ()
    evidence: Vectors | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measures."""
        return self.comparison.names

    @property
    def alpha(self) -> float:
        """The family-wise level."""
        return self.comparison.alpha

    @property
    def prior(self) -> tuple[str, ...] | None:
        """The preference, most preferred first."""
        return self.ordering.prior

    @property
    def comparisons(self) -> tuple[MeasuresPair, ...]:
        """Every pair."""
        return self.comparison.pairs

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """Maximal groups in which no pair is told apart by the vectors."""
        return self.ordering.cliques

    @property
    def telling_names(self) -> tuple[str, str]:
        """The two learners of the pair that says the most, in the order of the verdict."""
        pair = self.telling_pair
        first, second = sorted((pair.first, pair.second), key=self.order.index)
        return first, second

    @property
    def telling_pair(self) -> MeasuresPair:
        """The pair that says the most: told apart by the vectors and not by the error, else the smallest p."""

        def hidden(pair: MeasuresPair) -> bool:
            return pair.significant and pair.error is not None and not pair.error.significant

        return min(self.comparisons, key=lambda pair: (not hidden(pair), not pair.names_a_measure, pair.pvalue))

    def by_measure(self, name: str) -> MeasureOrder:
        """The order in one measure, or by ``error``."""
        found = next((each for each in self.ordering.by_measure if each.measure == name), None)
        if found is None:
            raise unknown(name, [each.measure for each in self.ordering.by_measure], what="measure", where="by_measure")
        return found

    def rows(self) -> list[dict[str, Any]]:
        """One dict per learner, best first."""
        dominated = dict(self.ordering.dominated_by)
        errors = self.comparison.error_means if "error" not in self.names else {}
        return [
            {
                "place": place,
                "learner": name,
                **{f"mean {measure}": value for measure, value in self.comparison.means[name].items()},
                **({"mean error": errors[name]} if errors else {}),
                "dominated by": dominated.get(name, ()),
            }
            for place, name in enumerate(self.order, 1)
        ]

    def frame(self) -> Any:
        """Return one row per learner as a pandas data frame."""
        return need("pandas", purpose="a data frame of the verdict").DataFrame(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, ready for JSON; the evidence itself stays where it came from."""
        plain = super().to_dict() if self.evidence is None else replace(self, evidence=None).to_dict()
        return {name: value for name, value in plain.items() if name != "evidence"}

    def plot(self, name: str, *, ax: Any = None, theme: str = "light") -> Any:
        """Draw a figure by name (contours, difference-contours, error-histograms, acceptance, roc)."""
        from bestofk.plots.figures import figure

        return figure(name, self).draw(ax=ax, theme=theme)

    def report(self, path: str | PathLike[str], *, format: str | None = None) -> Path:
        """Write a report and return its path: .html, .md, .tex, .json or .txt, by suffix or by ``format``."""
        from bestofk.reporting.report import write_report

        return write_report(self, path, format=format)

    def _repr_html_(self) -> str:
        from bestofk.reporting.measures_notebook import measures_html

        return measures_html(self)

    def __repr__(self) -> str:
        from bestofk.reporting.measures_words import measures_text

        return measures_text(self)
