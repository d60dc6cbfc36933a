"""``bestofk power``: from numbers, from pilot results, and what it says when it cannot."""

import json
import time

import numpy as np
import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.cli.printing import Waiting
from bestofk.judging.power import plans_from
from bestofk.stats import power
from bestofk.stats.pairwise import PAIRWISE, stratified_t
from makers import ROOT, slow, uneven_rows, wide_file
from makers_items import file_of

BRAMER = str(ROOT / "examples" / "bramer_15_6.csv")


def run(*arguments):
    return CliRunner().invoke(main, ["power", *arguments])


def answers(*arguments):
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)["answers"]


def test_how_many_are_needed():
    (found,) = answers("--test", "paired-t", "--effect", "0.2,0.5")
    assert found["n"] == [199.0, 34.0]  # R 4.2.2: power.t.test(power = 0.8, delta, type = "paired"): 198.2, 33.4


def test_what_is_seen_and_the_power_of_both():
    (seen,) = answers("--test", "sign", "--n", "20")
    assert seen["effect"] == pytest.approx(power.detectable("sign", 20).effect)
    (table,) = answers("--effect", "0.3,0.5", "--n", "10,20,40")
    assert table["power"][1][1] == pytest.approx(power.paired_t(0.5, 20).power)


def test_pairs_share_alpha():
    (found,) = answers("--effect", "0.5", "--pairs", "10")
    assert found["n"] == power.sample_size("paired-t", 0.5, alpha=0.005).n


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--test", "corrected-t", "--effect", "2.0", "--folds", "5"), {"folds": 5}),
        (("--test", "mcnemar-mid-p", "--effect", "0.05", "--disagreement", "0.2"), {"disagreement": 0.2}),
        (("--test", "anova", "--effect", "0.4", "--learners", "4"), {"learners": 4}),
        (("--test", "hotelling", "--effect", "0.9", "--measures", "3"), {"measures": 3}),
        (("--effect", "0.5", "--one-sided"), {"alternative": "greater"}),
    ],
)
def test_options_reach_the_test(arguments, expected):
    (found,) = answers(*arguments)
    test = arguments[1] if arguments[0] == "--test" else "paired-t"
    effect = float(arguments[arguments.index("--effect") + 1])
    assert found["n"] == power.sample_size(test, effect, **expected).n


@pytest.mark.parametrize("option", [("--rope", "0.005"), ("--adjust", "holm"), ("--force",)])
def test_an_option_that_plans_do_not_use_is_none(option):
    assert run(BRAMER, "--larger-is-better", *option).exit_code == 2


def test_from_pilot_results():
    """Bramer, Fig. 15.6: t = 2.41 on 8 data sets, so d = 2.41/√8 = 0.852."""
    (found,) = answers(BRAMER, "--larger-is-better", "--test", "paired-t")
    assert (found["first"], found["second"]) == ("A", "B")
    assert found["difference"] == pytest.approx(-3.5)
    assert abs(found["plan"]["effect"]) == pytest.approx(2.41 / 8**0.5, abs=0.002)
    assert found["plan"]["needed"]["n"] == power.sample_size("paired-t", found["plan"]["effect"]).n


@pytest.mark.parametrize(
    ("name", "test", "unit"),
    [
        ("five_by_two.csv", "corrected-t", "replications of 2 folds"),
        ("predictions.csv", "mcnemar-auto", "items"),
        ("curves.csv", "welch-t", "runs per learner"),
        ("demsar.csv", "wilcoxon", "data sets"),
    ],
)
def test_every_kind_of_results_is_a_pilot(name, test, unit):
    evidence = bk.read(str(ROOT / "examples" / name), larger_is_better=True if name == "demsar.csv" else None)
    pair = ",".join(evidence.learners[:2])
    direction = ("--larger-is-better",) if name == "demsar.csv" else ()
    (found,) = answers(str(ROOT / "examples" / name), "--learners", pair, *direction)
    plan = found["plan"]
    assert (plan["test"], plan["needed"]["unit"]) == (test, unit)
    assert abs(plan["cautious"]) <= abs(plan["effect"])


