"""The paper's Tables 1 to 3 come out the same with work shared across folds and with every fold by itself."""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

import plain_learners as plain
from bestofk.replications.multitest.choices import choices_of, table2_block, table3_block
from bestofk.replications.multitest.experiment import FoldErrors, fold_errors
from bestofk.replications.multitest.learners import RATES, best_rate, held_out_rows, starts_of
from bestofk.replications.multitest.published import LEARNERS, dataset_names, paper_sets
from bestofk.replications.multitest.table import random_halves, table_of
from bestofk.replications.multitest.table1 import Table1, cells_of, table1_blocks

SEED = 1
FOLDER = Path(os.environ.get("BESTOFK_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))


def errors_one_by_one(dataset, runs):
    """The experiment with the plain forms: one half after the other, nothing shared."""
    table = table_of(dataset)
    streams = np.random.SeedSequence(SEED, spawn_key=(crc32(dataset.name.encode()),)).spawn(3)
    halves, held, weights = map(np.random.default_rng, streams)
    train = random_halves(table.rows, 5 * runs, halves)
    held_out = held_out_rows(train, held)
    starts = starts_of(table, len(train), weights)
    found = [_one_half(table, *each) for each in zip(train, held_out, starts, strict=True)]
    others, logistic = (np.array(each).T for each in zip(*found, strict=True))
    chosen = best_rate(logistic)
    most, nearest, grown, neighbour = others
    errors = np.stack([most, nearest, logistic[chosen], grown, neighbour]).reshape(len(LEARNERS), runs, 5, 2)
    return FoldErrors(dataset.name, errors, RATES[chosen])


def _one_half(table, half, held_out, start):
    truth = table.y[~half]
    labels = (
        plain.most_frequent(table, half),
        plain.nearest_mean(table, half),
        plain.tree(table, half, held_out),
        plain.nearest_neighbour(table, half),
    )
    by_rate = [plain.logistic(table, half, start, rate) for rate in RATES]
    return [np.mean(each != truth) for each in labels], [np.mean(each != truth) for each in by_rate]


def tables_of(made, runs):
    choices = {name: choices_of(name, errors.errors, SEED) for name, errors in made.items()}
    table1 = Table1(tuple(cell for name, errors in made.items() for cell in cells_of(name, errors)))
    return table1_blocks(table1), table2_block(choices), table3_block(choices)


def assert_same_tables(sets, runs):
    """Errors are shares of counted rows, so those of the two ways are equal to the last bit, not only nearly."""
    shared = {name: fold_errors(dataset, runs, SEED) for name, dataset in sets.items()}
    alone = {name: errors_one_by_one(dataset, runs) for name, dataset in sets.items()}
    for name in sets:
        assert shared[name].rate == alone[name].rate, name
        np.testing.assert_array_equal(shared[name].errors, alone[name].errors, err_msg=name)
    assert tables_of(shared, runs) == tables_of(alone, runs)


@pytest.mark.usefixtures("kernels")
def test_tables_are_the_same_with_sharing_and_without():
    assert_same_tables(paper_sets(None, ("monks", "iris")).sets, runs=1)


# One set at a time, so that they run side by side: every cell of the tables, and every choice that
# Tables 2 and 3 count, is made from one set's errors alone.
@pytest.mark.slow
@pytest.mark.every_set
@pytest.mark.skipif(not (FOLDER / "index.json").is_file(), reason=f"no data sets: {FOLDER} has no index.json")
@pytest.mark.parametrize("name", dataset_names())
def test_tables_of_every_set_are_the_same_with_sharing_and_without(name):
    sets = paper_sets(str(FOLDER), (name,)).sets
    assert list(sets) == [name]
    assert_same_tables(sets, runs=1)
