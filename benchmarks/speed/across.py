"""Over many data sets: all pairs with everything around them, data sets left out two at a time, Bayesian pairs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from baycomp.multiple import SignedRankTest
from scipy import stats

from benchmarks.speed.measure import Row, contest, near, same, timed
from bestofk.ordering import cliques
from bestofk.stats import across, adjust, omnibus, pairwise
from bestofk.stats.across.question import TESTS
from bestofk.stats.bayes import signed_rank
from bestofk.stats.pairwise import PAIRWISE

ROPE, SAMPLES, PEER_SAMPLES = 0.01, 50_000, 500


def rows() -> list[Row]:
    digits = (None, 2, 3, 4)  # kept; few make ties
    left_out = [_two_left_out(5, "wilcoxon", None), _two_left_out(5, "wilcoxon", 3)]
    left_out += [_two_left_out(10, test, 2) for test in TESTS]
    return [*map(_everything, digits), *left_out, _bayesian_pairs()]


def table(learners: int, datasets: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return 0.3 + np.linspace(0.0, 0.05, learners)[:, None] + 0.1 * rng.normal(size=(learners, datasets))


def _everything(digits: int | None) -> Row:
    losses = table(50, 500, seed=14)
    if digits is not None:
        losses = losses.round(digits)
    first, second = np.triu_indices(50, 1)

    def work() -> tuple:
        pvalue = pairwise.wilcoxon(losses[first], losses[second]).pvalue
        adjusted = adjust.holm(pvalue)
        accepts = np.ones((50, 50), dtype=bool)
        accepts[first, second] = accepts[second, first] = adjusted > 0.05
        return pvalue, omnibus.friedman(losses.T), cliques(accepts)

    some = [_independent(losses[0] - losses[j]) for j in range(1, 6)]
    same(work()[0][:5], some, "exact p of Wilcoxon")
    seconds = min(timed(work) for _ in range(3))
    ties = "without ties" if digits is None else f"rounded to {digits} digits, with ties"
    name = f"K = 50 × D = 500: all-pairs Wilcoxon (exact), Holm, Friedman, cliques, {ties}"
    return Row(name, "one second", seconds, 1.0, 1.0, ceiling=True)


def _independent(difference: np.ndarray) -> float:
    """Exact p by scipy, or where scipy has none, for ties, by counting all sums of signs."""
    difference = difference.round(12)
    if len(np.unique(np.abs(difference))) == len(difference):
        return stats.wilcoxon(difference, method="exact").pvalue
    kept = difference[difference != 0]
    ranks = np.rint(2 * stats.rankdata(np.abs(kept))).astype(int)
    chance = np.zeros(ranks.sum() + 1)
    chance[0] = 1.0
    for rank in ranks:
        chance[rank:] += chance[:-rank].copy()
        chance *= 0.5
    smaller = min(ranks[kept > 0].sum(), ranks[kept < 0].sum())
    return min(1.0, 2 * chance[: smaller + 1].sum())


def _two_left_out(learners: int, test: str, digits: int | None) -> Row:
    losses = table(learners, 100, seed=15)
    if digits is not None:
        losses = losses.round(digits)
    question = across.all_pairs(learners, test, "holm")
    found = across.leave_out(losses, question, 2)
    for row, left in list(enumerate(combinations(range(100), 2)))[:: 4950 // 20]:
        if test == "permutation-t":
            break  # its patterns are drawn for the whole table: alone a choice has others
        kept = np.setdiff1d(np.arange(100), left)
        same(found.decided.conclusion[row] != 0, _adjusted(losses[:, kept], test) <= 0.05, "conclusions")
    seconds = min(timed(lambda: across.leave_out(losses, question, 2)) for _ in range(3))
    ties = "without ties" if digits is None else f"rounded to {digits} digits, with ties"
    family = "" if test == "nemenyi" else " and Holm"
    name = f"leave two of D = 100 data sets out, K = {learners}, all pairs by {test}{family}, {ties}"
    return Row(name, "five seconds", seconds, 5.0, 1.0, ceiling=True)


def _adjusted(losses: np.ndarray, test: str) -> np.ndarray:
    first, second = np.triu_indices(len(losses), 1)
    if test == "nemenyi":
        return omnibus.nemenyi(losses.T).pvalue[first, second]
    return adjust.holm(PAIRWISE[test](losses[first], losses[second]).pvalue)


def _bayesian_pairs() -> Row:
    losses = table(10, 100, seed=16)
    first, second = np.triu_indices(10, 1)

    def ours():
        return signed_rank(losses[first], losses[second], rope=ROPE, samples=SAMPLES, rng=9)

    def peer(samples: int) -> list:
        # baycomp takes scores (larger is better), and half our prior strength unless told.
        return [
            SignedRankTest.probs(-losses[i], -losses[j], ROPE, prior=1.0, nsamples=samples, random_state=10)
            for i, j in zip(first, second, strict=True)
        ]

    near(ours().probabilities, np.array(peer(2_000)), (SAMPLES, 2_000), "posterior probabilities")
    our_time, peer_time = contest(ours, lambda: peer(PEER_SAMPLES))
    return Row(
        f"Bayesian signed rank, all 45 pairs of K = 10, D = 100, {SAMPLES:,} samples",
        "baycomp `SignedRankTest` per pair",
        our_time,
        peer_time * SAMPLES / PEER_SAMPLES,
        demand=20,
        note=f"peer timed on {PEER_SAMPLES:,} samples, of which each is as much work",
    )
