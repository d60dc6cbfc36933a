"""One fold by itself: a fresh, seeded estimator for it, and its answer checked before it is counted."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.names import unknown
from bestofk.design.datasets.columns import text_of
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.learners.estimators import NOMINAL, SIMPLE, waits_for_nominal_columns, with_seed
from bestofk.design.learners.learner import Learner
from bestofk.measures.predictions import widened


def _seeded_names(example: Any, params: Mapping[str, Any]) -> set[str]:
    """Names of the parameters that a seed changes."""
    if all(type(value) in SIMPLE for value in params.values()):  # no parts with seeds of their own
        return {name for name in ("random_state",) if params.get(name, 0) is None}
    seeded = with_seed(example, 0).get_params(deep=True)
    return {name for name, value in seeded.items() if value is not params.get(name)}


class Estimators:
    """Makes estimators; what is the same for every fold is found out once, for asking for parameters is slow."""

    def __init__(self, learner: Learner, dataset: Dataset) -> None:
        self.make = learner.make
        example = learner.make()
        warm_up(example)
        params = example.get_params(deep=True) if hasattr(example, "get_params") else {}
        self.told = {**_nominal_columns(params, learner, dataset), **_weights_by_code(params, dataset.classes)}
        self._waiting = _seeded_names(example, params)
        self.attributes = frozenset(getattr(example, "__dict__", ()))  # before fitting
        self.draws_globally = not all(_is_sklearn(part) for part in (example, *params.values()))

    @property
    def seeded(self) -> bool:
        """Whether an estimator needs a seed at all."""
        return bool(self._waiting)

    def fresh(self, seed: int) -> Any:
        """Make one, with a seed where it waits for one; a number that the user chose stays."""
        estimator = self.make()
        if self.told:
            estimator.set_params(**self.told)
        if self._waiting == {"random_state"}:
            estimator.random_state = seed
            return estimator
        return with_seed(estimator, seed) if self._waiting else estimator


def warm_up(estimator: Any) -> None:
    """Let an estimator that compiles or loads something at first use do it now: no fold is to pay for it."""
    warm = getattr(type(estimator), "warm_up", None)
    if callable(warm):
        warm()


def _is_sklearn(part: Any) -> bool:
    """Whether a part draws random numbers from its own seed alone, as everything in scikit-learn does."""
    return isinstance(part, SIMPLE) or type(part).__module__.startswith("sklearn.")


def _nominal_columns(params: Mapping[str, Any], learner: Learner, dataset: Dataset) -> dict[str, list[int]]:
    """Positions of the columns that hold categories; 1-of-n leaves none."""
    if not waits_for_nominal_columns(params) or (learner.encoding.none and params[NOMINAL] is not None):
        return {}
    left = learner.encoding.none or not learner.encoding.one_of_n
    return {NOMINAL: [place for place, feature in enumerate(dataset.features) if left and feature.nominal]}


def _weights_by_code(params: Mapping[str, Any], classes: tuple[str, ...]) -> dict[str, Any]:
    """Class weights that name classes as the data set does, by the codes that learners see."""
    found = {}
    for key, value in params.items():
        if key.rpartition("__")[2] == "class_weight" and isinstance(value, Mapping) and value:
            found[key] = {_code_of(label, classes, key): weight for label, weight in value.items()}
    return found


def _code_of(label: Any, classes: tuple[str, ...], key: str) -> int:
    name = str(text_of(label))  # 1.0 names the class 1
    if name not in classes:
        raise unknown(label, classes, what="class", where=f"parameter {key}")
    return classes.index(name)


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
