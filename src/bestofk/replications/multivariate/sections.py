"""The paper's tables and figures as sections of a report, ours beside theirs."""

from __future__ import annotations

from collections.abc import Sequence

from bestofk.plots.figures.contours import DifferenceContoursInfo, MeasureContoursInfo
from bestofk.plots.figures.histograms import ErrorHistogramsInfo
from bestofk.plots.info import Info
from bestofk.replications.multivariate.datasets import Counts
from bestofk.replications.multivariate.decisions import (
    PairDecision,
    Share,
    expected_error,
    patterns,
    rank_counts,
    rejection_counts,
    vectors,
)
from bestofk.replications.multivariate.published import ACCEPTED, ORDERS, RANKS, TABLES, TESTS
from bestofk.replications.replication import pictures, table_block
from bestofk.reporting.blocks import Block, Section, Sentences, TableBlock

_WORDS = {True: "rejects", False: "accepts", None: "–"}


def rejections(made: Sequence[PairDecision]) -> Section:
    """How often each test rejects, and which of them do so together."""
    plain, corrected = rejection_counts(made), rejection_counts(made, corrected=True)
    rows = [
        [test, *(f"{r} of {n} ({r / n:.0%})" if n else "–" for r, n in (plain[test], corrected[test]))]
        for test in TESTS
    ]
    one, two = patterns(made), patterns(made, corrected=True)
    keys = sorted({*one, *two}, reverse=True)
    together = [
        [" ".join(f"{t} {_WORDS[d]}," for t, d in zip(TESTS, key, strict=True))[:-1], str(one[key]), str(two[key])]
        for key in keys
    ]
    return Section(
        "rejections",
        "How often the tests reject and disagree",
        (
            table_block("rejected", "Pairs of learners rejected at 0.05.", ("test", "plain", "corrected"), rows),
            table_block(
                "together",
                "Decisions together, pairs that have all three.",
                ("decisions", "plain", "corrected"),
                together,
            ),
            Sentences(("The paper prints no such counts. Corrected: allowing for training sets that overlap.",)),
        ),
    )


def by_dataset(made: Sequence[PairDecision]) -> Section:
    """Pairs rejected per data set."""
    rows = []
    for name in dict.fromkeys(each.dataset for each in made):
        own = [each for each in made if each.dataset == name]
        found = rejection_counts(own)
        rows.append([name, *(f"{found[test][0]} of {found[test][1]}" for test in TESTS)])
    return Section(
        "data-sets", "Data set by data set", (table_block("by-dataset", "Pairs rejected.", ("data set", *TESTS), rows),)
    )


def ranks(made: Sequence[PairDecision]) -> Section:
    """Rank of S of the four counts."""
    found, total = rank_counts(made), sum(RANKS.values())
    rows = [
        [
            str(rank),
            f"{found[rank]} ({found[rank] / len(made):.1%})",
            f"{RANKS.get(rank, 0)} ({RANKS.get(rank, 0) / total:.1%})",
        ]
        for rank in sorted({*found, *RANKS})
    ]
    said = (
        "The paper's reason for rank 4 is that p or n is not divisible by k, so that folds differ in size. But on "
        "common folds tp + fn and fp + tn are the same for both learners, whatever a fold's size: in differences fn "
        "is minus tp and tn minus fp, and the rank cannot exceed 2."
    )
    return Section(
        "ranks",
        "Multi2x2: rank of S",
        (table_block("rank", "Pairs by rank.", ("rank", "ours", "theirs"), rows), Sentences((said,))),
    )


def accepted_pairs(name: str, made: Sequence[PairDecision]) -> Section:
    """Table 2 or 3: every pair and test, ours beside theirs."""
    rows = []
    for each in (each for each in made if each.dataset == name):
        pair = frozenset((each.first, each.second))
        cells = []
        for test in TESTS:
            ours, theirs = each.rejects(test), pair not in ACCEPTED[name][test]
            cells.append(f"{_WORDS[ours]} / {_WORDS[theirs]}" + ("" if ours == theirs else " ≠"))
        rows.append([f"{each.first}–{each.second}", *cells])
    caption = "Decisions of all pairs, ours / theirs; ≠ where they differ."
    return Section(name, f"{TABLES[name]}: {name}", (table_block(f"{name}-pairs", caption, ("pair", *TESTS), rows),))


