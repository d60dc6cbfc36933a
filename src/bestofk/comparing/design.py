"""How the results are paired: what the tests may take for one observation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import one_of
from bestofk.core.phrases import counted
from bestofk.evidence import Curves, Evidence, Items, Scores
from bestofk.evidence.divisions import refuse_tested_training
from bestofk.evidence.evidence import Divided
from bestofk.evidence.scores import folds_in_words

#: folds: replications × folds of one data set. datasets: one mean per data set. items: one outcome per item.
#: curves: whole curves, paired by run only where that is said.
Kind = Literal["folds", "datasets", "items", "curves"]

#: models: trained once each, scored on items. runs: several runs each. learner: on data like this.
#: data sets: on data sets like these.
Scope = Literal["models", "runs", "learner", "data sets"]

#: What groups of items are: a sample of many, so that a claim reaches beyond them, or the only ones that matter.
GROUPS = ("sampled", "fixed")


@dataclass(frozen=True, eq=False)
class Design:
    """Losses as the tests take them: (learners, replications, folds), (learners, data sets) or (learners, items)."""

    kind: Kind
    learners: tuple[str, ...]
    losses: Array
    curves: tuple[Array, ...] = ()
    steps: tuple[float, ...] = ()
    paired: bool = False  # curves of one run belong together
    blocks: tuple[tuple[str, ...], ...] = ()  # data set of every curve, where there are several
    binary: bool = False
    groups: int = 0  # of items, which are then the units: rows are sums of groups, scaled to the mean of all items
    groups_fixed: bool = False  # items have groups, and the claim is about these groups
    test_fraction: float | None = None  # of random splits, which overlap like folds
    divided: Divided = ""

    @property
    def replications_and_folds(self) -> tuple[int, int]:
        """Shape of the folds of one data set."""
        return (int(self.losses.shape[1]), int(self.losses.shape[2])) if self.kind == "folds" else (0, 0)

    @property
    def rows(self) -> Array:
        """One row of paired values per learner, whatever the design."""
        return self.losses.reshape(len(self.learners), -1)

    @property
    def _within(self) -> str:
        number = len({name for names in self.blocks for name in names})
        return f", shuffled within each of {number} data sets" if number else ""

    def blocks_of(self, *learners: int) -> list[tuple[str, ...]] | None:
        """Data sets of these learners' curves, as the tests of curves take them; None where curves need no blocks."""
        return [self.blocks[i] for i in learners] if self.blocks and not self.paired else None

    @property
    def scope(self) -> Scope:
        """What a claim is about."""
        return {"items": "models", "curves": "runs", "folds": "learner", "datasets": "data sets"}[self.kind]  # type: ignore[return-value]

    @property
    def incomplete(self) -> bool:
        """Whether results are missing."""
        return bool(np.isnan(self.losses).any())

    @property
    def text(self) -> str:
        """The design in words."""
        if self.kind == "folds":
            replications, folds = self.replications_and_folds
            if self.divided:
                return f"{folds_in_words(self.divided, replications, folds)}, of one data set"
            if self.test_fraction is not None:
                return f"{counted(replications * folds, 'random split')} of one data set"
            if replications == 1:
                return f"{counted(folds, 'fold')} of one data set"
            return f"{counted(replications, 'replication')} of {counted(folds, 'fold')} of one data set"
        if self.kind == "curves":
            return "whole curves" + (", paired by run" if self.paired else "") + self._within
        if self.groups:
            return f"items in {counted(self.groups, 'group')}"
        return counted(self.rows.shape[1], "data set" if self.kind == "datasets" else "item")

    @property
    def overlap(self) -> str:
        """How splits whose share of test data is known depend on each other, and how that is allowed for."""
        if not self.divided or self.test_fraction is None:
            return "random splits share training data, and the corrected t test allows for it"
        ratio = self.test_fraction / (1.0 - self.test_fraction)
        grow = "training sets grow from fold to fold and share rows"
        uneven = "folds of other sizes than in k-fold share training data"
        return (
            f"{grow if self.divided == 'growing' else uneven}, and the corrected t test allows for it with the mean of "
            f"test rows per training row over the folds, {ratio:.3g}"
        )


def design_of(evidence: Evidence, *, paired: bool = False, groups: str = "sampled") -> Design:
    """Say how evidence is paired. Over several data sets each counts once, with the mean of its folds.

    ``paired`` is for curves: runs of one name (a fold, a seed) belong together. Everything else is paired anyway.
    ``groups`` is for items in groups: ``sampled`` takes groups for the units of the test, ``fixed`` items.
    """
    one_of(groups, GROUPS, name="groups", where="judge")
    if isinstance(evidence, Curves):
        refuse_tested_training(evidence)
        losses = evidence.paired_losses() if paired else evidence.losses()
        means = np.array([[float(each.mean())] for each in losses.values()])
        steps = tuple(float(step) for step in evidence.steps)
        facts: dict[str, Any] = {"curves": tuple(losses.values()), "steps": steps, "paired": paired}
        return Design("curves", evidence.learners, means, blocks=evidence.datasets, **facts)
    if paired:
        raise InputError(
            "paired is said of evidence that is no curves.",
            "argument paired",
            "leave it out: folds, data sets and items are compared in pairs anyway.",
        )
    if isinstance(evidence, Items):
        return _of_items(evidence, fixed=groups == "fixed")
    assert isinstance(evidence, Scores)
    if len(evidence.datasets) > 1:
        return Design("datasets", evidence.learners, evidence.sign * evidence.by_dataset())
    refuse_tested_training(evidence)
    facts = {"test_fraction": evidence.test_fraction, "divided": evidence.divided}
    return Design("folds", evidence.learners, evidence.losses()[:, 0], **facts)


def _of_items(items: Items, *, fixed: bool) -> Design:
    """Items one by one, or where they are in groups the sums of groups: items of one group err together."""
    names = items.groups or ()
    known = list(dict.fromkeys(names))
    grouped = 1 < len(known) < len(names)
    if not grouped or fixed:
        facts: dict[str, Any] = {"binary": items.binary, "groups_fixed": grouped}
        return Design("items", items.learners, items.losses(), **facts)
    place = {name: i for i, name in enumerate(known)}
    member = np.zeros((len(names), len(known)))
    member[np.arange(len(names)), [place[name] for name in names]] = 1.0
    sums = items.losses() @ member * (len(known) / len(names))
    return Design("items", items.learners, sums, groups=len(known))
