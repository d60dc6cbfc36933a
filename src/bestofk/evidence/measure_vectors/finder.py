"""A measure of every fold: its own column, the counts, the classes, or why it cannot be had."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from functools import cached_property

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError, glimpse
from bestofk.core.frozen import frozen
from bestofk.core.names import plain, unknown
from bestofk.core.phrases import counted, listed
from bestofk.evidence.measure_vectors.known import Known, of_all_classes
from bestofk.evidence.measure_vectors.wanted import (
    RECALLS,
    TWO_RECALLS,
    WHERE,
    Wanted,
    direction_of,
    one_dataset,
    refuse_no_threshold,
    threshold_in,
)
from bestofk.evidence.scores import COUNTS, Scores
from bestofk.measures.catalogue import AVERAGES, COUNTED, ENTRIES, Measure, same_values
from bestofk.measures.count_columns import (
    GIVEN,
    OF_COUNTS,
    confusion_table,
    contradicting,
    contradiction,
    counted_ratio,
    filled_in,
    undefined_share,
)


class NoPositive(InputError):
    """Several classes could be the positive one, and none is said to be."""


@frozen
class Finder:
    """Finds a measure of every fold: its own column, the counts, the classes, or the source once more."""

    scores: Scores
    known: Known
    undefined: float | None
    notes: list[str] = field(default_factory=list)
    filled: dict[str, float] = field(default_factory=dict)  # measures that were 0/0 somewhere, and what they count as

    @property
    def where(self) -> str:
        """The argument and the source, for refusals."""
        return f"{WHERE}, {self.scores.origin.source}"

    @cached_property
    def columns(self) -> dict[str, Array]:
        """What the source has a column of, by its name."""
        return {**self.scores.measured_costs, self.scores.measure: self.scores.values, **self.scores.others}

    @cached_property
    def own(self) -> dict[str, Array]:
        """The same by plain names."""
        return {plain(name): values for name, values in self.columns.items()}

    def derives(self, name: str) -> bool:
        """Whether a measure is made of counts: a column of one's own may mean something else by its name."""
        of_counts = self.scores.counts is not None and plain(name) in OF_COUNTS
        return "@" in name or ((of_counts or name in self.known.recalls) and plain(name) not in self.own)

    def meaning(self, name: str) -> tuple[frozenset[str], float | None]:
        """Entries that have the values of a measure, or 1 minus them, and its threshold: 0.30 and 0.3 are one."""
        measure, threshold = threshold_in(name) or (self.known.rate(name), None)
        return same_values(measure), threshold

    def spelled_out(self, wanted: tuple[Wanted, ...]) -> tuple[Wanted, ...]:
        """With every class in the place of ``recalls``."""
        found: list[Wanted] = []
        for each in wanted:
            found += [Wanted(name, True) for name in self._recalls()] if each.name == RECALLS else [each]
        return tuple(found)

    def _recalls(self) -> list[str]:
        averages = {f"recall{ending}" for ending in AVERAGES}
        named = [name for name in self.columns if plain(name).startswith("recall_") and plain(name) not in averages]
        if self.known.positive is not None and len(self.known.classes) > 2:
            return list(TWO_RECALLS)  # of the class that was chosen, and of the rest
        if self.known.recalls or len(named) > 1:
            return list(self.known.recalls) or named
        if self.scores.counts is not None:
            return list(TWO_RECALLS)
        if self.known.mixed:
            raise one_dataset(OTHER_CLASSES, self.scores.datasets, self.scores.origin.source)
        raise InputError(
            "there are no recalls of classes: neither counts, nor columns recall_CLASS.",
            self.where,
            "name the columns that hold them (--on recall_a,recall_b), or give a store or a table of tp, fn, fp, tn.",
        )

    def direction(self, wanted: Wanted, asked: bool | None) -> bool:
        """Whether larger is better, as the scores say or the name."""
        if wanted.name == self.scores.measure:
            return self.scores.larger_is_better
        return direction_of(wanted, asked, where=self.where)

    def column(self, name: str, typed: str = "") -> Array:
        """The measure of every fold, in the shape of the scores; ``typed`` is the name as it was said."""
        if name in self.known.untimed:
            raise InputError(
                f"{name} is not known of {counted(self.known.untimed[name], 'fold')}: they shared their work, so that "
                "none has a time or a size of its own.",
                self.where,
                "collect once more with --no-sharing (sharing=False), into another store, and judge that one.",
            )
        own, counts, at = self.own.get(plain(name)), self.scores.counts, threshold_in(name)
        if counts is not None and plain(name) in OF_COUNTS:
            if own is not None and plain(name) not in COUNTS:  # the counts, which are not rounded, if both say the same
                self._refuse_contradiction(name, own)
            if plain(name) in COUNTS:
                return np.asarray(counts[..., COUNTS.index(plain(name))])
            return self.ratio(plain(name), counts)
        if own is not None:
            return own
        if at is not None and self.known.counts_at is not None:
            return self.ratio(at[0], self.known.counts_at(at[1]), said=name)
        refuse_no_threshold(name)
        measure = self.known.measure(name)
        if measure is None:
            raise self._lacking(name, typed)
        return self._made(measure, self.known.confusion, name)

    def ratio(self, name: str, counts: Array, said: str = "") -> Array:
        """A measure of counts tp, fn, fp, tn of every fold, under the name ``said``."""
        return self._made(COUNTED[name], tuple(np.moveaxis(confusion_table(counts), 1, 0)), said or name)

    def _made(self, measure: Measure, tables: tuple[Array, ...], said: str) -> Array:
        """A measure of confusion tables, one array per data set; 0/0 is refused where nobody said what it counts as."""
        empty = np.stack([undefined_share(measure, each) for each in tables], axis=1) > 0
        if empty.any():
            what = f"the {measure.averages} of a class in {said}" if measure.averages else said
            self._settle(measure, what, empty)
            self.filled[said] = self.undefined or 0.0
        return np.stack([filled_in(measure, each, self.undefined or 0.0) for each in tables], axis=1)

    def _settle(self, measure: Measure, what: str, empty: Flags) -> None:
        """Refuse 0/0 where nobody said what it counts as, or what it cannot be; else remember how often it was."""
        if self.undefined is None:
            raise InputError(
                f"{what} is 0/0 in {counted(int(empty.sum()), 'fold')}: {measure.empty}.",
                f"{self.scores.origin.source}, {'first ' if empty.sum() > 1 else ''}{self.scores.first_place(empty)}",
                "say what it counts as there: --undefined 0 (undefined=0); or take larger folds or another threshold.",
            )
        if self.undefined < 0.0 and measure.scale != "correlation":
            raise InputError(
                f"undefined is {self.undefined:g}, and {what} is 0/0, which lies between 0 and 1.",
                "judge, argument undefined",
                "give a number from 0 to 1: --undefined 0 (undefined=0).",
            )
        results = counted(int(empty.sum()), "result")
        self.notes.append(f"{what} is 0/0 in {results} and counts as {self.undefined:g} there, as was said")

    def _lacking(self, name: str, typed: str) -> InputError:
        """Why a measure cannot be had: the first reason that holds."""
        classes = self.known.classes
        there = [each for each in COUNTS if each in self.own]
        of_counts = plain(name.partition("@")[0]) in OF_COUNTS
        if of_counts and len(classes) > 2:
            return NoPositive(
                f"{name} is of one class against the rest, and there are {len(classes)} classes, and none is said to "
                "be positive.",
                self.where,
                f"say which: --positive {classes[0]} (of {', '.join(classes)}), or --positive each; or --on recalls.",
            )
        if of_counts and self.known.mixed:
            wrong = f"{name} is of one class of two, and the data sets have different classes, or more."
            return one_dataset(wrong, self.scores.datasets, self.scores.origin.source)
        if plain(name) in COUNTS or (plain(name) in COUNTED and there):
            lacking = [each for each in COUNTS if each not in there]
            return InputError(
                f"{name} needs the counts tp, fn, fp and tn, and {listed(lacking)} "
                f"{'is' if len(lacking) == 1 else 'are'} missing.",
                self.where,
                f"give columns {', '.join(lacking)}; or name measures that are there.",
            )
        if plain(name) in {plain(cost) for cost in self.scores.costs}:
            return InputError(
                f"{name} is known here as one mean per learner, not per fold.",
                self.where,
                "give judge the file or the frame itself, or bk.read(source, on=…): it is read with every measure.",
            )
        return unknown(typed or name, self._names(), what="measure", where=self.where)

    def _names(self) -> list[str]:
        given = [*GIVEN, *COUNTS] if self.scores.counts is not None else []
        all_classes = [each.name for each in of_all_classes()] if self.known.confusion else []
        return list(dict.fromkeys([*self.columns, *self.scores.costs, *self.known.recalls, *given, *all_classes]))

    def _refuse_contradiction(self, name: str, column: Array) -> None:
        """Refuse a column that says something else than the counts beside it; it may be in per cent.

        Counts of a class that was chosen by name are of other rows than a column beside them.
        """
        computed = counted_ratio(name, np.asarray(self.scores.counts))
        if computed is None or self.known.positive is not None:
            return
        apart, scale = contradicting(column, computed)
        if apart.any():
            first = tuple(np.argwhere(apart)[0])
            wrong, fix = contradiction(name, float(column[first]), scale * float(computed[first]))
            raise InputError(wrong, f"{self.scores.origin.source}, {self.scores.first_place(apart)}", fix)

    def error(self) -> Array | None:
        """The error of every fold where it is known."""
        if self.scores.counts is not None and not len(self.known.classes) > 2:
            for name, told in self.columns.items():
                is_error = same_values(name) == same_values("error")
                if is_error and np.nanmin(told, initial=0.0) >= 0:  # else a scorer's, which turns losses round
                    self._refuse_contradiction(name, told)
            return self.ratio("error", self.scores.counts)
        if "error" in self.own:
            return self.own["error"]
        accuracy = self.own.get("accuracy")
        return None if accuracy is None or np.nanmax(accuracy) > 1.0 else 1.0 - accuracy


def settled_undefined(undefined: object, names: Iterable[str]) -> float | None:
    """What 0/0 counts as, or None: a number from 0 to 1, or from −1 where mcc or kappa is among the names."""
    if undefined is None:
        return None
    known = (ENTRIES.get(plain(name.partition("@")[0])) for name in names)
    lowest = -1.0 if any(each is not None and each.scale == "correlation" for each in known) else 0.0
    is_number = isinstance(undefined, int | float | np.number) and not isinstance(undefined, bool)
    if not is_number or not lowest <= float(undefined) <= 1.0:  # type: ignore[arg-type]
        raise InputError(
            f"undefined is {glimpse(undefined)}.",
            "judge, argument undefined",
            f"give what a measure 0/0 counts as, a number from {lowest:g} to 1: --undefined 0 (undefined=0).",
        )
    return float(undefined)  # type: ignore[arg-type]


#: What is wrong with recalls of data sets whose classes are not the same.
OTHER_CLASSES = "the data sets have different classes, so their recalls cannot be put side by side."
