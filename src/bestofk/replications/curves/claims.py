"""What the paper's text says of its figures, and whether ours say the same.

The figures themselves are plots: their numbers are not printed, so sentences are compared. Where a sentence gives no
number ("handily", "around"), the number asked for is ours and is shown. One rule for all: a number is reached unless it
is missed by more than chance, three standard errors (four for the worst of the many rows of Fig. 5), which is shown;
that something is there must be shown beyond chance.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.replications.agreement import Agreement
from bestofk.replications.curves.apart import Apart
from bestofk.replications.curves.findings import EFFECTS, METHODS, Findings

EXPECTED = 50.0  # 1,000 times alpha
AROUND = 10.0  # "around 50", unless chance allows more
HANDILY = 0.9  # "detects them handily", "quite powerful"
NONE = 0.05  # "does not report one"

#: Kinds with a true effect of the algorithm, and of the interaction (Fig. 1).
PRESENT = {"alg": "acd", "int": "bcd"}


def agreement_of(found: Findings, apart: Apart) -> tuple[Agreement, ...]:
    """Compare every sentence of the paper that the rows can answer."""
    return (*_divided(found), *_modified(found), *_power(found), *_apart(found, apart))


def _divided(found: Findings) -> Iterator[Agreement]:
    """Fig. 3 and 4."""
    chance = 3.0 * found.error("type-i")
    for pool in found.pools:
        row = found.divided(pool)
        alg, interaction = 1000 * row.conventional_alg, 1000 * row.conventional_int
        what = f"Fig. 3, {pool}: conventional, Algorithm, of 1,000"
        asked = f"far more than 50 (above {2 * EXPECTED:.0f}, chance ± {chance:.0f})"
        yield Agreement(what, f"{alg:.0f}", asked, bool(alg > 2 * EXPECTED + chance))
        what = f"Section 3, {pool}: conventional, Interaction, of 1,000"
        asked = f"{EXPECTED:.0f} or less, chance ± {chance:.0f}"
        yield Agreement(what, f"{interaction:.0f}", asked, bool(interaction <= EXPECTED + chance))
        for effect, short in EFFECTS.items():
            rate = 1000 * getattr(row, f"randomized_{short}")
            yield _around(f"Fig. 4, {pool}: randomized, {effect}, of 1,000", np.array([rate]), chance)
    if {"krkopt", "tictactoe"} <= set(found.pools):
        one, two = (found.divided(name).conventional_alg for name in ("krkopt", "tictactoe"))
        error = np.sqrt((one * (1.0 - one) + two * (1.0 - two)) / found.experiments("type-i"))
        ours = f"{1000 * one:.0f} and {1000 * two:.0f}"
        asked = "differ, of these curves (beyond three standard errors)"
        what = "Fig. 3: conventional, Algorithm, krkopt and tictactoe"
        yield Agreement(what, ours, asked, bool(abs(one - two) > 3.0 * error))


def _modified(found: Findings) -> Iterator[Agreement]:
    """Fig. 5: differences shuffled away."""
    if not found.asked("modified"):
        return
    chance = 4.0 * found.error("modified")  # of the largest of many
    for effect, short in EFFECTS.items():
        rates = 1000 * found.everywhere("modified", f"randomized_{short}")
        yield _around(f"Fig. 5: randomized, {effect}, of 1,000, all modifications", rates, chance)
    over = found.everywhere("modified", "conventional_alg") * 1000 > EXPECTED
    yield _mostly("Fig. 5: conventional asserts an Algorithm effect too often", over)
    under = found.everywhere("modified", "conventional_int") * 1000 < EXPECTED
    yield _mostly("Fig. 5: conventional asserts an Interaction effect too seldom", under)
    largest = 20 * found.everywhere("modified", "conventional_alg").max()
    yield Agreement("Fig. 5: conventional, largest misjudgement", f"a factor of {largest:.0f}", "up to a factor of ten")
    if "b" in found.kinds and len(found.factors) > 2:
        yield _trend(found, "conventional_alg", "Fig. 5, b: conventional, Algorithm, along f", falls=True)
        yield _trend(found, "conventional_int", "Fig. 5, b: conventional, Interaction, along f", falls=False)


def _power(found: Findings) -> Iterator[Agreement]:
    """Fig. 6."""
    if not found.asked("power"):
        return
    for effect, short in EFFECTS.items():
        for kind in found.kinds:
            rates = found.along("power", kind, f"randomized_{short}")
            what = f"Fig. 6, {kind}: randomized, {effect}"
            if kind in PRESENT[short]:
                chance = _chance(HANDILY, found.experiments("power"))
                asked = f"detected (power {HANDILY:g} or more, chance ± {chance:.2f})"
                met = bool(rates[-1] >= HANDILY - chance)
                yield Agreement(what, f"{rates[-1]:.2f} at f = {found.factors[-1]:g}", asked, met)
            else:
                yield _not_reported(what, rates, found.experiments("power"))
    if "b" in found.kinds:
        rates = found.along("power", "b", "conventional_alg")
        what = "Fig. 6, b: conventional, Algorithm"
        chance = _chance(NONE, found.experiments("power"))
        asked = f"reported, although there is none (above {NONE:g}, chance ± {chance:.2f})"
        yield Agreement(what, f"at least {rates.min():.2f}", asked, bool(rates.min() > NONE + chance))
    conventional, randomized = (found.everywhere("power", f"{method}_alg") for method in METHODS)
    yield _mostly("Fig. 6: conventional seems more powerful, Algorithm", conventional >= randomized)


def _apart(found: Findings, apart: Apart) -> Iterator[Agreement]:
    """The sentences on effects that are not there, in the other reading, and with level and shape tested apart."""
    for how, rates in (
        ("F* of unmodified curves alone: randomized, Algorithm", apart.unmixed_alg),
        ("F* of unmodified curves alone: randomized, Interaction", apart.unmixed_int),
        ("tested apart: level", apart.level),
        ("tested apart: shape", apart.shape),
    ):
        short = "alg" if how.endswith(("Algorithm", "level")) else "int"
        for kind, row in zip(found.kinds, rates, strict=True):
            if kind not in PRESENT[short]:
                line = _not_reported(f"Fig. 6, {kind}, {how}", row, apart.experiments)
                # level and shape apart are ours: the paper claims nothing of them
                yield Agreement(line.what, line.ours, "not in the paper") if how.startswith("tested apart") else line


def _chance(rate: float, experiments: int) -> float:
    """Three standard errors of a rate."""
    return float(3.0 * np.sqrt(rate * (1.0 - rate) / experiments))


def _not_reported(what: str, rates: Array, experiments: int) -> Agreement:
    chance = _chance(NONE, experiments)
    asked = f"not reported ({NONE:g} or less, chance ± {chance:.2f})"
    return Agreement(what, f"up to {rates.max():.2f}", asked, bool(rates.max() <= NONE + chance))


def _around(what: str, rates: Array, chance: float) -> Agreement:
    allowed = max(AROUND, chance)
    ours = f"{rates[0]:.0f}" if len(rates) == 1 else f"{rates.min():.0f} to {rates.max():.0f}"
    met = bool(np.abs(rates - EXPECTED).max() <= allowed)
    return Agreement(what, ours, f"around 50 (± {allowed:.0f}, chance ± {chance:.0f})", met)


def _mostly(what: str, cases: Flags) -> Agreement:
    return Agreement(
        what, f"in {int(cases.sum())} of {len(cases)} cases", "mostly (more than half)", bool(cases.mean() > 0.5)
    )


def _trend(found: Findings, counted: str, what: str, *, falls: bool) -> Agreement:
    rates = 1000 * found.along("modified", "b", counted)
    slope = np.polyfit(found.factors, rates, 1)[0]
    met = bool(slope < 0 and rates[-1] < rates[0]) if falls else bool(slope > 0 and rates[-1] > rates[0])
    return Agreement(what, f"{rates[0]:.0f} to {rates[-1]:.0f}", "falls" if falls else "rises", met)
