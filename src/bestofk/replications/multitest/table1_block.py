"""Table 1 in a report: means and standard deviations, ours beside theirs, and the likely reason where a cell misses."""

from __future__ import annotations

from bestofk.core.phrases import counted
from bestofk.replications.multitest.published import LEARNERS
from bestofk.replications.multitest.table1 import Cell, Table1
from bestofk.replications.multitest.table1_markdown import ASKED
from bestofk.reporting.blocks import Block, Bullets, Sentences, TableBlock
from bestofk.reporting.tables import PlainTable

#: Why a cell is off, as far as is known (docs/replications.md).
REASONS = {
    ("cylinder", "NMC"): "999 gaps, perhaps filled in another way by the authors",
    ("cylinder", "NN"): "999 gaps, perhaps filled in another way by the authors",
    ("cylinder", "LGC"): "999 gaps, perhaps filled in another way by the authors",
    ("hepatitis", "NMC"): "167 gaps, perhaps filled in another way by the authors",
    ("horse", "NMC"): "1,927 gaps; the authors' file had been imputed before",
    ("horse", "NN"): "1,927 gaps; the authors' file had been imputed before",
    ("monks", "NN"): "distances that are equal on paper are told apart by rounding only",
    ("zoo", "LGC"): "every other rate errs more; the authors' descent must have been another one",
    ("glass", "LGC"): "every other rate errs more; the authors' descent must have been another one",
}
UNKNOWN = "no reason is known"
#: A deviation of fewer standard errors may be chance.
CHANCE = 3.0


def table1_blocks(made: Table1) -> tuple[Block, ...]:
    """The table, and what misses."""
    columns = ("data set", *(f"{name}, {whose}" for name in LEARNERS for whose in ("ours", "theirs")))
    table = PlainTable((*columns, "LGC's rate"), tuple(_row(row) for row in made.by_dataset()), frozenset(columns[1:]))
    caption = (
        "Mean ± standard deviation of the error over the folds, in percent. LGC's rate is the best of five on the set."
    )
    misses = tuple(_miss(cell) for cell in made.cells if misses_mean(cell))
    said: Block = Bullets(misses) if misses else Sentences(("No mean is further away than was asked for.",))
    return (TableBlock("table-1", caption, table), said)


def misses_mean(cell: Cell) -> bool:
    """Whether a mean is further from the published one than was asked for."""
    return abs(cell.deviation) > ASKED[cell.ours.learner]


def _row(cells: tuple[Cell, ...]) -> tuple[str, ...]:
    pairs = [f"{figure.mean:.2f} ± {figure.sd:.2f}" for cell in cells for figure in (cell.ours, cell.theirs)]
    rate = next(cell.rate for cell in cells if cell.rate is not None)
    return (cells[0].ours.dataset, *pairs, f"{rate:g}")


def _miss(cell: Cell) -> str:
    ours = cell.ours
    errors = abs(cell.deviation) / cell.standard_error
    if errors < CHANCE:
        reason = f"within chance at {counted(cell.runs, 'run')}"
    else:
        reason = REASONS.get((ours.dataset, ours.learner), UNKNOWN)
    return f"{ours.dataset}, {ours.learner}: {cell.deviation:+.2f} points, {errors:.1f} standard errors; {reason}."
