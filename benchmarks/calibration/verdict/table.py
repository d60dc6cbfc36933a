"""The table of the docs: every promise in every cell, with its standard error."""

from __future__ import annotations

from datetime import date

import numpy as np

from benchmarks.calibration.verdict.study import ALPHA, PROMISES, Counts

HEAD = """# Calibration of the verdict: how often `bk.judge` is wrong, measured

Written by `python -m benchmarks.calibration.verdict` on {today}, {runs} verdicts per row; seeds are fixed. Each promise
may be broken in at most {alpha:.0%} of verdicts; **bold** is above {alpha:.0%} plus two standard errors ({limit:.1%}).
*Decided* is how often the one best learner is called best.

{promises}
"""


def written(found: list[Counts]) -> str:
    runs = found[0].runs
    promises = "\n".join(f"- *{name}*: {meaning}" for name, meaning in PROMISES.items())
    limit = ALPHA + 2.0 * np.sqrt(ALPHA * (1.0 - ALPHA) / runs)
    parts = [HEAD.format(today=date.today().isoformat(), runs=f"{runs:,}", alpha=ALPHA, limit=limit, promises=promises)]
    for design in dict.fromkeys(each.cell.design.name for each in found):
        parts.append(f"\n## {design}\n\n| learners | truth | preference | {' | '.join(PROMISES)} | decided |")
        parts.append("|" + "---|" * (4 + len(PROMISES)))
        parts += [_row(each) for each in found if each.cell.design.name == design]
    return "\n".join(parts) + "\n"


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
