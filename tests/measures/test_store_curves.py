"""ROC curves and thresholds straight from a store: truths kept in cells, folds respected, old cells still read."""

import base64
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

import bestofk as bk
from bestofk.cli import main
from bestofk.collecting.cell.cell import run_cell
from bestofk.collecting.cell.tally import joined
from bestofk.design.plan.cell import CellKey
from bestofk.stores.cell_format import pack, unpack
from bestofk.stores.cells import part
from bestofk.stores.memory import MemoryStore
from bestofk.stores.sqlite.store import SQLiteStore
from bestofk.testing.store import same_cell, sample_cell
from collecting_toys import Halves, toy_dataset, toy_learner
from makers_items import refused
from makers_measures import pairs_of

OLD = json.loads((Path(__file__).parents[1] / "golden" / "cells" / "before_truths.json").read_text(encoding="utf-8"))
PLAN = """seed = 1
folds = "{folds}"
keep_predictions = {keep}
learners = [{learners}]
[datasets]
toy = {{ file = "toy.csv", target = "class" }}
"""


@pytest.fixture(scope="module")
def rows():
    """Two classes, x1 tells them apart, x2 hardly."""
    rng = np.random.default_rng(0)
    y = np.arange(120) % 3 == 0
    return np.round(np.column_stack([y + rng.normal(0, 0.8, 120), 0.2 * y + rng.normal(0, 1, 120)]), 3), y


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture(scope="module")
def stores(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("stores")
    lines = [f"{a},{b},{'sick' if sick else 'healthy'}" for (a, b), sick in zip(*rows, strict=True)]
    (folder / "toy.csv").write_text("x1,x2,class\n" + "\n".join(lines) + "\n")
    made = {}

    def store(folds="6-fold-stratified", keep="true", learners='"naive-bayes", "tree", "max"'):
        key = (folds, keep, learners)
        if key not in made:
            path = folder / f"{len(made)}"
            path.with_suffix(".toml").write_text(PLAN.format(folds=folds, keep=keep, learners=learners))
            done = run("collect", path.with_suffix(".toml"), "--into", path.with_suffix(".db"), "--engine", "serial")
            assert done.exit_code == 0, done.output
            made[key] = path.with_suffix(".db")
        return made[key]

    return store


def kept(path):
    with SQLiteStore(path) as store:
        return {cell.key.learner: cell for cell in store.read()}


def test_areas_of_every_fold_from_a_collected_store(stores, rows):
    path = stores()
    verdict = bk.judge(path, on="roc")
    cells = kept(path)
    for k, name in enumerate(verdict.comparison.learners):
        cell = cells[name]
        expected = [roc_auc_score(cell.truths[0, f], cell.probabilities[0, f][:, 1]) for f in range(6)]
        assert verdict.evidence.vectors[k, 0, 0, :, 0] == pytest.approx(expected)
        assert verdict.roc.areas[name] == pytest.approx(np.mean(expected))
    assert (verdict.comparison.kind, verdict.comparison.test, verdict.comparison.sample.units) == (
        "folds",
        "corrected-t",
        6,
    )
    assert (verdict.evidence.positive, verdict.roc.folds) == ("sick", 6)
    mean = bk.stats.roc.average_curve(
        [cells["tree"].truths[0, f] for f in range(6)], [cells["tree"].probabilities[0, f][:, 1] for f in range(6)]
    )
    assert np.allclose(verdict.roc.curves["tree"], np.stack([mean.fpr, mean.tpr], axis=-1))


def test_pairs_of_areas_are_those_of_the_corrected_t_test(stores):
    verdict = bk.judge(stores(), on="roc", adjust="none")
    areas = dict(zip(verdict.comparison.learners, verdict.evidence.vectors[:, 0, 0, :, 0], strict=True))
    for pair in pairs_of(verdict):
        alone = bk.stats.pairwise.corrected_t(areas[pair.first], areas[pair.second], test_fraction=1 / 6)
        assert abs(pair.statistic) == pytest.approx(abs(alone.statistic))
        assert pair.pvalue == pytest.approx(alone.pvalue)
    assert verdict.best == "naive-bayes" or verdict.status == "tied"
    assert verdict.order == ("naive-bayes", "tree", "max")


def test_truths_are_the_classes_of_the_test_rows(rows):
    dataset = toy_dataset(classes=3)
    result = run_cell(dataset, toy_learner("nb", GaussianNB), Halves(2), 1, 0, 2, keep_predictions=True)
    fold = Halves(2).split(dataset, 1, 1)[0]
    assert np.array_equal(result.truths[1, 0], dataset.y[fold.test])
    assert result.truths[1, 0].dtype == np.uint8
    assert run_cell(dataset, toy_learner("nb", GaussianNB), Halves(2), 1, 0, 2).truths is None
    whole = joined([part(result, 0, 1), part(result, 1, 2)])
    assert same_cell(replace(whole, key=result.key), replace(result, key=result.key))


def test_areas_agree_with_scikit_learn(stores, rows):
    """Naive Bayes on scikit-learn's own folds: cross_val_predict and roc_auc_score are the judges."""
    from sklearn.model_selection import StratifiedKFold

    x, y = rows
    splitter = StratifiedKFold(4, shuffle=True, random_state=3)
    plan = bk.Plan(
        {"nb": GaussianNB(), "narrow": GaussianNB(var_smoothing=1.0)}, [(x, y)], folds=splitter, keep_predictions=True
    )
    store = stores().with_name("sklearn.db")
    verdict = bk.judge(bk.collect(plan, store, engine="serial", progress=False), on="roc")
    chances = cross_val_predict(GaussianNB(), x, y, cv=splitter, method="predict_proba")[:, 1]
    expected = [roc_auc_score(y[test], chances[test]) for _, test in splitter.split(x, y)]
    assert np.sort(verdict.evidence.vectors[0].ravel()) == pytest.approx(np.sort(expected))


def test_thresholds_from_a_store(stores):
    path = stores()
    verdict = bk.judge(path, on="tpr@0.3,fpr@0.3,tpr@0.6,fpr@0.6")
    assert verdict.comparison.test == "threshold-test"
    cell = kept(path)["naive-bayes"]
    truth, said = cell.truths[0, 2], cell.probabilities[0, 2][:, 1] >= 0.6
    row = verdict.evidence.rows()[verdict.comparison.learners.index("naive-bayes"), 2]
    assert row[2:] == pytest.approx([said[truth == 1].mean(), said[truth == 0].mean()])
    half = bk.judge(path, on="tpr@0.5,fpr@0.5")
    counted = bk.judge(path, on="tpr,fpr")
    assert half.comparison.means_of("tpr@0.5")["naive-bayes"] == counted.comparison.means_of("tpr")["naive-bayes"]
    assert counted.roc.areas == pytest.approx(bk.judge(path, on="roc").roc.areas)  # curves stand beside counts


def test_replications_keep_their_shape(stores):
    path = stores(folds="5x2")
    verdict = bk.judge(path, on="roc")
    assert verdict.evidence.vectors.shape == (3, 1, 5, 2, 1)
    assert verdict.comparison.sample.share == 0.5
    with pytest.raises(bk.InputError, match="are 5 replications"):
        bk.judge(path, on="roc", test="delong")


def test_all_items_together_where_it_is_asked_for(stores):
    path = stores()
    verdict = bk.judge(path, on="roc", test="delong")
    cells = kept(path)
    truth = np.concatenate([cells["tree"].truths[0, f] for f in range(6)])
    scores = [np.concatenate([cells[n].probabilities[0, f][:, 1] for f in range(6)]) for n in ("naive-bayes", "tree")]
    alone = bk.stats.roc.delong(truth, *scores, tail="t")
    assert verdict.comparison.pair("naive-bayes", "tree").pvalue == pytest.approx(alone.pvalue)
    assert (verdict.comparison.sample.units, verdict.roc.folds) == (120, 1)


@pytest.mark.parametrize("suffix", ["html", "md", "tex", "json", "txt"])
def test_reports_of_areas_of_folds(stores, suffix):
    found = run("report", stores(), "--on", "roc", "-o", "-", "--format", suffix)
    assert found.exit_code in (0, 1)
    text = found.stdout
    if suffix == "json":
        assert json.loads(text)["comparison"]["choice"]["test"] == "corrected-t"
    else:
        assert "corrected" in text
        assert "ROC curves of 6" in " ".join(text.split())
        assert "DeLong" not in text


def test_the_recipe_of_a_store_makes_it_again(stores):
    from bestofk.reporting.page import recipe_of

    verdict = bk.judge(stores(), on="roc")
    found = {}
    exec(recipe_of(verdict).code.replace("print(verdict)", ""), found)
    assert found["verdict"].roc.areas == verdict.roc.areas


@pytest.mark.parametrize("on", ["roc", "tpr@0.3,fpr@0.3"])
def test_a_store_without_probabilities_says_how_to_collect_them(stores, on):
    answer = run("judge", stores(keep="false"), "--on", on)
    assert answer.exit_code == 2
    what, where, fix = answer.stderr.splitlines()
    assert "ROC curves and thresholds" in what
    assert where.startswith("  where: judge, argument on, ")
    assert "keep_predictions = true" in fix


def changed(path, change):
    """A copy in memory, judged as scores of the store: its cells passed through a function."""
    target = path.with_name(f"changed{abs(hash(change)) % 10**9}.db")
    target.unlink(missing_ok=True)
    with SQLiteStore(path) as source, SQLiteStore(target) as store:
        for plan in source.plans():
            store.record_plan(plan)
        store.write([change(cell) for cell in source.read()])
    return target


def test_learners_without_probabilities_are_named(stores):
    path = changed(stores(), lambda cell: replace(cell, probabilities=None) if cell.key.learner == "max" else cell)
    answer = run("judge", path, "--on", "roc")
    assert answer.exit_code == 2
    assert "and max gave none" in answer.stderr
    assert "--learners naive-bayes,tree" in answer.stderr
    assert run("judge", path, "--on", "roc", "--learners", "naive-bayes,tree").exit_code in (0, 1)


def test_a_store_of_an_older_version_is_told_from_one_without(stores):
    path = changed(stores(), lambda cell: replace(cell, truths=None))
    answer = run("judge", path, "--on", "roc")
    assert (answer.exit_code, "truth of the test" in answer.stderr) == (2, True)
    assert run("judge", path, "--on", "tpr,fpr").exit_code in (0, 1)


def test_the_truth_of_one_learner_serves_all(stores):
    """A store that an older version began and this one finished: folds are the same for all learners."""
    path = changed(stores(), lambda cell: replace(cell, truths=None) if cell.key.learner == "tree" else cell)
    assert bk.judge(path, on="roc").roc.areas == bk.judge(stores(), on="roc").roc.areas


def test_a_failed_fold_is_a_missing_area(stores):
    def failing(cell):
        if cell.key.learner != "tree":
            return cell
        kept_folds = {at: each for at, each in cell.probabilities.items() if at != (0, 4)}
        line = tuple("ValueError: no" if f == 4 else "" for f in range(6))
        return replace(cell, failures=(line,), probabilities=kept_folds)

    path = changed(stores(), failing)
    for on in ("roc", "tpr@0.3,fpr@0.3"):
        answer = run("judge", path, "--on", on)
        assert answer.exit_code == 2
        assert "learner tree, fold 5" in answer.stderr
        dropped = bk.judge(path, on=on, missing="drop-learners")
        assert set(dropped.order) == {"naive-bayes", "max"}
        assert set(dropped.roc.areas) == {"naive-bayes", "max"}


def test_a_fold_of_one_class_has_no_curve(stores):
    def one_class(cell):
        return replace(cell, truths={at: each * (at != (0, 1)) for at, each in cell.truths.items()})

    path = changed(stores(), one_class)
    answer = run("judge", path, "--on", "roc")
    assert answer.exit_code == 2
    assert "1 fold of 6" in answer.stderr
    assert "fold 2" in answer.stderr
    assert "--test delong" in answer.stderr
    assert run("judge", path, "--on", "roc", "--test", "delong").exit_code in (0, 1)


def test_undefined_rates_at_a_threshold_are_ruled_on(stores):
    answer = run("judge", stores(), "--on", "precision@0.99,recall@0.99")
    assert answer.exit_code == 2
    assert "precision@0.99 is 0/0" in answer.stderr
    assert "never says positive" in answer.stderr
    assert "another threshold" in answer.stderr
    verdict = bk.judge(stores(), on="precision@0.99,recall@0.99", undefined=0, test="hotelling")
    assert [each["max"] for each in verdict.comparison.measure_means.values()][-2:] == [0.0, 0.0]


def test_other_tests_of_areas_are_refused(stores):
    with pytest.raises(bk.InputError, match="wilcoxon"):
        bk.judge(stores(), on="roc", test="wilcoxon")
    assert bk.judge(stores(), on="roc", test="paired-t").comparison.test == "paired-t"
    with pytest.raises(bk.InputError, match="no threshold of a"):
        bk.judge(stores(), on="tpr@1.5,fpr@0.3")


@pytest.mark.parametrize("version", ["1", "2"])
def test_cells_packed_before_truths_are_read_as_they_were(version):
    key = CellKey(*OLD["key"])
    blob = base64.b64decode(OLD["blobs"][version])
    assert blob[3] == int(version)
    cell = unpack(key, blob, where="golden")
    assert cell.truths is None
    assert {f"{r}/{f}": each.tolist() for (r, f), each in cell.predictions.items()} == OLD["predictions"]
    assert {f"{r}/{f}": each.tolist() for (r, f), each in cell.probabilities.items()} == OLD["probabilities"]
    assert pack(cell) == blob  # and written as before, so that older versions read them


def test_cells_with_truths_have_a_format_of_their_own():
    cell = replace(sample_cell(), truths={(0, 0): np.array([0, 2, 1, 1], dtype=np.uint8)})
    blob = pack(cell)
    assert blob[3] == 3
    assert same_cell(unpack(cell.key, blob, where="here"), cell)
    store = MemoryStore()
    store.write([cell])
    assert same_cell(next(store.read()), cell)


def test_a_complete_table_brings_truths_along(stores, tmp_path):
    assert run("store", "export", stores(), tmp_path / "e.csv", "--complete").exit_code == 0
    assert run("store", "merge", tmp_path / "new.db", tmp_path / "e.csv").exit_code == 0
    assert bk.judge(tmp_path / "new.db", on="roc").roc.areas == bk.judge(stores(), on="roc").roc.areas
    assert run("judge", tmp_path / "e.csv", "--on", "tpr,fpr").exit_code in (0, 1)


def test_costs_of_folds_that_shared_their_work_are_refused_with_the_way_out(stores):
    store = stores(folds="60x2", keep="false", learners='"naive-bayes", "max"')
    found = run("judge", store, "--on", "accuracy,fit-seconds")
    assert found.exit_code == 2
    assert "fit_time is not known of 220 folds: they shared their work" in found.output
    assert "--no-sharing" in found.output


def test_folds_in_other_groups_than_they_were_collected_in_are_refused(stores):
    with pytest.raises(bk.InputError, match="collected as 1 × 6 and read as 2 × 3"):
        bk.read(stores(), on="recalls", replications=2)


def test_a_threshold_is_known_in_capitals_too(stores):
    capitals, small = (bk.judge(stores(), on=names).comparison for names in ("TPR@0.5,FPR@0.5", "tpr@0.5,fpr@0.5"))
    assert list(capitals.measure_means.values()) == list(small.measure_means.values())


@pytest.mark.parametrize("test", ["auto", "delong"])
def test_a_bootstrap_tested_on_the_full_set_has_no_test_of_areas(stores, test):
    path = stores(folds="bootstrap-10", learners='"naive-bayes", "tree"')
    refused(path, "--on", "roc", "--test", test, wrong="no test is valid", fix="bootstrap-10-oob")


def test_areas_of_bootstrap_samples_are_tested_as_many_random_splits(stores):
    path = stores(folds="bootstrap-10-oob", learners='"naive-bayes", "tree"')
    refused(path, "--on", "roc", "--test", "delong", wrong="10 random splits", fix="--test auto")
    assert bk.judge(path, on="roc").comparison.test == "repeated-cv-t"
