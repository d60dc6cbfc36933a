"""Data sets that a rule or a seed gives: the published rows, known counts, the distributions they are drawn from."""

import csv
import hashlib
import io
from collections import Counter

import numpy as np
import pytest

from bestofk.core.errors import InputError
from bestofk.design.datasets import dataset_of
from bestofk.design.datasets.bundled import ringnorm, twonorm, wave
from bestofk.design.datasets.by_rule import balance, car, monks1, monks2, monks3, nursery, titanic
from bestofk.design.datasets.games import depths, krkopt, tictactoe
from bestofk.testing import check_dataset

# SHA-256 of the published files, as CSV with a header line, rows in the order of the source: UCI's balance-scale.data,
# car.data, krkopt.data, monks-1.test to monks-3.test, nursery.data, tic-tac-toe.data, and Delve's titanic.
PUBLISHED = {
    balance: "890a1daea942695a0bfeaa445963d936cb8feaeca337da9a833a95f65668f246",
    car: "0023b86e0dd3502aaa0e4a610ef4d8aebbba7ff40f53fa7c2f0543c68bee5114",
    krkopt: "ab939086b29e08aa8f2d231632c7364ad61858f30939e7d52038508b05188192",
    monks1: "295ca9ecd961ba47a67a05084874a05376e5954133a505e482d33d277f6b8024",
    monks2: "56cfa62c7b005c4c75e52fc20c9e305417af7f53e14a83e8c71126d147dbce2b",
    monks3: "74c030fa56367dc9521fc3b8126d604baf65228dfe59ec596a9117a4a0076ef9",
    nursery: "cfd50f92b8b65b8d398670ce13f1e78fbc0d452ff26906de8b4497f909716951",
    tictactoe: "3f74563599a925d52138ade279eeafc7a34d4d5b1be1661cd273c0020ed4cb8d",
    titanic: "35e3127aa903ade7590814a9f2992aea9547d8c9629b1d3d3af227b52a4a776a",
}
# Class counts: the documentation of each set at UCI; titanic: the inquiry's 711 survivors of 2,201.
COUNTS = {
    balance: {"B": 49, "L": 288, "R": 288},
    car: {"unacc": 1210, "acc": 384, "good": 69, "vgood": 65},
    monks1: {"0": 216, "1": 216},
    monks2: {"0": 290, "1": 142},
    monks3: {"0": 204, "1": 228},
    nursery: {"not_recom": 4320, "recommend": 2, "very_recom": 328, "priority": 4266, "spec_prior": 4044},
    tictactoe: {"positive": 626, "negative": 332},
    titanic: {"0": 1490, "1": 711},
}
NUMBERS = "draw zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
WINS = (2796, 27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390)
DRAWN = (wave, twonorm, ringnorm)


def texts_of(feature):
    if feature.nominal:
        return [feature.categories[int(code)] for code in feature.values]
    return [str(int(value)) for value in feature.values]


def as_csv(dataset):
    columns = [*(texts_of(feature) for feature in dataset.features), [dataset.classes[int(code)] for code in dataset.y]]
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow([*(feature.name for feature in dataset.features), dataset.target])
    writer.writerows(zip(*columns, strict=True))
    return written.getvalue()


def counts_of(dataset):
    return Counter(dataset.classes[int(code)] for code in dataset.y)


@pytest.mark.parametrize("load", [*PUBLISHED, *DRAWN], ids=lambda load: load.__name__)
def test_invariants(load):
    check_dataset(load)
    assert load().name == load.__name__


@pytest.mark.parametrize(("load", "expected"), PUBLISHED.items(), ids=lambda load: getattr(load, "__name__", ""))
def test_rows_and_their_order_are_the_published_ones(load, expected):
    assert hashlib.sha256(as_csv(load()).encode()).hexdigest() == expected


@pytest.mark.parametrize(("load", "expected"), COUNTS.items(), ids=lambda load: getattr(load, "__name__", ""))
def test_class_counts(load, expected):
    assert counts_of(load()) == expected


def test_depths_of_win():
    assert counts_of(krkopt()) == dict(zip(NUMBERS.split(), WINS, strict=True))
    assert depths().max() == 16  # the longest win of king and rook


