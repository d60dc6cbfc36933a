"""Every data set that comes with the package by its name."""

from __future__ import annotations

from collections.abc import Callable

from bestofk.core.shelf import Shelf
from bestofk.design.datasets.dataset import Dataset

#: Makes a data set; no option is needed.
DatasetMaker = Callable[..., Dataset]


def _datasets() -> dict[str, DatasetMaker]:
    from bestofk.design.datasets.balance import balance
    from bestofk.design.datasets.breast_cancer import breast_cancer
    from bestofk.design.datasets.car import car
    from bestofk.design.datasets.circles import circles
    from bestofk.design.datasets.diabetes import diabetes
    from bestofk.design.datasets.digits import digits
    from bestofk.design.datasets.iris import iris
    from bestofk.design.datasets.krkopt import krkopt
    from bestofk.design.datasets.monks import monks1, monks2, monks3
    from bestofk.design.datasets.noisy_blobs import noisy_blobs
    from bestofk.design.datasets.nursery import nursery
    from bestofk.design.datasets.ringnorm import ringnorm
    from bestofk.design.datasets.tictactoe import tictactoe
    from bestofk.design.datasets.titanic import titanic
    from bestofk.design.datasets.two_moons import two_moons
    from bestofk.design.datasets.twonorm import twonorm
    from bestofk.design.datasets.wave import wave
    from bestofk.design.datasets.wine import wine

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
