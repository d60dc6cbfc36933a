"""Results of aeon and tsml-eval: a CSV file per estimator with data sets in rows and resamples in columns.

Also files of one estimator, data set and resample (``testResample0.csv``): their third line begins with the accuracy of
the predictions below it, or with their mean squared error.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NoReturn

import numpy as np

from bestofk.core.errors import InputError, glimpse
from bestofk.evidence.layouts.layout import Layout
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.programs.log import Log, Opening, Outcome, Program
from bestofk.measures.catalogue import own_name
from bestofk.tables.cells import as_number
from bestofk.tables.table import Table

_HEADER = re.compile(r"(folds|resamples):\s*,\s*0\s*(,|\r|\n)", re.IGNORECASE)
_SINGLE = re.compile(r"testResample(\d+)\.csv")


def is_aeon(opening: Opening) -> bool:
    """Whether the header counts resamples, or the name is that of a file of one."""
    path, start, _ = opening
    if path.suffix != ".csv":
        return False
    return _HEADER.match(start) is not None or (_SINGLE.fullmatch(path.name) is not None and start.count("\n") > 2)


def read(path: Path) -> Log:
    """A value for every data set and resample."""
    content = path.read_bytes()
    digest = sha256(content).hexdigest()
    rows = list(csv.reader(content.decode("utf-8-sig").splitlines()))
    single = _SINGLE.fullmatch(path.name)
    if single is not None:
        dataset, learner = (word.strip() for word in rows[0][:2])
        measure, value = _of_predictions(path, rows)
        words = {"dataset": dataset, "replication": single[1]}
        return Log([Outcome(3, "", {measure: value}, words=words)], lambda: digest, learner)
    name, _, end = path.stem.rpartition("_")
    measure = own_name(end.lower()) if name else "accuracy"
    return Log(_outcomes(path, rows, measure), lambda: digest, name or path.stem)


def _of_predictions(path: Path, rows: list[list[str]]) -> tuple[str, float]:
    """What the third line says: the file does not name the measure, so the predictions have to show which it is."""
    said = _value(path, 3, rows[2][0])
    pairs = [[_value(path, number, word) for word in row[:2]] for number, row in enumerate(rows[3:], 4) if row]
    truth, predicted = np.array(pairs).T
    with np.errstate(over="ignore"):  # the square of a large number is infinite, and nobody has said that
        known = {"accuracy": np.mean(truth == predicted), "mse": np.mean((truth - predicted) ** 2)}
    measure = next((name for name, value in known.items() if np.isclose(said, value, rtol=1e-4, atol=1e-6)), None)
    if measure is None:
        raise InputError(
            f"the third line says {said:g}, and the predictions below have accuracy {known['accuracy']:.4g} and mean "
            f"squared error {known['mse']:.4g}.",
            f"{path}, line 3",
            "give the whole file; or the tables that tsml-eval's evaluation writes (all_resamples).",
        )
    return measure, said


def _outcomes(path: Path, rows: list[list[str]], measure: str) -> Iterator[Outcome]:
    resamples = [each.strip() for each in rows[0][1:]]
    for number, row in enumerate(rows[1:], start=2):
        if row and len(row) != len(rows[0]):
            raise InputError(
                f"the row has {len(row) - 1} values for {len(resamples)} resamples.",
                f"{path}, line {number}",
                "copy the whole file again; leave the cell of a missing result empty.",
            )
        for resample, word in zip(resamples, row[1:], strict=bool(row)):
            words = {"dataset": row[0].strip(), "replication": resample}
            value = _value(path, number, word) if word.strip() else None
            yield Outcome(number, "", {measure: value}, words=words)


def _value(path: Path, number: int, word: str) -> float:
    value = as_number(word)
    if value is None:
        raise InputError(
            f"a result is {glimpse(word)}, and no number.", f"{path}, line {number}", "mend or empty the cell."
        )
    return value


#: Tables that are known by the name of their first column: what they are, and what to give instead.
REFUSED = {
    "Estimators:": (
        "this is a summary of tsml-eval: means, ranks or p values of estimators.",
        "give the folder all_resamples beside it, which has the results themselves.",
    ),
    "Resamples:": (
        "the results are of one estimator on resamples of data sets.",
        "give the files of all estimators, or the folder that they are in.",
    ),
}


def _refuse(table: Table, _: Request) -> NoReturn:
    wrong, fix = REFUSED[table.names[0]]
    raise InputError(wrong, table.source, fix)


AEON = Program("aeon", is_aeon, read, endings=())  # other tables are named in a note
AEON_TABLES = Layout(lambda names: bool(names) and names[0] in REFUSED, _refuse)