def test_all_pairs_of_a_pilot_share_alpha():
    every = answers(str(ROOT / "examples" / "demsar.csv"), "--larger-is-better")
    assert len(every) == 6
    assert all(found["alpha"] == pytest.approx(0.05 / 6) for found in every)


def test_words_and_table_for_people():
    text = run("--test", "paired-t", "--effect", "0.5").output
    assert "34 data sets" in text
    table = run(str(ROOT / "examples" / "demsar.csv"), "--larger-is-better").stdout
    assert table.count("C4.5+m+cf") >= 3
    assert "needed" in table


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--effect", "half"),
        ("--test", "anova", "--effect", "0.5"),
        ("--test", "foo", "--effect", "0.5"),
        ("--effect", "0.5", "--learners", "a,b"),
        ("--effect", "0.5", "--pairs", "0"),
        (BRAMER, "--effect", "0.5"),
        (BRAMER, "--larger-is-better", "--pairs", "0"),
        (BRAMER, "--larger-is-better", "--learners", "A,Z"),
        (BRAMER, "--larger-is-better", "--test", "anova"),
        (str(ROOT / "examples" / "five_by_two.csv"), "--test", "paired-t"),
        ("no_such_file.csv",),
    ],
)
def test_wrong_input_ends_with_two_and_three_parts(arguments):
    result = run(*arguments, "--json")
    assert result.exit_code == 2
    assert set(json.loads(result.stdout)) == {"wrong", "where", "fix"}


def seeds(folder):
    path = folder / "seeds.csv"
    rows = [
        f"{model},{seed},{0.8 + 0.02 * at + 0.003 * (seed * at % 4)}"
        for at, model in enumerate("abc")
        for seed in range(5)
    ]
    path.write_text("\n".join(["model,repeat,accuracy", *rows]) + "\n", "utf-8")
    return str(path)


def test_one_result_per_repeat_asks_for_the_share_of_test_data(tmp_path):
    result = run(seeds(tmp_path), "--json")
    assert result.exit_code == 2
    assert "share of test data" in json.loads(result.stdout)["wrong"]
    planned = answers(seeds(tmp_path), "--test-fraction", "0.2")
    assert [each["plan"]["needed"]["unit"] for each in planned] == ["random splits"] * 3


@pytest.mark.parametrize("outcomes", slow(2, 5))
def test_items_of_a_benchmark_are_planned_within_seconds(tmp_path, outcomes):
    """Enumeration of all pairs of counts is needed once for every number of disagreements, not for every size."""
    random = np.random.default_rng(0)
    right = random.random((800, outcomes)) < 0.7 + 0.02 * np.arange(outcomes)
    path = tmp_path / "items.csv"
    header = ",".join(["item", *"abcde"[:outcomes]])
    rows = [",".join(map(str, (at, *row))) for at, row in enumerate(right.astype(int).tolist())]
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    begun = time.process_time()
    found = answers(str(path), "--larger-is-better")
    assert time.process_time() - begun < 20  # minutes when every size is enumerated anew
    assert len(found) == outcomes * (outcomes - 1) // 2


@pytest.mark.parametrize("terminal", [True, False])
def test_who_waits_at_a_terminal_is_told_how_far_it_is(monkeypatch, capsys, terminal):
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    monkeypatch.setattr(Waiting, "AFTER", 0.01)
    monkeypatch.setattr(Waiting, "EVERY", 0.01)
    with Waiting("planning") as waiting:
        waiting.at(3, 10, "pairs")
        time.sleep(0.1)
    written = capsys.readouterr()
    assert ("3 of 10, pairs: 0 s" in written.err) is terminal
    assert written.out == ""


