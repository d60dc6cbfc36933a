"""Leaderboards: rank intervals of all learners, in every format, and what another learner changes."""

import csv
import json
import re
from dataclasses import replace

import numpy as np
import pytest

import bestofk as bk
from makers import EXAMPLES, command, items, runs

PRICES = EXAMPLES / "model_prices.csv"


def test_a_board_has_the_ranks_of_the_verdict_by_mean():
    board, verdict = bk.rank(bk.read(PRICES)), bk.judge(bk.read(PRICES))
    assert board.rank_intervals == verdict.rank_intervals
    assert board.best_set == verdict.best_set
    means = [board.means["correct"][name] for name in board.learners]
    assert means == sorted(means, reverse=True)
    assert [row["learner"] for row in board.rows()] == list(board.learners)


def test_a_cost_that_is_not_known_is_not_shown():
    evidence = bk.read(PRICES)
    first, *others = evidence.learners
    costs = {"tokens": {first: float("nan"), **dict.fromkeys(others, 7.0)}}
    board = bk.rank(replace(evidence, costs=costs))
    assert {row["learner"] for row in board.rows() if row["tokens"] is not None} == set(others)
    assert "nan" not in str(board)


def test_a_hopeless_learner_changes_no_rank():
    """Its pairs are rejected first, and Holm's procedure goes on with the others as before."""
    rng = np.random.default_rng(3)
    rows = (rng.random((6, 300)) < np.linspace(0.6, 0.9, 6)[:, None]).astype(float)
    alone = bk.rank(items(rows)).rank_intervals
    hopeless = bk.rank(items(np.vstack([rows, np.zeros(300)]))).rank_intervals
    assert alone == {name: hopeless[name] for name in alone}
    assert hopeless["g"] == (7, 7)


def stepwise_ranks(means, errors, rng, *, only=None, alpha=0.05):
    """Rank sets of Mogstad, Romano, Shaikh and Wilhelm from estimates and standard errors, larger is better.

    All pairs together, or those with the learner ``only``, two-sided, step down: critical values are quantiles of the
    largest simulated difference among the pairs that are left.
    """
    k = len(means)
    first, second = np.triu_indices(k, 1)
    if only is not None:
        own = (first == only) | (second == only)
        first, second = first[own], second[own]
    spread = np.hypot(errors[first], errors[second])
    noise = errors * rng.normal(size=(20_000, k))
    null = np.abs(noise[:, first] - noise[:, second]) / spread
    t, left = (means[first] - means[second]) / spread, np.ones(len(first), dtype=bool)
    while left.any():
        found = left & (np.abs(t) > np.quantile(null[:, left].max(axis=1), 1 - alpha))
        if not found.any():
            break
        left &= ~found
    shown = np.zeros((k, k), dtype=bool)  # the row is better
    shown[first, second], shown[second, first] = ~left & (t > 0), ~left & (t < 0)
    return 1 + shown.sum(axis=0), k - shown.sum(axis=1)


def with_errors(means, errors, rng, n=1_000):
    """Runs with just these means and standard errors."""
    raw = rng.normal(size=(len(means), n))
    raw = (raw - raw.mean(axis=1, keepdims=True)) / raw.std(axis=1, ddof=1, keepdims=True)
    return means[:, None] + np.sqrt(n) * errors[:, None] * raw


@pytest.mark.parametrize("seed", range(5))
def test_ranks_hold_those_of_the_stepwise_procedure(seed):
    """It takes the dependence of the pairs into account, and Holm's does not: its sets are in ours, hardly smaller."""
    rng, k = np.random.default_rng(seed), 12
    means, errors = np.sort(rng.normal(0, 1, k)), rng.uniform(0.05, 0.2, k)
    found = bk.judge(runs(with_errors(means, errors, rng), measure="score", larger_is_better=True))
    low, high = np.array([found.rank_intervals[name] for name in found.comparison.learners]).T
    least, most = stepwise_ranks(means, errors, rng)
    if found.status == "decided":  # the winner test puts the best before all
        least, most = np.where(np.arange(k) < k - 1, np.maximum(least, 2), 1), np.where(np.arange(k) < k - 1, most, 1)
    assert (low <= least).all()
    assert (most <= high).all()
    assert (high - low).sum() <= (most - least).sum() + 4


