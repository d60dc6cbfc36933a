"""Table 1, ours beside theirs, as Markdown."""

from __future__ import annotations

from bestofk.replications.multitest.published import LEARNERS
from bestofk.replications.multitest.table1 import Cell, Table1

#: Within how many points of the published mean a learner is asked to be.
ASKED = {"MAX": 0.3, "NMC": 0.5, "LGC": 1.5, "C4.5": 0.5, "NN": 0.5}


def markdown(made: Table1) -> str:
    """Cells, the count within the points asked for, and the cells that miss."""
    rows = made.by_dataset()
    parts = [
        "# Table 1 of the MultiTest paper, ours beside theirs",
        f"Mean error in percent over {made.runs} runs of 5 × 2 plain random halves, seed {made.seed}; the published "
        "mean in brackets. Bold: further away than the points asked for. LGC's rate is the best of five on the set.",
        "\n".join([_line(["data set", *LEARNERS, "rate"]), _line(["---"] * 7), *(_cells(row) for row in rows)]),
        "\n".join([_line(["", *LEARNERS]), _line(["---"] * 6), *_summary(made, len(rows))]),
        "## Cells that miss",
        "\n".join([_miss(cell) for cell in made.cells if _misses(cell)] or ["None."]),
    ]
    return "\n\n".join(parts) + "\n"


def _line(fields: list[str]) -> str:
    return f"| {' | '.join(fields)} |"


def _cells(row: tuple[Cell, ...]) -> str:
    rate = next(cell.rate for cell in row if cell.rate is not None)
    return _line([row[0].ours.dataset, *(_pair(cell) for cell in row), f"{rate:g}"])


def _pair(cell: Cell) -> str:
    text = f"{cell.ours.mean:.2f} ({cell.theirs.mean:.2f})"
    return f"**{text}**" if _misses(cell) else text


def _misses(cell: Cell) -> bool:
    return abs(cell.deviation) > ASKED[cell.ours.learner]


def _summary(made: Table1, datasets: int) -> list[str]:
    asked = [f"{made.within(name, ASKED[name])} of {datasets} within {ASKED[name]:g}" for name in LEARNERS]
    away = [f"{made.mean_deviation(name):.2f}" for name in LEARNERS]
    counts = [
        _line([f"within {points:g} points", *(str(made.within(name, points)) for name in LEARNERS)])
        for points in (0.3, 0.5, 1.5)
    ]
    return [_line(["asked for", *asked]), *counts, _line(["mean absolute deviation", *away])]


def _miss(cell: Cell) -> str:
    ours, theirs = cell.ours, cell.theirs
    return (
        f"- {ours.dataset}, {ours.learner}: {cell.deviation:+.2f} points "
        f"(sd over folds {ours.sd:.2f}, published {theirs.sd:.2f})"
    )
