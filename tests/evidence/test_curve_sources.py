"""Curves from the programs that write them: TensorBoard, Weights & Biases, MLflow, Lightning, Keras, scikit-learn."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.evidence import Curves
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.table_kind import evidence_from_table
from bestofk.evidence.objects import are_curve_objects, curves_from_objects
from bestofk.evidence.programs.training import learners_and_runs
from bestofk.evidence.reading import read_evidence
from bestofk.evidence.result_files import are_files
from bestofk.evidence.step_grids import OneCurve, aligned, refuse_other_steps, unequal_grids
from bestofk.tables.frames import table_from_columns

# Written by TensorBoard 2.21.0: /data/plugin/scalars/scalars?tag=eval/success_rate&run=…&format=csv
TENSORBOARD = {
    "ppo_seed1": (0.3386455476284027, 0.49348336458206177, 0.6019901037216187, 0.7270637154579163),
    "ppo_seed2": (0.25, 0.40, 0.55, 0.70),
    "dqn_seed1": (0.2, 0.3, 0.4, 0.5),
    "dqn_seed2": (0.1, 0.2, 0.3, 0.4),
}


def tensorboard_files(folder, tag="eval_success_rate", runs=TENSORBOARD, steps=(0, 10, 20, 30)):
    paths = []
    for run, values in runs.items():
        lines = [
            f"{1.7e9 + 3.25 * i},{step},{value}" for i, (step, value) in enumerate(zip(steps, values, strict=False))
        ]
        path = folder / f"run-{run}-tag-{tag}.csv"
        path.write_text("Wall time,Step,Value\n" + "\n".join(lines) + "\n")
        paths.append(path)
    return paths


@dataclass(frozen=True)
class AligningRequest(Request):
    """A request as it will be when reading takes align=."""

    align: str | None = None


def notes(found):
    return " ".join(found.origin.notes)


def test_tensorboard_files_are_one_run_each(tmp_path):
    found = read_evidence(tensorboard_files(tmp_path))
    assert isinstance(found, Curves)
    assert (found.learners, found.runs) == (("ppo", "dqn"), (("1", "2"), ("1", "2")))
    assert (found.measure, found.larger_is_better, found.steps) == ("eval_success_rate", True, (0, 10, 20, 30))
    np.testing.assert_array_equal(found.values[0][0], TENSORBOARD["ppo_seed1"])
    assert "the file name 'ppo_seed1' was read as learner 'ppo', run '1'" in notes(found)


def test_tensorboard_of_one_run_by_itself_is_refused(tmp_path):
    path = tensorboard_files(tmp_path)[0]
    with pytest.raises(InputError, match="which learner each run is of"):
        read_evidence(path)


def test_tensorboard_of_several_tags_asks_which(tmp_path):
    paths = tensorboard_files(tmp_path) + tensorboard_files(tmp_path, tag="train_loss")
    with pytest.raises(InputError, match="2 measures: eval_success_rate, train_loss"):
        read_evidence(paths)
    assert read_evidence(paths, measure="train_loss", larger_is_better=False).measure == "train_loss"


def test_tensorboard_by_name(tmp_path):
    paths = tensorboard_files(tmp_path, tag="loss")
    found = read_evidence({"a": paths[0], "b": paths[2]}, measure="loss")
    assert (found.learners, [len(each) for each in found.values]) == (("a", "b"), [1, 1])


def wandb_chart(runs, metric="val/acc"):
    """A chart's export: every cell quoted, three columns a run, a row for every step that any run logged."""
    head = ["Step", *(f"{run} - {metric}{end}" for run in runs for end in ("", "__MIN", "__MAX"))]
    rows = [
        [str(step), *(str(values[i]) for values in runs.values() for _ in range(3))]
        for i, step in enumerate((0, 5, 10))
    ]
    return "\n".join(",".join(f'"{cell}"' for cell in row) for row in (head, *rows)) + "\n"