def test_what_is_quick_is_not_spoken_of(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Waiting("planning"):
        pass
    assert capsys.readouterr().err == ""


def test_pilots_of_three_learners_are_planned_for_the_test_that_judges(tmp_path):
    path = wide_file(tmp_path, uneven_rows(3, 12, gap=0.01))
    evidence = bk.read(path, measure="error")
    plans = plans_from(evidence)
    assert {each.plan.test for each in plans} == {bk.judge(evidence).test} == {"wilcoxon"}
    two = bk.read(path, measure="error", learners=["a", "b"])
    assert plans_from(two)[0].plan.test == "wilcoxon"  # two are judged by it as well
    assert {each["plan"]["test"] for each in answers(str(path), "--measure", "error")} == {"wilcoxon"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--test", "friedman", "--effect", "0.5"), "--learners 4"),
        (("--test", "hotelling", "--effect", "0.5"), "--measures 2"),
        (("--test", "mcnemar", "--effect", "0.05"), "--disagreement 0.2"),
        (("--test", "stratified-t", "--effect", "0.5"), "power FILE"),
    ],
)
def test_what_a_test_needs_to_know_is_asked_for_in_words_of_the_shell(words, said):
    output = run(*words).output
    assert said in output
    assert "keyword" not in output


def right_answers(seed=0):
    rng = np.random.default_rng(seed)
    return {name: (rng.random(100) < share).astype(int).tolist() for name, share in (("a", 0.95), ("b", 0.6))}


def test_copies_of_the_same_answers_do_not_make_a_larger_pilot(tmp_path):
    right = right_answers()
    once = [(n, i, right[n][i]) for n in "ab" for i in range(100)]
    copied = [(n, i, seed, right[n][i]) for n in "ab" for seed in range(10) for i in range(100)]
    first = plans_from(bk.read(file_of(tmp_path, "learner,item,correct", once)))[0].plan
    again = plans_from(bk.read(file_of(tmp_path, "learner,item,seed,correct", copied)))[0].plan
    assert again.pilot_size == first.pilot_size == 100
    assert again.cautious == first.cautious
    assert again.needed_cautious.n == first.needed_cautious.n


def test_folds_of_repeated_items_are_planned_by_the_test_that_judges_them(tmp_path):
    right = right_answers()
    lines = [(n, i, seed, (i * 7 + seed) % 5, right[n][i]) for n in "ab" for seed in range(10) for i in range(100)]
    evidence = bk.read(file_of(tmp_path, "learner,item,replication,fold,correct", lines))
    plan = plans_from(evidence)[0].plan
    assert plan.test == bk.judge(evidence).comparison.test == "repeated-cv-t"
    assert plan.needed.unit.startswith("replications")


@pytest.mark.slow
def test_graded_items_and_groups_are_planned_by_flipped_signs(tmp_path):
    rng = np.random.default_rng(1)
    means = [
        (n, i, s, int(rng.random() < level))
        for n, level in (("a", 0.7), ("b", 0.5))
        for s in range(4)
        for i in range(60)
    ]
    (found,) = plans_from(bk.read(file_of(tmp_path, "learner,item,seed,correct", means)))
    assert (found.plan.test, found.plan.needed.unit, found.plan.pilot_size) == ("permutation-t", "items", 60)
    groups = [
        (n, i, f"g{i % 12}", int(rng.random() < level)) for n, level in (("a", 0.8), ("b", 0.5)) for i in range(240)
    ]
    (found,) = plans_from(bk.read(file_of(tmp_path, "learner,item,group,correct", groups)))
    assert (found.plan.test, found.plan.needed.unit, found.plan.pilot_size) == ("permutation-t", "groups", 12)
    assert np.isfinite(found.plan.needed.n)