#: Mathematics in PISA 2018 (OECD): the mean of every country and its standard error, the best first.
PISA = """
Japan,526.9733,2.4715
Korea,525.9330,3.1214
Estonia,523.4146,1.7436
Netherlands,519.2310,2.6323
Poland,515.6479,2.6021
Switzerland,515.3147,2.9080
Canada,512.0169,2.3575
Denmark,509.3984,1.7350
Slovenia,508.8975,1.3639
Belgium,508.0703,2.2627
Finland,507.3014,1.9679
Sweden,502.3877,2.6543
United Kingdom,501.7699,2.5644
Norway,500.9638,2.2190
Germany,500.0438,2.6471
Ireland,499.6329,2.1986
Czech Republic,499.4677,2.4607
Austria,498.9423,2.9710
Latvia,496.1263,1.9628
France,495.4076,2.3202
Iceland,495.1874,1.9531
New Zealand,494.4897,1.7059
Portugal,492.4874,2.6846
Australia,491.3600,1.9398
Italy,486.5899,2.7800
Slovak Republic,486.1649,2.5556
Luxembourg,483.4215,1.0976
Spain,481.3926,1.4624
Lithuania,481.1912,1.9533
Hungary,481.0826,2.3196
United States,478.2447,3.2354
Israel,463.0345,3.4986
Turkey,453.5078,2.2604
Greece,451.3703,3.0912
Chile,417.4066,2.4159
Mexico,408.8015,2.4932
Colombia,390.9323,2.9896
"""


def test_ranks_of_countries_are_those_of_csranks():
    """The example that csranks 1.2.2 publishes, *Inference for Ranks* (Mogstad, Romano, Shaikh and Wilhelm 2024).

    It says: by itself the United Kingdom, 13th, ranks from 8 (in its text 7) to 23. Of all countries at once the ranks
    of Chile, Mexico and Colombia overlap with no others, and those of Germany and Korea share the 7th place, at 95 %
    but not at 75 %.
    """
    rng, rows = np.random.default_rng(0), [line.split(",") for line in PISA.split("\n") if line]
    names, (means, errors) = [row[0] for row in rows], np.array([row[1:] for row in rows], dtype=float).T
    alone = stepwise_ranks(means, errors, rng, only=names.index("United Kingdom"))
    assert [int(each[names.index("United Kingdom")]) for each in alone] in ([8, 23], [7, 23])
    least, most = stepwise_ranks(means, errors, rng)
    board = bk.rank(runs(with_errors(means, errors, rng), learners=names, measure="score", larger_is_better=True))
    ranks = board.rank_intervals
    low, high = np.array([ranks[name] for name in names]).T
    last = [name in ("Chile", "Mexico", "Colombia") for name in names]
    for first, end in ((least, most), (low, high)):
        assert first[last].min() > end[~np.array(last)].max()
        assert first[names.index("Germany")] <= 7 <= end[names.index("Korea")]
    less_sure = stepwise_ranks(means, errors, rng, alpha=0.25)
    assert less_sure[1][names.index("Korea")] < less_sure[0][names.index("Germany")]
    assert (low <= least).all()
    assert (most <= high).all()
    assert (high - low).sum() <= 1.02 * (most - least).sum()


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


@pytest.fixture
def filled(tmp_path):
    """Answers of which ten of one model are missing, and where its board goes."""
    path = tmp_path / "answers.csv"
    lines = [f"q{i},{int(i % 4 > 0)},{'' if i < 10 else int(i % 5 > 0)}" for i in range(60)]
    path.write_text("\n".join(["item,a,b", *lines]))
    return path


