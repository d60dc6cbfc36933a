"""Tables 2 and 3 with errors that are paired between learners and with errors that are not, beside the published ones.

The paper describes paired errors. Its columns of MultiTest and TestFirst, however, fit errors of different splits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.extras import available
from bestofk.core.frozen import frozen
from bestofk.core.phrases import listed
from bestofk.core.record import Record
from bestofk.plots.canvas.board import Board
from bestofk.plots.gallery import figure_of
from bestofk.plots.info import Info
from bestofk.replications.multitest.choices import (
    METHODS,
    NOT_FOUND,
    OTHERS,
    PAIRINGS,
    PAIRS,
    PAPER,
    SELECTED,
    Choices,
    Shares,
    choices_of,
    largest_gap,
    published_choices,
    published_shares,
    same_most_selected,
    shares,
)
from bestofk.replications.multitest.experiment import FoldErrors
from bestofk.replications.multitest.published import LEARNERS, RUNS, dataset_names, rows_of
from bestofk.replications.multitest.table1 import CHANCE
from bestofk.replications.replication import Agreement
from bestofk.reporting.blocks import Block, Pictures, Section, Sentences, TableBlock
from bestofk.reporting.page import why_no_figures
from bestofk.reporting.tables import PlainTable

#: A printed percentage of Table 2 may be off by so much: it is a whole number.
ROUNDING = 0.5


@frozen
class ColumnReading:
    """A way to read how a column of Table 2 came about: its method, and by how much α is divided in each test."""

    method: str
    tests: int

    @property
    def words(self) -> str:
        """The method and its level.

        Examples
        --------
        >>> ColumnReading("TestFirst", 4).words
        'TestFirst, α/4'
        """
        return f"{self.method}, α/{self.tests}"


#: The methods that test pairs of learners. Whether TestFirst corrects for all pairs or for its own tests is not said.
READINGS = (ColumnReading("MultiTest", PAIRS), ColumnReading("TestFirst", PAIRS), ColumnReading("TestFirst", OTHERS))
#: Choices by the number of tests that TestFirst corrects for, and by the pairing of the errors.
Found = Mapping[tuple[int, str], Choices]


def choices_by_pairing(made: Mapping[str, FoldErrors], seed: int) -> dict[tuple[int, str], Choices]:
    """Choices from paired and unpaired errors: those of all methods, and TestFirst's at the level of its own tests."""
    return {
        (first, pairing): {
            name: choices_of(name, each.errors, seed, replace(PAPER, first=first), pairing, methods)
            for name, each in made.items()
        }
        for first, methods in ((PAIRS, METHODS), (OTHERS, ("TestFirst",)))
        for pairing in PAIRINGS
    }


class PrintedShare(Record):
    """A percentage that Table 2 prints, and ours."""

    dataset: str
    selected: str
    theirs: float
    ours: float
    runs: int

    @property
    def apart(self) -> float:
        """Ours less theirs, in points."""
        return self.ours - self.theirs

    @property
    def chance(self) -> float:
        """Points that chance explains: CHANCE binomial standard errors of a difference, and the print's rounding.

        Examples
        --------
        >>> round(PrintedShare("wave", "NMC", 50.0, 50.0, 1000).chance, 2)
        7.21
        """
        share = (self.ours * self.runs + self.theirs * RUNS) / (100.0 * (self.runs + RUNS))
        error = 100.0 * (share * (1.0 - share) * (1.0 / self.runs + 1.0 / RUNS)) ** 0.5
        return CHANCE * float(error) + ROUNDING

    @property
    def within_chance(self) -> bool:
        """Whether ours differs from the printed percentage by no more than chance does."""
        return abs(self.apart) <= self.chance


def printed_shares(choices: Choices, method: str) -> tuple[PrintedShare, ...]:
    """Every percentage that Table 2 prints of a method on these data sets, beside ours."""
    return tuple(
        PrintedShare(name, selected, percent, each[method].percent(selected), each[method].runs)
        for name, each in choices.items()
        for selected, percent in published_choices()[name, method]
    )


class PairingFit(Record):
    """How near the choices from errors of one pairing come to a column of Table 2."""

    reading: ColumnReading
    pairing: str
    same: int
    sets: int
    shares: tuple[PrintedShare, ...]

    @property
    def within(self) -> int:
        """Printed percentages that chance explains."""
        return sum(share.within_chance for share in self.shares)

    @property
    def mean(self) -> float:
        """Mean absolute difference from a printed percentage, in points."""
        return sum(abs(share.apart) for share in self.shares) / len(self.shares)

    @property
    def furthest(self) -> PrintedShare:
        """The percentage that is furthest from ours."""
        return max(self.shares, key=lambda share: abs(share.apart))


