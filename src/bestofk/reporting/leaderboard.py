"""A leaderboard: between which ranks every learner is, all at once at one level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from math import isnan
from os import PathLike
from pathlib import Path
from typing import Any

from bestofk.advice import Advice
from bestofk.core.extras import need
from bestofk.core.phrases import column_texts
from bestofk.core.record import Record
from bestofk.judging import Verdict
from bestofk.ordering.methods import means_first
from bestofk.reporting.first_screen import LearnersTable, drawn_ranks, rank_text
from bestofk.reporting.page import Page, advice_sections
from bestofk.reporting.tables import aligned, mean_text, number_text
from bestofk.reporting.words import best_set_sentence, headline, judged_line, notes, scope_words, sureness, tested_by


class Leaderboard(Record, kw_only=True):
    """Learners by mean, or by mean rank where the test ranks, each with the ranks that it may have.

    ``rank_intervals`` hold the true ranks of all learners at once, with 1 − alpha (Mogstad et al. 2024); ``best_set``
    are those that no other is shown to beat. ``means`` and ``costs`` are by name and learner; a cost that is not known
    is not there.
    """

    learners: tuple[str, ...]
    rank_intervals: dict[str, tuple[int, int]]
    best_set: tuple[str, ...]
    means: dict[str, dict[str, float]]
    costs: dict[str, dict[str, float]]
    test: str
    alpha: float
    scope: str
    verdict: Verdict = field(repr=False)

    @property
    def advice(self) -> tuple[Advice, ...]:
        """What to be careful about, most important first."""
        return self.verdict.advice

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it was made from."""
        return self.verdict.paths

    def rows(self) -> list[dict[str, Any]]:
        """One dict per learner; ``in_best_set`` says that it may be the best, ``filled_in`` how many of its results,
        where some learner has such, are not its own.
        """
        filled = self.verdict.comparison.left_out.filled
        return [
            {
                "rank_from": self.rank_intervals[name][0],
                "rank_to": self.rank_intervals[name][1],
                "learner": name,
                "in_best_set": name in self.best_set,
                **{measure: means[name] for measure, means in self.means.items()},
                **{cost: costs.get(name) for cost, costs in self.costs.items()},
                **({"filled_in": filled.get(name, 0)} if filled else {}),
            }
            for name in self.learners
        ]

    def frame(self) -> Any:
        """Return one row per learner as a pandas data frame."""
        return need("pandas", purpose="a data frame of the leaderboard").DataFrame(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON: with how many units, and what was left out and filled in."""
        comparison, filled_in = self.verdict.comparison, self.verdict.filled_in
        return {
            **super().to_dict(),
            "units": comparison.sample.units,
            "left_out": comparison.left_out.to_dict(),
            "filled_in": None if filled_in is None else filled_in.to_dict(),
            "advice": [each.to_dict() for each in self.advice],
        }

    @property
    def table(self) -> LearnersTable:
        """One row per learner, with its rank interval drawn."""
        axis, marks = drawn_ranks(self.verdict, self.learners)
        costs = {name: each for name, each in self.costs.items() if each and name not in self.means}
        numbers = {name: self._texts(each, mean_text) for name, each in self.means.items()}
        numbers |= {name: self._texts(each, number_text) for name, each in costs.items()}
        rows = tuple(
            (name, *(texts[i] for texts in numbers.values()), rank_text(self.rank_intervals[name]), self._finding(name))
            for i, name in enumerate(self.learners)
        )
        states = tuple("open" if name in self.best_set else "worse" for name in self.learners)
        return LearnersTable(
            ("learner", *numbers, "rank", "finding"),
            rows,
            frozenset(numbers),
            states,
            drawn="rank",
            marks=marks,
            axis=axis,
            better="left",
        )

    def _texts(self, numbers: Mapping[str, float], text: Callable[[float], str]) -> list[str]:
        known = [name for name in self.learners if name in numbers]
        texts = dict(zip(known, column_texts([numbers[name] for name in known], text), strict=True))
        return [texts.get(name, "") for name in self.learners]

    def _finding(self, name: str) -> str:
        if name not in self.best_set:
            return ""
        return "best" if len(self.best_set) == 1 and self.verdict.status != "undecided" else "may be best"

    def page(self, reading: Any = None) -> Page:
        """What its report says, before any format."""
        sure, filled_in = sureness(self.verdict), self.verdict.filled_in
        about = scope_words(self.verdict.comparison) + (f" ({sure})" if sure else "")
        return Page(
            title=f"{len(self.learners)} learners by rank",
            lines=(
                f"All ranks lie in their intervals, {about}.",
                headline(self.verdict)
                if self.verdict.status in ("decided", "undecided")
                else best_set_sentence(self.verdict),
            ),
            sections=advice_sections(self.verdict),
            about=judged_line(self.verdict),
            version=self.verdict.provenance.versions["bestofk"],
            table=self.table,
            advice=self.advice,
            small=(*([] if filled_in is None else [f"Filled in: {filled_in!r}."]), f"{tested_by(self.verdict)}."),
        )

    def report(self, path: str | PathLike[str], **options: Any) -> Path:
        """Write it, the format by the suffix: csv, html, json, md, tex, txt."""
        from bestofk.reporting.report import write_report

        return write_report(self, path, **options)

    def __repr__(self) -> str:
        return "\n".join([*self.page().lines, "", aligned(self.table), "", *notes(self.verdict, rest="board.advice")])


def leaderboard_of(verdict: Verdict) -> Leaderboard:
    """The learners of a verdict by rank."""
    comparison = verdict.comparison
    means = dict(comparison.measure_means) if comparison.sample.scale == "difference" else {}
    ranks = {} if comparison.mean_ranks is None else {"mean rank": comparison.mean_ranks}
    return Leaderboard(
        learners=means_first(comparison),
        rank_intervals=dict(verdict.rank_intervals),
        best_set=verdict.best_set,
        means={**means, **ranks} or dict(comparison.measure_means),
        costs={
            name: {learner: cost for learner, cost in each.items() if not isnan(cost)}
            for name, each in verdict.evidence.costs.items()
        },
        test=verdict.test,
        alpha=verdict.alpha,
        scope=verdict.scope,
        verdict=verdict,
    )
