"""Plans in Python and in TOML: what they fix, what they refuse, and the lock before results."""

import json
import textwrap

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bestofk as bk
from bestofk.cli import main
from bestofk.design.learners import learner_of
from bestofk.design.plan.file import read_plan
from bestofk.design.plan.lock import lock_path, read_lock, write_lock
from bestofk.design.plan.plan import check_plan

PLAIN = """
    seed = 1
    folds = "5x2"
    learners = ["nmc", "nn"]
    datasets = ["iris"]
"""


def write(tmp_path, text, name="plan.toml"):
    path = tmp_path / name
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


def command(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_a_plan_in_python_and_in_toml_are_the_same(tmp_path):
    file = read_plan(write(tmp_path, PLAIN))
    python = bk.Plan(["nmc", "nn"], ["iris"], folds="5x2", seed=1)
    assert file.fingerprint == python.fingerprint
    assert "5x2 (20 folds), seed" in repr(file)


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 2},
        {"folds": "10-fold"},
        {"measures": ["log_loss"]},
        {"prior": ["nn", "nmc"]},
        {"keep_predictions": True},
    ],
)
def test_every_change_is_another_plan(change):
    plain = {"folds": "5x2", "seed": 1}
    one, two = bk.Plan(["nmc", "nn"], ["iris"], **plain), bk.Plan(["nmc", "nn"], ["iris"], **{**plain, **change})
    assert one.fingerprint != two.fingerprint


def test_another_parameter_or_value_is_another_plan():
    X, y = np.random.default_rng(0).random((40, 2)), np.arange(40) % 2
    base = bk.Plan({"a": LogisticRegression(), "b": "nn"}, {"d": (X, y)})
    assert base.fingerprint == bk.Plan({"a": LogisticRegression(), "b": "nn"}, {"d": (X, y)}).fingerprint
    assert base.fingerprint != bk.Plan({"a": LogisticRegression(C=2), "b": "nn"}, {"d": (X, y)}).fingerprint
    assert base.fingerprint != bk.Plan({"a": LogisticRegression(), "b": "nn"}, {"d": (X + 1e-9, y)}).fingerprint


def test_learners_with_parameters_and_files(tmp_path):
    rows = "\n".join(f"{i / 10},{'red' if i % 3 else 'blue'},{'yes' if i % 2 else 'no'}" for i in range(40))
    write(tmp_path, "width,colour,class\n" + rows + "\n", "data.csv")
    plan = read_plan(
        write(
            tmp_path,
            """
            folds = "3-fold"
            [learners]
            nn = {}
            five = { learner = "knn", params = { n_neighbors = 5 } }
            [datasets]
            iris = {}
            mine = { file = "data.csv", target = "class" }
            """,
        )
    )
    assert [each.name for each in plan.learners] == ["nn", "five"]
    assert plan.learners[1].make().n_neighbors == 5
    assert [each.name for each in plan.datasets] == ["iris", "mine"]
    assert plan.datasets[1].classes == ("no", "yes")


