"""The cheapest model that is good enough of six, and the ranks of thirty, by common rules and by ours."""

from __future__ import annotations

import numpy as np

import bestofk as bk
from benchmarks.calibration.verdict import designs
from benchmarks.calibration.verdict.study import ALPHA, SEED, ranks_hold
from bestofk.stats.distributions import normal_upper
from bestofk.stats.pairwise.mcnemar import mcnemar_mid_p_losses

ACCURACIES = np.linspace(0.60, 0.78, 6)  # cheapest first
BOARD = 0.8 - 0.002 * np.arange(30)  # a leaderboard on which models lie close together
ITEMS = (100, 300, 1_000, 3_000)
MARGIN = 0.03
RESAMPLES = 500
WRONG = {
    "cheapest with p > 0.05 against the top, not corrected": "top",
    "cheapest that is first in 2.5 % of resamples": "resampled",
    "`judge --prior price`": "preferred",
    f"`judge --prior price --within {MARGIN:g}`": "within",
}
RANKS = {"95 % of resampled ranks, each by itself": "resampled ranks", "`rank`": "ranks"}
ALSO = {f"`--within {MARGIN:g}` picks one that is close enough": "enough"}


def shares(items: int, runs: int) -> dict[str, float]:
    """Share of runs in which each rule picks a model too far below the best, and in which any rank is outside."""
    rng, lost = np.random.default_rng([SEED, items]), ACCURACIES.max() - ACCURACIES
    draw, given = designs.items(items), np.sqrt(2.0) * normal_upper(ACCURACIES)
    found = dict.fromkeys((*WRONG.values(), *RANKS.values(), *ALSO.values()), 0)
    for _ in range(runs):
        evidence = draw(rng, given)
        names, values = evidence.learners, np.asarray(evidence.values)
        plain = bk.judge(evidence, prior=names)
        within = bk.judge(evidence, prior=names, within=MARGIN).best
        low, _ = _resampled(values, rng)
        picks = {
            "top": _against_top(values),
            "resampled": int(np.argmax(low == 1)),
            "preferred": None if plain.best is None else names.index(plain.best),
            "within": None if within is None else names.index(within),
        }
        for rule, pick in picks.items():
            found[rule] += pick is not None and bool(lost[pick] > MARGIN)
        found["enough"] += picks["within"] is not None and bool(lost[picks["within"]] <= MARGIN)
        board = draw(rng, np.sqrt(2.0) * normal_upper(BOARD))
        single = dict(zip(board.learners, zip(*_resampled(np.asarray(board.values), rng), strict=True), strict=True))
        for rule, intervals in (("resampled ranks", single), ("ranks", bk.rank(board).rank_intervals)):
            found[rule] += not ranks_hold(intervals, -BOARD, board.learners)
    return {rule: number / runs for rule, number in found.items()}


def _against_top(values: np.ndarray) -> int:
    """The cheapest that a single test does not find worse than the model with the best mean."""
    top = values[int(values.mean(axis=1).argmax())]
    found = mcnemar_mid_p_losses(1.0 - values, 1.0 - np.broadcast_to(top, values.shape))
    return int(np.argmax(np.asarray(found.pvalue) > ALPHA))


def _resampled(values: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the middle 95 % of every model's ranks over resampled items; equal means share the better rank."""
    counts = rng.multinomial(values.shape[1], np.full(values.shape[1], 1.0 / values.shape[1]), size=RESAMPLES)
    means = counts @ values.T
    ranks = 1 + (means[:, None, :] > means[:, :, None]).sum(axis=2)
    low, high = np.quantile(ranks, (0.025, 0.975), axis=0, method="inverted_cdf")
    return low, high


def table(found: dict[int, dict[str, float]]) -> str:
    """Two tables of the shares, by number of items."""

    def part(head: str, rows: dict[str, str]) -> list[str]:
        lines = [f"| {head} | {' | '.join(f'{items:,} items' for items in found)} |", "|---|" + "---|" * len(found)]
        return lines + [
            f"| {name} | {' | '.join(f'{each[key]:.1%}' for each in found.values())} |" for name, key in rows.items()
        ]

    picks = part(f"picks a model more than {MARGIN:g} below the best", WRONG) + part("", ALSO)[2:]
    ranks = part(f"any true rank of {len(BOARD)} models outside its interval", RANKS)
    return "\n".join([*picks, "", *ranks])
