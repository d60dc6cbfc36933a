"""Cells as a store takes them: whether their arrays fit, parts of them, and whether two say the same."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError
from bestofk.design.plan.cell import CellKey, CellResult

#: Arrays of a cell whose first axis is the replications; scores come beside them.
BY_REPLICATION = ("confusion", "fit_seconds", "predict_seconds", "size", "fingerprints", "test_sizes", "train_sizes")
#: What is kept per fold (replication, fold) where the plan asks for it.
BY_FOLD = ("predictions", "probabilities", "truths")

_FLOATS = ("fit_seconds", "predict_seconds", "size")
_SIZES = ("test_sizes", "train_sizes")
_FIX = "give arrays whose first two axes are the replications and folds of the cell."
_SAME_WITHIN = 1e-9  # the last bits of a score depend on the machine


def checked(result: CellResult) -> CellResult:
    """Return the result with the types that a store keeps, or say what does not fit."""
    _check_key(result.key)
    replications = result.key.stop - result.key.start
    shape = (replications, np.shape(result.fit_seconds)[-1] if np.ndim(result.fit_seconds) == 2 else 0)
    changes: dict[str, Any] = {name: _floats(result, name, getattr(result, name), shape) for name in _FLOATS}
    changes["scores"] = {name: _floats(result, name, each, shape) for name, each in result.scores.items()}
    changes["fingerprints"] = _integers(result, "fingerprints", result.fingerprints, np.int64, shape)
    for name in _SIZES:
        given = getattr(result, name)
        changes[name] = None if given is None else _integers(result, name, given, np.int64, shape)
    if result.confusion is not None:
        square = (*shape, len(result.classes), len(result.classes))
        changes["confusion"] = _integers(result, "confusion", result.confusion, np.uint32, square)
    _check_failures(result, shape)
    for name in BY_FOLD:
        changes[name] = _kept(result, name, getattr(result, name), shape)
    return replace(result, **changes)


def _check_key(key: CellKey) -> None:
    if not 0 <= key.start < key.stop < 2**31:
        raise _misfit(key, f"the cell has the replications {key.start} to {key.stop}.", "give 0 ≤ start < stop.")
    for name in ("dataset", "dataset_fingerprint", "learner", "learner_fingerprint", "folds", "measures"):
        text = getattr(key, name)
        if "\0" in text or not _encodes(text):
            raise _misfit(key, f"{name} is {text!r}, which has characters that a store cannot hold.", "rename it.")


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _floats(result: CellResult, name: str, given: Any, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    values = np.asarray(given, dtype=np.float64)
    _check_shape(result, name, values.shape, shape)
    return values


def _integers(result: CellResult, name: str, given: Any, kind: Any, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    values = np.asarray(given)
    _check_shape(result, name, values.shape, shape)
    if values.dtype == kind:
        return values
    with np.errstate(invalid="ignore"):  # NaN is told below
        whole = values.astype(kind)
    if values.dtype.kind not in "iuf" or not (whole == values).all():
        wrong = f"{name} holds values that are not whole numbers in the range of {np.dtype(kind).name}."
        raise _misfit(result.key, wrong, "give counts.")
    return whole


def _check_shape(result: CellResult, name: str, got: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    if got != wanted or 0 in wanted[:2]:
        raise _misfit(result.key, f"{name} has the shape {got} where {wanted} is due.")


def _check_failures(result: CellResult, shape: tuple[int, int]) -> None:
    widths = {len(line) for line in result.failures}
    if len(result.failures) != shape[0] or widths != {shape[1]}:
        wrong = f"failures have {len(result.failures)} rows of {sorted(widths)} where {shape} is due."
        raise _misfit(result.key, wrong, "give one text per fold, empty where all went well.")


def _kept(
    result: CellResult, name: str, given: Mapping[tuple[int, int], Any] | None, shape: tuple[int, int]
) -> dict[tuple[int, int], npt.NDArray[Any]] | None:
    """Per-fold arrays of numbers or fixed-length text; Python objects would need a pickle."""
    if given is None:
        return None
    kept = {place: np.asarray(values) for place, values in given.items()}
    for (replication, fold), values in kept.items():
        if not (0 <= replication < shape[0] and 0 <= fold < shape[1]):
            raise _misfit(result.key, f"{name} has the fold {(replication, fold)}, which is not there.")
        if values.dtype.kind not in "biufUS":
            wrong = f"{name} of fold {(replication, fold)} hold {values.dtype} values."
            raise _misfit(result.key, wrong, "give numbers, or codes of classes.")
    return kept


def place_of(key: CellKey) -> str:
    """Say which cell it is, as a person would."""
    last = f" to {key.stop}" if key.stop > key.start + 1 else ""
    return f"learner {key.learner} on data set {key.dataset}, replication {key.start + 1}{last}"


def _misfit(key: CellKey, wrong: str, fix: str = _FIX) -> InputError:
    """The error of a cell that a store cannot keep."""
    return InputError(wrong, f"store, {place_of(key)}", fix)


def part(cell: CellResult, start: int, stop: int) -> CellResult:
    """Return the cell of these replications alone; they are counted as the plan counts them, not within the cell."""
    rows = slice(start - cell.key.start, stop - cell.key.start)
    changes: dict[str, Any] = {
        name: None if getattr(cell, name) is None else getattr(cell, name)[rows] for name in BY_REPLICATION
    }
    changes |= {name: _moved(getattr(cell, name), rows) for name in BY_FOLD}
    return replace(
        cell,
        key=replace(cell.key, start=start, stop=stop),
        failures=cell.failures[rows],
        scores={name: values[rows] for name, values in cell.scores.items()},
        **changes,
    )


def lacking(cell: CellResult, covered: Container[int]) -> tuple[CellResult, ...]:
    """Return the stretches of a cell's replications that are not among those covered already, each as a cell."""
    free = [replication for replication in range(cell.key.start, cell.key.stop) if replication not in covered]
    return tuple(part(cell, each.start, each.stop) for each in stretches(free))