def fit_of(found: Found, reading: ColumnReading, pairing: str) -> PairingFit:
    """Hold the choices from errors of one pairing against the published ones."""
    choices = found[reading.tests, pairing]
    same = len(same_most_selected(choices, reading.method))
    return PairingFit(reading, pairing, same, len(choices), printed_shares(choices, reading.method))


def fits_of(found: Found) -> tuple[PairingFit, ...]:
    """Every reading with both pairings."""
    return tuple(fit_of(found, reading, pairing) for reading in READINGS for pairing in PAIRINGS)


def pairing_agreement(found: Found) -> tuple[Agreement, ...]:
    """Agreement of each reading and pairing with Table 2; it is told, nothing is asked for."""
    return tuple(
        Agreement(
            f"{fit.pairing.capitalize()} errors, {fit.reading.words}: printed percentages of Table 2 within chance",
            f"{fit.within} of {len(fit.shares)} (mean difference {fit.mean:.1f} points, largest {_furthest(fit)})",
        )
        for fit in fits_of(found)
    )


def _furthest(fit: PairingFit) -> str:
    share = fit.furthest
    return f"{abs(share.apart):.0f}, {share.dataset}"


# The section of the report.


def pairing_section(found: Found) -> Section:
    """Which pairing each published column fits, in words, tables and a figure."""
    fits, whole = fits_of(found), len(found[PAIRS, "paired"]) == len(dataset_names())
    drawn: Block = (
        Pictures((figure_of(PairingInfo(fits)),)) if available("matplotlib") else Sentences((why_no_figures(),))
    )
    tables = (_fits(fits), _by_set(found), *((_totals(found),) if whole else ()))
    return Section("pairing", "Paired or unpaired errors?", (_said(fits), *tables, drawn))


def _said(fits: Sequence[PairingFit]) -> Sentences:
    counts = {row["method"]: int(row[LEARNERS[-1]]) for row in rows_of(3)}
    return Sentences(
        (
            "Paired: all learners of a run see the same halves, as the paper describes. Unpaired: each learner's runs "
            f"are those of other halves. α/{PAIRS} corrects for all pairs of learners, α/{OTHERS} for the tests of "
            "TestFirst alone.",
            _nearest(fits),
            f"From the same errors at the same level MultiTest selects {LEARNERS[-1]} in every run in which TestFirst "
            f"does. Table 3 counts {counts['MultiTest']:,} runs for MultiTest and {counts['TestFirst']:,} for "
            "TestFirst: errors or levels of the two rows differ.",
        )
    )


def _nearest(fits: Sequence[PairingFit]) -> str:
    if all(fit.within == len(fit.shares) for fit in fits):
        return "Chance explains every difference here: these runs and data sets do not show which pairing fits."
    nearest = [
        min((fit for fit in fits if fit.reading.method == method), key=lambda fit: fit.mean)
        for method in dict.fromkeys(fit.reading.method for fit in fits)
    ]
    each = [f"{fit.pairing} errors for {fit.reading.words} ({fit.mean:.1f} points away on average)" for fit in nearest]
    return f"Nearest to the percentages that Table 2 prints come {listed(each)}."


def _fits(fits: Sequence[PairingFit]) -> TableBlock:
    columns = ("same most selected", "within chance", "mean difference", "largest difference")
    rows = tuple(
        (
            fit.reading.words,
            fit.pairing,
            f"{fit.same} of {fit.sets}",
            f"{fit.within} of {len(fit.shares)}",
            f"{fit.mean:.1f}",
            _furthest(fit),
        )
        for fit in fits
    )
    caption = (
        "Agreement of each pairing with Table 2: data sets with the published most selected learner; printed "
        f"percentages within {CHANCE:g} binomial standard errors and rounding; differences in points."
    )
    return TableBlock("pairing-fit", caption, PlainTable(("method", "errors", *columns), rows, frozenset(columns)))


