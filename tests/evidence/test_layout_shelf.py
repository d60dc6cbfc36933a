"""Layouts of programs stand on a shelf, and one file brings a new one."""

import pytest

import bestofk as bk
from bestofk.core.names import plain
from bestofk.evidence.layouts import shelf
from bestofk.evidence.layouts.layout import Layout
from bestofk.testing import check_layout
from makers import ROOT
from makers_tables import written

REGRET = """solver;bench;final_regret
cma;01;0.10
cma;1e0;0.20
cma;1;0.30
bfgs;01;0.15
bfgs;1e0;0.10
bfgs;1;0.40
"""


def read_bench(table, request):
    called = {name: {"solver": "learner", "bench": "dataset"}.get(plain(name), name) for name in table.names}
    return table.renamed(called), request, ["the table was read as results of a bench"]


BENCH = Layout(lambda names: {"solver", "bench"} <= set(map(plain, names)), read_bench, frozenset({"solver", "bench"}))


@pytest.fixture
def with_bench(monkeypatch):
    monkeypatch.setitem(shelf.LAYOUTS._own, "bench", BENCH)
    shelf._keys.cache_clear()
    yield
    shelf._keys.cache_clear()


def test_a_new_layout_reads_its_keys_as_text(tmp_path, with_bench):
    path = written(tmp_path, "bench.csv", REGRET)
    found = bk.read(path, larger_is_better=False)
    assert (found.learners, found.datasets) == (("cma", "bfgs"), ("01", "1e0", "1"))
    assert found.measure == "final_regret"
    assert "the table was read as results of a bench" in found.origin.notes


def test_columns_by_name_are_read_in_a_new_layout_too(with_bench):
    columns = {"solver": ["a", "b"] * 2, "bench": ["x", "x", "y", "y"], "final_regret": [0.1, 0.2, 0.3, 0.4]}
    assert bk.read(columns, larger_is_better=False).learners == ("a", "b")


def test_a_layout_is_checked_before_it_stands_on_the_shelf(tmp_path):
    check_layout(BENCH, written(tmp_path, "bench.csv", REGRET), larger_is_better=False)
    greedy = Layout(lambda names: True, read_bench)
    with pytest.raises(AssertionError, match="common tables"):
        check_layout(greedy, written(tmp_path, "bench.csv", REGRET), larger_is_better=False)


#: Layouts with a file of their program, and what must be said beside it.
CHECKED = {
    "weka": ("weka_experiment.csv", {}),
    "cv_results_": ("sklearn_grid_search.csv", {}),
    "amlb": ("amlb.csv", {}),
    "tabarena": ("tabarena.csv", {}),
    "openml": ("openml_evaluations.csv", {}),
    "mlr3": ("mlr3.csv", {}),
    "tidymodels": ("tidymodels.csv", {"measure": "accuracy"}),
    "caret": ("caret.csv", {"measure": "Accuracy"}),
}
#: Layouts of runs, curves and battles, and of tables that are refused: tested where these are.
OTHERS = {
    *("autogluon", "kaggle", "optuna", "aeon", "battles", "bestofk-export", "mlflow-runs", "wandb-runs", "wandb-chart"),
    *("wandb-history", "tensorboard", "mlflow", "lightning", "promptfoo"),
}


@pytest.mark.parametrize("name", CHECKED)
def test_own_layouts_pass_the_check(name):
    file, asked = CHECKED[name]
    check_layout(shelf.LAYOUTS[name], ROOT / "tests" / "peers" / file, **asked)


def test_every_layout_on_the_shelf_is_tested():
    assert shelf.LAYOUTS.keys() - OTHERS == CHECKED.keys()


@pytest.mark.parametrize("names", [(), ("unnamed",)])
def test_no_layout_claims_a_table_without_names(names):
    assert shelf.layout_of(names) is None
