"""The paper's study of curves: its experiments, its command, and the learner that plays tic-tac-toe."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from bestofk.cli import main
from bestofk.core.errors import InputError
from bestofk.evidence import Curves
from bestofk.replications.curves.pools import (
    POWERS,
    c45_curves,
    made_pool,
    play_games,
    pools_of,
    saturating,
    td0_curves,
    winners,
)
from bestofk.replications.curves.study import QUESTIONS, calibrate_curves, modified_run, power_run, type_one_run
from bestofk.stats.curves import modify, randomized_anova

POOL = saturating()


def slow_type_one(lines, experiments, shuffles, rng):
    """The procedure of section 3, one table at a time by ``randomized_anova``."""
    half = len(lines) // 2
    counts = np.zeros(4)
    for _ in range(experiments):
        dealt = lines[rng.permutation(len(lines))]
        result = randomized_anova(dealt[:half], dealt[half:], shuffles=shuffles, rng=rng, exact=False)
        p = (result.p_conventional_alg, result.p_conventional_int, result.p_alg, result.p_int)
        counts += np.array(p) <= 0.05
    return counts


@pytest.mark.slow
def test_conventional_overstates_and_randomized_keeps_its_level():
    counts = type_one_run(POOL, 1000, 199, 0.05, np.random.default_rng(1))
    assert counts[0] > 400  # "dramatic increase in Type I error", Fig. 3
    assert counts[1] < 50
    for randomized in counts[2:]:
        assert abs(randomized - 50) < 4 * np.sqrt(1000 * 0.05 * 0.95)


@pytest.mark.slow
def test_the_fast_way_counts_what_the_plain_way_counts():
    lines = np.concatenate([POOL[:6], modify(POOL[:6], "b", 8.0)])
    fast = type_one_run(lines, 600, 99, 0.05, np.random.default_rng(2)) / 600
    plain = slow_type_one(lines, 600, 99, np.random.default_rng(3)) / 600
    assert np.all(np.abs(fast - plain) <= 4 * np.sqrt(2 * np.maximum(plain, 0.02) * (1 - plain) / 600))


def test_backends_count_alike():
    pytest.importorskip("numba", reason="needs the extra fast")
    one, two = (type_one_run(POOL, 60, 99, 0.05, np.random.default_rng(4), name) for name in ("numpy", "numba"))
    # the backends take different numbers of dealings at once, from the same stream
    np.testing.assert_array_equal(one, two)


@pytest.mark.slow
def test_a_difference_shuffled_away_is_none():
    for kind in "abcd":
        counts = modified_run(POOL, kind, 8.0, 500, 199, 0.05, np.random.default_rng(5))
        for randomized in counts[2:]:
            assert abs(randomized - 25) < 4.5 * np.sqrt(500 * 0.05 * 0.95)


@pytest.mark.slow
def test_power_rises_with_the_factor_and_finds_the_right_effect():
    def power(kind, factor):
        runs = [power_run(POOL, kind, factor, 100, 500, 0.05, np.random.default_rng([6, run])) for run in range(4)]
        return np.mean(runs, axis=0)[2:] / 100

    raised = [power("a", factor)[0] for factor in (0, 3, 6, 10)]
    assert raised == sorted(raised)
    assert (raised[0], raised[-1]) == (pytest.approx(0.0, abs=0.08), pytest.approx(1.0, abs=0.05))
    assert power("a", 10.0)[1] < 0.2  # no interaction in case a
    assert power("b", 10.0)[1] > 0.9  # and nothing but interaction in case b


@pytest.mark.slow
def test_same_seed_same_rows_on_any_number_of_workers():
    options = {"effort": 0.01, "kinds": ["a"], "factors": [5.0], "seed": 3}
    pools = {"made": POOL[:, ::4], "other": POOL[:10, ::4]}
    alone, two = (calibrate_curves(pools, workers=workers, **options) for workers in (1, 2))
    assert [row.to_dict() for row in alone] == [row.to_dict() for row in two]
    assert [(row.pool, row.question) for row in alone] == [
        *(("made", "type-i"), ("other", "type-i"), ("made", "modified"), ("made", "power")),
    ]
    only = calibrate_curves(pools, **{**options, "questions": ["power"]})
    assert only[0].to_dict() == alone[-1].to_dict()  # what else is measured does not matter
    other = calibrate_curves(pools, **{**options, "seed": 4, "questions": ["type-i"]})
    assert other[0].to_dict() != alone[0].to_dict()


def test_the_study_has_the_size_of_the_papers():
    per_row = {name: runs * experiments * (shuffles + 1) for name, (runs, experiments, shuffles) in QUESTIONS.items()}
    # Fig. 3 and 4: three data sets; Fig. 5: four modifications, ten factors; Fig. 6 is small
    assert 3 * per_row["type-i"] + 40 * per_row["modified"] == pytest.approx(310e6, rel=0.01)


def test_wrong_study():
    for call in (
        lambda: calibrate_curves({}),
        lambda: calibrate_curves({"one": POOL[:3]}),
        lambda: calibrate_curves({"one": POOL[0]}),
        lambda: calibrate_curves({"one": POOL}, questions=["sleep"]),
        lambda: calibrate_curves({"one": POOL}, kinds=["e"]),
        lambda: calibrate_curves({"one": POOL}, factors=[np.nan]),
        lambda: calibrate_curves({"one": POOL}, effort=0.0),
        lambda: calibrate_curves({"one": POOL}, workers=0),
        lambda: calibrate_curves({"one": POOL}, alpha=2),
        lambda: made_pool("nothing"),
        lambda: pools_of("curves"),
        lambda: td0_curves(alpha=0.0),
        lambda: td0_curves(epsilon=1.5),
        lambda: td0_curves(runs=0),
        lambda: td0_curves(compile="yes"),
    ):
        with pytest.raises(InputError) as caught:
            call()
        assert str(caught.value).count("\n") == 2


# --- the command ------------------------------------------------------------------------------------------------------


def run(*arguments):
    return CliRunner().invoke(main, ["calibrate", "curves", *arguments])


def test_command_prints_json_and_a_table():
    options = ("--effort", "0.01", "--kinds", "a", "--factors", "0,10", "--questions", "power")
    answer = json.loads(run(*options, "--json").stdout)
    assert [(row["question"], row["kind"], row["factor"]) for row in answer["rows"]] == [
        ("power", "a", 0),
        ("power", "a", 10),
    ]
    table = run(*options).stdout.splitlines()
    assert table[0].split("\t")[:4] == ["pool", "question", "modification", "factor"]
    assert len(table) == 3


def test_command_takes_the_users_curves(tmp_path):
    rows = [
        f"{name},{r},{s},{POOL[r, s] - shift:.4f}"
        for name, shift in (("a", 0), ("b", 0.1))
        for r in range(8)
        for s in range(5)
    ]
    path = tmp_path / "curves.csv"
    path.write_text("learner,run,step,accuracy\n" + "\n".join(rows) + "\n")
    options = ("--effort", "0.01", "--questions", "type-i", "--json")
    assert [row["pool"] for row in json.loads(run(str(path), *options).stdout)["rows"]] == ["a", "b"]
    assert [row["pool"] for row in json.loads(run(str(path), *options, "--learners", "b").stdout)["rows"]] == ["b"]
    wrong = run(str(path), *options, "--learners", "c")
    assert (wrong.exit_code, json.loads(wrong.stdout)["wrong"]) == (2, "unknown learner 'c'.")
    assert run("--factors", "much").exit_code == 2
    assert run("--pool", "none").exit_code == 2


def test_command_collects_curves_of_c45_once(tmp_path, monkeypatch):
    monkeypatch.setattr(c45_curves, "__kwdefaults__", {**c45_curves.__kwdefaults__, "folds": 7, "sizes": 3})
    options = ("--pool", "tictactoe,td0", "--into", str(tmp_path / "pools.db"), "--effort", "0.01", "--json")
    answer = run(*options, "--questions", "type-i")
    assert answer.exit_code == 0, answer.output
    assert [row["pool"] for row in json.loads(answer.stdout)["rows"]] == ["tictactoe", "td0"]
    monkeypatch.setattr("bestofk.c45.C45Classifier.fit", None)  # whoever fits again, fails
    assert run(*options, "--questions", "type-i").stdout == answer.stdout


def test_too_few_curves_for_any_p_at_alpha_are_refused():
    """6 curves make 10 pairs of halves: the smallest p is 0.1; 7 make 35."""
    with pytest.raises(InputError, match=r"6 curves.*make 10.*0\.1"):
        calibrate_curves({"few": POOL[:6]}, questions=["type-i"], effort=0.01)
    (row,) = calibrate_curves({"few": POOL[:6, :5]}, questions=["type-i"], effort=0.01, alpha=0.1)
    assert row.randomized_alg > 0.0
    (row,) = calibrate_curves({"enough": POOL[:7, :5]}, questions=["type-i"], effort=0.01)
    assert row.randomized_alg > 0.0


def test_unequal_grids_are_aligned_where_asked(tmp_path):
    rows = [f"{name},{r},{s},{POOL[r, s]:.4f}" for name in "ab" for r in range(8) for s in range(5) if (r, s) != (2, 1)]
    path = tmp_path / "curves.csv"
    path.write_text("learner,run,step,accuracy\n" + "\n".join(rows) + "\n")
    options = (str(path), "--effort", "0.01", "--questions", "type-i", "--json")
    refused = run(*options)
    assert refused.exit_code == 2
    assert "--align common" in json.loads(refused.stdout)["fix"]
    assert run(*options, "--align", "common").exit_code == 0


@pytest.mark.parametrize(("option", "value", "fix"), [("--seed", "-1", "from 0 up"), ("--effort", "0", "0.02 for")])
def test_wrong_numbers_are_told_what_they_may_be(option, value, fix):
    answer = run(option, value, "--json")
    assert (answer.exit_code, fix in json.loads(answer.stdout)["fix"]) == (2, True)


def test_incomplete_curves_are_no_pool():
    values = [POOL[:4].copy(), POOL[4:8]]
    values[0][2, 3] = np.nan
    evidence = Curves(learners=("a", "b"), values=tuple(values), measure="accuracy", larger_is_better=True)
    with pytest.raises(InputError, match="1 points are missing, the first at learner a, run 3, step 4"):
        pools_of(evidence)


# --- tic-tac-toe ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_td0_learns_to_win():
    curves = td0_curves(6, 10, games=400, rng=1)
    assert curves.shape == (6, 10)
    assert np.abs(curves).max() <= 100
    assert curves[:, -1].mean() > curves[:, 0].mean() + 20
    assert curves[:, -1].mean() > 60


def test_a_player_without_values_is_a_random_one():
    """Two random players, the first mover drawn: wins minus losses are 0 in the mean."""
    scores = [
        play_games(np.zeros(3**9), np.random.default_rng(i).random((500, 10, 2)), 0.0, 1.0, POWERS, winners())
        for i in (1, 2, 3)
    ]
    assert abs(np.sum(scores)) < 4 * np.sqrt(1500)


def test_plain_and_compiled_play_the_same_games():
    pytest.importorskip("numba", reason="needs the extra fast")
    options = {"runs": 2, "points": 4, "games": 30, "alpha": 0.3, "epsilon": 0.2, "rng": 9}
    np.testing.assert_array_equal(td0_curves(**options), td0_curves(**options, compile=False))
    assert not np.array_equal(td0_curves(**options), td0_curves(**{**options, "rng": 10}))


def test_three_in_a_row_wins():
    won = winners()
    assert won[0] == 0
    assert won[POWERS[:3].sum()] == 1
    assert won[2 * POWERS[[0, 4, 8]].sum()] == 2
    assert won[POWERS[0] + POWERS[1] + 2 * POWERS[2]] == 0


def test_one_winning_move_is_learnt_from_one_game():
    """Values before the end move towards those after it: the last afterstate towards the result."""
    values = np.zeros(3**9)
    play_games(values, np.random.default_rng(3).random((1, 10, 2)), 0.5, 0.0, POWERS, winners())
    changed = values[values != 0]
    assert len(changed) >= 1
    assert set(np.abs(changed)) <= {0.5, 0.25}
