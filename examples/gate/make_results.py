"""Answers of four versions of an invented model to the same 1,200 questions of 24 tasks; the seed is fixed.

Beside version 1: version 2 is as good, version 3 is not, version 4 answered 150 questions only, in JSON Lines; and
accuracies of ten seeds each.
"""

import csv
import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent / "results"
TASKS, EACH = 24, 50


def main() -> None:
    """Write all files."""
    rng = np.random.default_rng(8)
    HERE.mkdir(exist_ok=True)
    number = TASKS * EACH
    tasks = [f"task-{i // EACH:02d}" for i in range(number)]
    skill = rng.normal(1.1, 1.0, size=number)
    for name, lost in (("v1", 0.0), ("v2", 0.0), ("v3", 0.35)):
        right = (skill - lost + 0.35 * rng.normal(size=number) > 0).astype(int)
        rows = [(task, f"q{i:04d}", each) for i, (task, each) in enumerate(zip(tasks, right, strict=True))]
        _write(f"{name}.csv", ("task", "question", "correct"), rows)
    for name in ("v1", "v4"):
        right = (skill[:150] + 0.35 * rng.normal(size=150) > 0).astype(int)
        lines = [json.dumps({"question": f"q{i:04d}", "correct": int(each)}) for i, each in enumerate(right)]
        (HERE / f"{name}_short.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    seeds = [(name, seed, round(rng.normal(0.86, 0.004), 4)) for name in ("v1", "v2") for seed in range(10)]
    _write("seeds.csv", ("model", "seed", "accuracy"), seeds)


def _write(name: str, head: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    with (HERE / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
