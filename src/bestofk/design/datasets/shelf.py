"""Every data set that comes with the package by its name."""

from __future__ import annotations

from collections.abc import Callable

from bestofk.core.shelf import Shelf
from bestofk.design.datasets.dataset import Dataset

#: Makes a data set; no option is needed.
DatasetMaker = Callable[..., Dataset]


def _datasets() -> dict[str, DatasetMaker]:
    from bestofk.design.datasets import bundled, by_rule, games

    return {
        "balance": by_rule.balance,
        "breast-cancer": bundled.breast_cancer,
        "car": by_rule.car,
        "circles": bundled.circles,
        "diabetes": bundled.diabetes,
        "digits": bundled.digits,
        "iris": bundled.iris,
        "krkopt": games.krkopt,
        "monks1": by_rule.monks1,
        "monks2": by_rule.monks2,
        "monks3": by_rule.monks3,
        "noisy-blobs": bundled.noisy_blobs,
        "nursery": by_rule.nursery,
        "ringnorm": bundled.ringnorm,
        "tictactoe": games.tictactoe,
        "titanic": by_rule.titanic,
        "two-moons": bundled.two_moons,
        "twonorm": bundled.twonorm,
        "wave": bundled.wave,
        "wine": bundled.wine,
    }


DATASETS: Shelf[DatasetMaker] = Shelf("datasets", _datasets)