def _by_set(found: Found) -> TableBlock:
    columns = ["data set"]
    for method in dict.fromkeys(reading.method for reading in READINGS):
        columns.append(f"{method}, theirs")
        columns += [f"{r.words}, {pairing}" for r in READINGS if r.method == method for pairing in PAIRINGS]
    rows = tuple((name, *_cells(name, found)) for name in found[PAIRS, "paired"])
    caption = "The percentages that Table 2 prints (* no best is found), and ours of the same learners."
    return TableBlock("pairing-sets", caption, PlainTable(tuple(columns), rows, frozenset()))


def _cells(name: str, found: Found) -> tuple[str, ...]:
    cells: list[str] = []
    for method in dict.fromkeys(reading.method for reading in READINGS):
        printed = published_choices()[name, method]
        cells.append(", ".join(f"{'*' if each == NOT_FOUND else each} {percent:.0f}" for each, percent in printed))
        for reading in (each for each in READINGS if each.method == method):
            for pairing in PAIRINGS:
                choice = found[reading.tests, pairing][name][method]
                cells.append(", ".join(f"{choice.percent(each):.0f}" for each, _ in printed))
    return tuple(cells)


def _totals(found: Found) -> TableBlock:
    rows: list[tuple[str, ...]] = []
    for reading in (ColumnReading("Anova", PAIRS), ColumnReading("Newman-Keuls", PAIRS), *READINGS):
        method, words = reading.method, reading.words if reading in READINGS else reading.method
        rows.append((words, "theirs", *_shown(published_shares()[method]), ""))
        for pairing in PAIRINGS:
            choices = found[reading.tests, pairing]
            rows.append((words, pairing, *_shown(shares(choices, method)), f"{largest_gap(choices, method):.2f}"))
    columns = ("method", "errors", *SELECTED, "apart")
    caption = "Table 3 from errors of each pairing, in percent; the last column is the largest difference, in points."
    return TableBlock("pairing-totals", caption, PlainTable(columns, tuple(rows), frozenset(columns[2:])))


def _shown(each: Shares) -> tuple[str, ...]:
    return tuple(f"{each[name]:.2f}" for name in SELECTED)


# The figure: published percentages across, ours upwards.


@frozen(eq=False)
class PairingInfo(Info):
    """A panel for each fit, two in a row: what chance explains lies near the diagonal."""

    name: ClassVar[str] = "pairing"

    fits: tuple[PairingFit, ...]

    @property
    def title(self) -> str:
        """What it is."""
        return "Percentages of Table 2, published and ours, and how many are within chance"

    @property
    def alt(self) -> str:
        """How many percentages chance explains in each panel."""
        each = "; ".join(
            f"{fit.reading.words}, {fit.pairing} errors: {fit.within} of {len(fit.shares)} within chance"
            for fit in self.fits
        )
        return f"Ours against the published percentages, crosses where they differ by more than chance. {each}."

    def height(self, width: float) -> float:
        """Square panels."""
        return -(-len(self.fits) // 2) * (width / 2 + 2.0)

    def paint(self, board: Board) -> None:
        """Draw a point for each printed percentage, crosses where chance does not explain the difference."""
        width, height = board.millimetres()
        across, down = width / 2, height / -(-len(self.fits) // 2)
        for i, fit in enumerate(self.fits):
            left, top = i % 2 * across + 13.0, i // 2 * down
            margins = {"left": left, "right": width - (i % 2 + 1) * across + 2.0}
            plot = board.plot(**margins, top=top + 8.5, bottom=height - top - down + 9.0)
            board.text(left, top + 2.4, fit.reading.words, size=7.5, fontweight="bold")
            board.text(left, top + 5.8, f"{fit.pairing}: {fit.within} of {len(fit.shares)}", size=7.0)
            _panel(plot, fit)


def _panel(plot: Board, fit: PairingFit) -> None:
    plot.frame()
    ends = (-4.0, 104.0)
    plot.ax.set(xlim=ends, ylim=ends)
    plot.ax.plot(ends, ends, color=plot.theme.muted, linewidth=0.8, linestyle=(0, (3, 2)))
    for within, marker, colour in ((True, "o", plot.theme.accent), (False, "x", plot.theme.against)):
        points = _points(tuple(share for share in fit.shares if share.within_chance is within))
        plot.ax.plot(*points, marker, color=colour, markersize=3.6, alpha=0.85)
    plot.ticks("x")
    plot.ticks("y")
    plot.labels("published, percent", "ours, percent")


def _points(some: tuple[PrintedShare, ...]) -> Array:
    return np.array([[share.theirs for share in some], [share.ours for share in some]])
