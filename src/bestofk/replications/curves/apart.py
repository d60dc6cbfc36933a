"""The paper's power experiment again: with F* of unmodified curves alone, and with level and shape tested apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from bestofk.core.arrays import Array
from bestofk.replications.curves.experiments import power_run
from bestofk.stats.curves.modify import modify
from bestofk.stats.curves.split_plot_anova import split_plot_anova

SHUFFLES = 500


@dataclass(frozen=True, eq=False)
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
