"""What whole curves say beyond their means: level and shape over all learners, and where each pair differs."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.comparing.pair_tests import Places
from bestofk.comparing.sample import Sample
from bestofk.core.record import Record
from bestofk.stats.adjust import ADJUST
from bestofk.stats.curves import clusters, feature_test, randomized_anova, split_plot_anova
from bestofk.stats.curves.randomized_anova import RandomizedAnovaResult
from bestofk.stats.curves.split_plot_anova import SplitPlotResult

#: Features of a curve; each has a test of its own. The last needs a threshold: see ``_reached_by_half``.
FEATURES = ("final", "area", "slope", "steps-to")


class Stretch(Record):
    """Steps of training, both ends included, in which ``better`` is better; p is adjusted for all pairs."""

    start: float
    stop: float
    better: str
    pvalue: float


class Trait(Record):
    """One feature of a pair of curves: ``difference`` in units of the measure, first minus second.

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
    """Two learners along training: ``stretches`` that differ at the family-wise level, in order; ``traits`` by name."""

    first: str
    second: str
    stretches: tuple[Stretch, ...]
    traits: tuple[Trait, ...]


class CurveEffects(Record):
    """Curves over all learners and pair by pair.

    ``anova`` is the randomized ANOVA of the paper, with conventional p beside; it tests whether curves are
    exchangeable. ``parts`` tests level and shape apart, each whatever the other is. ``datasets`` counts the data sets
    within which curves were shuffled, 0 where there is one.
    """

    anova: RandomizedAnovaResult
    parts: SplitPlotResult
    pairs: tuple[CurvePair, ...]
    steps: tuple[float, ...]
    alpha: float
    datasets: int = 0

    @property
    def level_differs(self) -> bool:
        """Whether the means over training are shown to differ."""
        return bool(self.parts.p_level <= self.alpha)

    @property
    def shape_differs(self) -> bool:
        """Whether the shapes are shown to differ."""
        return bool(self.parts.p_shape <= self.alpha)

    def pair(self, first: str, second: str) -> CurvePair:
        """The pair, in whatever order it was compared."""
        return next(each for each in self.pairs if {each.first, each.second} == {first, second})

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values; the shuffled F are left out, for the seed brings them back."""
        plain = super().to_dict()
        for name in ("anova", "parts"):
            plain[name] = {key: value for key, value in plain[name].items() if not key.startswith("null_")}
        return plain


def curve_effects_of(
    sample: Sample, first: Places, second: Places, *, adjust: str, alpha: float, seed: int, sign: float
) -> CurveEffects:
    """Run the tests of whole curves on a design; ``sign`` turns losses into the units of the measure."""
    options: dict[str, Any] = {"paired": sample.paired, "rng": seed}
    blocks = sample.blocks_of(*range(len(sample.learners)))
    places = list(zip(first.tolist(), second.tolist(), strict=True))
    traits = _traits(sample, places, ADJUST[adjust], sign, options)
    return CurveEffects(
        anova=randomized_anova(*sample.curves, alpha=alpha, blocks=blocks, **options),
        parts=split_plot_anova(*sample.curves, alpha=alpha, blocks=blocks, **options),
        pairs=tuple(
            CurvePair(
                first=sample.learners[i],
                second=sample.learners[j],
                stretches=_stretches(sample, i, j, len(places), alpha, options),
                traits=found,
            )
            for (i, j), found in zip(places, traits, strict=True)
        ),
        steps=sample.steps,
        alpha=alpha,
        datasets=sample.datasets,
    )


def _stretches(
    sample: Sample, i: int, j: int, pairs: int, alpha: float, options: dict[str, Any]
) -> tuple[Stretch, ...]:
    """Clusters are controlled within a pair; Bonferroni carries that over to all pairs."""
    found = clusters(sample.curves[i], sample.curves[j], steps=sample.steps, blocks=sample.blocks_of(i, j), **options)
    return tuple(
        Stretch(
            start=each.start,
            stop=each.stop,
            better=sample.learners[j if each.first_loses_more else i],
            pvalue=min(1.0, pairs * each.pvalue),
        )
        for each in found.significant(alpha / pairs)
    )


def _traits(
    sample: Sample, places: list[tuple[int, int]], adjustment: Any, sign: float, options: dict[str, Any]
) -> list[tuple[Trait, ...]]:
    columns = []
    for feature in FEATURES:
        threshold = _reached_by_half(sample) if feature == "steps-to" else None
        if feature == "steps-to" and threshold is None:
            continue
        results = [
            feature_test(
                sample.curves[i],
                sample.curves[j],
                feature=feature,
                steps=sample.steps,
                threshold=threshold,
                blocks=sample.blocks_of(i, j),
                **options,
            )
            for i, j in places
        ]
        adjusted = np.asarray(adjustment(np.array([each.pvalue for each in results])))
        columns.append(
            [
                Trait(
                    feature=feature,
                    difference=float(each.estimate if threshold is not None else sign * each.estimate),
                    pvalue=each.pvalue,
                    adjusted=float(p),
                    threshold=None if threshold is None else sign * threshold,
                    never=(int(each.censored[0]), int(each.censored[1])),
                )
                for each, p in zip(results, adjusted, strict=True)
            ]
        )
    return [tuple(row) for row in zip(*columns, strict=True)]


def _reached_by_half(sample: Sample) -> float | None:
    """The loss that half of all curves reach; None for several data sets, whose losses have no common scale.

    It stays the same however curves are dealt to learners, so that the randomized test stays exact.
    """
    if sample.datasets > 1:
        return None
    return float(np.median(np.concatenate([each.min(axis=-1) for each in sample.curves])))
