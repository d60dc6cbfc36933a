"""A measure of every fold: its own column, the counts, the classes, or the source once more."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.core.phrases import counted
from bestofk.evidence.outcomes.known import Known
from bestofk.evidence.outcomes.refusals import (
    needs_positive,
    no_counts,
    no_recalls,
    no_times,
    nothing_below,
    one_mean_per_learner,
    refuse_below_zero,
    refuse_contradiction,
    refuse_some_counts,
    shared_without,
    undefined_part,
)
from bestofk.evidence.outcomes.wanted import RECALLS, WHERE, Wanted, direction_of, refuse_no_threshold, threshold_in
from bestofk.evidence.scores import COUNTS, Scores
from bestofk.evidence.vectors_all_classes import names_of_all_classes
from bestofk.measures.catalogue import AVERAGES, COUNTED
from bestofk.measures.count_columns import GIVEN, OF_COUNTS, confusion_table, counted_ratio, filled_in, undefined_share


@dataclass(frozen=True)
class Finder:
    """Finds a measure of every fold: its own column, the counts, the classes, or the source once more."""

    scores: Scores
    known: Known
    undefined: float | None
    asked: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    filled: dict[str, float] = field(default_factory=dict)  # measures that were 0/0 somewhere, and what they count as

    def _settled(self, name: str, empty: Flags) -> None:
        """Refuse 0/0 where nobody said what it counts as; else remember how often it was."""
        if empty.any() and self.undefined is None:
            raise nothing_below(name, empty, self.scores)
        if empty.any() and self.undefined is not None:
            refuse_below_zero(name, self.undefined)
            self.filled[name] = self.undefined
            what, results = undefined_part(name), counted(int(empty.sum()), "result")
            self.notes.append(f"{what} is 0/0 in {results} and counts as {self.undefined:g} there, as was said")

    def columns(self) -> dict[str, Array]:
        """What the source has a column of, by its name."""
        return {**self.scores.measured_costs, self.scores.measure: self.scores.values, **self.scores.others}

    def derives(self, name: str) -> bool:
        """Whether a measure is made of counts: a column of one's own may mean something else by its name."""
        own = {plain(each) for each in self.columns()}
        return "@" in name or (self.scores.counts is not None and plain(name) in OF_COUNTS and plain(name) not in own)

    def spelled_out(self, wanted: tuple[Wanted, ...]) -> tuple[Wanted, ...]:
        """With every class in the place of ``recalls``."""
        found: list[Wanted] = []
        for each in wanted:
            found += [Wanted(name, True) for name in self._recalls()] if each.name == RECALLS else [each]
        return tuple(found)

    def _recalls(self) -> list[str]:
        if self.known.recalls:
            return list(self.known.recalls)
        averages = {f"recall{ending}" for ending in AVERAGES}
        named = [name for name in self.columns() if plain(name).startswith("recall_") and plain(name) not in averages]
        if len(named) > 1:
            return named
        if self.scores.counts is not None:
            return ["tpr", "specificity"]  # the recalls of the two classes
        raise no_recalls(self.scores, self.known.mixed)

    def _recall(self, name: str) -> Array:
        """The recall of a class; NaN with no row of it, which is 0/0, unless the fold itself is missing."""
        values, rows = self.known.recalls[name], self.known.recall_rows.get(name)
        empty = np.zeros(values.shape, dtype=bool) if rows is None else np.asarray(rows == 0)
        self._settled(name, empty)
        return np.where(empty, self.undefined or 0.0, values)

    def direction(self, wanted: Wanted, asked: bool | None) -> bool:
        """Whether larger is better, as the scores say or the name."""
        if wanted.name == self.scores.measure:
            return self.scores.larger_is_better
        return direction_of(wanted, asked, where=f"{WHERE}, {self.scores.origin.source}")

    def column(self, name: str, typed: str = "") -> Array:
        """The measure of every fold, in the shape of the scores."""
        by_name = {plain(each): values for each, values in self.columns().items()}
        if name in self.known.untimed:
            raise shared_without(name, self.known.untimed[name], self.scores)
        if name in self.known.recalls:
            return self._recall(name)
        counted_first, own = self._counted(plain(name)), by_name.get(plain(name))
        if counted_first is not None:
            return counted_first if own is None else self._agreed(name, own, counted_first)
        if own is not None:
            return own
        at = threshold_in(name)
        if at is not None and self.known.counts_at is not None:
            return self.ratio(at[0], self.known.counts_at(at[1]), said=name)
        refuse_no_threshold(name)
        found = self.known.more(name) if self.known.more is not None else None
        if found is None and plain(name.partition("@")[0]) in OF_COUNTS:
            error = needs_positive(name, self.known.classes, self.known.mixed, self.scores)
            if error is not None:
                raise error
        if found is None and plain(name) in COUNTS and not any(plain(each) in COUNTS for each in self.columns()):
            raise no_counts([each for each in self.asked if each in COUNTS], self.scores)
        if found is None and plain(name) in {plain(cost) for cost in self.scores.costs}:
            raise one_mean_per_learner(name, self.scores)
        if found is None and typed and self.scores.counts is not None:
            raise no_times(typed, name, self.scores)
        if found is None:
            refuse_some_counts(name, self._names(), self.scores)
            raise unknown(typed or name, self._names(), what="measure", where=f"{WHERE}, {self.scores.origin.source}")
        return self._filled(name, self._fitting(name, found))

    def _agreed(self, name: str, own: Array, counted_first: Array) -> Array:
        """The counts, which are not rounded; a column beside them has to say the same where they are not 0/0."""
        if self.known.positive is None and plain(name) not in COUNTS:
            counted_values = counted_ratio(name, np.asarray(self.scores.counts))
            refuse_contradiction(name, own, own if counted_values is None else counted_values, self.scores)
        return counted_first

    def _filled(self, name: str, values: Array) -> Array:
        """With what was said in the place of 0/0, which measures of all classes take for 0."""
        if self.known.undefined_share is None:
            return values
        share = self._fitting(name, self.known.undefined_share(name))
        self._settled(name, np.asarray(share > 0))
        return np.asarray(values + (self.undefined or 0.0) * share)

    def _fitting(self, name: str, values: Array) -> Array:
        if values.shape != self.scores.values.shape:
            raise InputError(
                f"{name} has the shape {values.shape}, {self.scores.measure} {self.scores.values.shape}.",
                f"{WHERE}, {self.scores.origin.source}",
                "give both for the same learners, data sets and folds.",
            )
        return values

    def _names(self) -> list[str]:
        counted = (*GIVEN, *COUNTS) if self.scores.counts is not None else []
        of_all = names_of_all_classes() if self.known.undefined_share is not None else []
        return list(dict.fromkeys([*self.columns(), *self.scores.costs, *self.known.recalls, *counted, *of_all]))

    def _counted(self, name: str) -> Array | None:
        counts = self.scores.counts
        if counts is None:
            return None
        if name in COUNTS:
            return np.asarray(counts[..., COUNTS.index(name)])
        return self.ratio(name) if name in COUNTED else None

    def ratio(self, name: str, table: Array | None = None, said: str = "") -> Array:
        """A measure of the counts of the folds, or of another ``table`` of counts under the name ``said``."""
        table = confusion_table(self.scores.counts if table is None else table)
        self._settled(said or name, undefined_share(COUNTED[name], table) > 0)
        return filled_in(COUNTED[name], table, self.undefined or 0.0)

    def error(self) -> Array | None:
        """The error of every fold where it is known."""
        columns = {plain(name): values for name, values in self.columns().items()}
        if self.scores.counts is not None and not len(self.known.classes) > 2:
            self._refuse_other_errors(columns)
            return self.ratio("error")
        if "error" in columns:
            return columns["error"]
        accuracy = columns.get("accuracy")
        return None if accuracy is None or np.nanmax(accuracy) > 1.0 else 1.0 - accuracy

    def _refuse_other_errors(self, columns: dict[str, Array]) -> None:
        """The error is that of the counts; a column that says something else of it is not passed over.

        One with values below 0 is a scorer's, which turns losses round.
        """
        for name in ("error", "error_rate", "accuracy"):
            counted_values = counted_ratio(name, np.asarray(self.scores.counts))
            told = columns.get(name)
            if told is None or counted_values is None or np.nanmin(told, initial=0.0) < 0:
                continue
            if self.known.positive is None:
                refuse_contradiction(name, told, counted_values, self.scores)
