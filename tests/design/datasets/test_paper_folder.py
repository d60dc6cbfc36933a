"""The papers' own data, where their folder is at hand: every set opens, and the generated ones equal it row for row."""

import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bestofk.design.datasets import dataset_of
from bestofk.design.datasets.files import looking_in
from bestofk.design.datasets.index import Index
from bestofk.design.datasets.paper_sets import ALIASES, AUTHORS_FORMS, PAPER_SETS
from bestofk.design.datasets.shelf import DATASETS

BESIDE = Path(__file__).parents[4] / "shared" / "data"
FOLDER = Path(os.environ.get("BESTOFK_DATA") or BESIDE)
pytestmark = pytest.mark.skipif(
    not (FOLDER / "index.json").is_file(), reason="no folder of the papers' data: set BESTOFK_DATA to run these"
)
EXACT = ("balance", "car", "krkopt", "monks1", "monks2", "monks3", "nursery", "tictactoe", "titanic")
INDEX = Index.open(FOLDER) if (FOLDER / "index.json").is_file() else None
NAMES = INDEX.names if INDEX else ()
#: The large ones are read with the slow tests.
LARGE = [name for name in NAMES if INDEX.entry(name).rows > 4_000]
SETS = [pytest.param(name, marks=[pytest.mark.slow] * (name in LARGE)) for name in NAMES]
WITH_AUTHORS = [each for each in SETS if INDEX.entry(*each.values).authors]


def counts_of(dataset):
    return Counter(dataset.classes[int(code)] for code in dataset.y)


@pytest.mark.parametrize("name", SETS)
def test_every_set_is_what_its_entry_says(name):
    entry, data = INDEX.entry(name), INDEX.dataset(name)
    assert (data.rows, len(data.features)) == (entry.rows, len(entry.types))
    assert "".join("c" if feature.nominal else "n" for feature in data.features) == entry.types
    assert counts_of(data) == dict(entry.classes)
    assert sum(int(np.isnan(feature.values).sum()) for feature in data.features) == entry.missing


@pytest.mark.parametrize("name", WITH_AUTHORS)
def test_every_authors_form_has_their_rows_types_and_classes(name):
    form, data = INDEX.entry(name).authors, INDEX.dataset(name, form="authors")
    kept = [
        kind for kind, column in zip(form.types, INDEX.entry(name).columns, strict=True) if column not in form.left_out
    ]
    assert data.rows == form.rows
    assert ["c" if feature.nominal else "n" for feature in data.features] == kept
    assert [counts_of(data)[label] for label in data.classes] == list(form.classes.values())
    for feature in data.features:  # every level occurs, in the order in which it first does
        codes = feature.values[~np.isnan(feature.values)].tolist()
        assert not feature.nominal or list(dict.fromkeys(codes)) == list(range(len(feature.categories)))


def test_what_the_papers_used():
    shapes = {name: INDEX.dataset(name, form="authors") for name in ("optdigits", "pendigits", "segment", "cylinder")}
    assert {name: (data.rows, len(data.features)) for name, data in shapes.items()} == {
        "optdigits": (3823, 64),
        "pendigits": (7494, 16),
        "segment": (2310, 18),
        "cylinder": (540, 35),
    }
    assert counts_of(INDEX.dataset("flare", form="authors")) == {"0": 287, "1": 29, "2": 7}
    assert len(INDEX.dataset("german", form="authors").features) == 24
    assert INDEX.entry("monks").name == "monks1"


@pytest.mark.parametrize("name", EXACT)
def test_generated_sets_equal_the_published_row_for_row(name):
    assert DATASETS[name]().fingerprint == INDEX.dataset(name).fingerprint


@pytest.mark.parametrize("name", AUTHORS_FORMS)
def test_authors_forms_of_generated_sets_equal_those_of_the_folder(name):
    assert dataset_of(f"{name}@authors").fingerprint == INDEX.dataset(name, form="authors").fingerprint


@pytest.mark.parametrize("name", ["wave", "twonorm", "ringnorm"])
def test_drawn_sets_are_of_the_published_distribution(name):
    ours, theirs = DATASETS[name](), INDEX.dataset(name)
    assert (ours.rows, len(ours.features), ours.classes) == (theirs.rows, len(theirs.features), theirs.classes)
    for code in range(len(ours.classes)):
        first, second = (
            np.column_stack([feature.values for feature in data.features])[data.y == code] for data in (ours, theirs)
        )
        error = np.sqrt(first.var(axis=0) / len(first) + second.var(axis=0) / len(second))
        assert np.abs((first.mean(axis=0) - second.mean(axis=0)) / error).max() < 4.5
        ratio = np.log(first.std(axis=0) / second.std(axis=0))
        assert np.abs(ratio).max() < 4.5 * np.sqrt((1 / len(first) + 1 / len(second)) / 2)


def test_the_table_of_the_package_agrees_with_the_index():
    for name, known in PAPER_SETS.items():
        entry = INDEX.entry(name)
        assert (known.rows, known.inputs, known.classes) == (entry.rows, len(entry.columns), len(entry.classes))
        assert known.openml == entry.openml_id
    assert INDEX.aliases == ALIASES


def test_names_open_from_the_folder():
    with looking_in(FOLDER):
        assert dataset_of("wisconsin").rows == 699
        assert dataset_of("optdigits@authors").rows == 3823
        assert dataset_of("iris@columns").classes[0] == "Iris-setosa"