def test_seeds_are_planned_as_runs(tmp_path):
    """Runs of tasks count per learner and task: of more tasks each needs fewer."""
    rng = np.random.default_rng(2)
    one = [(m, s, 0.8 + 0.01 * at + 0.01 * rng.normal()) for at, m in enumerate("ab") for s in range(6)]
    (found,) = plans_from(bk.read(file_of(tmp_path, "model,seed,accuracy", one)))
    assert (found.plan.test, found.plan.needed.unit) == ("welch-t", "runs per learner")
    runs = [np.array([v for name, _, v in one if name == m]) for m in "ab"]
    assert found.plan.effect == pytest.approx(
        -(runs[0].mean() - runs[1].mean()) / np.sqrt(0.5 * sum(each.var(ddof=1) for each in runs))
    )
    lines = [(m, t, s, 0.5 + 0.1 * t + 0.01 * at + 0.01 * rng.normal())
             for at, m in enumerate("ab") for t in range(4) for s in range(6)]  # fmt: skip
    (tasks,) = plans_from(bk.read(file_of(tmp_path, "model,task,seed,accuracy", lines)))
    assert (tasks.plan.test, tasks.plan.needed.unit) == ("stratified-t", "runs per learner and data set")
    assert tasks.plan.needed.n <= found.plan.needed.n
    again = pairwise_power_of_tasks(np.array([v for *_, v in lines]).reshape(2, 4, 6), int(tasks.plan.needed.n))
    assert tasks.plan.needed.power == pytest.approx(again, abs=0.03)


def test_no_fewer_runs_are_planned_than_can_show_something(tmp_path):
    """However far apart the learners are, two runs of a task show nothing; as many as are planned do."""

    def seeds(number):
        rng = np.random.default_rng(5)
        return [(m, t, s, 0.5 + 0.05 * t + 0.1 * at + 0.001 * rng.normal())
                for at, m in enumerate("ab") for t in range(5) for s in range(number)]  # fmt: skip

    (found,) = plans_from(bk.read(file_of(tmp_path, "model,task,seed,accuracy", seeds(6))))
    assert found.plan.needed.n == 3
    verdict = bk.judge(bk.read(file_of(tmp_path, "model,task,seed,accuracy", seeds(3))))
    assert (verdict.test, verdict.best) == (found.plan.test, "b")


def pairwise_power_of_tasks(runs, n):
    """How often the stratified test rejects for runs (2, tasks, runs) with means and spreads like these."""
    means, spreads = runs.mean(axis=-1)[:, None, :, None], runs.std(axis=-1, ddof=1)[:, None, :, None]
    drawn = means + spreads * np.random.default_rng(3).normal(size=(2, 5_000, runs.shape[1], n))
    return np.mean(np.asarray(stratified_t(PAIRWISE["welch-t"](*drawn)).pvalue) <= 0.05)


def test_power_reads_and_compares_with_the_options_of_judge(tmp_path):
    rng = np.random.default_rng(4)
    items = [(n, i, f"g{i % 4}", int(rng.random() < level)) for n, level in (("a", 0.9), ("b", 0.4)) for i in range(80)]
    path = file_of(tmp_path, "learner,item,group,correct", items)
    (groups,) = answers(str(path))
    assert (groups["plan"]["needed"]["unit"], groups["plan"]["needed"]["n"] >= 6) == ("groups", True)
    (fixed,) = answers(str(path), "--groups", "fixed")
    assert (fixed["plan"]["test"], fixed["plan"]["needed"]["unit"]) == ("mcnemar-auto", "items")
    gaps = file_of(tmp_path, "item,a,b,c", [(i, *rng.random(3).round(3)) for i in range(20)] + [(20, "", 0.1, 0.2)])
    assert run(str(gaps), "--measure", "accuracy").exit_code == 2
    assert len(answers(str(gaps), "--measure", "accuracy", "--missing", "drop-items")) == 3
    assert len(answers(str(gaps), "--measure", "accuracy", "--missing", "drop-items", "--control", "b")) == 2
    curves = str(ROOT / "examples" / "curves.csv")
    learners = ("--learners", ",".join(bk.read(curves).learners[:2]))
    (last,), (whole,) = answers(curves, *learners, "--curve", "final"), answers(curves, *learners)
    assert last["difference"] != whole["difference"]
    assert run("--effect", "0.5", "--groups", "fixed").exit_code == 2


