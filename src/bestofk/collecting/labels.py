"""What a learner answered, checked before it is counted: one class per row, among those of the data set."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.measures.probabilities import widened

Codes = npt.NDArray[np.int64]
SHOWN = 5


class WrongAnswer(ValueError):
    """A learner answered with something that cannot be scored; the fold fails with this reason."""


def class_codes(answer: Any, rows: int, classes: tuple[str, ...], *, told: str = "predicted labels") -> Codes:
    """Return codes of classes, or say which labels the data set does not have: numbers are codes, text is names."""
    predicted = one_per_row(answer, rows)
    if predicted.dtype.kind in "iu" and predicted.min() >= 0 and predicted.max() < len(classes):
        return predicted.astype(np.int64, copy=False)
    if predicted.dtype.kind in "bf" and np.isin(predicted, np.arange(len(classes))).all():
        return predicted.astype(np.int64)
    labels = predicted.tolist()
    known: dict[Any, int] = {label: code for code, name in enumerate(classes) for label in (name, code)}
    found = [known.get(label) if isinstance(label, Hashable) else None for label in labels]
    strange = [label for label, code in zip(labels, found, strict=True) if code is None]
    if strange:
        raise WrongAnswer(f"{told} never seen in the data: {_few(strange)}; {_rule(classes)}{_hint(strange, classes)}")
    return np.array(found, dtype=np.int64)


def refuse_names_as_numbers(answer: Any, known: Any, trained: Codes, classes: tuple[str, ...]) -> None:
    """Refuse numbers of a learner whose own ``classes_`` prove that it means names: 1, 2, 3 where codes are 0, 1, 2.

    Proof are the names of all classes that it was trained on, where some code that it was trained on is missing.
    """
    values = np.asarray(known) if known is not None else np.empty(0)
    if values.ndim != 1 or values.dtype.kind not in "iuf" or values.tolist() == [*range(len(classes))]:
        return  # the last is what nearly every learner has, and asked for after every fold
    names, codes, spoken = numeric_names(classes), np.flatnonzero(np.bincount(trained)).tolist(), set(values.tolist())
    meant = names is not None and spoken.issuperset(names[code] for code in codes) and not spoken.issuperset(codes)
    if meant and not all(isinstance(label, str) for label in np.asarray(answer).ravel().tolist()):
        raise WrongAnswer(f"classes_ of the learner are {_few(values.tolist())}: names as numbers; {_rule(classes)}")


def numeric_names(classes: tuple[str, ...]) -> tuple[float, ...] | None:
    """Names of classes as numbers, where all are and not just their own codes.

    Examples
    --------
    >>> numeric_names(("1", "2")), numeric_names(("0", "1")), numeric_names(("1", "b"))
    ((1.0, 2.0), None, None)
    """
    try:
        numbers = tuple(map(float, classes))
    except ValueError:
        return None
    return None if numbers == tuple(range(len(classes))) else numbers


def _rule(classes: tuple[str, ...]) -> str:
    seen = f"learners see the {len(classes)} classes as 0 to {len(classes) - 1}"
    return f"{seen}: numbers are these codes, names are text such as {classes[-1]!r}."


def _hint(strange: list[Any], classes: tuple[str, ...]) -> str:
    names = numeric_names(classes) or ()
    if not any(isinstance(label, float | int) and label in names for label in strange):
        return ""
    return " These look like names: answer with text, or with the codes that fit is given."


def _few(labels: list[Any]) -> str:
    """Different labels by their text, since NaN is not equal to itself."""
    texts = list(dict.fromkeys(map(repr, labels)))
    return ", ".join(texts[:SHOWN]) + (" …" if len(texts) > SHOWN else "")


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


def aligned_probabilities(answer: Any, rows: int, known: Any, classes: tuple[str, ...]) -> Array:
    """Put the columns of ``predict_proba`` in the order of the classes; one not trained on has probability 0.

    ``known`` are the learner's own ``classes_``: codes or names, as in its answers.
    """
    given = np.asarray(answer, dtype=np.float64)
    own = range(len(classes)) if known is None else known
    columns = class_codes(own, len(own), classes, told="classes_ of the learner hold labels")
    if given.shape != (rows, len(columns)):
        raise WrongAnswer(f"probabilities have shape {given.shape}; expected ({rows}, {len(columns)}).")
    if not np.isfinite(given).all():
        raise WrongAnswer("some probabilities are not finite numbers.")
    return widened(given, columns, len(classes))
