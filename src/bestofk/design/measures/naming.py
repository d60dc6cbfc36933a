"""From a name to a measure."""

from __future__ import annotations

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.measures.measure import Measure
from bestofk.design.measures.shelf import MEASURES


def measure_of(name: str, dataset: Dataset | None = None) -> Measure:
    """Return a registered measure; one that a data set does not allow is refused.

    Examples
    --------
    >>> measure_of("error").compute([[8, 2], [1, 9]])
    array(0.15)
    """
    known = MEASURES.names()
    if name not in known:
        raise unknown(name, known, what="measure", where="plan, measures")
    measure: Measure = MEASURES[name]
    if dataset is not None:
        _refuse_unfit(measure, dataset)
    return measure


def _refuse_unfit(measure: Measure, dataset: Dataset) -> None:
    where = f"measure {measure.name}, data set {dataset.name}"
    if measure.task != dataset.task:
        raise InputError(
            f"{measure.name} is for {measure.task}, and {dataset.name} is for {dataset.task}.",
            where,
            "choose a measure for the data: " + ("error." if dataset.task == "classification" else "mse."),
        )
    if measure.classes is not None and len(dataset.classes) != measure.classes:
        raise InputError(
            f"{measure.name} is for {measure.classes} classes, and {dataset.name} has {len(dataset.classes)}.",
            where,
            f"use {measure.name}_macro for several classes."
            if measure.name in ("precision", "recall", "f1")
            else "use balanced_accuracy or kappa for several classes.",
        )
