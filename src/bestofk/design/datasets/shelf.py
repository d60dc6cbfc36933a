"""Every data set that comes with the package by its name."""

from __future__ import annotations

from collections.abc import Callable

from bestofk.core.shelf import Shelf
from bestofk.design.datasets.dataset import Dataset

#: Makes a data set; no option is needed.
DatasetMaker = Callable[..., Dataset]


def _datasets() -> dict[str, DatasetMaker]:
    from bestofk.design.datasets.bundled import (
        breast_cancer,
        circles,
        diabetes,
        digits,
        iris,
        noisy_blobs,
        two_moons,
        wine,
    )
    from bestofk.design.datasets.by_rule import balance, monks1, monks2, monks3, titanic
    from bestofk.design.datasets.decision_tables import car, nursery
    from bestofk.design.datasets.drawn import ringnorm, twonorm, wave
    from bestofk.design.datasets.games import krkopt, tictactoe

    return {
        "balance": balance,
        "breast-cancer": breast_cancer,
        "car": car,
        "circles": circles,
        "diabetes": diabetes,
        "digits": digits,
        "iris": iris,
        "krkopt": krkopt,
        "monks1": monks1,
        "monks2": monks2,
        "monks3": monks3,
        "noisy-blobs": noisy_blobs,
        "nursery": nursery,
        "ringnorm": ringnorm,
        "tictactoe": tictactoe,
        "titanic": titanic,
        "two-moons": two_moons,
        "twonorm": twonorm,
        "wave": wave,
        "wine": wine,
    }


DATASETS: Shelf[DatasetMaker] = Shelf("datasets", _datasets)