WANDB = wandb_chart({"adam-seed-1": (0.5, "", 0.7), "sgd-seed-1": (0.4, "", 0.6), "adam-seed-2": (0.52, "", 0.72)})


def test_weights_and_biases_chart(tmp_path):
    path = tmp_path / "wandb_export_2026-11-16T02_00_00.000+00_00.csv"
    path.write_text(WANDB)
    found = read_evidence(path)
    assert isinstance(found, Curves)
    assert (found.learners, found.runs) == (("adam", "sgd"), (("1", "2"), ("1",)))
    assert (found.measure, found.steps) == ("val_acc", (0, 10))
    np.testing.assert_array_equal(found.values[0], [[0.5, 0.7], [0.52, 0.72]])


def test_weights_and_biases_of_two_metrics_asks_which(tmp_path):
    path = tmp_path / "chart.csv"
    more = ["Step", "a - acc", "a - acc__MIN", "a - acc__MAX", "b - acc", "b - acc__MIN", "b - loss", "b - loss__MIN"]
    path.write_text(",".join(f'"{name}"' for name in more) + "\n1,.5,.5,.5,.4,.4,3,3\n2,.6,.6,.6,.5,.5,2,2\n")
    with pytest.raises(InputError, match="2 measures: acc, loss"):
        read_evidence(path)
    assert read_evidence(path, measure="acc").learners == ("a", "b")


def mlflow_columns(**more):
    """As the page of a metric downloads it: run_id,key,value,step,timestamp."""
    rows = [(run, key, step) for run in ("0f3a", "9bc1", "77de") for key in ("val_loss", "lr") for step in (0, 1, 2)]
    return {
        "run_id": [row[0] for row in rows],
        "key": [row[1] for row in rows],
        "value": [0.9 - 0.1 * row[2] for row in rows],
        "step": [row[2] for row in rows],
        "timestamp": [1763258400000 + i for i in range(len(rows))],
        **{name: [words[row[0]] for row in rows] for name, words in more.items()},
    }


def read_columns(columns, **request):
    return evidence_from_table(table_from_columns(columns, "columns"), AligningRequest(**request))


def test_mlflow_metrics():
    with pytest.raises(InputError, match="nothing says which learner"):
        read_columns(mlflow_columns(), measure="val_loss")
    with pytest.raises(InputError, match="2 measures: val_loss, lr"):
        read_columns(mlflow_columns(learner={"0f3a": "a", "9bc1": "a", "77de": "b"}))
    found = read_columns(mlflow_columns(learner={"0f3a": "a", "9bc1": "a", "77de": "b"}), measure="val_loss")
    assert (found.learners, found.runs, found.steps) == (("a", "b"), (("0f3a", "9bc1"), ("77de",)), (0, 1, 2))
    named = read_columns(
        mlflow_columns(run_name={"0f3a": "a-run1", "9bc1": "a-run2", "77de": "b-run1"}), measure="val_loss"
    )
    assert (named.learners, named.runs) == (("a", "b"), (("1", "2"), ("1",)))


# lightning CSVLogger: one row per call, empty where a metric was not logged
LIGHTNING = "epoch,step,train_loss,val_acc\n0,9,1.2,\n0,9,,{0}\n1,19,0.9,\n1,19,,{1}\n"


def test_lightning_logs_with_blanks(tmp_path):
    for name, values in {"wide_seed0": (0.5, 0.6), "wide_seed1": (0.5, 0.7), "deep_seed0": (0.4, 0.8)}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "metrics.csv").write_text(LIGHTNING.format(*values))
    paths = sorted(tmp_path.glob("*/metrics.csv"))
    with pytest.raises(InputError, match="2 measures: val_acc, train_loss"):
        read_evidence(paths)
    found = read_evidence(paths, measure="val_acc")
    assert (found.learners, found.steps) == (("deep", "wide"), (9, 19))
    np.testing.assert_array_equal(found.values[1], [[0.5, 0.6], [0.5, 0.7]])
    assert "rows without val_acc" in notes(found)


