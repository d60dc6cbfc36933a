"""Bayesian tests: baycomp, and an integral where one exists."""

import baycomp
import numpy as np
from cases import Cases, ref
from peers.source import data, source
from scipy import integrate, stats


def largest_share(alpha):
    """The chance that each part of a Dirichlet variable is the largest: one integral over gamma variables."""
    parts = [stats.gamma(a) for a in alpha]

    def chance(i):
        others = [part for j, part in enumerate(parts) if j != i]
        return integrate.quad(
            lambda g: parts[i].pdf(g) * np.prod([part.cdf(g) for part in others]),
            0,
            np.inf,
            epsabs=1e-12,
            limit=400,
        )[0]

    return [chance(i) for i in range(len(parts))]


def write(folder):
    cases = Cases("python", "bayes")
    first, second = data("bayes_first"), data("bayes_second")
    for runs in (1, 2, 4):
        for rope in (0.01, 0.002):
            # baycomp takes scores and looks at second minus first; for losses the two change places
            p = baycomp.CorrelatedTTest.probs(second, first, rope=rope, runs=runs)
            cases.add(
                f"correlated_t-{runs}-{rope}-baycomp",
                "stats.bayes.correlated_t",
                [ref("bayes_first"), ref("bayes_second")],
                {"probabilities": p},
                source("baycomp", f"CorrelatedTTest.probs(second, first, rope={rope}, runs={runs})"),
                kwargs={"rope": rope, "correlation": runs / len(first)},
                note="baycomp compares scores, we compare losses: the arguments are swapped",
            )
    first, second = data("sets_first"), data("sets_second")
    args = [ref("sets_first"), ref("sets_second")]
    ours, peers = 200_000, 1_000_000
    for rope in (0.01, 0.03):
        counts = [int(np.sum(first - second < -rope)), 0, int(np.sum(first - second > rope))]
        counts[1] = len(first) - counts[0] - counts[2]
        alpha = [max(c, 1e-4) for c in (counts[0], counts[1] + 1, counts[2])]
        exact = largest_share(alpha)
        sampled = baycomp.SignTest.probs(second, first, rope=rope, nsamples=peers, random_state=1)
        if max(abs(np.subtract(exact, sampled))) > 5 * 0.5 / np.sqrt(peers) + 1e-4:
            raise ArithmeticError(f"baycomp and the integral disagree: {sampled} {exact}")
        tolerance = 5 * 0.5 / np.sqrt(ours)
        kwargs = {"rope": rope, "samples": ours, "rng": 1}
        cases.add(
            f"sign-{rope}-scipy",
            "stats.bayes.sign",
            args,
            {"probabilities": exact},
            source(
                "scipy",
                "integrate.quad of gamma densities: the chance that a part of Dirichlet(counts + prior) is the largest",
            ),
            kwargs=kwargs,
            rtol=0,
            atol=tolerance,
            note=f"five standard errors of {ours} draws; baycomp's sample agrees with the integral",
        )
        p = baycomp.SignedRankTest.probs(second, first, rope=rope, prior=1, nsamples=peers, random_state=2)
        error = 0.5 * np.sqrt(1 / ours + 1 / peers)
        cases.add(
            f"signed_rank-{rope}-baycomp",
            "stats.bayes.signed_rank",
            args,
            {"probabilities": p},
            source(
                "baycomp",
                f"SignedRankTest.probs(second, first, rope={rope}, prior=1, nsamples={peers}, random_state=2)",
            ),
            kwargs=kwargs,
            rtol=0,
            atol=5 * error,
            note=f"five standard errors of the difference of two samples, {ours} of ours and {peers} of baycomp's; "
            "its default prior is 0.5",
        )
    cases.save(folder)
