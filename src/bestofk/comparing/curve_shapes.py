"""What whole curves say beyond their means: level and shape over all learners, and where each pair differs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.comparing.pair_tests import PairTests, Places, run_pairs
from bestofk.comparing.sample import LEVEL_SHARE, Sample
from bestofk.comparing.test_choice import Choice, Family, fitting_test
from bestofk.core.arrays import Array
from bestofk.core.record import Record
from bestofk.stats.adjust import holm
from bestofk.stats.adjust.stepwise import levels_tested
from bestofk.stats.curves import curve_features, randomized_anova, split_plot_anova
from bestofk.stats.curves.randomized_anova import RandomizedAnovaResult
from bestofk.stats.curves.split_plot_anova import SplitPlotResult


class Stretch(Record):
    """Steps of training, both ends included, at each of which ``better`` is better; p is the smallest, adjusted."""

    start: float
    stop: float
    better: str
    pvalue: float


class Trait(Record):
    """One feature of a pair of curves: ``difference`` in units of the measure, or on the sample's scale, first minus
    second.

    Of ``steps-to`` it is in steps; ``threshold``, None for the others, is the value of the measure to be reached, and
    ``never`` counts the curves of either learner that do not reach it: they count as if they did at the last step.
    """

    feature: str
    difference: float
    pvalue: float
    adjusted: float
    threshold: float | None = None
    never: tuple[int, int] = (0, 0)


class CurvePair(Record):
    """Two learners along training: ``stretches`` that differ at the family-wise level, in order; ``traits`` by name.

    ``alone`` is the p value of the whole, adjusted for the features and steps of this pair only.
    """

    first: str
    second: str
    alone: float
    stretches: tuple[Stretch, ...]
    traits: tuple[Trait, ...]


class CurveEffects(Record):
    """Curves over all learners and pair by pair.

    ``anova`` is the randomized ANOVA of the paper, with conventional p beside; it tests whether curves are
    exchangeable. ``parts`` tests level and shape apart, each whatever the other is. Both are of runs, and None of
    folds, which share training data. ``ahead_at_end`` has the best mean at the last step. ``datasets`` counts the data
    sets within which curves were shuffled, 0 where there is one.
    """

    anova: RandomizedAnovaResult | None
    parts: SplitPlotResult | None
    pairs: tuple[CurvePair, ...]
    steps: tuple[float, ...]
    alpha: float
    ahead_at_end: str
    datasets: int = 0

    def pair(self, first: str, second: str) -> CurvePair:
        """The pair, in whatever order it was compared."""
        return next(each for each in self.pairs if {each.first, each.second} == {first, second})

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values; the shuffled F are left out, for the seed brings them back."""
        plain = super().to_dict()
        for name in ("anova", "parts"):
            if plain[name] is not None:
                plain[name] = {key: value for key, value in plain[name].items() if not key.startswith("null_")}
        return plain


def curve_effects_of(
    sample: Sample,
    level: Array,
    adjusted: Array,
    first: Places,
    second: Places,
    *,
    test: str,
    adjust: str,
    alpha: float,
    seed: int,
    sign: float,
) -> tuple[CurveEffects, Array, Array]:
    """Test every pair's features and steps of training; ``sign`` turns losses into the units of the measure.

    The ``level`` (p values of the pairs), every feature and every step are one family of all pairs, adjusted by Holm's
    procedure. A level has half of the weight of its pair, the features share the other half with the steps together.
    Levels ``adjusted`` in another way have their half of alpha for themselves, and the others Holm's procedure theirs.
    All are t tests of one number per run or fold, or per data set where the ``test`` of the level takes data sets for a
    sample: shuffles are too few for so many. The p values of the level so adjusted, and the levels at which they were
    decided, come with the effects.
    """
    options: dict[str, Any] = {"paired": sample.paired, "rng": seed}
    blocks = sample.blocks_of(*range(len(sample.learners)))
    within = _test_of_numbers(sample, test)
    features = _features(sample)
    found = {name: _tested(sample, each, within, first, second) for name, (each, _) in features.items()}
    steps = [_tested(sample, [each[:, s] for each in sample.curves], within, first, second)
             for s in range(len(sample.steps))]  # fmt: skip
    raw = np.stack([level, *(each.pvalue for each in (*found.values(), *steps))])  # (parts, pairs)
    shares = [len(steps) * (1 + len(found)), *[len(steps)] * len(found), *[1] * len(steps)]  # whole numbers add exactly
    weights = np.repeat(shares, len(first)).reshape(raw.shape)
    if adjust == "holm":
        family = holm(raw.ravel(), weights=weights.ravel())
        levels = levels_tested(raw.ravel(), family, alpha, weights=weights.ravel())[: len(first)]
        family = family.reshape(raw.shape)
    else:
        parts = holm(raw[1:].ravel(), weights=weights[1:].ravel()).reshape(-1, len(first)) / (1.0 - LEVEL_SHARE)
        family = np.minimum(1.0, np.vstack([adjusted / sample.level_share(adjust), parts]))
        levels = levels_tested(level, family[0], alpha)
    alone = level if adjust == "none" else holm(raw.T, weights=shares)[:, 0]
    by_step = family[1 + len(found) :]
    effects = CurveEffects(
        anova=None if sample.folds else randomized_anova(*sample.curves, alpha=alpha, blocks=blocks, **options),
        parts=None if sample.folds else split_plot_anova(*sample.curves, alpha=alpha, blocks=blocks, **options),
        pairs=tuple(
            CurvePair(
                first=sample.learners[i],
                second=sample.learners[j],
                alone=float(alone[pair]),
                stretches=_stretches(sample, i, j, by_step[:, pair], steps, pair, alpha),
                traits=tuple(
                    _trait(name, found[name], family[1 + f], pair, features[name], sign, (i, j))
                    for f, name in enumerate(features)
                ),
            )
            for pair, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True))
        ),
        steps=sample.steps,
        alpha=alpha,
        ahead_at_end=sample.learners[int(np.argmin(_rows(sample, [each[:, -1] for each in sample.curves])))],
        datasets=sample.datasets,
    )
    return effects, family[0], levels


