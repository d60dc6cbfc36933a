"""Fresh estimators of one learner for one data set: seeded, and told what only the data set knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bestofk.collecting.seeds import Seeding
from bestofk.core.names import unknown
from bestofk.design.datasets.columns import text_of
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.learners.estimators import NOMINAL, SIMPLE, waits_for_nominal_columns
from bestofk.design.learners.learner import Learner


class Estimators:
    """Makes estimators; what is the same for every fold is found out once, for asking for parameters is slow."""

    def __init__(self, learner: Learner, dataset: Dataset) -> None:
        self.make = learner.make
        example = learner.make()
        warm_up(example)
        params = example.get_params(deep=True) if hasattr(example, "get_params") else {}
        self.told = {**_nominal_columns(params, learner, dataset), **_weights_by_code(params, dataset.classes)}
        self.seeding = Seeding(example, params)
        self.attributes = frozenset(getattr(example, "__dict__", ()))  # before fitting
        self.draws_globally = not all(_is_sklearn(part) for part in (example, *params.values()))

    @property
    def seeded(self) -> bool:
        """Whether an estimator needs a seed at all."""
        return not self.seeding.none

    def fresh(self, seed: int) -> Any:
        """Make one, with a seed where it asks for one."""
        estimator = self.make()
        if self.told:
            estimator.set_params(**self.told)
        return self.seeding.apply(estimator, seed)


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
