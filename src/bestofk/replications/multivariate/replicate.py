"""``bestofk replicate multivariate``: MultiTF, MultiPR and UniErr on the paper's two-class data sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.options import count_of
from bestofk.core.phrases import counted
from bestofk.design.datasets.dataset import Dataset
from bestofk.replications.multivariate import sections
from bestofk.replications.multivariate.datasets import Counts, Found, Kept, all_counts, oriented, paper_sets, too_large
from bestofk.replications.multivariate.decisions import (
    MEASURES,
    PairDecision,
    Share,
    clique_lines,
    decisions_of,
    disagreements,
    figure_four,
    figure_one,
    rank_counts,
    rejection_counts,
    vectors,
    weight_lines,
)
from bestofk.replications.multivariate.published import (
    ACCEPTED,
    CASES,
    LEARNERS,
    PIMA_FPR_PVALUE,
    REFERENCE,
    TABLES,
    TESTS,
)
from bestofk.replications.replication import Agreement, Progress, Replication, no_figures, today, versions_used
from bestofk.reporting.blocks import Section
from bestofk.stats.multivariate import hotelling, manova
from bestofk.stats.omnibus import anova

WHERE = "replicate multivariate"
RUNS = 100  # of the simulated figures, as in Fig. 4
THRESHOLDS = (2.25, 2.5, 2.75, 3.0)
MORE_NEGATIVES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0)  # the range of Fig. 4 is lost in the scan
SKEWS = (0.0, 0.1, 0.2, 0.3, 0.5)
EXAMPLES = ("breast", "pima", "spect")
DRAWS = 20  # of the folds of the examples: the paper has one draw, and does not say which


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
    """Run five learners on ten folds of every set, test all pairs; ``runs`` are those of the simulated figures."""
    runs = RUNS if runs is None else count_of(runs, name="runs", where=WHERE)
    found, kept = paper_sets(data, datasets), Kept(into)
    if not found.sets:
        raise InputError(
            f"none of the data sets can be had: {', '.join(datasets)}.",
            f"{WHERE}, --datasets",
            "name others, or a folder that holds them (--data DIR or BESTOFK_DATA).",
        )
    draws = range(seed, seed + min(runs, DRAWS))
    again = [name for name in EXAMPLES if name in found.sets]
    cells = (len(found.sets) + len(again) * len(draws)) * len(LEARNERS) + 1
    told = _counter(progress, cells)
    counts = {name: _counts(found, name, kept, seed, told) for name in found.sets}
    made = [pair for name, each in counts.items() for pair in decisions_of(name, each)]
    redrawn = {
        name: [
            decisions_of(name, _counts(found, name, kept, draw, told, f", draw {draw} of the folds")) for draw in draws
        ]
        for name in again
    }
    told("Fig. 1 and Fig. 4")
    rng = np.random.default_rng(seed)
    drawn = (
        figure_one(rng, runs, THRESHOLDS),
        figure_four(rng, runs, MORE_NEGATIVES, skew=False),
        figure_four(rng, runs, SKEWS, skew=True),
    )
    progress(cells, cells, "done")
    return Replication(
        paper="multivariate",
        title="Multivariate tests of classification algorithms, ours beside theirs",
        reference=REFERENCE,
        headline=_headline(made, len(counts)),
        agreement=(
            *(*_cases(made), *_tables(made), *clique_lines(made), *_omnibus(counts)),
            *(*_pima(counts), *weight_lines(counts), *_figures(drawn), *_ranks(made)),
        ),
        sections=_sections(made, counts, redrawn, drawn, runs),
        left_out=(*found.left_out, *_too_large(found.sets), *_not_ours(workers)),
        runs=runs,
        seed=seed,
        made=today(),
        versions=versions_used("scikit-learn"),
    )


def _counter(progress: Progress, total: int) -> Callable[[str], None]:
    """Counts the cells that are begun, so that somebody who waits sees which one it is."""
    begun = count()
    return lambda what: progress(next(begun), total, what)


def _counts(found: Found, name: str, kept: Kept, seed: int, told: Callable[[str], None], which: str = "") -> Counts:
    counts = all_counts(found.sets[name], kept, seed, told=lambda learner: told(f"{learner} on {name}{which}"))
    return oriented(counts, found.positive[name])


def _headline(made: Sequence[PairDecision], sets: int) -> str:
    found = rejection_counts(made)
    more, less = (disagreements(made, one, other) for one, other in (("MultiTF", "UniErr"), ("UniErr", "MultiTF")))
    shares = ", ".join(f"{test} rejects {r} of {n}" for test, (r, n) in found.items())
    return (
        f"On {counted(sets, 'data set')}: {shares} pairs. In {more} pairs MultiTF sees a difference that the error "
        f"does not show, in {less} the reverse."
    )


def _pair(made: Sequence[PairDecision], dataset: str, first: str, second: str) -> PairDecision | None:
    return next((e for e in made if e.dataset == dataset and {e.first, e.second} == {first, second}), None)


def _cases(made: Sequence[PairDecision]) -> list[Agreement]:
    lines = []
    for figure, (dataset, first, second, said) in CASES.items():
        pair = _pair(made, dataset, first, second)
        for test, rejects in said.items() if pair is not None else ():
            assert pair is not None
            ours = pair.rejects(test)
            words = "no p value" if ours is None else f"p {pair.pvalues[test]:.3g}, {'rejects' if ours else 'accepts'}"
            what = f"{figure}: {test} of {first} and {second} on {dataset}"
            lines.append(Agreement(what, words, "rejects" if rejects else "accepts", ours == rejects))
    return lines


def _tables(made: Sequence[PairDecision]) -> list[Agreement]:
    lines = []
    for dataset, tests in ACCEPTED.items():
        own = [each for each in made if each.dataset == dataset]
        for test in TESTS if own else ():
            same = sum(e.rejects(test) == (frozenset((e.first, e.second)) not in tests[test]) for e in own)
            what = f"{TABLES[dataset]}: pairs of {dataset} decided alike by {test}"
            lines.append(Agreement(what, f"{same} of {len(own)}", f"{len(own)} of {len(own)}", same == len(own)))
    return lines


def _omnibus(counts: Mapping[str, Counts]) -> list[Agreement]:
    """The paper: ANOVA and MANOVA reject on breast and on spect."""
    lines = []
    for dataset in (name for name in ACCEPTED if name in counts):
        tables = {t: np.stack([vectors(c, m) for c in counts[dataset].values()]) for t, m in MEASURES.items()}
        p = {"ANOVA on error": anova(tables["UniErr"][..., 0]).pvalue}
        p |= {f"MANOVA on ({', '.join(MEASURES[t])})": manova(tables[t]).pvalue for t in TESTS[1:]}
        lines += [
            Agreement(f"{name}, {dataset}", f"p {value:.3g}", "rejects", bool(value <= 0.05))
            for name, value in p.items()
        ]
    return lines


def _pima(counts: Mapping[str, Counts]) -> list[Agreement]:
    if "pima" not in counts:
        return []
    one, two = (vectors(counts["pima"][name], ("tpr", "fpr")) for name in ("c45", "qda"))
    p = float(hotelling(one, two).posthoc.pvalue[1])
    return [Agreement("pima, c45 and qda: post-hoc p of fpr", f"{p:.3g}", f"{PIMA_FPR_PVALUE}, rejects", p <= 0.05)]


def _figures(drawn: tuple[Sequence[Share], Sequence[Share], Sequence[Share]]) -> list[Agreement]:
    one, negatives, skew = (found[-1].accepted for found in drawn)
    lines: tuple[tuple[str, dict[str, float], tuple[str, ...], tuple[str, ...]], ...] = (
        ("Fig. 1, threshold 2 against 3", one, ("UniErr",), ("MultiTF", "MultiPR")),
        (f"Fig. 4a, λ {MORE_NEGATIVES[-1]:g}", negatives, ("MultiPR",), ("MultiTF",)),
        (f"Fig. 4b, α {SKEWS[-1]:g}", skew, ("MultiTF",), ("MultiPR",)),
    )
    found = []
    for what, accepted, silent, loud in lines:
        words = ", ".join(f"{test} {accepted[test]:.0%}" for test in (*silent, *loud))
        asked = f"{' and '.join(silent)} nearly all, {' and '.join(loud)} hardly any"
        met = all(accepted[t] >= 0.85 for t in silent) and all(accepted[t] <= 0.15 for t in loud)
        found.append(Agreement(f"{what}: runs without rejection", words, asked, met))
    return found


def _ranks(made: Sequence[PairDecision]) -> list[Agreement]:
    found = rank_counts(made)
    words = ", ".join(f"rank {rank}: {number / len(made):.1%}" for rank, number in sorted(found.items()))
    return [Agreement("Multi2x2: rank of S", words, "rank 1: 3.6%, rank 2: 94.2%, rank 4: 2.2% (told, not asked for)")]


def _sections(
    made: Sequence[PairDecision],
    counts: Mapping[str, Counts],
    redrawn: Mapping[str, Sequence[Sequence[PairDecision]]],
    drawn: tuple[Sequence[Share], Sequence[Share], Sequence[Share]],
    runs: int,
) -> tuple[Section, ...]:
    found = [sections.rejections(made), sections.by_dataset(made)]
    both = (("tpr", "fpr"), ("precision", "recall"))
    for figure, (dataset, first, second, said) in CASES.items():
        if dataset in counts:
            blocks = sections.contours(first, second, counts[dataset], both if "MultiPR" in said else both[:1])
            if dataset not in ACCEPTED:
                blocks = (sections.redrawn(dataset, redrawn[dataset]), *blocks)
            if blocks:
                found.append(
                    Section(figure.lower().replace(". ", "-"), f"{figure}: {first} and {second} on {dataset}", blocks)
                )
    for dataset in (name for name in ACCEPTED if name in counts):
        section = sections.accepted_pairs(dataset, made)
        again = sections.redrawn(dataset, redrawn[dataset])
        extra = (again, sections.orders(dataset, counts[dataset]), *sections.all_contours(dataset, counts[dataset]))
        found.append(replace(section, blocks=(*section.blocks, *extra)))
    return (*found, sections.ranks(made), sections.simulated(*drawn, runs))


def _too_large(sets: Mapping[str, Dataset]) -> list[str]:
    cells = [
        f"{learner} on {name}" for name, dataset in sets.items() for learner in LEARNERS if too_large(learner, dataset)
    ]
    return [f"Cells that would take longer than all others together: {', '.join(cells)}."] if cells else []


def _not_ours(workers: int) -> list[str]:
    lines = [
        "Which class is positive is not printed: ours is the first of the authors' own definition, else the rarer one. "
        "Error and (tpr, fpr) decide the same either way."
    ]
    if workers > 1:
        lines.append("Workers: one process is used.")
    return [*lines, *no_figures()]
