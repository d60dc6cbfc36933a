"""Fig. 3 to 6 as sections of a report: tables of rejections, histograms and panels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.core.extras import available
from bestofk.replications.curves.apart import Apart
from bestofk.replications.curves.experiments import COUNTED
from bestofk.replications.curves.findings import EFFECTS, METHODS, Findings, per_thousand
from bestofk.reporting.blocks import Block, Pictures, Section, Sentences, TableBlock
from bestofk.reporting.tables import PlainTable

WORDS = {name: name.replace("_alg", ", Algorithm").replace("_int", ", Interaction") for name in COUNTED}

CURVES_AT_HAND = (
    "Experiments divide the same curves again and again, so the conventional rates are those of the curves at hand: "
    "other folds of the same data set (another seed) give others. The randomized rates do not depend on them."
)

WHY = (
    "The text of Fig. 6 denies an Algorithm effect in b and an Interaction in a. Where curves are shuffled together "
    "with modified copies, as section 4 shuffles what is compared, the shuffled tables have more error within cells "
    "than the table that is judged, so their F are smaller and the judged F stands out in both effects, whatever the "
    "modification changed. What is tested is that curves may change places; where they may not, either effect is "
    "asserted more often as f grows.",
    "Step 2 of section 5.2 (500 shuffles of 2 × 10 curves) may also be read as shuffling the twenty unmodified curves "
    "alone; the table has that reading too. Whoever compares two sets of real curves has no such third set, so bestofk "
    "shuffles what is compared, and has a test that keeps level and shape apart (split-plot ANOVA by shuffled curves).",
    "The same mixing answers the paper's open question on Fig. 5, b: more error within cells makes the conventional F "
    "of the Algorithm smaller as f grows, and unequal numbers of modified copies on the two sides make an Interaction.",
)


def sections_of(found: Findings, apart: Apart) -> tuple[Section, ...]:
    """All figures in the paper's order."""
    made = [_divided(found)]
    if found.asked("modified"):
        made.append(_panels(found, "modified"))
    if found.asked("power"):
        made += [_panels(found, "power"), _apart(found, apart)]
    return tuple(made)


def _divided(found: Findings) -> Section:
    columns = ("curves", *(WORDS[name] for name in COUNTED))
    rows = tuple(
        (pool, *(_mean_and_sd(each) for each in per_thousand(found.divided(pool)).values())) for pool in found.pools
    )
    caption = "Rejections per 1,000 (mean and sd over runs) where there is no effect: 50 are expected."
    table = TableBlock("divided", caption, PlainTable(columns, rows, frozenset(columns[1:])))
    blocks: list[Block] = [table, Sentences((CURVES_AT_HAND,))]
    if available("matplotlib"):
        blocks.append(_histograms(found))
    return Section("figures-3-and-4", "Fig. 3 and 4: one set of curves, divided at random", tuple(blocks))


def _mean_and_sd(counts: np.typing.NDArray[np.float64]) -> str:
    return f"{counts.mean():.1f} ± {counts.std(ddof=1):.1f}" if len(counts) > 1 else f"{counts[0]:.1f}"


def _histograms(found: Findings) -> Pictures:
    from bestofk.plots.figures import figure_of
    from bestofk.plots.null_histogram import NullHistogramInfo

    made = []
    for pool in found.pools:
        for method in METHODS:
            counts = per_thousand(found.divided(pool))[f"{method}_alg"]
            marks = ((f"mean {counts.mean():.3g}", float(counts.mean())), ("expected 50", 50.0))
            what = f"rejections in 1,000 tests: {pool}, {method}, Algorithm"
            figure = "3" if method == "conventional" else "4"
            info = NullHistogramInfo(counts, marks, what, "runs")
            # a report keeps figures under their names, so each has its own
            made.append(replace(figure_of(info), name=f"figure-{figure}-{pool}"))
    return Pictures(tuple(made))


def _panels(found: Findings, question: str) -> Section:
    figure, kind = ("5", "type I error") if question == "modified" else ("6", "power")
    scale, digits = (1000.0, 0) if question == "modified" else (1.0, 2)
    columns = ("modification", "f", *(WORDS[name] for name in COUNTED))
    rows = tuple(
        (change, f"{factor:g}", *(f"{scale * found.along(question, change, name)[i]:.{digits}f}" for name in COUNTED))
        for change in found.kinds
        for i, factor in enumerate(found.factors)
    )
    captions = {
        "modified": "Rejections per 1,000 after curves and modified copies were shuffled: 50 are expected.",
        "power": "Power: curves against their modified copies.",
    }
    table = TableBlock(f"figure-{figure}-rates", captions[question], PlainTable(columns, rows, frozenset(columns[1:])))
    blocks: list[Block] = [table]
    if available("matplotlib") and len(found.factors) > 1:
        rates = {
            f"{change}: {effect}": {m: found.along(question, change, f"{m}_{short}") for m in METHODS}
            for change in found.kinds
            for effect, short in EFFECTS.items()
        }
        blocks.insert(0, _size_and_power(found, rates, kind, f"figure-{figure}-panels"))
    return Section(f"figure-{figure}", f"Fig. {figure}: {kind} along the factor f, {found.pools[0]}", tuple(blocks))


def _apart(found: Findings, apart: Apart) -> Section:
    columns = ("modification", *(f"f = {factor:g}" for factor in found.factors))
    parts = (
        ("randomized, Algorithm, F* of unmodified curves", apart.unmixed_alg),
        ("randomized, Interaction, F* of unmodified curves", apart.unmixed_int),
        ("level tested apart", apart.level),
        ("shape tested apart", apart.shape),
    )
    rows = tuple(
        (f"{change}, {name}", *(f"{rate:.2f}" for rate in rates[i]))
        for i, change in enumerate(found.kinds)
        for name, rates in parts
    )
    caption = f"Power in another reading and with level and shape tested apart, {apart.experiments} experiments each."
    table = TableBlock("apart", caption, PlainTable(columns, rows, frozenset(columns[1:])))
    blocks: list[Block] = [Sentences(WHY), table]
    if available("matplotlib") and len(found.factors) > 1:
        rates = {change: {name: each[i] for name, each in parts[2:]} for i, change in enumerate(found.kinds)}
        blocks.append(_size_and_power(found, rates, "power", "level-and-shape"))
    return Section("apart", "Fig. 6 in another reading, and level and shape apart", tuple(blocks))


def _size_and_power(
    found: Findings, rates: dict[str, dict[str, np.typing.NDArray[np.float64]]], kind: str, name: str
) -> Pictures:
    from bestofk.plots.figures import figure_of
    from bestofk.plots.size_and_power import SizeAndPowerInfo

    info = SizeAndPowerInfo.from_rates(rates, found.factors, kind=kind)
    return Pictures((replace(figure_of(info), name=name),))