@pytest.mark.parametrize("datasets", [2, 4])
def test_folds_of_few_data_sets_are_planned_as_replications_of_each(tmp_path, datasets):
    """Judge takes them as they are by stratified-t; other data sets are planned for where that is asked for."""
    rng = np.random.default_rng(5)
    rows = [(m, d, f, 0.8 + 0.005 * at + 0.01 * rng.normal())
            for at, m in enumerate("ab") for d in range(datasets) for f in range(10)]  # fmt: skip
    path = str(file_of(tmp_path, "learner,dataset,fold,accuracy", rows))
    assert bk.judge(bk.read(path)).test == "stratified-t"
    (found,) = answers(path)
    plan, values = found["plan"], np.array([v for *_, v in rows]).reshape(2, datasets, 1, 10)
    assert (plan["test"], plan["needed"]["unit"]) == ("stratified-t", "replications of 10 folds per data set")
    assert found["difference"] == pytest.approx(values[0].mean() - values[1].mean())
    spread = np.sqrt((values[0] - values[1]).reshape(datasets, -1).var(axis=1, ddof=1).mean())
    assert plan["effect"] == pytest.approx(abs(found["difference"]) / spread)
    if datasets == 4:
        assert answers(path, "--test", "wilcoxon")[0]["plan"]["needed"]["unit"] == "data sets"
    else:
        assert run(path, "--test", "wilcoxon").exit_code == 2


def test_random_splits_of_few_data_sets_are_planned_too(tmp_path):
    rng = np.random.default_rng(6)
    rows = [(m, d, f, 0.8 + 0.005 * at + 0.01 * rng.normal())
            for at, m in enumerate("ab") for d in range(3) for f in range(10)]  # fmt: skip
    path = str(file_of(tmp_path, "learner,dataset,fold,accuracy", rows))
    (found,) = answers(path, "--test-fraction", "0.3")
    assert (found["plan"]["test"], found["plan"]["needed"]["unit"]) == ("stratified-t", "random splits per data set")


def test_a_tiny_pilot_does_not_promise_that_its_differences_are_all_there_are(tmp_path):
    """Four differences of one sign: drawn again they always reject; normal ones of the same effect do not."""
    path = file_of(tmp_path, "item,a,b", [(1, 0.3, 0.765), (2, 0.4, 0.695), (3, 0.5, 0.685), (4, 0.6, 0.695)])
    (found,) = answers(str(path), "--measure", "accuracy")
    plan = found["plan"]
    gap = np.array([0.465, 0.295, 0.185, 0.095])
    assert plan["effect"] == pytest.approx(gap.mean() / gap.std(ddof=1))
    draws = np.random.default_rng(6).normal(plan["effect"], 1.0, (2_000, int(plan["needed"]["n"])))
    share = np.mean(np.asarray(PAIRWISE["permutation-t"](draws, np.zeros_like(draws)).pvalue) <= 0.05)
    assert plan["needed"]["power"] == pytest.approx(share, abs=0.04)
    assert plan["normal"]


def test_of_many_pairs_those_that_decide_are_planned_for(tmp_path):
    right = np.random.default_rng(7).random((300, 12)) < np.linspace(0.4, 0.9, 12)
    names = [f"m{at}" for at in range(12)]
    path = file_of(tmp_path, ",".join(["item", *names]), [(at, *row) for at, row in enumerate(right.astype(int))])
    found = answers(str(path), "--larger-is-better")
    order = [names[at] for at in np.argsort(-right.mean(axis=0), kind="stable")]
    assert {name for each in found for name in (each["first"], each["second"])} == set(order[:11])
    assert all(order[0] in (each["first"], each["second"]) for each in found)
    assert {(each["compared"], each["pairs"]) for each in found} == {(66, 66)}
    assert "closest rivals" in run(str(path), "--larger-is-better").output


