"""K108: a pair where the test speaks for the learner with the worse mean."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when a significant pair and its means point in opposite directions."""
    comparison = case.comparison
    for first, second in comparison.pairs:
        pair = comparison.pair(first, second)
        if pair.shown is None or pair.difference is None:
            continue
        gain = pair.difference if comparison.larger_is_better else -pair.difference
        if (gain if pair.shown == first else -gain) <= 0:
            return Advice(
                "K108",
                f"{comparison.test} speaks for {pair.shown} although its mean {comparison.measure} is not the better "
                f"one ({first} {comparison.means[first]:.4g}, {second} {comparison.means[second]:.4g})",
                "5x2cv-t looks at the first fold alone and rank tests at ranks: look at the single results",
            )
    return None