def test_keras_logs(tmp_path):
    for name, last in {"big_1": 0.4, "big_2": 0.3, "small_1": 0.5, "small_2": 0.6}.items():
        (tmp_path / f"{name}.csv").write_text(f"epoch,accuracy,loss,val_loss\n0,0.5,0.9,0.8\n1,0.6,0.7,{last}\n")
    found = read_evidence(sorted(tmp_path.glob("*.csv")), measure="val_loss")
    assert (found.learners, found.runs) == (("big", "small"), (("1", "2"), ("1", "2")))
    assert found.steps == (0, 1)
    for path in tmp_path.glob("*.csv"):  # as other loggers group metrics
        path.write_text(path.read_text().replace("val_", "val/"))
    assert read_evidence(sorted(tmp_path.glob("*.csv")), measure="val/loss").larger_is_better is False


@dataclass
class KerasHistory:
    """What ``Model.fit`` of Keras returns, as far as anybody reads it."""

    history: dict


def test_histories_of_runs():
    runs = {
        "big": [
            KerasHistory({"loss": [0.9, 0.7], "val_loss": [0.8, 0.6]}),
            {"loss": [0.9, 0.6], "val_loss": [0.9, 0.5]},
        ],
        "small": {"loss": [0.9, 0.8], "val_loss": [0.8, 0.7]},
    }
    assert are_curve_objects(runs)
    found = curves_from_objects(runs, Request(measure="val_loss"))
    assert (found.learners, [len(each) for each in found.values], found.steps) == (("big", "small"), [2, 1], (1, 2))
    assert found.larger_is_better is False
    with pytest.raises(InputError, match="2 measures: val_loss, loss"):
        curves_from_objects(runs, Request())
    with pytest.raises(InputError, match="unknown measure 'f1'"):
        curves_from_objects(runs, Request(measure="f1"))
    short = {**runs, "small": {"loss": [0.9], "val_loss": [0.8]}}
    with pytest.raises(InputError, match="learner small, run 1 has no step 2") as error:
        refuse_other_steps(curves_from_objects(short, Request(measure="loss")))
    assert "--align" not in error.value.fix  # one step in common: too few


def test_histories_of_one_epoch_are_curves():
    found = read_evidence({name: [{"loss": [0.9]}] * 3 for name in "ab"})
    assert isinstance(found, Curves)
    assert ([each.shape for each in found.values], found.steps, found.costs) == ([(3, 1), (3, 1)], (1,), {})


def test_names_of_learners_in_histories_are_kept():
    names = (" a", "a", "a b", "a  b")
    assert read_evidence({name: {"loss": [0.9, 0.8]} for name in names}).learners == names


@pytest.mark.parametrize("metric", ["fold", "item", "id", "task", "seed", "run", "learner", "truth", "fit time"])
def test_metrics_of_histories_may_have_any_name(metric):
    found = read_evidence({"a": {metric: [0.9, 0.8]}, "b": {metric: [0.7, 0.6]}}, larger_is_better=False)
    assert (found.measure, found.learners, found.steps) == (metric, ("a", "b"), (1, 2))
    np.testing.assert_array_equal(np.concatenate(found.values), [[0.9, 0.8], [0.7, 0.6]])


def test_cross_validate_outputs_are_no_histories():
    output = {"fit_time": [0.1, 0.2], "score_time": [0.1, 0.1], "test_score": [0.5, 0.6]}
    assert not are_curve_objects({"a": output, "b": output})
    assert not are_curve_objects({"a": [0.1, 0.2], "b": [0.3, 0.4]})
    assert not are_curve_objects({})


