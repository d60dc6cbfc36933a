"""What a learner answered, checked before it is counted: one class per row, among those of the data set."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.design.measures import widened
from bestofk.stats.arrays import Array

Codes = npt.NDArray[np.int64]
SHOWN = 5


class WrongAnswer(ValueError):
    """A learner answered with something that cannot be scored; the fold fails with this reason."""


def class_codes(answer: Any, rows: int, classes: tuple[str, ...]) -> Codes:
    """Return predicted codes, or say which labels the data set does not have."""
    predicted = one_per_row(answer, rows)
    if predicted.dtype.kind in "iu" and predicted.min() >= 0 and predicted.max() < len(classes):
        return predicted.astype(np.int64, copy=False)
    if predicted.dtype.kind in "bf" and np.isin(predicted, np.arange(len(classes))).all():
        return predicted.astype(np.int64)
    if predicted.dtype.kind in "UO" and set(predicted.tolist()) <= set(classes):  # the data's own names for them
        codes = {name: code for code, name in enumerate(classes)}
        return np.array([codes[label] for label in predicted.tolist()], dtype=np.int64)
    known = set(range(len(classes)))
    # By their text: NaN is not equal to itself.
    strange = list(dict.fromkeys(repr(label) for label in predicted.tolist() if label not in known))
    named = ", ".join(strange[:SHOWN]) + (" …" if len(strange) > SHOWN else "")
    raise WrongAnswer(
        f"predicted labels never seen in the data: {named}; learners see the {len(classes)} classes as 0 to "
        f"{len(classes) - 1} and must answer with those, or with their names."
    )


def finite_numbers(answer: Any, rows: int) -> Array:
    """Return predicted numbers of a regression, all of them finite."""
    predicted = one_per_row(answer, rows).astype(np.float64)
    if not np.isfinite(predicted).all():
        raise WrongAnswer(f"{int((~np.isfinite(predicted)).sum())} of {rows} predictions are not finite numbers.")
    return predicted


def one_per_row(answer: Any, rows: int) -> npt.NDArray[Any]:
    """Return the answer as one value per row; a single column is taken for one."""
    predicted = np.asarray(answer)
    if predicted.shape == (rows, 1):
        predicted = predicted[:, 0]
    if predicted.shape != (rows,):
        raise WrongAnswer(f"predictions have shape {predicted.shape}; expected ({rows},), one per test row.")
    return predicted


def aligned_probabilities(answer: Any, rows: int, known: Any, classes: int) -> Array:
    """Put the columns of ``predict_proba`` in the order of the classes; one not trained on has probability 0."""
    given = np.asarray(answer, dtype=np.float64)
    columns = np.arange(classes) if known is None else np.asarray(known, dtype=np.int64)
    if given.shape != (rows, len(columns)):
        raise WrongAnswer(f"probabilities have shape {given.shape}; expected ({rows}, {len(columns)}).")
    if not np.isfinite(given).all():
        raise WrongAnswer("some probabilities are not finite numbers.")
    return widened(given, columns, classes)