def tests_at_end(
    sample: Sample, choice: Choice, first: Places, second: Places, *, alpha: float, seed: int
) -> PairTests:
    """Test the last step of every pair by the test that it has where last steps are all that is compared."""
    last = sample.of_values(tuple(each[:, -1] for each in sample.curves))
    if choice.asked and choice.test != "randomized-t":  # which is of whole curves
        return run_pairs(last, choice.test, first, second, seed)
    alone = sample.lone and not sample.datasets  # single values are not compared: nothing is shown of them
    test = _test_of_numbers(sample, choice.test) if alone else fitting_test(last, Family(len(first), alpha))[0]
    return run_pairs(last, test, first, second, seed)


def _test_of_numbers(sample: Sample, test: str) -> str:
    """The t test of one number per curve that goes with the ``test`` of the level."""
    if sample.kind == "folds":
        return sample.fold_test
    if sample.paired or sample.scope(test) == "data sets" or (sample.datasets and sample.lone):
        return "paired-t"
    return "stratified-t" if sample.datasets else "welch-t"


def _rows(sample: Sample, values: list[Array]) -> Array:
    """Every learner's mean of one number per curve; each data set counts once."""
    return np.asarray(sample.of_values(tuple(values)).rows.mean(axis=1))


#: One number per run of every learner, and the loss to be reached where it is a number of steps.
Feature = tuple[list[Array], float | None]


def _features(sample: Sample) -> dict[str, Feature]:
    steps = np.array(sample.steps)
    if len(steps) < 2:
        return {}
    found: dict[str, Feature] = {
        name: ([curve_features(each, name, steps=steps) for each in sample.curves], None)
        for name in ("final", "area", "slope")
    }
    threshold = _reached_by_half(sample)
    if threshold is not None:
        needed = [curve_features(each, "steps-to", steps=steps, threshold=threshold) for each in sample.curves]
        found["steps-to"] = needed, threshold
    return found


def _tested(sample: Sample, values: list[Array], test: str, first: Places, second: Places) -> PairTests:
    """Test one number per curve; where a learner's are all equal, nothing tells how much they differ, and p is 1."""
    ended = tuple(np.where(np.isinf(each), sample.steps[-1], each) for each in values)
    found = run_pairs(sample.of_values(ended), test, first, second, seed=0)
    still = np.array([np.ptp(each) == 0 for each in ended])
    return replace(found, pvalue=np.where(still[first] | still[second], 1.0, found.pvalue))


def _trait(
    name: str, found: PairTests, adjusted: Array, pair: int, feature: Feature, sign: float, places: tuple[int, int]
) -> Trait:
    values, threshold = feature
    return Trait(
        feature=name,
        difference=float(found.estimate[pair] if threshold is not None else sign * found.estimate[pair]),
        pvalue=float(found.pvalue[pair]),
        adjusted=float(adjusted[pair]),
        threshold=None if threshold is None else sign * threshold,
        never=(int(np.isinf(values[places[0]]).sum()), int(np.isinf(values[places[1]]).sum())),
    )


def _stretches(
    sample: Sample, i: int, j: int, adjusted: Array, steps: list[PairTests], pair: int, alpha: float
) -> tuple[Stretch, ...]:
    """Steps in a row that differ the same way."""
    side = np.array([np.sign(each.estimate[pair]) for each in steps]) * (adjusted <= alpha)
    starts = np.flatnonzero(np.diff(side, prepend=np.inf))
    ends = np.append(starts[1:], len(side))
    return tuple(
        Stretch(
            start=sample.steps[a],
            stop=sample.steps[b - 1],
            better=sample.learners[j if side[a] > 0 else i],
            pvalue=float(adjusted[a:b].min()),
        )
        for a, b in zip(starts, ends, strict=True)
        if side[a] != 0
    )


def _reached_by_half(sample: Sample) -> float | None:
    """The loss that half of all curves reach, which does not depend on whose curves they are.

    None for several data sets, whose losses have no common scale; and for folds, which may all need the same number of
    steps because they share training data: that there is no variance between them shows nothing.
    """
    if sample.datasets > 1 or sample.folds:
        return None
    return float(np.median(np.concatenate([each.min(axis=-1) for each in sample.curves])))
