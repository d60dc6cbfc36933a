"""Outcomes of K learners on the same items: test instances, questions, documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.evidence.checks import (
    entries_of,
    frozen,
    refuse_infinite,
    refuse_length,
    refuse_other_learners,
    refuse_shape,
    settled_names,
)
from bestofk.evidence.evidence import Evidence, kept_costs
from bestofk.evidence.scores import Scores
from bestofk.settings import FOLDS

#: Fewer groups than these are no sample of groups: with five the signs of their sums can be dealt in 32 ways.
FEWEST_GROUPS = 6
#: What there is for every item, and what every learner has of it.
PER_ITEM = ("groups", "weights", "folds", "replications", "truth", "units")
BY_LEARNER = ("predictions", "probabilities", "decisions")


class Items(Evidence, kw_only=True):
    """Paired outcomes per item. ``values`` is (learners, items); NaN is an outcome that is missing.

    Outcomes are 0/1 (wrong or right) or graded. ``truth`` and ``predictions`` are kept where outcomes were made from
    them, ``probabilities`` (learner → items × classes) and ``classes`` where they were given; ``groups`` names the task
    or document that each item belongs to: items of one group are not independent; ``group_name`` is what a group is
    called. ``fixed_groups``: they are too few to be a sample, and unless said otherwise nothing is claimed of others.
    ``weights``, one positive number per
    item, say how much each counts: means are weighted, and so are the losses that are tested. ``folds`` and
    ``replications`` name the fold that tested an item, where the source says so; tests of items one by one have no use
    for them. ``fold_fault`` says (wrong, where, fix) why they are not known though the source has such a column;
    ``fold_datasets`` are the data sets whose folds or replications these are, where there are several.

    Where the same item occurs in several replications every occurrence is an entry of its own, and ``units`` has the
    item of each, "" where nothing names it; ``test_fraction`` is the share of test data of random splits.
    ``decisions`` (learner → items) are scores of the second of two ``classes`` that are no probabilities.
    ``gap_places`` says where the first missing outcomes are in the source, by learner and item. ``gap_means`` are the
    means of an item's repeats where some of them failed and count as the worst outcome.

    Examples
    --------
    >>> Items(learners=("small", "large"), values=[[0, 1, 0], [1, 1, 0]], measure="correct", larger_is_better=True)
    2 learners on 3 items, measure correct: larger is better
    """

    values: Array
    items: tuple[str, ...] = ()
    groups: tuple[str, ...] | None = None
    group_name: str = "group"
    fixed_groups: bool = False
    weights: Array | None = None
    folds: tuple[str, ...] | None = None
    replications: tuple[str, ...] | None = None
    truth: tuple[str, ...] | None = None
    predictions: Mapping[str, tuple[str, ...]] | None = None
    probabilities: Mapping[str, Array] | None = None
    classes: tuple[str, ...] = ()
    decisions: Mapping[str, Array] | None = None
    units: tuple[str, ...] | None = None
    test_fraction: float | None = None
    fold_fault: tuple[str, str, str] | None = None
    fold_datasets: tuple[str, ...] = ()
    gap_places: Mapping[tuple[str, str], str] = field(default_factory=dict)
    gap_means: Mapping[tuple[str, str], float] = field(default_factory=dict)

    LISTS: ClassVar = ("learners", "items", "classes")
    MAPPINGS: ClassVar = ("costs", "gap_places", "gap_means")

    def __post_init__(self) -> None:
        where = self.origin.source
        self._take_lists()
        values = frozen(self.values, where=where)
        object.__setattr__(self, "values", values)
        if values.ndim != 2 or len(values) != len(self.learners) or values.size == 0:
            raise InputError(
                f"values has the shape {values.shape} for {counted(len(self.learners), 'learner')}.",
                f"{self.origin.source}, values",
                "give (learners, items).",
            )
        refuse_infinite(values, where)
        number = values.shape[1]
        object.__setattr__(self, "items", settled_names(self.items, number, what="item", where=where))
        for name in PER_ITEM:
            self._settle_list(name, number)
        self._refuse_weights(where)
        self._refuse_unknown_units()
        self._settle_by_learner("predictions", (number,))
        self._settle_by_learner("probabilities", (number, len(self.classes)))
        self._settle_by_learner("decisions", (number,))
        super().__post_init__()

    def _settle_list(self, name: str, number: int) -> None:
        entries = getattr(self, name)
        if entries is not None:
            entries = entries_of(entries, name=name, where=self.origin.source)
            refuse_length(entries, number, name=name, where=self.origin.source)
            kept = frozen(entries, name=name, where=self.origin.source) if name == "weights" else entries
            object.__setattr__(self, name, kept)

    def _refuse_weights(self, where: str) -> None:
        if self.weights is None:
            return
        refuse_shape(self.weights, (self.values.shape[1],), name="weights", where=where)
        wrong = ~(np.isfinite(self.weights) & (self.weights > 0))
        if wrong.any():
            place = int(np.argmax(wrong))
            raise InputError(
                f"the weight of item {self.items[place]} is {self.weights[place]:g}.",
                f"{where}, weights",
                "give every item a positive, finite weight.",
            )

    def _refuse_unknown_units(self) -> None:
        """An item that occurs several times does so in replications, once in each."""
        where = f"{self.origin.source}, units"
        if self.units is None:
            return
        if self.replications is None:
            raise InputError(
                "units name the item of every entry, and nothing names its replication.",
                where,
                "give replications as well, or leave units out where every item occurs once.",
            )
        pairs = [each for each in zip(self.units, self.replications, strict=True) if each[0] != ""]
        if len(set(pairs)) < len(pairs):
            seen: set[tuple[str, str]] = set()
            unit, replication = next(each for each in pairs if each in seen or seen.add(each))  # type: ignore[func-returns-value]
            raise InputError(
                f"item {unit} occurs twice in replication {replication}.", where, "give every item once a replication."
            )

    def _settle_by_learner(self, name: str, shape: tuple[int, ...]) -> None:
        """Copy what each learner has of every item, and check its shape."""
        given, where = getattr(self, name), self.origin.source
        if given is None:
            return
        refuse_other_learners(given, self.learners, name=name, where=where)
        words = name == "predictions"
        copies = {
            learner: entries_of(each, name=f"{name} of {learner}", where=where)
            if words
            else frozen(each, name=name, where=where)
            for learner, each in given.items()
        }
        for learner, each in copies.items():
            if words:
                refuse_length(each, shape[0], name=f"{name} of {learner}", where=where)
            else:
                refuse_shape(each, shape, name=f"{name} of {learner}", where=where)
        object.__setattr__(self, name, copies)

    @property
    def held(self) -> frozenset[str]:
        """Folds, where the source names those of its items."""
        return frozenset([FOLDS] if self.folds is not None or self.replications is not None else [])

    @cached_property
    def binary(self) -> bool:
        """Whether every outcome is 0 or 1."""
        return all(((row == 0.0) | (row == 1.0) | np.isnan(row)).all() for row in self.values)

    @property
    def is_rate(self) -> bool:
        """Whether outcomes lie between 0 and 1, as those do that are right or wrong."""
        return super().is_rate or (self.binary and not self.weighted)

    @property
    def worst(self) -> float | None:
        """The worst outcome that there can be; None where nothing bounds it."""
        return 1.0 - self.larger_is_better if self.binary else super().worst

    @cached_property
    def group_names(self) -> tuple[str, ...]:
        """The groups, in the order of their first items."""
        return tuple(dict.fromkeys(self.groups or ()))

    @cached_property
    def group_codes(self) -> npt.NDArray[np.intp]:
        """Per item, the place of its group among ``group_names``."""
        place = {name: code for code, name in enumerate(self.group_names)}
        return np.fromiter((place[name] for name in self.groups or ()), dtype=np.intp)

    @property
    def weighted(self) -> bool:
        """Whether some items count more than others."""
        return self.weights is not None and bool((self.weights != self.weights[0]).any())

    def losses(self) -> Array:
        """Return (learners, items), smaller is better; a right/wrong outcome becomes 1 for wrong.

        Where items have weights the losses are weighted, so that their mean is the weighted mean.
        """
        losses = self.values_of(self.values)
        return losses * (self.weights / self.weights.mean()) if self.weights is not None and self.weighted else losses

    def values_of(self, losses: Array) -> Array:
        """Losses without weights in units of the measure, and the other way round."""
        return 1.0 - losses if self.larger_is_better and self.binary else np.asarray(self.sign * losses)

    def means(self) -> dict[str, float]:
        """Mean outcome of every learner, weighted, in units of the measure; NaN when one is missing."""
        means = np.average(self.values, axis=1, weights=self.weights if self.weighted else None)
        return dict(zip(self.learners, means.tolist(), strict=True))

    def as_datasets(self) -> Scores:
        """Groups as data sets, each with the mean of its items; a mean is missing where an outcome is."""
        weights = np.ones(len(self.items)) if self.weights is None else self.weights
        number = len(self.group_names)
        total = np.bincount(self.group_codes, weights=weights, minlength=number)
        sums = [np.bincount(self.group_codes, weights=weights * row, minlength=number) for row in self.values]
        return self.as_kind(Scores, values=(np.array(sums) / total)[:, :, None, None], datasets=self.group_names)

    @property
    def gaps(self) -> Flags:
        """(learners, items): which outcomes are missing."""
        return np.isnan(self.values)

    def missing(self) -> tuple[str, ...]:
        """Name every missing outcome."""
        gaps = ((self.learners[k], self.items[i]) for k, i in np.argwhere(self.gaps))
        return tuple(f"learner {gap[0]}, item {gap[1]}{self._place_of(gap)}" for gap in gaps)

    def _place_of(self, gap: tuple[str, str]) -> str:
        return f" ({self.gap_places[gap]})" if gap in self.gap_places else ""

    @property
    def undecided(self) -> tuple[str, ...]:
        """Learners whose decision scores predict no class: they have areas under ROC curves, and no outcome."""
        if self.decisions is None:
            return ()
        return tuple(n for n, each in zip(self.learners, self.values, strict=True) if np.isnan(each).all())

    def without(self, learners: Iterable[str] = (), items: Iterable[str] = ()) -> Items:
        """Return the evidence without some learners or items."""
        gone, left_out = set(learners), set(items)
        rows = [i for i, name in enumerate(self.learners) if name not in gone]
        columns = [i for i, name in enumerate(self.items) if name not in left_out]
        if not columns:
            raise InputError("no item is left.", self.origin.source, "complete the missing outcomes.")
        names = tuple(self.learners[i] for i in rows)

        def cut(entries: Any) -> Any:
            return tuple(entries[i] for i in columns) if isinstance(entries, tuple) else entries[columns]

        own: dict[str, Any] = {name: cut(each) for name in PER_ITEM if (each := getattr(self, name)) is not None}
        for name in BY_LEARNER:
            each = getattr(self, name)
            own[name] = None if each is None else {learner: cut(each[learner]) for learner in names}
        return replace(
            self,
            learners=names,
            values=self.values[rows][:, columns],
            items=cut(self.items),
            costs=kept_costs(self.costs, names),
            **own,
        )

    def __repr__(self) -> str:
        groups = "" if self.groups is None else f" in {counted(len(self.group_names), self.group_name)}"
        weighted = " with weights" if self.weighted else ""
        return (
            f"{counted(len(self.learners), 'learner')} on {self._number()}{groups}{weighted}, "
            f"measure {self.measure}: {self.direction}"
        )

    def _number(self) -> str:
        if self.units is None:
            return counted(len(self.items), "item")
        number = counted(len(set(self.replications or ("",))), "replication")
        if "" in self.units:
            return f"{counted(len(self.items), 'row')} of {number}"
        return f"{counted(len(set(self.units)), 'item')} in {number}"
