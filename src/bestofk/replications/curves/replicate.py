"""``bestofk replicate curves``: Fig. 3 to 6 of Piater et al. on king-rook-vs-king, tic-tac-toe and TD(0)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.options import count_of
from bestofk.plots.figures.histograms import NullHistogramInfo
from bestofk.plots.figures.power import SizeAndPowerInfo
from bestofk.plots.info import Info
from bestofk.replications.curves.findings import (
    EFFECTS,
    METHODS,
    Apart,
    Findings,
    agreement_of,
    per_thousand,
    power_apart,
)
from bestofk.replications.curves.pools import COLLECTED, made_pool
from bestofk.replications.curves.study import COUNTED, QUESTIONS, calibrate_curves
from bestofk.replications.replication import (
    Agreement,
    Progress,
    Replication,
    no_figures,
    pictures,
    table_block,
    today,
    versions_used,
)
from bestofk.reporting.blocks import Block, Pictures, Section, Sentences

#: The paper's Chess, Tic-Tac-Toe and RL, in the order in which they are divided; the first one given is modified.
SOURCES = ("krkopt", "tictactoe", "td0")
WHERE = "replicate curves"
ALPHA = 0.05


def replicate(
    *,
    runs: int | None = None,
    datasets: Sequence[str] = (),
    data: str | None = None,
    into: str | Path | None = None,
    seed: int = 1,
    workers: int = 1,
    progress: Progress = lambda done, total, what: None,
) -> Replication:
    """Run the paper's study: ``runs`` of Fig. 3 (100 in the paper), of Fig. 5 and 6 in proportion (10 and 8).

    ``datasets`` are sources of curves, of which the first is modified; ``into`` is a store that keeps the learning
    curves of C4.5. Data sets are made by their rules, so ``data`` is not needed.
    """
    whole = QUESTIONS["type-i"][0]
    wanted = whole if runs is None else count_of(runs, name="runs", where=WHERE)
    _refuse_unusable(data, into)
    pools = _pools(datasets, seed, into, workers, progress)
    if compiled_wanted():
        progress(0, 1, "compiling the loops (numba): some seconds, once")
    rows = calibrate_curves(
        pools,
        effort=wanted / whole,
        alpha=ALPHA,
        seed=seed,
        workers=workers,
        progress=lambda done, total: progress(done, total, "runs of Fig. 3 to 6"),
    )
    found = Findings(rows)
    experiments = max(20, round(QUESTIONS["power"][0] * QUESTIONS["power"][1] * wanted / whole))
    first = next(iter(pools.values()))
    apart = power_apart(first, found.kinds, found.factors, experiments=experiments, alpha=ALPHA, seed=seed)
    agreement = agreement_of(found, apart)
    return Replication(
        paper="curves",
        title="Piater, Cohen, Zhang, Atighetchi 1998: a randomized ANOVA for performance curves, ours beside theirs",
        reference="J. Piater, P. Cohen, X. Zhang, M. Atighetchi, A randomized ANOVA procedure for comparing "
        "performance curves, ICML 1998",
        headline=_headline(found, agreement),
        agreement=agreement,
        sections=sections_of(found, apart),
        left_out=_left_out(wanted, tuple(pools), data, into),
        runs=wanted,
        seed=seed,
        made=today(),
        versions=versions_used("scikit-learn", *(["numba"] if compiled_wanted() else [])),
    )


def _pools(
    names: Sequence[str], seed: int, into: str | Path | None, workers: int, progress: Progress
) -> dict[str, Array]:
    chosen = tuple(dict.fromkeys(names)) or SOURCES
    for name in chosen:
        if name not in SOURCES:
            raise unknown(name, SOURCES, what="source of curves", where=f"{WHERE}, argument datasets")
    pools = {}
    for place, name in enumerate(chosen):
        progress(place, len(chosen), f"curves of {name}")
        pools[name] = made_pool(name, seed, into=into, workers=workers)
    return pools


def _headline(found: Findings, agreement: Sequence[Agreement]) -> str:
    first = found.divided(found.pools[0])
    missed = [line.what for line in agreement if line.met is False]
    said = (
        f"What the paper says otherwise: {'; '.join(missed)}." if missed else "Nothing the paper says is contradicted."
    )
    return (
        f"Of 1,000 divisions of the same curves of {first.pool}, the conventional ANOVA finds an Algorithm effect in "
        f"{1000 * first.conventional_alg:.0f}, the randomized one in {1000 * first.randomized_alg:.0f} (50 are "
        f"expected). {said}"
    )


def _refuse_unusable(data: str | None, into: str | Path | None) -> None:
    """What is named and is not there is refused, even where it would not be used."""
    if data is not None and not Path(data).is_dir():
        raise InputError(f"there is no folder {data}.", f"{WHERE}, --data", "leave it out: no data are needed.")
    if into is None or ":" in str(into):  # the address of a store opens, or refuses, itself
        return
    if Path(into).is_dir() or not Path(into).parent.is_dir():
        what = "is a folder" if Path(into).is_dir() else "is in a folder that is not there"
        raise InputError(f"{into} {what}.", f"{WHERE}, --into", "name a file in a folder that is there: pools.db.")


def _left_out(runs: int, pools: tuple[str, ...], data: str | None, into: str | Path | None = None) -> tuple[str, ...]:
    whole = QUESTIONS["type-i"][0]
    lines = ["Numbers of the paper's Fig. 3, 5 and 6: they are plots, so what its text says of them is compared."]
    if runs < whole:
        lines.append(
            f"Runs: {runs} of the paper's {whole} of Fig. 3 and 4, of Fig. 5 and 6 in proportion (at least one)."
        )
    missing = [name for name in SOURCES if name not in pools]
    if missing:
        lines.append(f"Curves of {', '.join(missing)}: not asked for.")
    if data is not None:
        lines.append("Not used: data. Both data sets are made by their rules, and equal the files.")
    if into is not None and set(pools).isdisjoint(COLLECTED):
        lines.append("Not used: --into. Only curves of C4.5 (krkopt, tictactoe) are kept.")
    return (*lines, *no_figures())


# Fig. 3 to 6 as sections of a report.


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
    table = table_block("divided", caption, columns, rows)
    blocks: tuple[Block, ...] = (table, Sentences((CURVES_AT_HAND,)), *_histograms(found))
    return Section("figures-3-and-4", "Fig. 3 and 4: one set of curves, divided at random", blocks)


def _mean_and_sd(counts: np.typing.NDArray[np.float64]) -> str:
    return f"{counts.mean():.1f} ± {counts.std(ddof=1):.1f}" if len(counts) > 1 else f"{counts[0]:.1f}"


def _histograms(found: Findings) -> tuple[Pictures, ...]:
    made: dict[str, Info] = {}
    for pool in found.pools:
        for method in METHODS:
            counts = per_thousand(found.divided(pool))[f"{method}_alg"]
            marks = ((f"mean {counts.mean():.3g}", float(counts.mean())), ("expected 50", 50.0))
            what = f"rejections in 1,000 tests: {pool}, {method}, Algorithm"
            figure = "3" if method == "conventional" else "4"
            made[f"figure-{figure}-{pool}"] = NullHistogramInfo(counts, marks, what, "runs")
    return pictures(made)


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
    table = table_block(f"figure-{figure}-rates", captions[question], columns, rows)
    rates = {
        f"{change}: {effect}": {m: found.along(question, change, f"{m}_{short}") for m in METHODS}
        for change in found.kinds
        for effect, short in EFFECTS.items()
    }
    blocks: tuple[Block, ...] = (*_size_and_power(found, rates, kind, f"figure-{figure}-panels"), table)
    return Section(f"figure-{figure}", f"Fig. {figure}: {kind} along the factor f, {found.pools[0]}", blocks)


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
    table = table_block("apart", caption, columns, rows)
    rates = {change: {name: each[i] for name, each in parts[2:]} for i, change in enumerate(found.kinds)}
    blocks: tuple[Block, ...] = (Sentences(WHY), table, *_size_and_power(found, rates, "power", "level-and-shape"))
    return Section("apart", "Fig. 6 in another reading, and level and shape apart", blocks)


def _size_and_power(
    found: Findings, rates: dict[str, dict[str, np.typing.NDArray[np.float64]]], kind: str, name: str
) -> tuple[Pictures, ...]:
    """Lines along the factors; none where there is one factor only."""
    if len(found.factors) < 2:
        return ()
    return pictures({name: SizeAndPowerInfo.from_rates(rates, found.factors, kind=kind)})