FAULTS = {
    "unknown learner": ('learners = ["nmc", "nnn"]\ndatasets = ["iris"]', "nnn"),
    "unknown data set": ('learners = ["nmc", "nn"]\ndatasets = ["irs"]', "iris"),
    "unknown key": ('learnrs = ["nmc"]\ndatasets = ["iris"]', "did you mean 'learners'"),
    "unknown inner key": ('datasets = ["iris"]\n[learners]\na = { lerner = "nn" }\nb = {}', "did you mean 'learner'"),
    "unknown folds": ('learners = ["nmc", "nn"]\ndatasets = ["iris"]\nfolds = "5y2"', "5y2"),
    "one learner": ('learners = ["nmc"]\ndatasets = ["iris"]', "at least two learners"),
    "twice": ('learners = ["nmc", "nmc"]\ndatasets = ["iris"]', "named twice"),
    "no data set": ('learners = ["nmc", "nn"]\ndatasets = []', "at least one data set"),
    "missing file": ('learners = ["nmc", "nn"]\n[datasets]\nd = { file = "nowhere.csv", target = "y" }', "nowhere.csv"),
    "wrong seed": ('learners = ["nmc", "nn"]\ndatasets = ["iris"]\nseed = "one"', "a whole number"),
    "negative seed": ('learners = ["nmc", "nn"]\ndatasets = ["iris"]\nseed = -1', "seed"),
    "wrong prior": ('learners = ["nmc", "nn"]\ndatasets = ["iris"]\nprior = ["nmc"]', "does not name nn"),
    "unknown cost": ('learners = ["nmc", "nn"]\ndatasets = ["iris"]\nprior = "fit-tme"', "did you mean 'fit-time'"),
    "not TOML": ("learners = [", "not TOML"),
    "no learners": ('datasets = ["iris"]', "no learners"),
    "mixed tasks": ('learners = ["nmc", "nn"]\ndatasets = ["iris", "diabetes"]', "mixes classification and regression"),
    "wrong measure": ('learners = ["nmc", "nn"]\ndatasets = ["iris"]\nmeasures = ["mse"]', "mse"),
    "code": ('datasets = ["iris"]\n[learners]\na = { factory = "os:getcwd" }\nb = {}', "--allow-code"),
    "nested without end": ("seed = " + "[" * 100_000, "not TOML"),
    "a number without end": (f"seed = {'1' * 5_000}", "line 1"),
    "folds without end": (f'learners = ["nmc", "nn"]\ndatasets = ["iris"]\nfolds = "{"9" * 5_000}-fold"', "line 3"),
    "two sources": ('learners = ["nmc", "nn"]\n[datasets]\nd = { file = "a.csv", openml = 61 }', "keep one of them"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_plan_gets_three_lines(tmp_path, fault):
    text, said = FAULTS[fault]
    path = write(tmp_path, text)
    for arguments in (("plan", "check", path), ("collect", path, "--into", tmp_path / "r.db")):
        answer = command(*arguments)
        assert answer.exit_code == 2
        assert answer.stderr.strip().count("\n") == 2, answer.stderr
        assert said in answer.stderr
        as_json = command(*arguments, "--json")
        assert set(json.loads(as_json.stdout)) == {"wrong", "where", "fix"}
    assert not (tmp_path / "r.db").exists()


def test_a_file_without_end_is_no_plan():
    answer = command("plan", "check", "/dev/zero")
    assert answer.exit_code == 2
    assert "more than 10 MB" in answer.stderr


def test_a_plan_may_begin_with_a_byte_order_mark(tmp_path):
    path = write(tmp_path, '\ufefflearners = ["nmc", "nn"]\ndatasets = ["iris"]')
    assert command("plan", "check", path).exit_code == 0


DATA_FAULTS = {
    "target absent": ("a,b,class\n1,2,x\n2,3,y\n", "clas", "did you mean 'class'"),
    "one class": ("a,b,class\n1,2,x\n2,3,x\n", "class", "one class"),
    "missing target": ("a,b,class\n1,2,x\n2,3,\n3,4,y\n", "class", "missing"),
}


@pytest.mark.parametrize("fault", DATA_FAULTS)
def test_faulty_data_get_three_lines(tmp_path, fault):
    content, target, said = DATA_FAULTS[fault]
    write(tmp_path, content, "d.csv")
    path = write(tmp_path, f'learners = ["nmc", "nn"]\n[datasets]\nd = {{ file = "d.csv", target = "{target}" }}')
    answer = command("plan", "check", path)
    assert answer.exit_code == 2
    assert said in answer.stderr


def test_more_folds_than_members_of_a_class_is_told_before_anything_runs(tmp_path):
    write(tmp_path, "a,class\n" + "".join(f"{i},{'x' if i < 3 else 'y'}\n" for i in range(30)), "d.csv")
    path = write(tmp_path, 'folds = "10-fold-stratified"\nlearners = ["nmc", "nn"]\n[datasets]\nd = { file = "d.csv" }')
    answer = command("plan", "check", path)
    assert answer.exit_code == 2
    assert "3" in answer.stderr


def test_code_runs_only_when_it_is_allowed(tmp_path):
    text = """
        datasets = ["iris"]
        folds = "5x2"
        [learners]
        mine = { factory = "sklearn.linear_model:LogisticRegression", params = { C = 0.5 } }
        nn = {}
    """
    path = write(tmp_path, text)
    with pytest.raises(bk.InputError, match="run unless you say"):
        read_plan(path)
    assert read_plan(path, allow_code=True).learners[0].make().C == 0.5


def test_the_lock(tmp_path):
    path = write(tmp_path, PLAIN)
    answer = command("plan", "lock", path)
    assert answer.exit_code == 0
    lock = read_lock(path)
    assert lock.fingerprint == read_plan(path).fingerprint
    assert write_lock(path, read_plan(path)).locked == lock.locked
    write(tmp_path, PLAIN.replace("seed = 1", "seed = 2"))
    assert "was locked at" in command("plan", "lock", path).stderr
    assert "was locked at" in command("collect", path, "--into", tmp_path / "r.db").stderr


def test_a_broken_lock_says_what_has_changed(tmp_path):
    path = write(tmp_path, PLAIN)
    lock_path(path).write_text("[" * 100_000)
    assert "the lock is damaged" in command("plan", "check", path).stderr
    lock_path(path).unlink()
    command("plan", "lock", path)
    write(tmp_path, PLAIN.replace("seed = 1", "seed = 2"))
    assert "other than then: seed." in command("plan", "check", path).stderr
    kept = json.loads(lock_path(path).read_text())
    write(tmp_path, PLAIN)
    kept["fingerprint"], kept["plan"]["learners"][0]["fingerprint"] = "0" * 64, "0" * 64
    lock_path(path).write_text(json.dumps(kept))
    assert "other than then: learners." in command("plan", "check", path).stderr


def test_a_lock_before_the_results_is_said_and_one_after_is_not(tmp_path):
    path = write(tmp_path, PLAIN)
    before, after = tmp_path / "before.db", tmp_path / "after.db"
    command("collect", path, "--into", after, "--engine", "serial")
    command("plan", "lock", path)
    command("collect", path, "--into", after, "--engine", "serial")
    command("collect", path, "--into", before, "--engine", "serial")
    assert any("before any result" in note for note in bk.read(before).origin.notes)
    assert "before any result" in " ".join(command("judge", before, "--full").stdout.split())
    assert any("not locked before the" in note for note in bk.read(after).origin.notes)


def test_show(tmp_path):
    path = write(tmp_path, PLAIN)
    shown = command("plan", "show", path).stdout
    assert "learner nmc" in shown
    assert "data set iris: 150 rows, 4 features, 3 classes" in shown
    assert json.loads(command("plan", "show", path, "--json").stdout)["folds"] == "5x2"


def test_demo_plan_toml_and_python_give_the_same_verdict_and_resume(tmp_path):
    """A plan in TOML and the same in Python with a scikit-learn pipeline: run, run again, judge."""
    text = """
        seed = 3
        folds = "5x2"
        prior = ["nmc", "lr"]
        datasets = ["iris", "wine"]
        [learners]
        nmc = {}
        lr = { factory = "tests_plan_factory:pipeline" }
    """
    write(
        tmp_path,
        """
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        def pipeline():
            return make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
        """,
        "tests_plan_factory.py",
    )
    path = write(tmp_path, text)
    first = command("collect", path, "--into", tmp_path / "a.db", "--allow-code", "--engine", "serial")
    again = command("collect", path, "--into", tmp_path / "a.db", "--allow-code", "--engine", "serial")
    assert first.exit_code == again.exit_code == 0
    assert "collected 40 folds" in first.stdout
    assert "40 folds" in again.stdout
    pipeline = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
    plan = bk.Plan({"nmc": "nmc", "lr": pipeline}, ["iris", "wine"], folds="5x2", seed=3, prior=["nmc", "lr"])
    evidence = bk.collect(plan, tmp_path / "b.db", engine="serial", progress=False)
    one, two = bk.read(tmp_path / "a.db"), evidence
    np.testing.assert_array_equal(one.values, two.values)
    assert bk.judge(one).order == bk.judge(two).order
    assert bk.judge(one).prior == ("nmc", "lr")


def test_learning_curves_are_judged_as_curves(tmp_path):
    """Points of one curve depend on each other: they must not be read as so many folds."""
    plan = bk.Plan(["nmc", "nn"], ["wine"], folds="learning-curve-5x2-4", seed=1)
    evidence = bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)
    assert isinstance(evidence, bk.Curves)
    assert [each.shape for each in evidence.values] == [(10, 4), (10, 4)]
    assert list(evidence.steps) == sorted(evidence.steps)
    assert bk.judge(evidence).test == "corrected-t"
    first = plan.folds.split(plan.datasets[0], 0, 1)
    assert list(evidence.steps) == [float(len(fold.train)) for fold in first[:4]]


def test_random_splits_carry_their_share_and_bootstraps_of_the_full_set_none(tmp_path):
    for number, (folds, share) in enumerate((("holdout-0.3x6", 0.3), ("bootstrap-6-oob", 0.27), ("bootstrap-6", None))):
        plan = bk.Plan(["nmc", "nn"], ["wine"], folds=folds, seed=1)
        evidence = bk.collect(plan, tmp_path / f"{number}.db", engine="serial", progress=False)
        assert evidence.values.shape == (2, 1, 6, 1)
        if share is None:
            assert evidence.test_fraction is None
            with pytest.raises(bk.InputError, match=r"no test is valid there; only means: nmc 0\.\d+, nn 0"):
                bk.judge(evidence)
        else:
            assert evidence.test_fraction == pytest.approx(share, abs=0.02)
            assert bk.judge(evidence).test == "repeated-cv-t"  # six splits test more rows than there are


def test_kept_predictions_and_probability_measures(tmp_path):
    plan = bk.Plan(
        ["nmc", "lgc"], ["wine"], folds="3-fold", seed=1, measures=["log_loss", "auc"], keep_predictions=True
    )
    evidence = bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)
    assert set(evidence.others) >= {"log_loss", "auc"}
    by_loss = bk.read(tmp_path / "r.db", measure="log_loss")
    assert (by_loss.measure, by_loss.larger_is_better) == ("log_loss", False)


