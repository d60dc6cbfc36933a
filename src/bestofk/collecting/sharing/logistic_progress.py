"""Logistic regressions in work: their weights, gradients and remembered steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.collecting.sharing.logistic_models import Columns, Models
from bestofk.core.arrays import Array

#: Steps remembered.
MEMORY = 10


class Progress:
    """``live`` models are not settled yet; ``exact`` ones are worked on in double precision, ``models`` are the live.

    ``settled`` models were so in the step before, ``hints`` are a test row of each that was not.
    """

    def __init__(
        self, models: Models, tests: Sequence[Any], start: Array, columns: tuple[Columns, Columns], exact: bool = False
    ) -> None:
        self.all = self.models = models
        self.weights, (self.single, self.double) = start, columns
        count, size = len(start), start[0].size
        self.live = np.arange(count)
        self.exact, self.settled = np.full(count, exact), np.zeros(count, dtype=bool)
        self.tests = np.append(0, np.cumsum([len(rows) for rows in tests])), np.concatenate(tests)
        self.hints = np.array([rows[0] for rows in tests], dtype=np.intp)
        self.size = models.times.sum(axis=1, dtype=np.float64)[models.which]
        self.steps, self.changes = np.zeros((2, MEMORY, count, size))
        self.inverses, self.slots = np.zeros((MEMORY, count)), np.zeros(0, dtype=np.intp)
        self.gradient = models.gradient(start, self.single)

    def gradient_at(self, weights: Array, places: Any) -> Array:
        """Gradients of some live models, each in its precision."""
        exact, out = self.exact[self.live[places]], np.empty_like(weights)
        for columns, kind in ((self.single, ~exact), (self.double, exact)):
            if kind.all() and len(places) == len(self.live):
                return self.models.gradient(weights, columns)
            if kind.any():
                out[kind] = self.models.only(places[kind]).gradient(weights[kind], columns)
        return out

    def flatness(self) -> Array:
        """Largest slope of every live model per training row."""
        slopes: Array = np.abs(lines_of(self.gradient[self.live])).max(axis=1) / self.size[self.live]
        return slopes

    def distances(self, places: Any) -> Array:
        """How far some live models are at most from their optimum, as a share of their weights.

        The loss bends at least as the penalty does: weights are off, in the norm of the penalty, by no more than the
        slope in the norm of its inverse.
        """
        which, penalty = self.live[places], self.models.penalty[places][:, None, :]
        slopes = self.gradient[which] ** 2 / np.where(penalty > 0, penalty, np.inf)
        weights = penalty * self.weights[which] ** 2
        ratio: Array = np.sqrt(slopes.sum(axis=(1, 2)) / np.maximum(weights.sum(axis=(1, 2)), 1e-300))
        return ratio

    def go_on_with(self, going: Any) -> None:
        """Leave the other models as they are."""
        self.live = self.live[going]
        self.models = self.all.only(self.live)

    def remember(self, step: Array, change: Array) -> None:
        """Keep a step of every live model and what it changed in the slopes, in place of the oldest."""
        slot = (self.slots[-1] + 1) % MEMORY if len(self.slots) else 0
        self.slots = np.append(self.slots, slot)[-MEMORY:].astype(np.intp)
        curvature = np.einsum("ijk,ijk->i", step, change)
        self.steps[slot, self.live], self.changes[slot, self.live] = lines_of(step), lines_of(change)
        self.inverses[slot, self.live] = np.where(curvature > 1e-300, 1.0 / np.maximum(curvature, 1e-300), 0.0)


def lines_of(weights: Array) -> Array:
    """All weights of a model in one line."""
    return weights.reshape(len(weights), -1)
