"""Which learner each method selects as best in every run, and Tables 2 and 3 of these choices, ours beside theirs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from zlib import crc32

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.options import one_of
from bestofk.core.phrases import counted
from bestofk.core.record import Record
from bestofk.ordering import anova_best, multitest, newman_keuls_best, test_first
from bestofk.replications.multitest.published import LEARNERS, rows_of
from bestofk.replications.multitest.table import Labels
from bestofk.reporting.blocks import TableBlock
from bestofk.reporting.tables import PlainTable
from bestofk.stats.pairwise import PAIRWISE

#: Rows of Table 3; the last three are the columns of Table 2.
METHODS = ("Anova", "TestFirst", "Newman-Keuls", "MultiTest")
NOT_FOUND = "not found"
ALPHA = 0.05
#: Means of 10 folds that differ by less are equal: only rounding tells them apart.
EQUAL = 1e-12


class Choice(Record):
    """How often a method selects each learner on a data set: ``counts`` of NOT_FOUND, then of LEARNERS."""

    dataset: str
    method: str
    counts: tuple[int, ...]

    @property
    def runs(self) -> int:
        """Runs in all."""
        return sum(self.counts)

    def percent(self, selected: str) -> float:
        """Share of the runs in which it was selected, in percent."""
        return 100.0 * self.counts[SELECTED.index(selected)] / self.runs

    def place(self, place: int) -> tuple[str, float] | None:
        """The most (1) or second most (2) selected and its percentage, None where nothing else was selected."""
        ranked = sorted(range(len(SELECTED)), key=lambda i: (-self.counts[i], i))
        at = ranked[place - 1]
        return (SELECTED[at], self.percent(SELECTED[at])) if self.counts[at] else None


#: What a method can say, in the order of ``Choice.counts``.
SELECTED = (NOT_FOUND, *LEARNERS)


#: Tests that TestFirst's level may be corrected for: all pairs, as in MultiTest, or the first against each other.
PAIRS, OTHERS = len(LEARNERS) * (len(LEARNERS) - 1) // 2, len(LEARNERS) - 1


@frozen
class Tests:
    """The pairwise test of MultiTest and TestFirst, MultiTest's adjustment for all pairs, TestFirst's α/``first``."""

    pairwise: str
    adjust: str
    first: int = PAIRS


#: The paper's, and what one would take today.
PAPER, TODAY = Tests("5x2cv-t", "bonferroni"), Tests("corrected-t", "holm")


#: Whether the learners of a run see the same halves, as the paper describes, or each those of another run.
PAIRINGS = ("paired", "unpaired")


def unpaired(errors: Array) -> Array:
    """Errors (learners, runs, 5, 2) whose runs pair no learner with another: each learner's come one run later.

    Every error is used once, so all that is told of one learner stays. It takes as many runs as there are learners.
    """
    if errors.shape[1] < len(errors):
        raise InputError(
            f"{counted(errors.shape[1], 'run')} of {counted(len(errors), 'learner')} cannot be taken apart.",
            "unpaired, argument errors",
            f"give at least {counted(len(errors), 'run')}.",
        )
    return np.stack([np.roll(each, place, axis=0) for place, each in enumerate(errors)])


def choices_of(
    dataset: str,
    errors: Array,
    seed: int,
    tests: Tests = PAPER,
    pairing: str = "paired",
    methods: Sequence[str] = METHODS,
) -> dict[str, Choice]:
    """Choices of the methods from errors (learners, runs, 5, 2) on one data set, paired as they are or unpaired.

    The seed draws between learners of equal mean in TestFirst.
    """
    one_of(pairing, PAIRINGS, name="pairing", where="choices_of")
    losses = (unpaired(errors) if pairing == "unpaired" else errors).transpose(1, 0, 2, 3)
    flat = losses.reshape(*losses.shape[:2], 10)
    best: dict[str, Callable[[], Labels]] = {
        "Anova": lambda: anova_best(flat, alpha=ALPHA),
        "TestFirst": lambda: first_tested(losses, np.random.default_rng([seed, crc32(dataset.encode())]), tests),
        "Newman-Keuls": lambda: newman_keuls_best(flat, alpha=ALPHA),
        "MultiTest": lambda: multitest(losses, test=tests.pairwise, adjust=tests.adjust, alpha=ALPHA).best,
    }
    return {method: Choice(dataset, method, _counted(best[method]())) for method in methods}


def first_tested(losses: Array, random: np.random.Generator, tests: Tests = PAPER) -> Labels:
    """TestFirst of (runs, K, 5, 2), where learners of equal mean error come first in a random order.

    ``ordering.test_first`` gives equal means to the simpler learner. The paper does not say; a draw fits its Table 2
    best (flare: MAX and the pruned tree are often the same).
    """
    run, level = PAIRWISE[tests.pairwise], ALPHA / tests.first
    best = np.array(test_first(losses, test=tests.pairwise, alpha=ALPHA, level=level))
    means = losses.mean(axis=(2, 3))
    first = means <= means.min(axis=1, keepdims=True) + EQUAL
    for at in np.flatnonzero(first.sum(axis=1) > 1):
        drawn = int(random.choice(np.flatnonzero(first[at])))
        simpler = [losses[at, i] for i in range(drawn)]
        shown = [run(each, losses[at, drawn], alternative="greater").pvalue <= level for each in simpler]
        best[at] = drawn if all(shown) else -1
    return best


def _counted(best: Labels) -> tuple[int, ...]:
    return tuple(np.bincount(np.asarray(best) + 1, minlength=len(SELECTED)).tolist())


# Table 2: the most and second most selected learner of each method on every data set, ours beside theirs.


#: Columns of the printed table.
COLUMNS = METHODS[1:]
Choices = Mapping[str, Mapping[str, Choice]]
Ranked = tuple[tuple[str, float], ...]


@cache
def published_choices() -> dict[tuple[str, str], Ranked]:
    """The published most and second most selected with their percentages, by data set and method.

    Examples
    --------
    >>> published_choices()["bupa", "MultiTest"]
    (('MAX', 91.0), ('NMC', 8.0))
    """
    found: dict[tuple[str, str], Ranked] = {}
    for row in rows_of(2):
        key = (row["dataset"], row["method"])
        found[key] = (*found.get(key, ()), (row["selected"], float(row["percent"])))
    return found


def ours(choice: Choice) -> Ranked:
    """Most and second most selected, with percentages."""
    return tuple(found for place in (1, 2) if (found := choice.place(place)) is not None)


def same_most_selected(made: Choices, method: str) -> list[str]:
    """Data sets on which the most selected is the published one."""
    return [name for name in made if ours(made[name][method])[0][0] == published_choices()[name, method][0][0]]


def largest_deviation(choice: Choice, dataset: str) -> float:
    """Largest difference of a percentage that the published table prints, in points."""
    theirs = published_choices()[dataset, choice.method]
    return max(abs(choice.percent(selected) - percent) for selected, percent in theirs)


def table2_block(made: Choices) -> TableBlock:
    """Every data set, method by method, and how far the printed percentages are from ours."""
    columns = ["data set"]
    for method in COLUMNS:
        columns += [f"{method}, ours", f"{method}, theirs"]
    rows = tuple((name, *_cells(name, made[name]), _worst(name, made[name])) for name in made)
    caption = (
        "Most and second most selected learner (percent of the runs); * no best is found. The last column is the "
        "largest difference from a printed percentage, in points."
    )
    return TableBlock("table-2", caption, PlainTable((*columns, "apart"), rows, frozenset({"apart"})))


def _cells(name: str, choices: Mapping[str, Choice]) -> tuple[str, ...]:
    cells: list[str] = []
    for method in COLUMNS:
        cells += [_ranked(ours(choices[method])), _ranked(published_choices()[name, method])]
    return tuple(cells)


def _ranked(ranked: Ranked) -> str:
    shown = [(selected, percent) for selected, percent in ranked if round(percent) > 0 or selected == ranked[0][0]]
    return ", ".join(f"{'*' if selected == NOT_FOUND else selected} ({percent:.0f})" for selected, percent in shown)


def _worst(name: str, choices: Mapping[str, Choice]) -> str:
    return f"{max(largest_deviation(choices[method], name) for method in COLUMNS):.0f}"


# Table 3: how often each method selects each learner over all data sets, ours beside theirs.


Shares = dict[str, float]


@cache
def published_shares() -> dict[str, Shares]:
    """The published percentages of every method.

    Examples
    --------
    >>> round(published_shares()["MultiTest"]["NMC"], 2)
    45.73
    """
    found = {}
    for row in rows_of(3):
        counts = {name: int(row["not_found" if name == NOT_FOUND else name]) for name in SELECTED}
        total = sum(counts.values())
        found[row["method"]] = {name: 100.0 * count / total for name, count in counts.items()}
    return found


def shares(made: Choices, method: str) -> Shares:
    """Percentages of all runs on all data sets."""
    total = sum(choices[method].runs for choices in made.values())
    sums = [sum(choices[method].counts[i] for choices in made.values()) for i in range(len(SELECTED))]
    return {name: 100.0 * count / total for name, count in zip(SELECTED, sums, strict=True)}


def largest_gap(made: Choices, method: str) -> float:
    """Largest difference of a percentage from the published one, in points."""
    own, theirs = shares(made, method), published_shares()[method]
    return max(abs(own[name] - theirs[name]) for name in SELECTED)


def distance(made: Choices, method: str) -> float:
    """Half the sum of all differences (total variation), in points: what would have to move."""
    own, theirs = shares(made, method), published_shares()[method]
    return sum(abs(own[name] - theirs[name]) for name in SELECTED) / 2


def table3_block(made: Choices) -> TableBlock:
    """Every method, ours and theirs in rows of their own."""
    rows: list[tuple[str, ...]] = []
    for method in METHODS:
        for source, found in (("ours", shares(made, method)), ("theirs", published_shares()[method])):
            rows.append((method, source, *(f"{found[name]:.2f}" for name in SELECTED)))
    caption = "Learners selected as best over all data sets and runs, in percent."
    return TableBlock("table-3", caption, PlainTable(("method", "whose", *SELECTED), tuple(rows), frozenset(SELECTED)))