def test_a_store_of_two_plans_asks_which_and_collect_returns_its_own(tmp_path):
    store = tmp_path / "r.db"
    one = bk.Plan(["nmc", "nn"], ["iris"], folds="3-fold")
    two = bk.Plan(["nmc", "nn"], ["wine"], folds="3-fold")
    for plan, name in ((one, "iris"), (two, "wine"), (one, "iris")):
        assert bk.collect(plan, store, engine="serial", progress=False).datasets == (name,)
    with pytest.raises(bk.InputError, match="store has 2 plans"):
        bk.read(store)
    assert bk.read(store, plan=two.fingerprint[:12]).datasets == ("wine",)
    told = json.loads(command("judge", store, "--plan", two.fingerprint[:8], "--json").stdout)
    assert told["comparison"]["means"] == pytest.approx(bk.read(store, plan=two.fingerprint).means())
    assert "no plan begins with 'zzz'" in command("judge", store, "--plan", "zzz").stderr


def test_an_unfinished_run_is_incomplete_evidence(tmp_path):
    from bestofk.collecting.cell.cell import run_cell
    from bestofk.stores.address import open_store
    from bestofk.stores.store import PlanRecord

    plan = bk.Plan(["nmc", "nn"], ["iris", "wine"], folds="5x2", seed=1)
    store = open_store(tmp_path / "r.db")
    store.record_plan(PlanRecord(plan.fingerprint, plan.to_text(), "2026-01-01T00:00:00+00:00"))
    for learner in plan.learners:
        store.write([run_cell(plan.datasets[0], learner, plan.folds, 1, 0, 2)])
    store.close()
    evidence = bk.read(tmp_path / "r.db")
    assert len(evidence.missing_cells()) == 2 * (20 - 4)
    with pytest.raises(bk.InputError, match="32 results are missing"):
        bk.judge(evidence)


