"""Rejections per 1,000 by what they measure, and whether they say what the paper's text says of its figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zlib import crc32

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.frozen import frozen
from bestofk.replications.curves.study import COUNTED, StudyRow, power_run
from bestofk.replications.replication import Agreement
from bestofk.stats.curves.features import modify
from bestofk.stats.curves.split_plot_anova import split_plot_anova

#: The paper's names of the two effects, and how bestofk's fields end.
EFFECTS = {"Algorithm": "alg", "Interaction": "int"}
METHODS = ("conventional", "randomized")


@frozen(eq=False)
class Findings:
    """All rows of a study; pools, kinds and factors in their order."""

    rows: Sequence[StudyRow]

    @property
    def pools(self) -> tuple[str, ...]:
        """Pools whose type I error was measured; the first is the one that was modified."""
        return tuple(row.pool for row in self.rows if row.question == "type-i")

    @property
    def kinds(self) -> tuple[str, ...]:
        """Modifications."""
        return tuple(dict.fromkeys(row.kind for row in self.rows if row.kind))

    @property
    def factors(self) -> tuple[float, ...]:
        """Factors of the modifications."""
        return tuple(dict.fromkeys(row.factor for row in self.rows if row.kind))

    def divided(self, pool: str) -> StudyRow:
        """Fig. 3 and 4: curves of one pool divided at random."""
        return next(row for row in self.rows if row.question == "type-i" and row.pool == pool)

    def along(self, question: str, kind: str, counted: str) -> Array:
        """Rates along the factors: Fig. 5 (``modified``) or Fig. 6 (``power``)."""
        return np.array([getattr(row, counted) for row in self.rows if (row.question, row.kind) == (question, kind)])

    def everywhere(self, question: str, counted: str) -> Array:
        """Rates of all modifications and factors."""
        return np.concatenate([self.along(question, kind, counted) for kind in self.kinds])

    def asked(self, question: str) -> bool:
        """Whether the question was measured."""
        return any(row.question == question for row in self.rows)

    def experiments(self, question: str) -> int:
        """Experiments behind every row, over all its runs."""
        row = next(row for row in self.rows if row.question == question)
        return row.experiments * len(row.counts)

    def error(self, question: str) -> float:
        """Standard error, in rejections per 1,000, of a row whose true rate is 50."""
        return float(1000 * np.sqrt(0.05 * 0.95 / self.experiments(question)))


def per_thousand(row: StudyRow) -> dict[str, Array]:
    """Rejections per 1,000 of every run, by what was counted."""
    counts = 1000.0 * np.asarray(row.counts) / row.experiments
    return {name: counts[:, i] for i, name in enumerate(COUNTED)}


# The power experiment again: with F* of unmodified curves alone, and with level and shape tested apart.


SHUFFLES = 500


@frozen(eq=False)
class Apart:
    """Rates (kinds, factors) of asserted effects.

    ``unmixed_alg`` and ``unmixed_int`` are the randomized ANOVA's against F* of unmodified curves alone; ``level`` and
    ``shape`` those of ``split_plot_anova``, which shuffles both sets together.
    """

    unmixed_alg: Array
    unmixed_int: Array
    level: Array
    shape: Array
    experiments: int


def power_apart(
    lines: Array, kinds: Sequence[str], factors: Sequence[float], *, experiments: int, alpha: float, seed: int
) -> Apart:
    """Draw half of the lines and half of their modified copies, as in section 5.2, and test in the other ways."""
    rates = np.array([[_rates(lines, kind, factor, experiments, alpha, seed) for factor in factors] for kind in kinds])
    return Apart(rates[..., 0], rates[..., 1], rates[..., 2], rates[..., 3], experiments)


def _rates(lines: Array, kind: str, factor: float, experiments: int, alpha: float, seed: int) -> list[float]:
    random = np.random.default_rng([seed, crc32(f"apart|{kind}|{factor:g}".encode())])
    unmixed = power_run(lines, kind, factor, experiments, SHUFFLES, alpha, random, mixed=False)[2:]
    half = max(2, len(lines) // 2)
    drawn = random.permuted(np.tile(np.arange(len(lines)), (2 * experiments, 1)), axis=1)[:, :half]
    first, second = lines[drawn[:experiments]], modify(lines, kind, factor)[drawn[experiments:]]
    # one call for all experiments: they share the ways to deal, not the curves
    found = split_plot_anova(first, second, shuffles=SHUFFLES, alpha=alpha, rng=random, exact=False)
    parts = (float(np.mean(np.asarray(p) <= alpha)) for p in (found.p_level, found.p_shape))
    return [*(float(count) / experiments for count in unmixed), *parts]


# What the text says.


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
    alone = "F* of unmodified curves alone: randomized"
    for how, short, rates, claimed in (
        (f"{alone}, Algorithm", "alg", apart.unmixed_alg, True),
        (f"{alone}, Interaction", "int", apart.unmixed_int, True),
        ("tested apart: level", "alg", apart.level, False),  # ours: the paper claims nothing of them
        ("tested apart: shape", "int", apart.shape, False),
    ):
        for kind, row in zip(found.kinds, rates, strict=True):
            if kind not in PRESENT[short]:
                line = _not_reported(f"Fig. 6, {kind}, {how}", row, apart.experiments)
                yield line if claimed else Agreement(line.what, line.ours, "not in the paper")


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