def test_learning_curves_of_scikit_learn():
    from sklearn.datasets import load_iris
    from sklearn.model_selection import learning_curve
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    x, y = load_iris(return_X_y=True)
    options = {"cv": 4, "train_sizes": [20, 40, 80], "shuffle": True, "random_state": 0}
    bayes, tree = (
        learning_curve(each, x, y, **options) for each in (GaussianNB(), DecisionTreeClassifier(random_state=0))
    )
    named = dict(zip(("train_sizes", "train_scores", "test_scores"), tree, strict=True))
    assert are_curve_objects({"bayes": bayes, "tree": named})
    found = curves_from_objects({"bayes": bayes, "tree": named}, Request(measure="accuracy"))
    assert (found.learners, found.steps, found.larger_is_better) == (("bayes", "tree"), (20, 40, 80), True)
    np.testing.assert_array_equal(found.values[0], bayes[2].T)
    np.testing.assert_array_equal(found.values[1], tree[2].T)
    assert bk.judge(found).scope == "learner"  # folds of one data set, not seeds on one test set
    assert "scikit-learn's convention" in notes(curves_from_objects({"bayes": bayes, "tree": named}, Request()))


def test_several_files_a_learner(tmp_path):
    paths = tensorboard_files(tmp_path)
    source = {"mine": paths[:2], "theirs": [str(path) for path in paths[2:]]}
    assert are_files(source)
    found = read_evidence(source)
    assert (found.learners, found.runs) == (("mine", "theirs"), (("1", "2"), ("1", "2")))
    assert found.measure == "eval_success_rate"
    for name in ("x", "y", "z"):
        (tmp_path / f"{name}.csv").write_text(LIGHTNING.format(0.5, 0.6))
    logs = {"a": [tmp_path / "x.csv", tmp_path / "y.csv"], "b": [tmp_path / "z.csv"]}
    assert read_evidence(logs, measure="val_acc").runs == (("1", "2"), ("1",))
    (tmp_path / "scores.csv").write_text("fold,acc\n1,0.5\n")
    with pytest.raises(InputError, match="no column has the"):
        read_evidence({"a": [tmp_path / "scores.csv"], "b": [paths[0]]})
    assert not are_files({"a": [0.1, 0.2]})
    assert not are_files({"a": paths[0], "b": [paths[0]]})


def test_pairs_are_put_in_the_same_order():
    facts = {"learners": ("a", "b"), "values": ([[1, 2], [3, 4]], [[5, 6], [7, 8]]), "measure": "loss"}
    found = Curves(**facts, larger_is_better=False, runs=(("s1", "s2"), ("s2", "s1")))
    np.testing.assert_array_equal(found.paired_losses()["b"], [[7, 8], [5, 6]])
    np.testing.assert_array_equal(found.paired_losses()["a"], [[1, 2], [3, 4]])
    other = Curves(**facts, larger_is_better=False, runs=(("s1", "s2"), ("s2", "s3")))
    with pytest.raises(InputError, match="run 's1', learner b"):
        other.paired_losses()


# --- unequal grids ----------------------------------------------------------------------------------------------------

ONE = OneCurve("a", "1", np.array([1.0, 2.0, 4.0, 8.0]), np.array([8.0, 6.0, 4.0, 2.0]))
TWO = OneCurve("b", "1", np.array([2.0, 3.0, 4.0, 6.0, 8.0]), np.array([5.0, 4.5, 3.0, 2.0, 1.0]))


def test_unequal_grids_are_refused_with_an_offer():
    error = unequal_grids([ONE, TWO], "curves")
    assert "learner a, run 1 has no step 3" in error.wrong
    assert '--align common (align="common")' in error.fix
    assert '--align interpolate (align="interpolate")' in error.fix


def test_only_ways_that_can_be_gone_are_offered():
    far = OneCurve("b", "1", np.array([10.0, 20.0]), np.array([1.0, 2.0]))
    assert "--align" not in unequal_grids([ONE, far], "curves").fix
    with pytest.raises(InputError) as error:
        aligned([ONE, replace(TWO, steps=TWO.steps + 0.5)], "common")
    assert "--align interpolate" in error.value.fix