def test_a_measure_of_two_classes_is_refused_on_three(tmp_path):
    bk.collect(bk.Plan(["nmc", "nn"], ["iris"], folds="3-fold"), tmp_path / "r.db", engine="serial", progress=False)
    with pytest.raises(bk.InputError, match=r"tpr.*2 classes.*iris.*3"):
        bk.read(tmp_path / "r.db", measure="tpr")
    assert bk.read(tmp_path / "r.db", measure="f1_macro").larger_is_better


def test_splitters_with_long_arrays_are_told_apart():
    from sklearn.model_selection import PredefinedSplit

    one, two = np.arange(1200) % 4, np.arange(1200) % 4
    two[[600, 601]] = two[[601, 600]]
    assert bk.Plan(["nmc", "nn"], ["iris"], folds=PredefinedSplit(one)).folds.spec != (
        bk.Plan(["nmc", "nn"], ["iris"], folds=PredefinedSplit(two)).folds.spec
    )


def test_a_splitter_that_trains_on_what_it_tests_is_refused():
    from sklearn.model_selection import BaseCrossValidator

    plan = bk.Plan(["nmc", "nn"], ["iris"], folds=Leaking())
    with pytest.raises(bk.InputError, match="trained on and tested"):
        plan.folds.split(plan.datasets[0], 0, 0)
    assert not issubclass(Leaking, BaseCrossValidator)


