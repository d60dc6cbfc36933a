"""Collecting with work shared across folds: the same results as fold by fold, and told what was shared."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bestofk as bk
from bestofk.cli import main
from bestofk.collecting.cell import shared_ways
from bestofk.collecting.cell.cell import run_cell
from bestofk.collecting.cell.shared_ways import (
    ENOUGH,
    MEASURED,
    MOST_ROWS,
    ROWS,
    WAYS,
    WORD,
    Ways,
    bytes_in,
    replications_together,
)
from bestofk.collecting.run.collect import collect_plan, sharing_lines
from bestofk.collecting.run.jobs import Done, Jobs, Setting, missing_work
from bestofk.collecting.run.report import Interrupted
from bestofk.core.compiled import compiled_wanted
from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.datasets.index import Index
from bestofk.design.folds.shelf import folds_of
from bestofk.design.learners import learner_of
from bestofk.sharing.way import plain_predictions
from bestofk.stores.cell_format import pack, unpack
from bestofk.stores.memory import MemoryStore
from bestofk.stores.notes import Notes, notes_of, shared_in, shared_places
from bestofk.testing.design import example_datasets
from collecting_toys import Constant, Toy, rows_of, toy_dataset, toy_learner, toy_regression
from makers import slow

LEARNERS = ("max", "nmc", "nn", "lda", "qda", "knn", "naive-bayes")
FOLDER = Path(os.environ.get("BESTOFK_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
#: The optimum itself: a loose tolerance leaves rows on the border open, and is not shared.
TIGHT = {"solver": "newton-cholesky", "tol": 1e-10}


@pytest.fixture(autouse=True)
def _as_in_a_worker():
    WAYS.clear()
    yield
    WAYS.clear()


def plan_of(learners=LEARNERS, datasets=None, folds="12x2", **changes):
    named = tuple(learner_of(each) if isinstance(each, str) else each for each in learners)
    return replace(Toy(named, tuple(datasets or example_datasets()[:1]), folds_of(folds)), **changes)


def collected(plan, **options):
    store = MemoryStore()
    report = collect_plan(plan, store, progress=False, **{"engine": "serial", "sharing": "always", **options})
    return list(store.read()), report


def results(cells):
    """All that must be the same whether work was shared or not: everything but sizes and times."""
    return {place: (*row[:4], *row[5:]) for place, row in rows_of(cells).items()}


class Copy:
    """A way that asks the plain way, but for what a test wants of it."""

    name, ties, plain_folds = "a copy", 0, 0

    def __init__(self, learner, dataset, change=lambda fold, answer: answer):
        self.learner, self.dataset, self.change, self.calls = learner, dataset, change, []

    def predict(self, folds):
        self.calls.append(len(folds))
        return [self.change(fold, plain_predictions(self.learner, self.dataset, fold)) for fold in folds]


@pytest.fixture
def copies(monkeypatch):
    """Let every learner be shared by a copy; returns the ways that were made, and takes how they change answers."""
    made: list[Copy] = []
    change = [lambda fold, answer: answer]

    def way(learner, dataset):
        made.append(Copy(learner, dataset, lambda fold, answer: change[0](fold, answer)))
        return made[-1]

    monkeypatch.setattr(shared_ways, "way_for", way)
    return made, change


# The same results


def both(learner, data, folds):
    """One cell with shared work, and the same without."""
    ways = folds_of(folds)
    place = (data, learner, ways, 1, 0, ways.replications)
    return run_cell(*place, sharing="always"), run_cell(*place)


@pytest.mark.parametrize("folds", ["4x5-stratified", *slow("12x2", "bootstrap-16")])
@pytest.mark.parametrize("name", [*(each for each in LEARNERS if each != "knn"), *slow("knn", "lgc")])
def test_shared_and_plain_cells_are_the_same(name, folds):
    learner, shared_folds = learner_of(name, params=TIGHT if name == "lgc" else None), 0
    for data in example_datasets():
        shared, plain = both(learner, data, folds)
        assert results([shared]) == results([plain]), data.name
        assert not any(text.startswith("sharing") for text in notes_of(shared).warnings)
        shared_folds += int(shared_places(shared).sum())
        assert not shared_places(plain).any()
    neighbours = name in ("nn", "knn")
    assert shared_folds or (neighbours and not compiled_wanted())


def test_learning_curves_and_pipelines_with_ties_are_the_same():
    near = learner_of(make_pipeline(StandardScaler(), KNeighborsClassifier(1)), name="near")
    for data in example_datasets():
        for learner in (near, learner_of("nmc"), learner_of("lda")):
            shared, plain = both(learner, data, "learning-curve-3x2-3")
            assert results([shared]) == results([plain]), (learner.name, data.name)
            assert learner is near or shared_places(shared).any()


@pytest.mark.slow
def test_any_number_of_workers_gives_the_same_cells_and_measures_the_same_folds():
    plan = plan_of(("nmc", "naive-bayes"), example_datasets()[:2], folds=f"{ENOUGH}x2")
    one, _ = collected(plan)
    two, report = collected(plan, engine="local:2", sharing=True)
    assert rows_of(one) == rows_of(two)
    assert {each.learner for each in report.shared} == {"nmc", "naive-bayes"}


def test_kept_predictions_are_kept():
    plan = plan_of((toy_learner("nearest", _nearest_centroid),), keep_predictions=True)
    shared, report = collected(plan)
    assert results(shared) == results(collected(plan, sharing=False)[0])
    assert bool(report.shared) != hasattr(_nearest_centroid(), "predict_proba")


def _nearest_centroid():
    from sklearn.neighbors import NearestCentroid

    return NearestCentroid()


@pytest.mark.parametrize("first", ["always", *slow("never")])
def test_a_run_that_is_stopped_goes_on_either_way(first):
    class Stopping(MemoryStore):
        left = 5

        def write(self, cells):
            super().write(cells)
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt

    plan, store = plan_of(("nmc", "max", "naive-bayes"), example_datasets()[:2], "40x2"), Stopping()
    with pytest.raises(Interrupted):
        collect_plan(plan, store, engine="serial", progress=False, sharing=first)
    there = len(rows_of(store.read()))
    other = "never" if first == "always" else "always"
    report = collect_plan(plan, store, engine="serial", progress=False, sharing=other)
    assert 0 < there == report.resumed < 480
    assert results(store.read()) == results(collected(plan, sharing=False)[0])


# Times and sizes


def test_the_first_folds_are_measured_and_the_others_are_not():
    plan = plan_of(("nmc",), folds="12x2")
    [cells] = [collected(plan)[0]]
    measured = {
        (cell.key.start + r) * 2 + f for cell in cells for r, f in np.argwhere(~np.isnan(cell.fit_seconds)).tolist()
    }
    assert measured == set(range(MEASURED))
    assert all(np.array_equal(np.isnan(cell.size), np.isnan(cell.predict_seconds)) for cell in cells)
    assert sum(int(shared_places(cell).sum()) for cell in cells) == 24 - MEASURED


def test_all_sizes_of_the_first_learning_curve_are_measured():
    cells, _ = collected(plan_of(("nmc",), folds="learning-curve-3x2-8"))
    by_replication = {cell.key.start + r: ~np.isnan(line) for cell in cells for r, line in enumerate(cell.fit_seconds)}
    assert by_replication[0].all()
    assert not by_replication[1].any()


def test_costs_are_means_of_measured_folds_and_every_data_set_weighs_the_same(tmp_path):
    plan = bk.Plan(["nmc", "tree"], ["iris", "wine"], folds=f"{ENOUGH // 2}x2", seed=1)
    evidence = bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)
    with bk.open_store(tmp_path / "r.db") if hasattr(bk, "open_store") else _opened(tmp_path / "r.db") as store:
        cells = [cell for cell in store.read() if cell.key.learner == "nmc"]
    sizes = {cell.key.dataset: np.nanmean(cell.size) for cell in cells if not np.isnan(cell.size).all()}
    assert evidence.costs["size"]["nmc"] == pytest.approx(np.mean(list(sizes.values())))
    assert all(np.isfinite(cost) for costs in evidence.costs.values() for cost in costs.values())
    verdict = bk.judge(evidence, prior="fit-time", method="multi2test")
    assert set(verdict.order) == {"nmc", "tree"}
    told = [note for note in evidence.origin.notes if "shared" in note]
    assert told == [
        "work was shared across folds, with the same predictions: "
        f"nmc: {2 * (ENOUGH - MEASURED)} of {2 * ENOUGH} folds on 2 data sets shared (class sums)"
    ]
    assert any("fit_time, predict_time and size" in note for note in evidence.origin.notes)


def _opened(path):
    from contextlib import closing

    from bestofk.stores.address import open_store

    return closing(open_store(path, create=False))


def test_an_exported_table_leaves_what_was_not_measured_empty(tmp_path):
    plan = bk.Plan(["nmc", "max"], ["iris"], folds="12x2", seed=1)
    bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False, sharing="always")
    done = CliRunner().invoke(main, ["store", "export", str(tmp_path / "r.db"), str(tmp_path / "r.csv")])
    assert done.exit_code == 0, done.output
    lines = (tmp_path / "r.csv").read_text().splitlines()
    place = lines[0].split(",").index("fit_time")
    assert sum(line.split(",")[place] == "" for line in lines[1:]) == 2 * (24 - MEASURED)
    evidence = bk.read(tmp_path / "r.csv", measure="error")
    assert all(np.isfinite(cost) for cost in evidence.costs["fit_time"].values())


# Falling back


def test_other_predictions_are_noticed_and_the_cell_runs_plainly(copies):
    made, change = copies
    change[0] = lambda fold, answer: (answer + 1) % 3
    plan = plan_of(("nmc",))
    cells, report = collected(plan)
    assert results(cells) == results(collected(plan, sharing=False)[0])
    assert not report.shared
    assert not np.isnan(np.concatenate([cell.fit_seconds for cell in cells])).any()
    [told] = report.troubles.warnings
    assert told.reason == "sharing was given up: a copy gave other predictions than the fold by itself"
    assert len(made) == 1  # distrusted once, and not asked again


def test_a_process_that_measures_no_fold_compares_one_of_its_own(copies):
    _, change = copies
    data, learner, folds = toy_dataset(), learner_of("nmc"), folds_of("30x2")
    cell = run_cell(data, learner, folds, 1, 10, 20, sharing="always")
    assert np.isnan(cell.fit_seconds).all()
    assert notes_of(cell).shared == "a copy"
    WAYS.clear()
    change[0] = lambda fold, answer: (answer + 1) % 3
    other = run_cell(data, learner, folds, 1, 10, 20, sharing="always")
    assert not notes_of(other).shared
    np.testing.assert_array_equal(other.confusion, cell.confusion)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (lambda fold, answer: 1 // 0, "a copy failed (ZeroDivisionError: integer division or modulo by zero)"),
        (lambda fold, answer: answer[:-1], "a copy gave predictions of the wrong number"),
        (lambda fold, answer: np.full(len(answer), 7), "a copy gave classes that are not there"),
    ],
)
def test_a_fault_that_comes_later_is_noticed_too(copies, fault, reason):
    _, change = copies
    plan, late = plan_of(("nmc",), folds="60x2"), folds_of("60x2").split(example_datasets()[0], 45, 1)[0].fingerprint
    change[0] = lambda fold, answer: fault(fold, answer) if fold.fingerprint == late else answer
    cells, report = collected(plan)
    assert results(cells) == results(collected(plan, sharing=False)[0])
    assert [each.reason for each in report.troubles.warnings] == [f"sharing was given up: {reason}"]


class Choosy(Constant):
    """Refuses training sets whose first row is even."""

    def fit(self, X, y):
        if round(float(X[0, 0])) % 2 == 0:
            raise ValueError("an even row comes first")
        return self


def test_folds_that_the_learner_refuses_fail_and_the_others_are_shared(copies):
    numbers = Feature("number", np.arange(60.0))
    data = Dataset("counted", (numbers,), np.arange(60) % 3.0, ("a", "b", "c"))
    plan = plan_of((toy_learner("choosy", Choosy),), (data,), "40x2")
    cells, report = collected(plan)
    assert results(cells) == results(collected(plan, sharing=False)[0])
    assert 0 < report.failures < 80
    assert sum(each.folds for each in report.shared) == 80 - report.failures - sum(
        int((~np.isnan(cell.fit_seconds)).sum()) for cell in cells
    )
    assert not report.troubles.warnings


def test_a_way_that_cannot_be_made_is_a_reason(monkeypatch):
    def broken(learner, dataset):
        raise RuntimeError("no loops")

    monkeypatch.setattr(shared_ways, "way_for", broken)
    plan = plan_of(("nmc",))
    cells, report = collected(plan)
    assert results(cells) == results(collected(plan, sharing=False)[0])
    assert not report.shared
    [line] = _lines(plan)
    assert line == "nmc on numbers: fold by fold (sharing could not begin: RuntimeError: no loops)"


# Why not


def _lines(plan, sharing="always", **changes):
    setting = Setting(plan.learners, plan.datasets, plan.folds, 1, plan.measures, plan.keep_predictions)
    return list(sharing_lines(replace(setting, sharing=sharing, **changes)))


@pytest.mark.parametrize(
    ("plan", "sharing", "why"),
    [
        (plan_of(("nmc",)), "never", "sharing is off"),
        (plan_of(("nmc",)), "auto", f"24 folds; sharing pays from {ENOUGH} on"),
        (plan_of(("nmc",), measures=("log_loss",)), "always", "log_loss needs more than predictions"),
        (plan_of(("lda",), keep_predictions=True), "always", "probabilities are kept with the predictions"),
        (plan_of((learner_of("mean"),), (toy_regression(),)), "always", "numbers are learnt, not classes"),
        (
            plan_of(("random-forest",)),
            "always",
            "no sharing knows RandomForestClassifier with these parameters, on data prepared like this",
        ),
        (
            plan_of((learner_of(LogisticRegression(tol=0.01), name="loose"),)),
            "always",
            "lbfgs with tol=0.01 stops before rows on the border between classes are settled",
        ),
    ],
)
def test_it_is_told_why_folds_run_by_themselves(plan, sharing, why):
    [line] = _lines(plan, sharing)
    assert line.endswith(f"fold by fold ({why})")


def test_limits_of_a_cell_are_for_single_folds():
    [line] = _lines(plan_of(("nmc",)), timeout=5.0)
    assert "a cell has limits" in line
    _, report = collected(plan_of(("max",), folds="2x2"), cell_timeout=30)
    assert not report.shared


def test_few_folds_are_not_shared_unless_wished():
    assert not collected(plan_of(("max",)), sharing=True)[1].shared
    assert collected(plan_of(("max",)))[1].shared
    with pytest.raises(InputError, match="sharing is 'often'"):
        collected(plan_of(("max",)), sharing="often")


# Jobs and memory


def test_jobs_of_shared_folds_are_whole_words():
    plan = plan_of(("nmc",), folds="1000x2")
    setting = Setting(plan.learners, plan.datasets, plan.folds, 1, sharing="auto")
    jobs, lengths = Jobs(missing_work(setting, MemoryStore()), MemoryStore()), []
    for job in jobs:
        lengths.append(job.stop - job.start)
        result = _noted_cell(setting, job)
        jobs.learn(Done(job, result, 30.0 + 0.004 * lengths[-1], compiling=30.0))
    assert lengths[0] == 1
    assert lengths[1] == WORD
    assert all(each % WORD == 0 for each in lengths[1:-1])
    assert sum(lengths) == 1000


def _noted_cell(setting, job):
    cell = run_cell(setting.datasets[0], setting.learners[0], setting.folds, 1, job.start, job.start + 1)
    return type(cell)(**{**vars(cell), "notes": Notes(shared="class sums")})


@pytest.mark.parametrize("rows", [20, 150, 13_000, 100_000, 10_000_000])
@pytest.mark.parametrize("folds", [1, 2, 10])
def test_folds_asked_for_together_keep_within_their_rows(rows, folds):
    data = Dataset("long", (Feature("x", np.zeros(rows)),), np.arange(rows) % 2.0, ("a", "b"))
    together = replications_together(data, folds)
    assert together == 1 or together * folds * rows <= max(ROWS, MOST_ROWS)
    assert together * folds >= WORD or together * folds * rows > MOST_ROWS - rows * folds


def test_ways_that_take_too_much_room_are_made_anew(copies):
    made, _ = copies
    ways, data, learner = Ways(most=1_000), toy_dataset(), learner_of("nmc")
    others = [toy_dataset(f"toy{each}", seed=each) for each in range(3)]
    for each in others:
        found = ways.of(learner, each)
        made[-1].room = [np.zeros(100)]
        assert bytes_in(found.way) == 800
        ways.weigh(found)
    assert ways.of(learner, others[-1]).way is made[2]
    assert ways.of(learner, others[0]).way is made[3]
    assert ways.of(learner, data).way is made[4]
    assert len(made) == 5


def test_a_way_is_made_once_for_all_cells_of_a_learner_on_a_data_set(copies):
    made, _ = copies
    cells, _ = collected(plan_of(("nmc", "max"), folds="200x2"))
    assert len(made) == 2
    assert len(cells) > 2


# Provenance


def test_notes_on_sharing_are_kept_and_older_readers_are_told_of_a_newer_format(copies):
    cells, report = collected(plan_of(("nmc",)))
    cell = cells[-1]
    blob = pack(cell)
    again = unpack(cell.key, blob, where="here")
    assert notes_of(again) == notes_of(cell)
    assert notes_of(again).shared == "a copy"
    plain, _ = collected(plan_of(("nmc",)), sharing=False)
    assert (blob[3], pack(plain[-1])[3]) == (2, 1)
    [work] = shared_in(cells)
    assert work == report.shared[0]
    assert f"nmc: {24 - MEASURED}" in str(work)


def test_neighbours_are_shared_by_compiled_loops_alone(monkeypatch):
    monkeypatch.setenv("BESTOFK_KERNELS", "numpy")
    near, mean = _lines(plan_of(("nn", "nmc")))
    assert "shared by compiled loops" in near
    assert mean.endswith("shared (class sums)")


def test_ties_are_counted():
    pytest.importorskip("numba")
    _, report = collected(plan_of(("nn",), example_datasets()[3:4]))
    [work] = report.shared
    assert work.ties > 0
    assert f"{work.ties:,} predictions in exact ties (the lowest row wins)" in str(work)


def test_the_command_tells_what_is_shared(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text('seed = 1\nfolds = "60x2"\nlearners = ["max", "nmc", "tree"]\ndatasets = ["iris"]\n')
    store = str(tmp_path / "r.db")
    run = CliRunner().invoke(main, ["collect", str(plan), "--into", store, "--engine", "serial", "--verbose"])
    assert run.exit_code == 0, run.output
    assert "max on iris: shared" in run.stderr
    assert "tree on iris: fold by fold (no sharing knows DecisionTreeClassifier" in run.stderr
    assert "nmc: 110 of 120 folds on iris shared (class sums)" in run.stderr
    assert "shared across 220 folds" in run.stdout
    info = CliRunner().invoke(main, ["store", "info", store])
    assert "nmc: 110 of 120 folds on iris shared (class sums)" in info.output
    assert len(json.loads(CliRunner().invoke(main, ["store", "info", store, "--json"]).stdout)["shared"]) == 2
    other = ["collect", str(plan), "--into", str(tmp_path / "plain.db"), "--engine", "serial", "--no-sharing", "--json"]
    answer = json.loads(CliRunner().invoke(main, other).stdout)
    assert (answer["shared"], answer["folds"]) == ([], 360)
    first, second = (bk.read(tmp_path / name) for name in ("r.db", "plain.db"))
    np.testing.assert_array_equal(first.values, second.values)


def test_seconds_of_compiling_are_told_and_do_not_count_as_pace(monkeypatch):
    from bestofk.collecting.engines import worker

    clock = iter(np.arange(0.0, 1e6, 2.0))
    monkeypatch.setattr(worker, "compiling_seconds", lambda: float(next(clock)))
    cells, report = collected(plan_of(("max",), folds="2x2"), sharing=False)
    assert report.compiling == pytest.approx(2.0 * len(cells))
    assert f"compiling loops took {report.compiling:.1f}" in repr(report)


# Real data


def _names():
    return list(Index.open(FOLDER).names) if (FOLDER / "index.json").exists() else []


@pytest.mark.slow
@pytest.mark.every_set
@pytest.mark.skipif(not _names(), reason=f"no data in {FOLDER}: set BESTOFK_DATA to the folder with index.json")
@pytest.mark.parametrize("name", _names())
def test_every_data_set_has_the_same_counts_with_sharing_and_without(name, record_property):
    data, folds = Index.open(FOLDER).dataset(name), folds_of("10x2")
    for each in (*LEARNERS, "lgc"):
        learner = learner_of(each, params=TIGHT if each == "lgc" else None)
        if WAYS.of(learner, data).way is None:
            record_property(each, WAYS.of(learner, data).why)
            continue
        shared = run_cell(data, learner, folds, 1, 5, 10, sharing="always")  # the first five would be measured
        plain = run_cell(data, learner, folds, 1, 5, 10)
        record_property(each, f"{notes_of(shared).shared or 'given up'}, {notes_of(shared).ties} ties")
        np.testing.assert_array_equal(shared.confusion, plain.confusion, f"{each} on {name}")
        assert shared.failures == plain.failures
        assert notes_of(shared).shared, f"{each} on {name}: {dict(notes_of(shared).warnings)}"