@pytest.mark.parametrize("how", ["common", "interpolate"])
def test_a_curve_that_failed_has_no_value_from_there_on_where_curves_are_aligned(how):
    gap = replace(TWO, values=np.array([5.0, 4.5, np.nan, 2.0, 1.0]))
    steps, values, _ = aligned([ONE, gap], how)
    assert steps.tolist() == ONE.steps.tolist()
    assert np.isnan(values[1][steps >= 4]).all()
    assert np.isnan(aligned([ONE, replace(TWO, values=np.full(5, np.nan))], how)[1][1]).all()


def test_common_steps_and_lines_between_points():
    steps, values, note = aligned([ONE, TWO], "common")
    assert steps.tolist() == [2, 4, 8]
    assert values[1].tolist() == [5.0, 3.0, 1.0]
    assert "5 at most: align='common'" in note
    steps, values, _ = aligned([ONE, TWO], "interpolate")
    assert steps.tolist() == [2, 4, 8]  # the steps of the curve with the fewest, between 2 and 8
    assert values[0].tolist() == [6.0, 4.0, 2.0]
    finer = OneCurve("a", "1", np.array([1.0, 7.0, 9.0]), np.array([8.0, 2.0, 0.0]))
    steps, values, _ = aligned([finer, TWO], "interpolate")
    assert steps.tolist() == [2, 3, 4, 6, 8]  # one step alone would be no curve
    np.testing.assert_allclose(values[0], [7.0, 6.0, 5.0, 3.0, 1.0])


def test_equal_grids_are_left_alone():
    steps, _, note = aligned([ONE, replace(ONE, learner="b")], "interpolate")
    assert (steps.tolist(), note) == ([1, 2, 4, 8], "")


def test_what_cannot_be_aligned():
    far = OneCurve("b", "1", np.array([10.0, 20.0]), np.array([1.0, 2.0]))
    for how in ("common", "interpolate", "relative"):
        with pytest.raises(InputError, match=f"align is '{how}', which leaves no two steps") as error:
            aligned([ONE, far], how)
        assert "--align" not in error.value.fix
    with pytest.raises(InputError, match="unknown align 'nearest'"):
        Request(align="nearest")


def uneven():
    return {"learner": list("aaabb"), "run": [1] * 5, "step": [1, 2, 4, 1, 4], "loss": [0.9, 0.7, 0.5, 0.8, 0.2]}


def test_tables_are_aligned_where_asked_and_say_so():
    with pytest.raises(InputError, match="the curve of learner b, run 1 has no step 2") as error:
        refuse_other_steps(read_columns(uneven()))
    assert 'align="common"' in error.value.fix
    found = read_columns(uneven(), align="common")
    assert found.steps == (1, 4)
    assert "align='common'" in notes(found)
    assert "align='interpolate'" in notes(read_columns(uneven(), align="interpolate"))


def test_a_missing_point_is_named():
    columns = uneven() | {"step": [1, 2, 4, 1, 2], "loss": [0.9, None, 0.5, 0.8, 0.2]}
    columns = {name: [*values, values[-1]] for name, values in columns.items()} | {"step": [1, 2, 4, 1, 2, 4]}
    found = read_columns(columns)
    assert found.missing() == ("learner a, run 1, step 2",)


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        (["ppo-seed3", "dqn seed 4"], (("ppo", "3"), ("dqn", "4"))),
        (["a_fold_1", "a_fold_2"], (("a", "1"), ("a", "2"))),
        (["a_1", "a_2", "b_1", "b_2"], (("a", "1"), ("a", "2"), ("b", "1"), ("b", "2"))),
        (["resnet-18", "resnet-50"], None),
        (["a_1", "a_2", "b_1"], None),
        (["version_0", "version_1"], None),
        (["lda", "knn"], None),
        (["gpt-4", "llama-3"], None),
    ],
)
def test_names_of_runs(names, parts):
    assert learners_and_runs(names) == parts
