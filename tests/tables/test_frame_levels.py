"""Data frames whose columns have several levels of names."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
from bestofk.core.errors import InputError

PLACES = list(product(("lda", "knn", "nb"), ("iris", "wine"), (1, 2)))
LONG = pd.DataFrame(PLACES, columns=["learner", "dataset", "fold"]).assign(
    accuracy=np.random.default_rng(1).uniform(0.6, 0.9, len(PLACES)), fit_time=np.arange(1.0, 1 + len(PLACES))
)


@pytest.mark.parametrize("index", ["learner", "dataset", "fold"])
def test_levels_are_read_by_their_names(index):
    others = [name for name in ("learner", "dataset", "fold") if name != index]
    expected = bk.read(LONG.sort_values("learner").drop(columns="fit_time"))
    for columns in (others, others[::-1]):
        found = bk.read(LONG.pivot_table(index=index, columns=columns, values="accuracy"), measure="accuracy")
        assert (len(found.datasets), len(found.folds)) == (2, 2)
        assert {name: pytest.approx(mean) for name, mean in found.means().items()} == expected.means()


def test_a_level_without_a_name_is_that_of_the_measures():
    wide = LONG.pivot_table(index="learner", columns=["dataset", "fold"], values=["accuracy", "fit_time"])
    found = bk.read(wide, measure="accuracy")
    assert {name: pytest.approx(mean) for name, mean in found.means().items()} == bk.read(LONG).means()


@pytest.mark.parametrize("names", [[None, None], ["dataset", "part"], ["size", None]])
def test_levels_that_nothing_names_are_refused(names):
    wide = LONG.pivot_table(index="learner", columns=["dataset", "fold"], values="accuracy")
    with pytest.raises(InputError, match="2 levels of names") as error:
        bk.read(wide.rename_axis(columns=names), measure="accuracy")
    assert "rename_axis" in error.value.fix