@pytest.mark.parametrize("suffix", ["html", "md", "tex", "txt"])
def test_a_board_says_what_a_verdict_does_of_the_results(filled, suffix):
    """About what it is, what was filled in, and what to be careful about."""
    path, verdict = filled.with_name(f"board.{suffix}"), bk.judge(bk.read(filled), missing="worst")
    assert command("rank", filled, "--missing", "worst", "-o", path).exit_code == 0
    text = " ".join(path.read_text(encoding="utf-8").split())
    assert "items like these" in text
    assert "10 results are the worst" in text
    assert verdict.advice[0].code in text


def test_a_board_in_a_terminal_has_the_notes_of_the_first_screen(filled):
    found = command("rank", filled, "--missing", "worst")
    for text in (found.stderr, repr(bk.rank(bk.read(filled), missing="worst"))):
        assert all(f"\n{word} " in text for word in ("Careful", "Filled", "Tested"))
        assert "60 items" in text


def test_a_board_as_data_says_what_was_filled_in(filled):
    found = json.loads(command("rank", filled, "--missing", "worst", "--json").stdout)
    document = bk.judge(bk.read(filled), missing="worst").to_dict()
    assert found["advice"] == document["advice"]
    assert found["filled_in"] == document["findings"]["filled_in"]
    assert (found["units"], found["left_out"]["filled"]) == (60, {"b": 10})
    left_out = json.loads(command("rank", filled, "--missing", "drop-items", "--json").stdout)
    assert (left_out["units"], len(left_out["left_out"]["items"]), left_out["filled_in"]) == (50, 10, None)
    rows = bk.rank(bk.read(filled), missing="worst").rows()
    assert {row["learner"]: row["filled_in"] for row in rows} == {"a": 0, "b": 10}


def test_several_may_be_best_and_nobody_is_said_to_be():
    rows = bk.rank(bk.read(PRICES)).rows()
    assert [row["learner"] for row in rows if row["in_best_set"]] == ["frontier", "large"]
    assert "best" not in rows[0]


def test_every_output_is_written(tmp_path):
    """As gate and report do."""
    paths = [tmp_path / name for name in ("board.md", "board.html")]
    found = command("rank", PRICES, *(word for path in paths for word in ("-o", path)))
    assert all(str(path) in found.stdout and path.stat().st_size for path in paths)


def test_a_pipe_has_tabs_and_json():
    lines = command("rank", PRICES).stdout.splitlines()
    assert lines[0].split("\t") == ["learner", "correct", "price", "rank", "finding"]
    assert lines[1].split("\t")[:4] == ["frontier", "0.8969", "15.00", "1–2"]
    assert json.loads(command("rank", PRICES, "--json").stdout)["best_set"] == ["frontier", "large"]


@pytest.mark.parametrize("suffix", ["csv", "html", "md", "tex", "json", "txt"])
def test_a_cost_that_is_not_known_is_left_empty(tmp_path, suffix):
    rows = [f"{m},{s},0.{8 + k}{s},{'' if m == 'b' else k + 1}" for k, m in enumerate("ab") for s in range(5)]
    (tmp_path / "r.csv").write_text("\n".join(["model,seed,accuracy,price", *rows]))
    path = tmp_path / f"board.{suffix}"
    assert command("rank", tmp_path / "r.csv", "--costs", "price", "-o", path).exit_code == 0
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\bnan\b", text.lower())
    if suffix == "csv":
        assert [row["price"] for row in csv.DictReader(text.splitlines())] == ["", "1.0"]
    if suffix == "md":
        assert "| b | 0.9200 |  | 1 | best |" in text


def test_the_board_as_json_is_one_document_printed_or_written(tmp_path):
    found = command("rank", PRICES, "--json", "-o", tmp_path / "board.json")
    assert json.loads(found.stdout) == json.loads((tmp_path / "board.json").read_text(encoding="utf-8"))


def test_a_wrong_ending_is_said_before_the_work(tmp_path):
    found = command("rank", tmp_path / "nothing.csv", "-o", "board.zip")
    assert (found.exit_code, ".zip" in found.stderr) == (2, True)


def test_data_sets_are_listed_by_mean_rank():
    board = bk.rank(bk.read(EXAMPLES / "demsar.csv", larger_is_better=True))
    ranks = [board.means["mean rank"][name] for name in board.learners]
    assert ranks == sorted(ranks)
