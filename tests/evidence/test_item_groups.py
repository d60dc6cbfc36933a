"""Groups of items as tables name them: which column is the group, and groups that cut across items."""

import numpy as np
import pytest
from scipy import stats

import bestofk as bk
from makers import items
from makers_items import refused

RIGHT = np.random.default_rng(1).integers(0, 2, (2, 40))


def lines(group, item=lambda i: i):
    return [(m, item(i), group(i), RIGHT[k, i]) for k, m in enumerate("ab") for i in range(40)]


@pytest.mark.parametrize("column", ["group", "task", "category", "document", "user", "prompt_template"])
def test_a_column_of_groups(file, column):
    found = bk.read(file(f"model,item,{column},correct", lines(lambda i: f"g{i % 8}")))
    assert dict(zip(found.items, found.groups, strict=True)) == {str(i): f"g{i % 8}" for i in range(40)}
    assert bk.compare(found).sample.groups == 8


def test_a_document_of_one_item_each_is_its_text(file):
    found = bk.read(file("model,item,document,correct", lines(lambda i: f"text {i}")))
    assert found.groups is None


def test_a_document_is_the_item_where_nothing_else_is(file):
    rows = [(m, f"d{i}", RIGHT[k, i]) for k, m in enumerate("ab") for i in range(40)]
    found = bk.read(file("model,document,correct", rows))
    assert (found.items[:2], found.groups) == (("d0", "d1"), None)


@pytest.mark.parametrize("sizes", [(10, 10, 10, 10), (30, 5, 4, 1)])
def test_items_may_start_again_in_every_group(file, sizes):
    numbers = [(task, i) for task, size in enumerate(sizes) for i in range(size)]
    found = bk.read(file("model,item,task,correct", lines(lambda i: numbers[i][0], lambda i: numbers[i][1])))
    assert len(found.items) == 40
    assert found.values.sum() == RIGHT.sum()


def test_a_group_that_learners_do_not_agree_on_is_refused(file):
    rows = lines(lambda i: f"g{i % 8}")
    rows[43] = (*rows[43][:2], "g0", rows[43][3])
    refused(file("model,item,group,correct", rows), wrong="item 3 is in group g0", where="line 45", fix="same group")
    with pytest.raises(bk.InputError, match=r"line 45, column doc\n.* in every doc, call"):
        bk.read(file("model,item,doc,correct", rows), group="doc")


def test_an_item_of_two_groups_is_refused(file):
    """Categories that overlap: the row of an item once for each of them."""
    rows = [row for row in lines(lambda i: f"g{i % 8}") for _ in range(2)]
    for place, row in enumerate(rows):
        rows[place] = (*row[:2], f"g{(row[1] + place % 2 * (1 + row[1] // 8)) % 8}", row[3])
    refused(file("model,item,category,correct", rows), wrong="is in group", fix="different items different names")


def test_items_that_go_through_every_template_are_refused_and_may_be_repeats(file):
    rows = [(*row[:2], template, row[3]) for row in lines(lambda i: 0) for template in ("short", "long")]
    refused(file("model,item,template,correct", rows), wrong="item 0 is in group long", fix="call that column repeat")
    assert len(bk.read(file("model,item,repeat,correct", rows)).items) == 40


def test_one_data_set_is_no_group_and_one_group_is_no_sample(file):
    for column in ("dataset", "task"):
        assert bk.compare(file(f"model,item,{column},correct", lines(lambda i: "gsm"))).test == "mcnemar-auto"
    path = file("model,item,category,correct", lines(lambda i: "gsm"))
    refused(path, wrong="one category, gsm", fix="--groups fixed")
    fixed = bk.compare(path, groups="fixed")
    assert (fixed.test, fixed.sample.groups_fixed) == ("mcnemar-auto", True)


@pytest.mark.parametrize("groups", ["sampled", "fixed"])
def test_the_option_needs_groups(file, groups):
    path = file("model,item,correct", [(*row[:2], row[3]) for row in lines(lambda i: 0)])
    refused(path, "--groups", groups, wrong="no groups of items", fix="leave it out")
    folds = file("learner,fold,accuracy", [(name, fold, 0.1 * fold) for name in "ab" for fold in range(1, 6)])
    refused(folds, "--groups", groups, wrong="no groups of items")


@pytest.mark.parametrize(("number", "few"), [(2, True), (5, True), (6, False), (40, False)])
def test_few_groups_are_told(number, few):
    evidence = items(RIGHT.astype(float), groups=tuple(f"g{i % number}" for i in range(40)))
    assert bk.compare(evidence).sample.too_few_groups is few
    assert not bk.compare(evidence, groups="fixed").sample.too_few_groups


def test_groups_of_unequal_size_do_not_widen_the_interval():
    """Every item differs by 0.1 ± 0.01: that is the interval, however many items a group has."""
    sizes = [2] * 10 + [100] * 10
    groups = tuple(f"g{i}" for i, size in enumerate(sizes) for _ in range(size))
    random = np.random.default_rng(0)
    scores = random.normal(size=len(groups))
    values = np.stack([scores, scores + 0.1 + random.uniform(-0.01, 0.01, len(groups))])
    pair = bk.compare(items(values, groups=groups, measure="score"), intervals="single").pair("a", "b")
    member = np.repeat(np.arange(20), sizes)
    sums = np.bincount(member, weights=values[0] - values[1])
    means = [np.sum(s * sums) / np.sum(s * np.array(sizes)) for s in random.integers(0, 2, (20_000, 20)) if s.any()]
    assert (pair.low, pair.high) == pytest.approx(np.quantile(means, [0.025, 0.975]), abs=1e-4)
    assert pair.difference == pytest.approx(sums.sum() / len(groups))


