"""Means in every group of items: in the verdict, on the page, and in JSON."""

import json

import numpy as np
import pytest

import bestofk as bk
from bestofk.reporting.page import page_of
from makers import command, items

RNG = np.random.default_rng(2)
VALUES = RNG.integers(0, 2, (2, 90)).astype(float)
SIZES = [2, 3, 20, 4, 30, 31]
GROUPS = np.repeat(list("uvwxyz"), SIZES)


def test_means_of_every_group():
    found = bk.judge(items(VALUES, groups=tuple(GROUPS))).by_group
    assert [(each.group, each.items) for each in found.groups] == [
        ("z", 31), ("y", 30), ("w", 20), ("x", 4), ("v", 3), ("u", 2),
    ]  # fmt: skip
    for each in found.groups:
        assert list(each.means.values()) == pytest.approx(VALUES[:, each.group == GROUPS].mean(axis=1))


def test_means_of_groups_are_weighted():
    weights = RNG.random(90) + 0.1
    found = bk.judge(items(VALUES, groups=tuple(GROUPS), weights=weights)).by_group
    for each in found.groups:
        inside = each.group == GROUPS
        assert each.means["b"] == pytest.approx(np.average(VALUES[1, inside], weights=weights[inside]))


def test_only_items_in_groups_have_means_of_groups():
    assert bk.judge(items(VALUES)).by_group is None
    assert bk.judge(items(VALUES, groups=tuple(map(str, range(90))))).by_group is None
    assert bk.judge(items(VALUES, groups=("all",) * 90), groups="fixed").by_group is None
    assert bk.judge(items(VALUES, groups=tuple(GROUPS)), groups="fixed").by_group is not None


@pytest.mark.parametrize(("number", "shown"), [(6, 6), (60, 50)])
def test_the_page_shows_the_largest_groups_and_json_all(tmp_path, monkeypatch, number, shown):
    monkeypatch.setattr("bestofk.reporting.page.figures_of", lambda verdict: ())
    path = tmp_path / "items.csv"
    rows = [f"{i},g{i % number:02},{int(VALUES[0, i])},{int(VALUES[1, i])}" for i in range(90)]
    path.write_text("item,group,a,b\n" + "\n".join(rows) + "\n")
    verdict = bk.judge(bk.read(path, larger_is_better=True))
    table = next(section for section in page_of(verdict).sections if section.anchor == "groups").blocks[0].table
    assert (table.columns, len(table.rows)) == (("group", "items", *verdict.order), shown)
    said = json.loads(command("judge", path, "--larger-is-better", "--json").stdout)["findings"]["by_group"]
    assert len(said["groups"]) == number
    assert said["groups"][0]["means"]["a"] == pytest.approx(float(table.rows[0][table.columns.index("a")]), abs=5e-5)
    assert "g00" in command("judge", path, "--larger-is-better", "--full").stdout


@pytest.mark.parametrize(("sizes", "said"), [((4,) * 24, False), ((4,) * 20 + (6,) * 4, True)])
def test_all_of_few_groups_are_shown_and_their_order_is_said_where_sizes_differ(sizes, said):
    values = (np.random.default_rng(1).random((2, sum(sizes))) < 0.6).astype(float)
    groups = tuple(np.repeat([f"g{i}" for i in range(len(sizes))], sizes).tolist())
    verdict = bk.judge(items(values, groups=groups))
    block = next(section for section in page_of(verdict).sections if section.anchor == "groups").blocks[0]
    assert len(block.table.rows) == 24
    assert ("largest" in block.caption) == said