def test_a_pilot_that_does_not_show_a_direction_is_said_to(tmp_path):
    rows = [(m, s, v) for m, each in (("a", (0.8, 0.9, 0.7, 0.85)), ("b", (0.81, 0.88, 0.72, 0.84)))
            for s, v in enumerate(each)]  # fmt: skip
    output = run(str(file_of(tmp_path, "model,seed,accuracy", rows))).output
    assert "does not show which is better" in output
    assert "no number is enough" not in output


@pytest.mark.slow
def test_many_items_are_planned_within_seconds(tmp_path):
    right = np.random.default_rng(3).random((14_000, 5)) < 0.6 + 0.02 * np.arange(5)
    rows = [(at, *row) for at, row in enumerate(right.astype(int).tolist())]
    begun = time.process_time()
    found = plans_from(bk.read(file_of(tmp_path, "item,a,b,c,d,e", rows), larger_is_better=True))
    assert time.process_time() - begun < 20
    assert all(each.plan.needed.n > 0 for each in found)


PILOT = "dataset,mine,rf\n" + "".join(f"{name},0.8{i + 1},0.8{i}\n" for i, name in enumerate("abcdefg")) + "h,.55,.95\n"


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_what_ranks_say_is_planned_for_where_the_mean_says_the_opposite(tmp_path, test):
    """Seven small wins and one large loss: experiments of the planned size speak for the winner of seven."""
    path = tmp_path / "pilot.csv"
    path.write_text(PILOT)
    (found,) = answers(str(path), "--larger-is-better", "--test", test)
    (one,) = answers(str(path), "--larger-is-better", "--test", test, "--one-sided")
    gap = np.array([-0.01] * 7 + [0.4])  # losses of the first minus those of the second
    needed = int(found["plan"]["needed"]["n"])
    draws = np.random.default_rng(0).choice(gap, size=(600, needed))
    result = PAIRWISE[test](draws, np.zeros_like(draws))
    towards = np.mean((np.asarray(result.pvalue) <= 0.05) & (np.asarray(result.side) < 0))
    assert towards == pytest.approx(found["plan"]["needed"]["power"], abs=0.06)
    assert found["difference"] > 0
    assert found["plan"]["turned"]
    assert found["plan"]["effect"] > 0
    assert one["plan"]["needed"]["n"] <= needed


def test_words_and_tables_have_one_sign_for_effects(tmp_path):
    text = run(BRAMER, "--larger-is-better", "--test", "paired-t").output
    (there,) = answers(BRAMER, "--larger-is-better", "--test", "paired-t")
    assert f"effect {there['plan']['effect']:.3g};" in text
    assert "-0." not in text


def test_plans_of_several_pairs_say_that_they_share_alpha():
    text = run(str(ROOT / "examples" / "demsar.csv"), "--larger-is-better").output
    assert text.startswith("6 pairs, each at alpha 0.00833")
    assert len(text.splitlines()) == 2 + 1 + 6  # words, heading, pairs
    assert "among" not in run(BRAMER, "--larger-is-better").output


@pytest.mark.parametrize(
    ("text", "what"),
    [("dataset,a,b\nx,.8,.7\ny,.9,.85\n", "2 data sets"), ("item,a,b\nx,.8,.7\ny,.9,.85\n", "2 items")],
)
def test_too_few_results_are_named_as_they_were_given(tmp_path, text, what):
    path = tmp_path / "few.csv"
    path.write_text(text)
    result = run(str(path), "--measure", "accuracy")
    assert result.exit_code == 2
    assert what in result.output
    assert "argument first" not in result.output


def test_a_single_split_is_named_as_it_was_given():
    scores = bk.Scores(
        learners=("a", "b"), values=[[[0.8]], [[0.9]]], measure="accuracy", larger_is_better=True, test_fraction=0.3
    )
    with pytest.raises(bk.InputError, match="one result per learner"):
        bk.judge(scores)
