"""Leaderboards: rank intervals of all learners, in every format, and what another learner changes."""

import csv
import json

import numpy as np
import pytest

import bestofk as bk
from makers import EXAMPLES, command, items

PRICES = EXAMPLES / "model_prices.csv"


def test_a_board_has_the_ranks_of_the_verdict_by_mean():
    board, verdict = bk.rank(bk.read(PRICES)), bk.judge(bk.read(PRICES))
    assert board.rank_intervals == verdict.rank_intervals
    assert board.best_set == verdict.best_set
    means = [board.means["correct"][name] for name in board.learners]
    assert means == sorted(means, reverse=True)
    assert [row["learner"] for row in board.rows()] == list(board.learners)


def test_a_hopeless_learner_changes_no_rank():
    """Its pairs are rejected first, and Holm's procedure goes on with the others as before."""
    rng = np.random.default_rng(3)
    rows = (rng.random((6, 300)) < np.linspace(0.6, 0.9, 6)[:, None]).astype(float)
    alone = bk.rank(items(rows)).rank_intervals
    hopeless = bk.rank(items(np.vstack([rows, np.zeros(300)]))).rank_intervals
    assert alone == {name: hopeless[name] for name in alone}
    assert hopeless["g"] == (7, 7)


@pytest.mark.parametrize("suffix", ["csv", "html", "md", "tex", "json", "txt"])
def test_the_command_writes_a_board(tmp_path, suffix):
    path = tmp_path / f"board.{suffix}"
    command("rank", PRICES, "-o", path)
    text = path.read_text(encoding="utf-8")
    if suffix == "csv":
        first = next(csv.DictReader(text.splitlines()))
        assert (first["learner"], first["rank_from"], first["rank_to"], first["price"]) == (
            "frontier",
            "1",
            "2",
            "15.0",
        )
    elif suffix == "json":
        assert json.loads(text)["rank_intervals"]["tiny"] == [5, 5]
    else:
        assert all(name in text for name in ("frontier", "large", "medium", "small", "tiny"))


def test_a_pipe_has_tabs_and_json():
    lines = command("rank", PRICES).stdout.splitlines()
    assert lines[0].split("\t") == ["learner", "correct", "price", "rank", "finding"]
    assert lines[1].split("\t")[:4] == ["frontier", "0.8969", "15.00", "1–2"]
    assert json.loads(command("rank", PRICES, "--json").stdout)["best_set"] == ["frontier", "large"]


def test_data_sets_are_listed_by_mean_rank():
    board = bk.rank(bk.read(EXAMPLES / "demsar.csv", larger_is_better=True))
    ranks = [board.means["mean rank"][name] for name in board.learners]
    assert ranks == sorted(ranks)
