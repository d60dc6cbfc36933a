"""Many learners or data sets, and small files that claim to be large: processor time and memory until it is told.

``python -m benchmarks.speed.bounds`` prints one row for each, every one in a process of its own.
"""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

LEARNERS = """
import numpy as np, bestofk as bk
learners, datasets, options = {learners}, {datasets}, {options}
rng = np.random.default_rng(0)
scores = 0.7 + np.linspace(0, 0.1, learners) + 0.05 * rng.normal(size=(datasets, learners))
scores += 0.1 * rng.normal(size=(datasets, 1))
table = {{"dataset": [f"d{{i}}" for i in range(datasets)]}} | {{f"m{{k}}": scores[:, k] for k in range(learners)}}
measured(lambda: str(bk.judge(bk.read(table, measure="loss"), **options)))
"""
FOLDS = """
import numpy as np, bestofk as bk
learners, datasets, folds = {learners}, {datasets}, {folds}
rng = np.random.default_rng(0)
scores = 0.4 + np.linspace(0, 0.1, learners)[:, None] + 0.02 * rng.normal(size=(datasets, learners, folds))
scores += 0.05 * rng.normal(size=(datasets, learners, 1)) + 0.05 * rng.normal(size=(datasets, 1, 1))
dataset, learner, fold = (each.ravel() for each in np.indices(scores.shape))
names = {{"dataset": np.char.add("d", dataset.astype(str)), "learner": np.char.add("m", learner.astype(str))}}
measured(lambda: str(bk.judge(bk.read(names | {{"fold": fold, "loss": scores.ravel()}}))))
"""
FILE = "import bestofk as bk\nmeasured(lambda: bk.read({path!r}))"
MEASURED = """
import resource, time
def measured(ask):
    start = time.process_time()
    try:
        ask()
        end = "answered"
    except bk.InputError:
        end = "refused"
    seconds, memory = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{end} | {seconds:.1f} s | {memory:.2f} GB")
"""


def cases(folder: Path) -> Iterator[tuple[str, str]]:
    """What is asked, and the program that asks it."""
    for learners, datasets in ((300, 100), (600, 100), (1200, 100), (5000, 20), (10, 5000)):
        name, options = f"{learners:,} learners × {datasets:,} data sets", dict[str, str]()
        yield name, LEARNERS.format(learners=learners, datasets=datasets, options=options)
    control = LEARNERS.format(learners=5000, datasets=20, options={"control": "m0"})
    yield "5,000 learners × 20 data sets against a control", control
    yield "5 learners × 5,000 data sets × 10 folds", FOLDS.format(learners=5, datasets=5000, folds=10)
    keys = ",".join(f'"k{i}": {i}' for i in range(60_000))
    path = folder / "keys.json"
    path.write_text(f'{{{keys}, "k5": 1}}')
    yield "JSON with 60,000 keys and one twice", FILE.format(path=str(path))
    for name, old, new in (
        ("that claims A1:XFD1048576", rb'<dimension ref="[^"]*"', b'<dimension ref="A1:XFD1048576"'),
        (
            "with values in column XFD of 9,000 rows",
            b"</sheetData>",
            b"".join(map(_far, range(40, 9040))) + b"</sheetData>",
        ),
        ("that unpacks to 600 MB", b"</sheetData>", b"</sheetData>" + b" " * 600_000_000),
    ):
        path = folder / "book.xlsx"
        _workbook(path, old, new)
        yield f"XLSX of {path.stat().st_size / 1e6:.2f} MB {name}", FILE.format(path=str(path))


def _far(row: int) -> bytes:
    return b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (row, row)


def _workbook(path: Path, old: bytes, new: bytes) -> None:
    """A small table with something else in the text of its sheet."""
    from openpyxl import Workbook

    book, small = Workbook(), path.with_name("small.xlsx")
    for row in [("learner", "fold", "error"), *((name, fold, fold / 100) for fold in range(10) for name in "abc")]:
        book.active.append(row)
    book.save(small)
    with zipfile.ZipFile(small) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            text = source.read(name)
            target.writestr(name, re.sub(old, new, text) if name.endswith("sheet1.xml") else text)


def main() -> None:
    with TemporaryDirectory() as name:
        for what, code in cases(Path(name)):
            # Through a shell: a child's peak begins with that of the process that starts it.
            words = ["sh", "-c", '"$0" -c "$1"; true', sys.executable, MEASURED + code]
            print(
                f"{what} | {subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()}",
                flush=True,
            )


if __name__ == "__main__":
    main()