def redrawn(name: str, draws: Sequence[Sequence[PairDecision]]) -> TableBlock:
    """How often each pair is rejected when the folds are drawn anew: how much hangs on the one draw of the paper."""
    rows = []
    for pair in zip(*draws, strict=True):
        cells = []
        for test in TESTS:
            found = [each.rejects(test) for each in pair]
            known = [d for d in found if d is not None]
            theirs = "" if name not in ACCEPTED else _theirs(name, test, pair[0])
            cells.append((f"{sum(known)} of {len(known)}" if known else "–") + theirs)
        rows.append([f"{pair[0].first}–{pair[0].second}", *cells])
    caption = f"Rejections in {len(draws)} draws of the ten folds" + (", and the paper's." if name in ACCEPTED else ".")
    return table_block(f"{name}-redrawn", caption, ("pair", *TESTS), rows)


def _theirs(name: str, test: str, pair: PairDecision) -> str:
    return f" / {_WORDS[frozenset((pair.first, pair.second)) not in ACCEPTED[name][test]]}"


def orders(name: str, counts: Counts) -> TableBlock:
    """Learners best first, measure by measure."""
    rows = []
    for measure, theirs in ORDERS[name].items():
        means = {learner: float(vectors(each, (measure,)).mean()) for learner, each in counts.items()}
        ours = sorted(means, key=lambda one: -means[one] if measure in ("tpr", "precision") else means[one])
        rows.append([measure, " ".join(ours), theirs])
    return table_block(f"{name}-orders", "Best first by means over folds.", ("measure", "ours", "theirs"), rows)


def contours(first: str, second: str, counts: Counts, names: Sequence[tuple[str, str]]) -> tuple[Block, ...]:
    """Contours of two learners and of their difference, and the errors' histograms; nothing without matplotlib."""
    made: dict[str, Info] = {}
    for pair in names:
        one, two = (vectors(counts[learner], pair) for learner in (first, second))
        place = f"{first}-{second}-{pair[0]}"
        made[f"contours-{place}"] = MeasureContoursInfo.from_points({first: one, second: two}, pair)
        made[f"difference-{place}"] = DifferenceContoursInfo.from_points(first, second, one, two, pair)
    one, two = (vectors(counts[learner], ("error",))[:, 0] for learner in (first, second))
    made[f"errors-{first}-{second}"] = ErrorHistogramsInfo(first, second, one, two, "error")
    return pictures(made)


def all_contours(dataset: str, counts: Counts) -> tuple[Block, ...]:
    """Contours of all learners, as in Fig. 5 and 6."""
    made: dict[str, Info] = {}
    for pair in (("tpr", "fpr"), ("precision", "recall")):
        points = {name: vectors(each, pair) for name, each in counts.items()}
        made[f"contours-{dataset}-{pair[0]}"] = MeasureContoursInfo.from_points(points, pair)
    return pictures(made)


def simulated(one: Sequence[Share], negatives: Sequence[Share], skew: Sequence[Share], runs: int) -> Section:
    """Fig. 1 and Fig. 4."""

    def rows(found: Sequence[Share]) -> list[list[str]]:
        return [[f"{each.setting:g}", *(f"{each.accepted[test]:.2f}" for test in TESTS)] for each in found]

    caption = f"Share of {runs} runs without rejection"
    return Section(
        "simulated",
        "Fig. 1 and Fig. 4 by simulation",
        (
            table_block(
                "figure-1", f"{caption}: threshold 2 against another (Fig. 1).", ("threshold", *TESTS), rows(one)
            ),
            Sentences(
                (
                    f"The expected error of Fig. 1's classifier is {expected_error(2.0):.3f} at 2 and "
                    f"{expected_error(3.0):.3f} at 3, but {expected_error(2.5):.3f} midway: equal at the two ends, not "
                    "all along as the caption has it.",
                )
            ),
            table_block(
                "figure-4a", f"{caption}: true negatives times 1 + λ (Fig. 4a).", ("λ", *TESTS), rows(negatives)
            ),
            table_block("figure-4b", f"{caption}: class ratio changed by α (Fig. 4b).", ("α", *TESTS), rows(skew)),
        ),
    )
