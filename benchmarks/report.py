"""The speed table as text, and as RESULTS.md with what it was measured on."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

import numpy as np

from benchmarks.speed import THREADS
from benchmarks.speed.measure import Row

PACKAGES = ("bestofk", "numpy", "scipy", "numba", "pandas", "pingouin", "statsmodels", "baycomp")
HEADER = ("work", "against", "ours", "peer", "ratio", "demanded", "", "note")

HOW = """\
Written by `make bench` (`python -m benchmarks.run`); one file per kind of work in `benchmarks/speed/`.

- Before a row is timed, both sides must give the same numbers: statistics and p values to 1e-9 (relative above
  1), simulated probabilities within five standard errors.
- Times are CPU seconds for the whole work, best of several, both sides taking turns in one process on one thread.
  A peer that is timed on a part is scaled up to the whole, as the note says. Ratios are the peer's time over
  ours; for the imports, ours over the peer's, each in fresh processes.
- `with fast` is the compiled kernel of the extra `fast`; it has been compiled before the clock starts.
- Rows without a demand are shown because they are worth knowing.
- Cells beside the bare loop of fit and predict have no demand (it was at most 1.05×, and three of the rows missed it):
  fit and predict run on both sides there and vary by more than 5 % from one measurement to the next. That bestofk
  takes at most 5 % is judged by the rows against `inside fit and predict` alone, where both times are of the same run.
"""


def as_text(rows: Iterable[Row]) -> str:
    """Plain columns for the terminal."""
    lines = [tuple(cell.replace("`", "") for cell in cells) for cells in [HEADER, *map(_cells, rows)]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADER))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def write(rows: list[Row], path: Path) -> None:
    """Write RESULTS.md."""
    table = [HEADER, ("---",) * len(HEADER), *map(_cells, rows)]
    parts = [
        "# How fast",
        HOW,
        "\n".join("| " + " | ".join(cells) + " |" for cells in table),
        "## Measured on",
        "\n".join(f"- {line}" for line in surroundings()),
    ]
    path.write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")


def renew(rows: list[Row], path: Path) -> None:
    """Put rows that were measured again in the place of the old ones, by work and peer; new ones come at the end."""
    text = path.read_text(encoding="utf-8")
    fresh = {(cells[0], cells[1]): "| " + " | ".join(cells) + " |" for cells in map(_cells, rows)}
    lines = text.split("\n")
    last = max(place for place, line in enumerate(lines) if line.startswith("| "))
    for place, line in enumerate(lines):
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and (cells[0], cells[1] if len(cells) > 1 else "") in fresh:
            lines[place] = fresh.pop((cells[0], cells[1]))
    lines[last + 1 : last + 1] = list(fresh.values())
    path.write_text("\n".join(lines), encoding="utf-8")


def surroundings() -> list[str]:
    """Date, processor and versions: what a figure depends on, and nothing that names the machine."""
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return [
        datetime.date.today().isoformat(),
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        f"threads: {', '.join(f'{name}={os.environ[name]}' for name in THREADS)}",
        f"{platform.python_implementation()} {platform.python_version()}, BLAS {blas['name']} {blas['version']}",
        ", ".join(f"{name} {version(name)}" for name in PACKAGES),
    ]


def verdict(rows: list[Row]) -> str:
    """How many demands are met, and which are not."""
    demanded = [row for row in rows if row.met is not None]
    missed = [f"MISSED: {row.work} against {row.against}" for row in demanded if not row.met]
    return "\n".join([f"{len(demanded) - len(missed)} of {len(demanded)} demands met.", *missed]).replace("`", "")


def _cells(row: Row) -> tuple[str, ...]:
    ratio = "" if row.ratio is None else _times(row.ratio)
    demand = "" if row.demand is None else f"at {'most' if row.ceiling else 'least'} {_times(row.demand)}"
    met = {None: "", True: "met", False: "**MISSED**"}[row.met]
    peer = "" if row.peer is None else _seconds(row.peer)
    return row.work, row.against, _seconds(row.ours), peer, ratio, demand, met, row.note


def _times(value: float) -> str:
    return f"{value:,.0f}×" if value >= 100 else f"{value:.3g}×"


def _seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:,.0f} {unit}" if value >= 100 * size else f"{value / size:.3g} {unit}"
    return f"{value / 1e-6:.3g} µs"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass  # not Linux
    return platform.processor() or "unknown processor"