def stretches(numbers: Sequence[int]) -> list[range]:
    """Cut rising numbers into stretches without a gap.

    Examples
    --------
    >>> stretches([2, 3, 4, 7])
    [range(2, 5), range(7, 8)]
    """
    parts = np.split(np.array(numbers), np.flatnonzero(np.diff(numbers) > 1) + 1)
    return [range(int(each[0]), int(each[-1]) + 1) for each in parts if len(each)]


def _moved(kept: Mapping[tuple[int, int], Any] | None, rows: slice) -> dict[tuple[int, int], Any] | None:
    if kept is None:
        return None
    return {(r - rows.start, f): values for (r, f), values in kept.items() if rows.start <= r < rows.stop}


def difference(first: CellResult, second: CellResult, replication: int) -> str | None:
    """Say what two cells tell differently about a replication that both have; times and sizes may differ.

    Failures are compared by whether a fold failed, since their words may hold addresses and times.
    """
    i, j = replication - first.key.start, replication - second.key.start
    if not np.array_equal(first.fingerprints[i], second.fingerprints[j]):
        return "the folds"
    if (first.failed_folds[i] != second.failed_folds[j]).any():
        return "the failures"
    if (first.confusion is None) != (second.confusion is None):
        return "the confusion matrices"
    if first.confusion is not None and second.confusion is not None:
        if first.classes != second.classes:
            return "the classes"
        if not np.array_equal(first.confusion[i], second.confusion[j]):
            return "the confusion matrices"
    return _differing_score(first, second, i, j)


def _differing_score(first: CellResult, second: CellResult, i: int, j: int) -> str | None:
    for name in sorted({*first.scores, *second.scores}):
        if name not in first.scores or name not in second.scores:
            return f"the measure {name}"
        here, there = first.scores[name][i], second.scores[name][j]
        if not np.allclose(here, there, rtol=_SAME_WITHIN, atol=_SAME_WITHIN, equal_nan=True):
            return f"the measure {name}"
    return None
