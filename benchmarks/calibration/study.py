"""A study draws data under one null and asks several tests about the same data."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.calibration.claims import Claim
from benchmarks.calibration.measured import NOTHING, Measured

SEED = 20261115


@dataclass(frozen=True)
class Case:
    """One test in a study: ``outcome`` says, per run, whether it rejects (or what share of discoveries is false)."""

    function: str
    variant: str
    outcome: Callable[[Any], np.ndarray]
    claim: Claim | None  # None: nobody has said what to expect
    literature: str
    power_theory: Callable[[float], float] | None = None
    unlike: bool = False  # known not to be what the literature says: the claim is what to expect instead


@dataclass(frozen=True)
class Study:
    """Data ``draw(rng, runs, effect)`` under a null (effect 0) or an alternative, and the tests that judge them."""

    name: str
    null: str
    draw: Callable[[np.random.Generator, int, float], Any]
    cases: tuple[Case, ...]
    runs: int
    effects: dict[str, float] = field(default_factory=dict)
    chunk: int = 10_000
    power_share: float = 0.2  # power needs fewer runs: nothing fine is claimed of it
    kind: str = "model"
    population: str = "drawn from the assumptions"
    learner: str = ""


@dataclass(frozen=True)
class Power:
    effect: str
    measured: Measured
    theory: float | None


@dataclass(frozen=True)
class Row:
    """What was measured of one test under one null."""

    study: Study
    case: Case
    size: Measured
    powers: tuple[Power, ...]

    @property
    def holds(self) -> bool:
        return self.case.claim is None or self.case.claim.holds(self.size)

    def __str__(self) -> str:
        return (
            f"{self.case.function} ({self.case.variant}): {self.size.rate:.4f} in {self.size.runs}, {self.case.claim}"
        )


def run(study: Study, effort: float = 1.0, *, power: bool = True) -> list[Row]:
    """Measure every case; ``effort`` scales the number of runs. The seed belongs to the study's name."""
    sizes = _measure(study, 0.0, effort * study.runs, stream=0)
    powers: list[list[Measured]] = []
    if power:
        for stream, effect in enumerate(study.effects.values(), start=1):
            powers.append(_measure(study, effect, effort * study.runs * study.power_share, stream))
    return [
        Row(study, case, sizes[i], tuple(_power(study, case, j, found[i]) for j, found in enumerate(powers)))
        for i, case in enumerate(study.cases)
    ]


def _measure(study: Study, effect: float, runs: float, stream: int) -> list[Measured]:
    rng = np.random.default_rng([SEED, zlib.crc32(study.name.encode()), stream])
    found = [NOTHING] * len(study.cases)
    left = max(1, round(runs))
    while left:
        size = min(left, study.chunk)
        data = study.draw(rng, size, effect)
        found = [old + _outcomes(case, data, size) for old, case in zip(found, study.cases, strict=True)]
        left -= size
    return found


def _outcomes(case: Case, data: Any, runs: int) -> Measured:
    answers = Measured.of(case.outcome(data))
    if answers.runs != runs:  # a batch read as something else would pass for a short simulation
        raise RuntimeError(f"{case.function} ({case.variant}) gave {answers.runs} answers to {runs} runs")
    return answers


def _power(study: Study, case: Case, position: int, measured: Measured) -> Power:
    label, effect = list(study.effects.items())[position]
    return Power(label, measured, case.power_theory(effect) if case.power_theory else None)