class Leaking:
    """Trains on everything."""

    def get_n_splits(self, X=None, y=None, groups=None):
        return 2

    def split(self, X, y=None, groups=None):
        rows = np.arange(len(X))
        return ((rows, rows[part::2]) for part in range(2))

    def __repr__(self):
        return "Leaking()"


def test_changed_code_is_another_learner(tmp_path):
    """A factory's class that was edited must not take the results of its old form."""
    text = "datasets = ['iris']\n[learners]\nmine = { factory = 'edited_learner:Constant' }\nnn = {}\n"
    prints = []
    for answer in (0, 1):
        write(
            tmp_path,
            f"""
            import numpy as np
            from sklearn.base import BaseEstimator, ClassifierMixin

            class Constant(ClassifierMixin, BaseEstimator):
                def fit(self, X, y):
                    self.classes_ = np.unique(y)
                    return self

                def predict(self, X):
                    return np.full(len(X), {answer})
            """,
            "edited_learner.py",
        )
        import linecache
        import sys

        sys.modules.pop("edited_learner", None)
        linecache.clearcache()
        plan = read_plan(write(tmp_path, text), allow_code=True)
        prints.append(plan.learners[0].fingerprint)
    assert prints[0] != prints[1]


def test_a_factory_that_fails_gets_three_lines(tmp_path):
    write(tmp_path, "def make():\n    raise RuntimeError('no such thing')\n", "failing_factory.py")
    path = write(tmp_path, "datasets = ['iris']\n[learners]\nmine = { factory = 'failing_factory:make' }\nnn = {}\n")
    answer = command("plan", "check", path, "--allow-code")
    assert answer.exit_code == 2
    assert "failing_factory:make failed: RuntimeError" in answer.stderr


def test_names_arrays_and_files_stand_side_by_side(tmp_path):
    """The plan of the README: a name, arrays and a file called data.csv in one list."""
    X, y = np.random.default_rng(0).random((40, 2)), np.arange(40) % 2
    file = write(tmp_path, "a,label\n" + "".join(f"{i},{i % 2}\n" for i in range(20)), "data.csv")
    plan = bk.Plan(learners={"lda": "lda", "nn": "nn"}, datasets=["wine", (X, y), str(file), (X, 1 - y)], folds="10x10")
    assert [each.name for each in plan.datasets] == ["wine", "arrays-2", "data", "arrays-4"]


def frame():
    import pandas as pd

    rows = np.arange(40)
    kinds = {"a": np.sqrt(rows), "code": rows % 3, "patient": rows // 2, "out": np.where(rows % 4 < 2, "x", "y")}
    return pd.DataFrame(kinds)


def test_a_frame_is_given_with_the_keys_of_toml(tmp_path):
    frame().to_csv(tmp_path / "mine.csv", index=False)
    options = {"target": "out", "groups": "patient", "nominal": ["code"]}
    python = bk.Plan(["nmc", "nn"], {"mine": {"data": frame(), **options}}, seed=1)
    table = '[datasets]\nmine = { file = "mine.csv", target = "out", groups = "patient", nominal = ["code"] }'
    file = read_plan(write(tmp_path, f'seed = 1\nlearners = ["nmc", "nn"]\n{table}'))
    (made,) = python.datasets
    assert [feature.nominal for feature in made.features] == [False, True]
    assert made.groups is not None
    assert python.fingerprint == file.fingerprint


def test_a_misspelt_key_of_a_data_set_gets_a_near_name():
    with pytest.raises(bk.InputError, match="unknown key 'targte'") as error:
        bk.Plan(["nmc", "nn"], {"mine": {"data": frame(), "targte": "out"}})
    assert "did you mean 'target'?" in error.value.fix


def test_a_missing_file_is_looked_for_beside_the_plan(tmp_path):
    (tmp_path / "mine.csv").write_text("a,class\n1,x\n")
    plan = write(tmp_path, 'learners = ["nmc", "nn"]\n[datasets]\nm = { file = "mien.csv" }')
    answer = command("plan", "check", plan)
    assert answer.exit_code == 2
    assert "did you mean 'mine.csv'?" in answer.output
    assert f"plan, {tmp_path.resolve()}" in answer.output


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[learners]\nnmc = {}\nk = { learner = 'knn', params = { n_neighbors = -3 } }", "n_neighbors"),
        (
            "folds = 'learning-curve-5x2-8'\n[learners]\nnmc = {}\n"
            "k = { learner = 'knn', params = { n_neighbors = 9 } }",
            "wants 9 neighbours, and the smallest training set has 7 rows",
        ),
    ],
)
def test_check_refuses_learners_that_cannot_be_trained(tmp_path, text, says):
    plan = write(tmp_path, f"datasets = ['iris']\n{text}")
    answer = command("plan", "check", plan)
    assert answer.exit_code == 2, answer.output
    assert says in answer.output
    assert len(answer.output.splitlines()) == 3


