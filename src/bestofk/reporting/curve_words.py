"""What whole curves say: level, shape, and in which steps of training a pair differs. Words read fields only."""

from __future__ import annotations

from bestofk.comparing import Comparison
from bestofk.comparing.curve_effects import CurveEffects, CurvePair, Stretch, Trait
from bestofk.core.phrases import counted

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
        level_and_shape(curves, paired="paired by run" in comparison.design),
        _paper(curves),
        *(along_training(pair) for pair in spoken),
        *([f"- {counted(more, 'more pair')} along training: see --json, comparison.curves."] if more else []),
    ]


def level_and_shape(curves: CurveEffects, *, paired: bool = False) -> str:
    """Which of the two differ, over all learners."""
    level = f"level p = {curves.parts.p_level:.3g}"
    shape = f"shape p = {curves.parts.p_shape:.3g}"
    return (
        f"Along training: {_which(curves)} ({level}, {shape}, each by {_dealt(curves, paired)}, whatever the other is)."
    )


def _dealt(curves: CurveEffects, paired: bool) -> str:
    """How curves were dealt anew."""
    if paired:
        return f"curves shuffled within each {'data set and run' if curves.datasets else 'run'}"
    return f"curves shuffled within each of {curves.datasets} data sets" if curves.datasets else "shuffled curves"


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
        f"p = {anova.p_int:.3g}.{_exchangeable(curves)} Conventional p would be {anova.p_conventional_alg:.3g} and "
        f"{anova.p_conventional_int:.3g}, which take points of one curve for independent."
    )


def _exchangeable(curves: CurveEffects) -> str:
    """Both p test one hypothesis, so a difference of the one kind makes the other small as well."""
    anova, alpha = curves.anova, curves.alpha
    why = "both p ask whether the curves are exchangeable, and"
    if anova.p_int <= alpha and curves.level_differs and not curves.shape_differs:
        return f" F_int is no sign of another shape here: {why} level is enough."
    if anova.p_alg <= alpha and curves.shape_differs and not curves.level_differs:
        return f" F_alg is no sign of another level here: {why} shape is enough."
    return ""


def along_training(pair: CurvePair) -> str:
    """In which steps a pair differs, and by which features."""
    names = f"- {pair.first} and {pair.second} along training:"
    where = "; ".join(_stretch(each) for each in pair.stretches) or "no steps in which a difference is shown"
    return f"{names} {where}. {pair.first} minus {pair.second}: {', '.join(_trait(each) for each in pair.traits)}."


def _trait(trait: Trait) -> str:
    if trait.threshold is not None:
        reached = f"steps to reach {trait.threshold:.3g}, as half of all curves do,"
        never = f"; {trait.never[0]} and {trait.never[1]} curves never do and count at the last step"
        return f"{reached} {trait.difference:.3g} (p = {trait.adjusted:.3g}{never if any(trait.never) else ''})"
    return f"{trait.feature} {trait.difference:.3g} (p = {trait.adjusted:.3g})"


def _stretch(stretch: Stretch) -> str:
    steps = (
        f"at step {stretch.start:g}"
        if stretch.start == stretch.stop
        else f"from step {stretch.start:g} to {stretch.stop:g}"
    )
    return f"{stretch.better} is better {steps} (p = {stretch.pvalue:.3g})"