def test_weights_of_items_do_not_widen_the_interval():
    random = np.random.default_rng(1)
    weights = np.repeat([1.0, 20.0], 60)
    scores = random.normal(size=120)
    values = np.stack([scores, scores + 0.1 + random.uniform(-0.01, 0.01, 120)])
    pair = bk.compare(items(values, weights=weights, measure="score"), intervals="single").pair("a", "b")
    assert pair.difference == pytest.approx(np.average(values[0] - values[1], weights=weights))
    assert pair.high - pair.low < 0.01


@pytest.mark.parametrize("unequal", [1.5, 12.0])
def test_the_t_test_of_groups_is_of_sums_less_their_share(unequal):
    """The ends of an interval are the differences per item at which scipy's p is the level."""
    random = np.random.default_rng(2)
    sizes = np.round(np.geomspace(3, 3 * unequal, 10)).astype(int)
    member = np.repeat(np.arange(10), sizes)
    names = tuple(f"m{i}" for i in range(10))
    values = random.normal(size=(10, 10))[:, member] + random.normal(size=(10, len(member)))
    values[0] += 4.0
    found = bk.compare(items(values, learners=names, groups=tuple(map(str, member)), measure="score"))
    assert found.test == "paired-t"
    for other in names[1:]:
        pair = found.pair("m0", other)
        sums = np.bincount(member, weights=values[0] - values[names.index(other)])
        assert pair.pvalue == pytest.approx(stats.ttest_1samp(sums, 0.0).pvalue)
        assert pair.low < pair.difference < pair.high
        for end in (pair.low, pair.high):
            if np.isfinite(end) and abs(end) > 1e-9:
                assert stats.ttest_1samp(sums - end * sizes, 0.0).pvalue == pytest.approx(1 - pair.level, rel=1e-6)
    assert np.isfinite(found.low).any()


@pytest.mark.parametrize(
    ("column", "one", "many"),
    [("subject", "subject", "subjects"), ("Category", "category", "categories"), ("user_id", "user", "users")],
)
def test_groups_are_called_as_their_column_is(file, column, one, many):
    path = file(f"model,item,{column},correct", lines(lambda i: f"g{i % 8}"))
    verdict = bk.judge(path)
    assert verdict.evidence.group_name == verdict.comparison.sample.unit == verdict.by_group.group_name == one
    assert f"8 {many}" in verdict.comparison.sample.units_text
    assert "group" not in repr(verdict) + repr(verdict.evidence)
    assert f"these {many}" in repr(bk.judge(path, groups="fixed"))


def test_groups_as_data_sets_have_the_weighted_means_of_their_items():
    values = np.array([[0.0, 1.0, 1.0, 0.5], [1.0, np.nan, 0.0, 0.25]])
    weights, groups = np.array([1.0, 3.0, 1.0, 1.0]), ("x", "x", "y", "y")
    made = bk.Items(
        learners=("a", "b"), values=values, groups=groups, weights=weights, measure="score", larger_is_better=True
    ).as_datasets()
    assert made.datasets == ("x", "y")
    expected = [[np.average(each[part], weights=weights[part]) for part in ([0, 1], [2, 3])] for each in values]
    np.testing.assert_allclose(made.values[:, :, 0, 0], expected)


def test_groups_that_are_too_few_for_a_sample_are_fixed_unless_said_otherwise():
    values = [[1.0] * 11 + [0.0], [0.0] * 10 + [1.0, 1.0]]
    found = bk.Items(
        learners=("a", "b"),
        values=values,
        groups=("x", "y") * 6,
        fixed_groups=True,
        measure="correct",
        larger_is_better=True,
    )
    assert bk.judge(found).scope == "these groups"
    assert bk.judge(found).status == bk.judge(found, groups="fixed").status == "decided"
    assert bk.judge(found, groups="sampled").status == "undecided"


def test_a_group_is_no_data_set_and_rows_of_it_are_chosen_by_a_filter(tmp_path):
    rows = [f"{model},q{i},{'law' if i % 2 else 'art'},{i % 3 % 2}" for model in "ab" for i in range(20)]
    (tmp_path / "items.csv").write_text("\n".join(["model,item,subject,correct", *rows]))
    with pytest.raises(bk.InputError) as error:
        bk.read(tmp_path / "items.csv", dataset="law")
    assert "--filter COLUMN=VALUE" in error.value.fix
    assert len(bk.read(tmp_path / "items.csv", filter="subject=law").items) == 10


def test_whose_items_are_others_is_told(tmp_path):
    rows = [f"{model},{'x' if model == 'c' else 'q'}{i},{i % 2}" for model in "abc" for i in range(20)]
    (tmp_path / "items.csv").write_text("\n".join(["model,item,correct", *rows]))
    with pytest.raises(bk.InputError) as error:
        bk.read(tmp_path / "items.csv")
    assert "c has x0" in error.value.wrong
