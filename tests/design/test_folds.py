"""Ways of dividing: what they promise, what they refuse."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    learning_curve,
)

from bestofk.core.errors import InputError, UnknownName
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.folds import folds_of
from bestofk.design.folds.shelf import FOLDS
from bestofk.testing import check_folds

NAMED = [
    *("5x2", "5x2-stratified", "10-fold", "10-fold-stratified", "3x4", "bootstrap-5", "bootstrap-5-oob"),
    *("holdout-0.3x4", "holdout-0.3x4-stratified", "forward-5", "learning-curve-5x2-8", "learning-curve-bootstrap-3-4"),
]
SPLITTERS = [
    KFold(5),
    KFold(5, shuffle=True),
    StratifiedKFold(3, shuffle=True, random_state=4),
    RepeatedStratifiedKFold(n_splits=2, n_repeats=5),
    ShuffleSplit(7, test_size=0.2),
    TimeSeriesSplit(4),
]


def data(rows=31, classes=3, *, groups=None, ordered=False, name="toy"):
    y = (np.arange(rows) % classes).astype(float)
    names = tuple("abcdefgh"[:classes])
    values = np.random.default_rng(rows).random(rows)
    return Dataset(name, (Feature("x", values),), y, names, groups=groups, ordered=ordered)


def complement(fold, rows):
    return sorted(set(range(rows)) - set(fold.test.tolist()))


@pytest.mark.parametrize("source", [*NAMED, *SPLITTERS], ids=repr)
def test_what_plug_in_authors_check(source):
    check_folds(folds_of(source))


@pytest.mark.parametrize("name", FOLDS.names())
def test_registered_examples_are_read_back(name):
    for text in FOLDS[name].examples:
        assert folds_of(folds_of(text).spec) == folds_of(text)


def test_the_checks_find_a_way_of_dividing_that_changes_with_each_call():
    class Chance:
        spec, replications, folds = "chance", 2, 1

        def split(self, dataset, replication, seed):
            return folds_of("holdout-0.5x1").split(dataset, 0, int(np.random.default_rng().integers(10**9)))

    with pytest.raises(AssertionError, match="same seed"):
        check_folds(Chance())


@pytest.mark.parametrize(("rows", "sizes"), [(30, [15, 15]), (31, [16, 15])])
def test_halves_are_complements_and_differ_by_one_at_most(rows, sizes):
    first, second = folds_of("5x2").split(data(rows), 0, 1)
    assert [len(first.test), len(second.test)] == sizes
    assert first.train.tolist() == second.test.tolist() == complement(first, rows)
    assert second.train.tolist() == first.test.tolist()
    assert (np.diff(first.train) > 0).all()


def test_halves_are_plain_random_not_stratified():
    dataset = data(40, 2)
    halves = [folds_of("40x2").split(dataset, replication, 1)[0].test for replication in range(40)]
    shares = [np.sum(dataset.y[half] == 0) for half in halves]
    # hypergeometric: mean 10, variance 20 · ½ · ½ · 20 / 39
    assert abs(np.mean(shares) - 10) < 4 * np.sqrt(2.5641 / 40)
    assert 1.0 < np.var(shares) < 5.0


@pytest.mark.parametrize("text", ["10-fold", "10-fold-stratified"])
def test_each_row_is_tested_once(text):
    folds = folds_of(text).split(data(97), 0, 3)
    assert sorted(np.concatenate([fold.test for fold in folds])) == list(range(97))
    assert {len(fold.test) for fold in folds} == {9, 10}
    assert all(fold.train.tolist() == complement(fold, 97) for fold in folds)


def test_stratified_parts_hold_every_class_in_proportion():
    dataset = data(97)
    for fold in folds_of("10-fold-stratified").split(dataset, 0, 3):
        counts = np.bincount(dataset.y[fold.test].astype(int), minlength=3)
        assert counts.max() - counts.min() <= 1
        assert counts.min() >= 3


def test_seed_data_and_replication_change_the_folds():
    folds = folds_of("5x2")
    first = folds.split(data(), 0, 1)[0].fingerprint
    assert first != folds.split(data(), 0, 2)[0].fingerprint
    assert first != folds.split(data(), 1, 1)[0].fingerprint
    other = Dataset("toy", (Feature("x", np.zeros(31)),), data().y, ("a", "b", "c"))
    assert first != folds.split(other, 0, 1)[0].fingerprint
    assert first == folds_of("10x2").split(data(name="renamed"), 0, 1)[0].fingerprint


def test_bootstrap_tests_on_the_full_set_or_out_of_bag():
    (full,) = folds_of("bootstrap-3").split(data(), 2, 1)
    (out,) = folds_of("bootstrap-3-oob").split(data(), 2, 1)
    assert len(full.train) == 31
    assert full.test.tolist() == list(range(31))
    assert out.train.tolist() == full.train.tolist()
    assert out.test.tolist() == sorted(set(range(31)) - set(out.train.tolist()))
    drawn = [len(set(folds_of("bootstrap-200").split(data(200), r, 1)[0].train)) / 200 for r in range(200)]
    assert abs(np.mean(drawn) - (1 - (1 - 1 / 200) ** 200)) < 0.01


def test_out_of_bag_is_never_empty():
    pair = data(2, 2)
    for replication in range(30):
        (fold,) = folds_of("bootstrap-30-oob").split(pair, replication, 0)
        assert len(fold.train) == 2
        assert len(fold.test) == 1


@pytest.mark.parametrize(
    ("share", "rows", "tested"), [("0.3", 10, 3), ("0.3", 11, 4), ("0.01", 10, 1), ("0.99", 10, 9)]
)
def test_holdout_rounds_up_but_leaves_rows_on_both_sides(share, rows, tested):
    (fold,) = folds_of(f"holdout-{share}x2").split(data(rows), 1, 0)
    assert len(fold.test) == tested
    assert fold.train.tolist() == complement(fold, rows)


@pytest.mark.parametrize(("members", "tested"), [([90, 10], [27, 3]), ([11, 9], [3, 3]), ([9, 11], [3, 3])])
def test_stratified_holdout_takes_its_share_of_each_class(members, tested):
    y = np.repeat([0.0, 1.0], members)
    dataset = Dataset("toy", (Feature("x", np.arange(len(y)) * 1.0),), y, ("a", "b"))
    for replication in range(5):
        (fold,) = folds_of("holdout-0.3x5-stratified").split(dataset, replication, 0)
        assert np.bincount(dataset.y[fold.test].astype(int)).tolist() == tested


def test_forward_is_what_scikit_learn_makes():
    folds = folds_of("forward-5").split(data(34, ordered=True), 0, 1)
    for fold, (train, test) in zip(folds, TimeSeriesSplit(5).split(np.zeros(34)), strict=True):
        assert fold.train.tolist() == train.tolist()
        assert fold.test.tolist() == test.tolist()


def test_learning_curve_has_the_sizes_of_scikit_learn_and_nested_sets():
    folds = folds_of("learning-curve-2x2-5")
    made = folds.split(data(80), 1, 1)
    inner = folds_of("2x2").split(data(80), 1, 1)
    sizes = learning_curve(DummyClassifier(), np.zeros((80, 1)), data(80).y, cv=2)[0]
    assert (folds.replications, folds.folds) == (2, 10)
    assert [fold.size for fold in made] == [*sizes, *sizes]
    for position, whole in enumerate(inner):
        points = made[5 * position : 5 * position + 5]
        assert all(point.test.tolist() == whole.test.tolist() for point in points)
        assert points[-1].train.tolist() == whole.train.tolist()
        assert points[0].train.tolist() != whole.train[: points[0].size].tolist()
        assert all(set(a.train) < set(b.train) for a, b in pairwise(points))


@pytest.mark.parametrize("text", ["5x2", "5-fold", "holdout-0.3x4", "bootstrap-4-oob", "learning-curve-5-fold-3"])
def test_groups_stay_on_one_side(text):
    groups = np.random.default_rng(5).integers(12, size=90)
    dataset = data(90, groups=groups)
    for replication in range(folds_of(text).replications):
        for fold in folds_of(text).split(dataset, replication, 1):
            assert not set(groups[fold.train]) & set(groups[fold.test])


def test_parts_of_groups_are_even():
    groups = np.repeat(np.arange(30), 3)
    sizes = [len(fold.test) for fold in folds_of("5-fold").split(data(90, groups=groups), 0, 1)]
    assert sizes == [18] * 5
    uneven = np.repeat(np.arange(5), [40, 20, 10, 10, 10])
    assert sorted(len(fold.test) for fold in folds_of("5x2").split(data(90, groups=uneven), 0, 1)) == [40, 50]


def test_splitters_have_replications_where_they_repeat():
    repeated = folds_of(RepeatedStratifiedKFold(n_splits=2, n_repeats=5))
    assert (repeated.replications, repeated.folds) == (5, 2)
    first, second = repeated.split(data(40, 2), 3, 0)
    assert first.train.tolist() == second.test.tolist()
    shuffled = folds_of(ShuffleSplit(7))
    assert (shuffled.replications, shuffled.folds) == (7, 1)
    once = folds_of(KFold(4))
    assert (once.replications, once.folds) == (1, 4)


def test_a_splitters_own_seed_is_kept_and_none_takes_the_plans():
    own = folds_of(KFold(3, shuffle=True, random_state=1))
    expected = [test.tolist() for _, test in KFold(3, shuffle=True, random_state=1).split(np.zeros(31))]
    assert [fold.test.tolist() for fold in own.split(data(), 0, 9)] == expected
    plans = folds_of(KFold(3, shuffle=True))
    assert plans.split(data(), 0, 1)[0].fingerprint != plans.split(data(), 0, 2)[0].fingerprint
    assert plans.spec == "KFold(n_splits=3, random_state=None, shuffle=True)"


class Haphazard:
    def __init__(self, seeded):
        self.seeded = seeded

    def __repr__(self):
        return f"Haphazard(seeded={self.seeded})"

    def get_n_splits(self):
        return 1

    def split(self, X, y=None, groups=None):
        order = np.random.default_rng(1 if self.seeded else None).permutation(len(X))
        yield order[:10], order[10:]


def test_a_splitter_of_ones_own():
    assert len(folds_of(Haphazard(True)).split(data(), 0, 1)[0].test) == 21


def nameless():
    splitter = Haphazard(True)
    splitter.__class__ = type("Nameless", (Haphazard,), {"__repr__": object.__repr__})
    return splitter


SPLITS = {
    "a class with fewer members than folds": ("10-fold-stratified", data(27), "class a has 9", "at most 9"),
    "fewer rows than folds": ("10-fold", data(7), "at least 10 rows; toy has 7", "at most 7"),
    "fewer groups than folds": ("5-fold", data(30, groups=np.arange(30) % 3), "5 groups; toy has 3", "at most 3"),
    "shuffled time": ("5x2", data(ordered=True), "order of time", "forward-5"),
    "shuffled time, bootstrap": ("bootstrap-9", data(ordered=True), "order of time", "forward-5"),
    "shuffled time, holdout": ("holdout-0.3x2", data(ordered=True), "order of time", "forward-5"),
    "shuffled time, curve": ("learning-curve-5x2-3", data(ordered=True), "order of time", "forward-5"),
    "shuffled time, splitter": (KFold(3, shuffle=True), data(ordered=True), "not later", "forward-5"),
    "groups torn by a splitter": (KFold(3), data(groups=np.arange(31) % 5), "on both sides", "keeps groups"),
    "groups and bootstrap": ("bootstrap-9", data(groups=np.arange(31) % 5), "groups of toy", "bootstrap-9-oob"),
    "groups and strata": ("5x2-stratified", data(groups=np.arange(31) % 5), "groups of toy", "StratifiedGroupKFold"),
    "groups and time": ("forward-3", data(ordered=True, groups=np.arange(31) % 5), "both sides", "groups"),
    "time too short": ("forward-5", data(5, ordered=True), "at least 6 rows", "fewer folds"),
    "splitter without groups": (GroupKFold(3), data(), "refuses the data", "groups"),
    "a splitter with too few of a class": (StratifiedKFold(10), data(28), "has only 9 members", "more rows of each"),
    "splitter by chance": (Haphazard(False), data(), "each time", "random_state"),
    "curve of few rows": ("learning-curve-5x2-9", data(10), "no 9 different sizes", "fewer sizes"),
}


@pytest.mark.parametrize(("source", "dataset", "wrong", "fix"), SPLITS.values(), ids=SPLITS)
def test_refused_data(source, dataset, wrong, fix):
    with pytest.raises(InputError) as caught:
        folds_of(source).split(dataset, 0, 1)
    assert wrong in caught.value.wrong
    assert fix in caught.value.fix
    assert "toy" in caught.value.where


def test_strata_of_numbers_are_refused():
    numbers = Dataset("toy", (Feature("x", np.arange(9.0)),), np.arange(9.0))
    with pytest.raises(InputError, match="holds numbers"):
        folds_of("3-fold-stratified").split(numbers, 0, 1)


@pytest.mark.parametrize(
    "text",
    [
        "0x2",
        "5x1",
        "1-fold",
        "bootstrap-0",
        "holdout-1.0x3",
        "holdout-0x2",
        "holdout-0.5x0",
        "9999999x2",
        "learning-curve-5x2-1",
    ],
)
def test_refused_numbers(text):
    with pytest.raises(InputError) as caught:
        folds_of(text)
    assert not isinstance(caught.value, UnknownName)
    assert "choose" in caught.value.fix


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("5x2-stratfied", "5x2-stratified"),
        ("bootstrp-100", "bootstrap-100"),
        ("10fold-", "10-fold"),
        ("learning-curve-forward-5-3", "learning-curve"),
    ],
)
def test_unknown_text_gets_a_near_name(text, near):
    with pytest.raises(UnknownName) as caught:
        folds_of(text)
    assert near in caught.value.fix.split("?")[0]


@pytest.mark.parametrize("source", [10, None, object()])
def test_what_is_no_folds(source):
    with pytest.raises(UnknownName, match="unknown folds"):
        folds_of(source)


@pytest.mark.parametrize(
    ("splitter", "wrong"),
    [
        (KFold(3, shuffle=True, random_state=np.random.RandomState(1)), "RandomState"),
        (LeaveOneOut(), "depends on the data"),
        (nameless(), "does not say what it is"),
    ],
    ids=["state", "leave-one-out", "nameless"],
)
def test_refused_splitters(splitter, wrong):
    with pytest.raises(InputError, match=wrong):
        folds_of(splitter)


def test_ways_of_writing():
    assert folds_of("5×2") == folds_of(" 5X2 ") == folds_of("5x2")
    assert folds_of("kfold-10") == folds_of("1x10") == folds_of("10-fold")
    assert folds_of(folds_of("5x2")) == folds_of("5x2")
    assert folds_of("holdout-.3x2").spec == "holdout-0.3x2"