def test_check_refuses_forward_folds_that_tear_groups(tmp_path):
    rows = frame().assign(patient=np.arange(40) % 20)
    rows.to_csv(tmp_path / "mine.csv", index=False)
    table = "[datasets]\nm = { file = 'mine.csv', target = 'out', groups = 'patient' }"
    answer = command("plan", "check", write(tmp_path, f"folds = 'forward-5'\nlearners = ['nmc', 'nn']\n{table}"))
    assert answer.exit_code == 2
    assert "groups" in answer.output


def test_collect_ends_with_the_failing_learners_and_the_command_that_retries(tmp_path):
    (tmp_path / "faulty_learners.py").write_text(
        "from sklearn.naive_bayes import GaussianNB\n"
        "class Faulty(GaussianNB):\n    def fit(self, X, y):\n        raise ValueError('no use')\n"
    )
    text = "datasets = ['iris']\n[learners]\nnmc = {}\nbad = { factory = 'faulty_learners:Faulty' }"
    options = ["--into", tmp_path / "r.db", "--engine", "serial", "--allow-code", "--cell-timeout", "2m"]
    answer = command("collect", write(tmp_path, text), *options)
    assert answer.exit_code == 1, answer.output
    assert "bad: 10 failed folds on iris: ValueError: no use" in answer.output
    assert "failed again: bestofk" in answer.output
    assert "--retry-failed" in answer.output


@pytest.mark.parametrize("kind", ["learners", "datasets"])
@pytest.mark.parametrize("name", ["a\nb", " ", "tab\there"])
def test_names_that_cannot_be_printed_are_refused(kind, name):
    given = {"learners": {"max": "max", "nmc": "nmc"}, "datasets": {"iris": "iris"}}
    given[kind] = {**given[kind], name: "lda" if kind == "learners" else "wine"}
    with pytest.raises(bk.InputError, match="is called"):
        bk.Plan(**given, folds="5x2")


def test_plan_check_knows_c45_and_estimators_of_others():
    check_plan(bk.Plan(learners=["c45", "nmc"], datasets=["iris"], folds="5x2"))
    wrong = learner_of("c45", params={"confidence": 7})
    with pytest.raises(bk.InputError, match="confidence is 7"):
        check_plan(bk.Plan(learners={"c": wrong, "m": "max"}, datasets=["iris"], folds="5x2"))


@pytest.mark.parametrize("value", ["5", "1.5", "{}", "nan", "1979-05-27", "[{}]"])
@pytest.mark.parametrize("key", ["file", "target", "groups", "ordered", "nominal", "drop", "task", "openml"])
def test_values_of_a_wrong_type_in_a_plan_are_no_traceback(tmp_path, key, value):
    (tmp_path / "mine.csv").write_text("a,b,out\n" + "".join(f"{i},{i % 3},{'xy'[i % 2]}\n" for i in range(40)))
    entry = {"file": '"mine.csv"', "target": '"out"', key: value}
    table = ", ".join(f"{name} = {text}" for name, text in entry.items())
    plan = write(tmp_path, f'learners = ["max", "nmc"]\n[datasets]\nmine = {{ {table} }}\n')
    assert command("plan", "check", plan).exit_code == 2