def test_a_mate_a_stalemate_and_a_lost_rook():
    found = depths()  # squares are (file, rank) from 0
    assert found[2, 1, 0, 7, 0, 0] == 0  # Kc2, Ra8, black Ka1: mate on the file
    assert found[2, 1, 1, 1, 0, 0] == -1  # Kc2, Rb2, black Ka1: stalemate
    assert found[7, 7, 1, 1, 0, 0] == -1  # Kh8, Rb2, black Ka1 takes the rook
    assert found[2, 1, 3, 7, 0, 0] == 1  # Kc2, Rd8, black Ka1 must go to a2, and Ra8 is mate


def test_draws_of_tictactoe_are_sixteen_full_boards_at_the_end():
    data = tictactoe()
    boards = list(zip(*(texts_of(feature) for feature in data.features), strict=True))
    full = [
        place
        for place, board in enumerate(boards)
        if "b" not in board and data.classes[int(data.y[place])] == "negative"
    ]
    assert len(full) == 16
    assert full == list(range(942, 958))


def test_titanic_by_hand():
    data = titanic()
    crew = data.features[0].values == data.features[0].categories.index("0")
    women = data.features[2].values == data.features[2].categories.index("0")
    assert (crew.sum(), women.sum(), data.y[women].sum()) == (
        885,
        470,
        344,
    )  # Dawson, J. Statistics Education 3(3), 1995


def test_wave_is_a_mixture_of_its_triangles_with_unit_noise():
    data = wave(n=30_000, seed=5)
    points = np.column_stack([feature.values for feature in data.features])
    place = np.arange(21)
    first, second, third = (np.maximum(6 - np.abs(place - peak), 0) for peak in (6, 14, 10))
    for code, mean in enumerate([(first + second) / 2, (first + third) / 2, (third + second) / 2]):
        rows = points[data.y == code]
        error = rows.std(axis=0) / np.sqrt(len(rows))
        assert np.abs((rows.mean(axis=0) - mean) / error).max() < 4.5  # 63 means, standard normal each
    ends = points[:, [0, 20]]
    assert ends.std() == pytest.approx(1, abs=0.02)  # only noise there: 4.5 standard errors of 60,000 values


@pytest.mark.parametrize(("load", "means", "deviations"), [(twonorm, (2, -2), (1, 1)), (ringnorm, (0, 2), (2, 1))])
def test_normal_clouds(load, means, deviations):
    data = load(n=30_000, seed=5)
    points = np.column_stack([feature.values for feature in data.features])
    for code, (mean, deviation) in enumerate(zip(means, deviations, strict=True)):
        rows = points[data.y == code]
        assert np.abs(rows.mean(axis=0) - mean / np.sqrt(20)).max() < 4.5 * deviation / np.sqrt(len(rows))
        assert rows.std(axis=0) == pytest.approx(deviation, rel=4.5 / np.sqrt(2 * len(rows)))
        assert np.abs(np.corrcoef(rows.T) - np.eye(20)).max() < 4.5 / np.sqrt(len(rows))


# Drawn by numpy's RandomState(1), whose stream is frozen; rounded, so that no machine's last bit shows.
FINGERPRINTS = {
    wave: "543c4d5865f45501",
    twonorm: "3abbbbd4c159f92e",
    ringnorm: "68696ace7395d370",
}


@pytest.mark.parametrize(("load", "expected"), FINGERPRINTS.items(), ids=lambda load: getattr(load, "__name__", ""))
def test_samples_stay_the_same_and_hang_on_n_and_seed(load, expected):
    assert load().fingerprint.startswith(expected)
    assert load(seed=2).fingerprint != load().fingerprint
    assert load(n=50).rows == 50
    assert "seed = 1" in load().source


@pytest.mark.parametrize("load", DRAWN)
@pytest.mark.parametrize("wrong", [{"n": 1}, {"n": 2.5}, {"seed": -1}, {"seed": "one"}])
def test_wrong_sizes_and_seeds(load, wrong):
    with pytest.raises(InputError, match=f"{next(iter(wrong))} is"):
        load(**wrong)


def test_other_names():
    assert dataset_of("monks").fingerprint == monks1().fingerprint
    assert (dataset_of("monks").name, dataset_of("chess", name="c").name) == ("monks", "c")
