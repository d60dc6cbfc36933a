"""The same results as CSV, JSON, ARFF, Parquet and XLSX, and the verdict on each as JSON: is it the same everywhere?

    PYTHONPATH=src:tests python tests/determinism.py FOLDER   # judges the files of a folder, prints their answers

`tests/test_determinism.py` compares them between formats, orders of rows, processes, environments and versions.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Row = tuple[Any, ...]
#: What is judged, with the options of ``judge``.
OPTIONS: dict[str, dict[str, Any]] = {
    "datasets": {"within": 0.01},
    "folds": {"seed": 3},
    "items": {"control": "naïve Bayes"},
    "runs": {"prior": "cost", "seed": 5},
}
LEARNERS = ("naïve Bayes", "größter Baum", "k-NN", "Ж", "svm")


def tables() -> dict[str, tuple[tuple[str, ...], list[Row]]]:
    """Results over data sets, of one data set, of items in groups and of independent runs.

    They have 12 digits: workbooks are written with 16, which not every number can be read back from.
    """
    import numpy as np

    rng = np.random.default_rng(7)
    datasets = [
        (name, f"Satz {place}", fold + 1, round(float(0.3 + 0.01 * k + 0.04 * rng.normal()), 12))
        for place in range(14)
        for fold in range(5)
        for k, name in enumerate(LEARNERS)
    ]
    folds = [
        (name, replication + 1, fold + 1, round(float(0.2 + 0.02 * k + 0.02 * rng.normal()), 12))
        for replication in range(10)
        for fold in range(10)
        for k, name in enumerate(LEARNERS)
    ]
    items = [
        (name, f"q{item}", f"Thema {item % 23}", float(rng.normal() > 0.1 * k - 0.3))
        for item in range(300)
        for k, name in enumerate(LEARNERS)
    ]
    runs = [
        (name, seed + 1, round(float(0.8 - 0.02 * k + 0.03 * rng.normal()), 12), float(5 - k))
        for seed in range(9)
        for k, name in enumerate(LEARNERS)
    ]
    return {
        "datasets": (("learner", "dataset", "fold", "error"), datasets),
        "folds": (("learner", "replication", "fold", "error"), folds),
        "items": (("learner", "item", "group", "accuracy"), items),
        "runs": (("learner", "seed", "accuracy", "cost"), runs),
    }


def write_all(folder: Path, *, shuffled: int | None = None, names_too: bool = False) -> None:
    """Every table in every format; its rows in order, or in another one in which names first come as they did."""
    import numpy as np

    for name, (columns, rows) in tables().items():
        seen: set[str] = set()
        first, rest = [], []
        for row in rows:
            names = {each for each in row if isinstance(each, str)}
            (rest if names_too or names <= seen else first).append(row)
            seen |= names
        order = range(len(rest)) if shuffled is None else np.random.default_rng(shuffled).permutation(len(rest))
        chosen = rows if shuffled is None else first + [rest[place] for place in order]
        for ending, content in contents(columns, chosen).items():
            (folder / f"{name}.{ending}").write_bytes(content)


def contents(columns: Sequence[str], rows: Sequence[Row]) -> dict[str, bytes]:
    """The bytes of a file, by its ending."""
    import pyarrow
    import pyarrow.parquet
    from openpyxl import Workbook

    text = io.StringIO()
    csv.writer(text).writerows([columns, *rows])
    kinds = ["string" if isinstance(value, str) else "numeric" for value in rows[0]]
    heads = [f"@attribute {name} {kind}" for name, kind in zip(columns, kinds, strict=True)]
    quoted = [",".join(f"'{each}'" if isinstance(each, str) else str(each) for each in row) for row in rows]
    book, workbook, parquet = Workbook(), io.BytesIO(), io.BytesIO()
    for row in (columns, *rows):
        book.active.append(row)
    book.save(workbook)
    by_column = {name: [row[place] for row in rows] for place, name in enumerate(columns)}
    pyarrow.parquet.write_table(pyarrow.table(by_column), parquet)
    objects = [dict(zip(columns, row, strict=True)) for row in rows]
    return {
        "csv": text.getvalue().encode(),
        "json": json.dumps(objects, ensure_ascii=False).encode(),
        "arff": "\n".join(["@relation results", *heads, "@data", *quoted]).encode(),
        "parquet": parquet.getvalue(),
        "xlsx": workbook.getvalue(),
    }


def differences(one: Any, two: Any, place: str = "") -> list[str]:
    """Where two documents differ: numbers by more than 1e-12 of their size, all else at all.

    The smallest difference that would be seen hangs on the noncentral t, which SciPy had to 8 digits before 1.15.
    """
    if isinstance(one, dict) and isinstance(two, dict) and list(one) == list(two):
        return [found for name in one for found in differences(one[name], two[name], f"{place}/{name}")]
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        return [found for at in range(len(one)) for found in differences(one[at], two[at], f"{place}/{at}")]
    if isinstance(one, float) and isinstance(two, float):
        near = 1e-7 if place.endswith("/seen") else 1e-12
        return [] if abs(one - two) <= near * max(1.0, abs(one)) else [f"{place}: {one!r}, {two!r}"]
    return [] if type(one) is type(two) and one == two else [f"{place}: {one!r}, {two!r}"]


def answer(path: Path) -> str:
    """The verdict as JSON, without where the results came from and which versions judged them."""
    import bestofk as bk
    from bestofk.reporting.formats.json_document import document_of

    document = document_of(bk.judge(path, **OPTIONS[path.stem]))
    document.pop("provenance")
    return json.dumps(document, ensure_ascii=False, allow_nan=False)


def answers(folder: Path, *endings: str) -> dict[str, str]:
    """Answers to the files of a folder, by their names."""
    found = (path for path in sorted(folder.iterdir()) if not endings or path.suffix[1:] in endings)
    return {path.name: answer(path) for path in found}


if __name__ == "__main__":
    json.dump(answers(Path(sys.argv[1]), *sys.argv[2:]), sys.stdout)
