"""Bayesian signed-rank test: 500 data sets, 50,000 posterior samples."""

from __future__ import annotations

import numpy as np
from baycomp.multiple import SignedRankTest

from benchmarks.speed.measure import Row, contest, near
from bestofk.stats.bayes import signed_rank

SETS, SAMPLES, ROPE = 500, 50_000, 0.01
PEER_SAMPLES = 1_000


def rows() -> list[Row]:
    rng = np.random.default_rng(8)
    first = 0.3 + 0.1 * rng.normal(size=SETS)
    # Near the edge of the rope, so that neither probability is 0 or 1 and a wrong one would show.
    second = first + 0.0098 + 0.03 * rng.normal(size=SETS)

    def ours():
        return signed_rank(first, second, rope=ROPE, samples=SAMPLES, rng=9)

    def peer(samples: int):
        # baycomp takes scores (larger is better), and half our prior strength unless told.
        return SignedRankTest.probs(-first, -second, ROPE, prior=1.0, nsamples=samples, random_state=10)

    near(ours().probabilities, peer(SAMPLES), (SAMPLES, SAMPLES), "posterior probabilities")
    our_time, peer_time = contest(ours, lambda: peer(PEER_SAMPLES))
    return [
        Row(
            f"Bayesian signed rank, n = {SETS}, {SAMPLES:,} samples",
            "baycomp `SignedRankTest`",
            our_time,
            peer_time * SAMPLES / PEER_SAMPLES,
            demand=50,
            note=f"peer timed on {PEER_SAMPLES:,} samples, of which each is as much work",
        )
    ]
