"""What whole curves say: level, shape, and in which steps of training a pair differs. Words read fields only."""

from __future__ import annotations

from bestofk.comparing import Comparison
from bestofk.comparing.curve_effects import CurveEffects, CurvePair, Stretch

#: So many pairs are spoken of along training; JSON has all.
MOST_PAIRS = 10


def curve_lines(comparison: Comparison) -> list[str]:
    """Sentences on level and shape, on the paper's test, and on every pair along training; none without curves."""
    curves = comparison.curves
    if curves is None:
        return []
    spoken = curves.pairs[:MOST_PAIRS]
    more = len(curves.pairs) - len(spoken)
    return [
        level_and_shape(curves),
        _paper(curves),
        *(along_training(pair) for pair in spoken),
        *([f"- {more} more pairs along training: see --json, comparison.curves."] if more else []),
    ]


def level_and_shape(curves: CurveEffects) -> str:
    """Which of the two differ, over all learners."""
    level = f"level p = {curves.parts.p_level:.3g}"
    shape = f"shape p = {curves.parts.p_shape:.3g}"
    within = f" within each of {curves.datasets} data sets" if curves.datasets else ""
    how = f"each by curves shuffled{within}" if within else "each by shuffled curves"
    return f"Along training: {_which(curves)} ({level}, {shape}, {how}, whatever the other is)."


def _which(curves: CurveEffects) -> str:
    if curves.level_differs and curves.shape_differs:
        return "the learners differ in level and in shape"
    if curves.level_differs:
        return "the learners differ in level, and no difference in shape is shown"
    if curves.shape_differs:
        return "the learners differ in shape, and no difference in level is shown"
    return "no difference in level or shape is shown"


def _paper(curves: CurveEffects) -> str:
    anova = curves.anova
    return (
        f"Randomized ANOVA: F_alg = {anova.f_alg:.4g}, p = {anova.p_alg:.3g}; F_int = {anova.f_int:.4g}, "
        f"p = {anova.p_int:.3g}. Conventional p would be {anova.p_conventional_alg:.3g} and "
        f"{anova.p_conventional_int:.3g}, which take points of one curve for independent."
    )


def along_training(pair: CurvePair) -> str:
    """In which steps a pair differs, and by which features."""
    names = f"- {pair.first} and {pair.second} along training:"
    where = "; ".join(_stretch(each) for each in pair.stretches) or "no steps in which a difference is shown"
    traits = ", ".join(f"{each.feature} p = {each.adjusted:.3g}" for each in pair.traits)
    return f"{names} {where} ({traits})."


def _stretch(stretch: Stretch) -> str:
    steps = (
        f"at step {stretch.start:g}"
        if stretch.start == stretch.stop
        else f"from step {stretch.start:g} to {stretch.stop:g}"
    )
    return f"{stretch.better} is better {steps} (p = {stretch.pvalue:.3g})"
