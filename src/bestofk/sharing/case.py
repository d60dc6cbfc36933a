"""What a learner does to one data set, in the terms that ways of sharing understand.

The learner's encoding, and pipelines of scikit-learn that are understood: scaling, 1-of-n, and both side by side.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.core.frozen import frozen
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.encoding.matrices import matrices_of
from bestofk.design.learners.learner import Encoding, Learner


@frozen
class Preparation:
    """Features are filled in, categories become 1-of-n, columns are scaled; all of it learnt on the training rows.

    ``scaled_numbers`` and ``scaled_ones`` say whether numbers and 1-of-n columns have variance 1, ``one_of_n`` whether
    a step of the learner itself makes them; ``usable`` is false where the estimator would see gaps or codes of
    categories, which only those that ignore the features take. ``refuses_unseen`` says that a category which the
    training rows lack is an error of the plain way.
    """

    scaled_numbers: bool = False
    scaled_ones: bool = False
    one_of_n: bool = False
    refuses_unseen: bool = False
    usable: bool = True


def steps_of(estimator: Any, dataset: Dataset) -> tuple[Any, Preparation] | None:
    """Return the last estimator, alone or of a pipeline, and what the steps before it do; None: not understood."""
    if not _is(estimator, "Pipeline"):
        return estimator, Preparation()
    steps = [step for _, step in estimator.steps]
    done: Preparation | None = Preparation()
    for step in steps[:-1]:
        done = None if done is None else _after(done, step, dataset)
    return (steps[-1], done) if done is not None and estimator.memory is None else None


def _after(done: Preparation, step: Any, dataset: Dataset) -> Preparation | None:
    if step is None or step == "passthrough":
        return done
    if _scales(step):
        return replace(done, scaled_numbers=True, scaled_ones=True)
    if done.one_of_n or done.scaled_numbers:
        return None  # 1-of-n of scaled numbers, or of 1-of-n columns
    if _makes_ones(step) and all(feature.nominal for feature in dataset.features):
        return Preparation(one_of_n=True, refuses_unseen=step.handle_unknown == "error")
    return _side_by_side(step, dataset) if _is(step, "ColumnTransformer") else None


def _side_by_side(step: Any, dataset: Dataset) -> Preparation | None:
    """Numbers scaled or as they are, categories 1-of-n, no column left out or taken twice."""
    parts = [(each, _chosen(columns, dataset)) for _, each, columns in step.transformers]
    taken = [place for _, places in parts if places is not None for place in places]
    if any(places is None for _, places in parts) or len(set(taken)) < len(taken):
        return None
    rest = [place for place in range(len(dataset.features)) if place not in taken]
    parts.append((step.remainder, rest))
    if step.sparse_threshold > 0 and any(_makes_ones(each, sparse=True) for each, _ in parts):
        return None
    scaled = {_numbers_scaled(each, places or [], dataset) for each, places in parts if places}
    if None in scaled or len(scaled - {"ones"}) > 1:
        return None
    refuses = any(getattr(each, "handle_unknown", "ignore") == "error" for each, _ in parts)
    return Preparation("scaled" in scaled, one_of_n="ones" in scaled, refuses_unseen=refuses)


def _numbers_scaled(step: Any, places: list[int], dataset: Dataset) -> str | None:
    """What a part does to its columns: scaled or plain numbers, or ones; None where that is not understood."""
    nominal = {dataset.features[place].nominal for place in places}
    if nominal == {True} and (_makes_ones(step) or _makes_ones(step, sparse=True)):
        return "ones"
    if nominal != {False}:
        return None
    if _scales(step):
        return "scaled"
    return "plain" if isinstance(step, str) and step == "passthrough" else None


def _chosen(columns: Any, dataset: Dataset) -> list[int] | None:
    names = [feature.name for feature in dataset.features]
    if isinstance(columns, np.ndarray):
        columns = columns.tolist()
    if not isinstance(columns, list | tuple):
        return None
    if all(isinstance(each, bool) for each in columns):
        return [place for place, each in enumerate(columns) if each]
    places = [names.index(each) if isinstance(each, str) and each in names else each for each in columns]
    understood = all(isinstance(each, int) and 0 <= each < len(names) for each in places)
    return places if understood else None


def _scales(step: Any) -> bool:
    return _is(step, "StandardScaler") and bool(step.with_std)


def _makes_ones(step: Any, *, sparse: bool = False) -> bool:
    usual = {"categories": "auto", "drop": None, "min_frequency": None, "max_categories": None}
    return (
        _is(step, "OneHotEncoder")
        and step.sparse_output is sparse
        and step.handle_unknown in ("ignore", "error")
        and all(getattr(step, name) == value for name, value in usual.items() if not isinstance(value, str))
        and isinstance(step.categories, str)
    )


def _is(step: Any, name: str) -> bool:
    kind = type(step)
    return kind.__name__ == name and kind.__module__.startswith("sklearn.")


def preparation_of(estimator: Any, encoding: Encoding, dataset: Dataset) -> tuple[Any, Preparation] | None:
    """Return the estimator at the end and what comes before it, or None where something is not understood."""
    understood = steps_of(estimator, dataset)
    if understood is None:
        return None
    last, steps = understood
    nominal = bool(matrices_of(dataset).nominal)
    if encoding.none:
        if not _in_double_precision(dataset.raw) or (nominal and not steps.one_of_n):
            return None
        return last, replace(steps, usable=_complete(dataset, impute=False))
    if steps.one_of_n:
        return None
    scaled = encoding.scale or steps.scaled_numbers
    usable = _complete(dataset, encoding.impute) and (encoding.one_of_n or not nominal)
    return last, Preparation(scaled, scaled, usable=usable)


def _complete(dataset: Dataset, impute: bool) -> bool:
    data = matrices_of(dataset)
    return impute or not (data.gaps or bool((data.codes < 0).any()))


def _in_double_precision(raw: Any) -> bool:
    """Single precision rounds elsewhere: the plain way decides such data."""
    if raw is None:
        return True
    kinds = {np.dtype(raw.dtype)} if isinstance(raw, np.ndarray) else set(getattr(raw, "dtypes", ["?"]))
    return all(str(kind) not in ("float32", "float16", "Float32", "longdouble", "float128") for kind in kinds)


@frozen(eq=False)
class Case:
    """A learner and a data set: the estimator at the end, and what is done to the features before it."""

    learner: Learner
    dataset: Dataset
    estimator: Any
    preparation: Preparation

    def is_a(self, *names: str) -> bool:
        """Whether the estimator is of one of these classes of scikit-learn itself, not of a class derived from it."""
        kind = type(self.estimator)
        return kind.__module__.startswith("sklearn.") and kind.__name__ in names

    def is_ours(self, name: str) -> bool:
        """Whether the estimator is of this very class of bestofk."""
        kind = type(self.estimator)
        return kind.__module__.startswith("bestofk.") and kind.__name__ == name

    def differs_only_in(self, *names: str) -> bool:
        """Whether every parameter but these has its default value."""
        return changed_parameters(self.estimator) <= set(names)


def case_of(learner: Learner, dataset: Dataset) -> Case | None:
    """Describe a learner on a data set; None where its preparation of the features is not understood."""
    if dataset.task != "classification":
        return None
    understood = preparation_of(learner.make(), learner.encoding, dataset)
    return None if understood is None else Case(learner, dataset, *understood)


def changed_parameters(estimator: Any) -> set[str]:
    """Names of parameters that do not have their default values."""
    usual = type(estimator)().get_params(deep=False)
    return {name for name, value in estimator.get_params(deep=False).items() if not _equal(value, usual[name])}


def _equal(value: Any, usual: Any) -> bool:
    if value is usual:
        return True
    plain = isinstance(value, bool | int | float | str | np.generic)
    return plain and isinstance(usual, bool | int | float | str) and bool(value == usual)
