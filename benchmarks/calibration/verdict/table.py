"""The table of the docs: every promise in every cell. A design keeps its part until it is measured again."""

from __future__ import annotations

import re
from datetime import date

from benchmarks.calibration.verdict.designs import DESIGNS
from benchmarks.calibration.verdict.study import ALPHA, PROMISES, Counts

HEAD = """# Calibration of the verdict: how often `bk.judge` is wrong, measured

Written by `python -m benchmarks.calibration.verdict`; seeds are fixed. Each promise may be broken in at most
{alpha:.0%} of verdicts; **bold** is above {alpha:.0%} plus two standard errors (6.0% of 2,000). *Decided* is how often
the one best learner is called best.

{promises}
"""


def written(found: list[Counts], before: str = "") -> str:
    """The page with the designs that were found, and what it had ``before`` of the others."""
    promises = "\n".join(f"- *{name}*: {meaning}" for name, meaning in PROMISES.items())
    parts = {name: text.strip() for name, text in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", before, re.M | re.S)}
    parts |= {name: _part(found, name) for name in dict.fromkeys(each.cell.design.name for each in found)}
    shown = [f"## {design.name}\n\n{parts[design.name]}\n" for design in DESIGNS if design.name in parts]
    return "\n".join([HEAD.format(alpha=ALPHA, promises=promises), *shown])


def _part(found: list[Counts], name: str) -> str:
    mine = [each for each in found if each.cell.design.name == name]
    return "\n".join(
        [
            f"Measured on {date.today().isoformat()}, {mine[0].runs:,} verdicts per row.",
            "",
            f"| learners | truth | preference | {' | '.join(PROMISES)} | decided |",
            "|" + "---|" * (4 + len(PROMISES)),
            *map(_row, mine),
        ]
    )


def _row(counts: Counts) -> str:
    cell = counts.cell
    rates = [f"{counts.rate(name):.3f}" if counts.holds(name) else f"**{counts.rate(name):.3f}**" for name in PROMISES]
    alone = len(cell.truth.best) == 1
    shown = [
        str(cell.k),
        cell.truth.name,
        "given" if counts.preference else "–",
        *rates,
        f"{counts.power:.2f}" if alone else "",
    ]
    return f"| {' | '.join(shown)} |"
