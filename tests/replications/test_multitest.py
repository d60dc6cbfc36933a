"""The MultiTest replication: parts that are kept, choices, Tables 2 and 3, Figures 3 and 4, and a short run."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import plain_learners as plain
from bestofk.core.errors import InputError
from bestofk.core.extras import available
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.datasets.index import Index
from bestofk.design.datasets.paper_sets import AuthorsForm, as_authors_used
from bestofk.replications.multitest import choices as chosen
from bestofk.replications.multitest import experiment as running
from bestofk.replications.multitest import learners, published, replicate, table1, today
from bestofk.replications.multitest.experiment import Course, FoldErrors, Kept, fold_errors, in_the_race, key_of
from bestofk.replications.multitest.learners import Descent, held_out_rows, tree
from bestofk.replications.multitest.published import LEARNERS, Figure, dataset_names
from bestofk.replications.multitest.table import prepared, random_halves, table_of
from bestofk.replications.multitest.table1 import Cell
from bestofk.replications.multitest.today import RUNS_TODAY, errors_today, store_beside
from bestofk.replications.shelf import REPLICATIONS
from bestofk.stores import plans
from makers import slow

pytestmark = pytest.mark.usefixtures("kernels")


def small(name="small", rows=40, seed=0):
    """Two classes that one number and one nominal column tell about."""
    random = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    number = Feature("number", y + random.normal(size=rows))
    kind = Feature("kind", ((y + (random.random(rows) < 0.3)) % 2).astype(float), ("p", "q"))
    return Dataset(name, (number, kind), y.astype(float), ("a", "b"))


def run_all(made, runs, into=None, workers=1, seed=1):
    return running.errors_of_sets(made, runs, seed, into=into, workers=workers, progress=lambda *told: None)


# Eight standard errors, as docs/replications/multitest.md says: a rate is given up beyond them and not before.
@pytest.mark.parametrize(("standard_errors", "stays"), [(7.5, True), (7.95, True), (8.05, False), (8.5, False)])
def test_a_rate_is_given_up_beyond_eight_standard_errors(standard_errors, stays):
    spread = np.tile([1.0, -1.0], 50)  # sd 1 over 100 folds: a standard error is 0.1
    behind = 0.1 * standard_errors + spread
    np.testing.assert_array_equal(in_the_race(np.stack([np.zeros(100), behind])), [True, stays])


def test_classes_alike_in_name_come_before_those_in_order_of_occurrence():
    # Both orders fit the counts; b occurs first, and the authors list A first.
    made = Dataset("s", (Feature("x", np.arange(4.0)),), np.array([1.0, 0.0, 1.0, 0.0]), ("a", "b"))
    used = as_authors_used(made, AuthorsForm(4, "n", {"A": 2, "B": 2}))
    assert used.classes == ("a", "b")
    np.testing.assert_array_equal(used.y, [1, 0, 1, 0])


def test_failed_folds_beyond_a_plan_do_not_count_for_it(monkeypatch):
    wanted = {"replications": 2, "folds_per_replication": 2, "folds": "2x2"}
    monkeypatch.setattr(plans, "wanted_of", lambda plan: wanted)
    monkeypatch.setattr(plans, "keys_of_plan", lambda wanted: [SimpleNamespace(series="s")])
    plan = SimpleNamespace(fingerprint="f", created="c", locked=None)
    keys = [SimpleNamespace(start=0, stop=2), SimpleNamespace(start=2, stop=4)]
    cells = {"s": [SimpleNamespace(key=key, failed=failed) for key, failed in zip(keys, (1, 3), strict=True)]}
    found = plans._status(plan, cells)
    assert (found.done, found.failed, found.missing) == (3, 1, 0)


def test_parts_in_a_row_are_one_run():
    whole = fold_errors(small(), 6, 3)
    course = Course(small(), 3)
    for runs in (1, 2, 3):
        course.run(runs)
    np.testing.assert_array_equal(course.errors().errors, whole.errors)
    assert course.errors().rate == whole.rate


def test_a_kept_part_comes_back_and_the_runs_after_it_are_the_same(tmp_path):
    kept, key = Kept.open(tmp_path / "c.db"), key_of(small(), 3)
    first = Course(small(), 3)
    kept.add(key, first.run(2))
    expected = first.run(2)
    again = Course(small(), 3)
    again.take(kept.part(key, 0, 2))
    found = again.run(2)
    np.testing.assert_array_equal(found.others, expected.others)
    np.testing.assert_array_equal(found.logistic, expected.logistic)
    np.testing.assert_array_equal(again.errors().errors, first.errors().errors)


def test_what_is_kept_is_not_run_again_and_the_answer_is_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "PART", 2)
    made = {"one": small("one"), "two": small("two", seed=5)}
    fresh = run_all(made, 4)
    run_all(made, 2, tmp_path / "c.db")  # the first two runs of each
    asked, original = [], Course.run
    monkeypatch.setattr(Course, "run", lambda self, runs: (asked.append(self.done), original(self, runs))[1])
    resumed = run_all(made, 4, tmp_path / "c.db")
    assert asked == [2, 2]
    run_all(made, 4, tmp_path / "c.db")
    assert asked == [2, 2]
    for name in made:
        np.testing.assert_array_equal(resumed[name].errors, fresh[name].errors)


KILLED = """
import os, signal, sys
import numpy as np
sys.path.insert(0, {folder!r})
from replications.test_multitest import run_all, running, small
from bestofk.replications.multitest.experiment import Kept

original = Kept._connected

class Dies:
    def __init__(self, connection): self.connection = connection
    def execute(self, text, *given):
        answer = self.connection.execute(text, *given)
        if text.startswith("INSERT") and given[0][1] == 4:  # the third part is written and not yet committed
            os.kill(os.getpid(), signal.SIGKILL)
        return answer

from contextlib import contextmanager
@contextmanager
def connected(self):
    with original(self) as connection:
        yield Dies(connection)

Kept._connected = connected
running.PART = 2
run_all({{"one": small("one")}}, 6, {path!r})
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
@pytest.mark.slow
def test_a_run_that_is_killed_while_it_writes_goes_on_from_its_last_whole_part(tmp_path, monkeypatch):
    path = tmp_path / "c.db"
    script = KILLED.format(folder=str(Path(__file__).parents[1]), path=str(path))
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    key = key_of(small("one"), 1)
    assert Kept.open(path).runs(key, 6) == 4
    monkeypatch.setattr(running, "PART", 2)
    resumed = run_all({"one": small("one")}, 6, path)
    np.testing.assert_array_equal(resumed["one"].errors, fold_errors(small("one"), 6, 1).errors)


WITH_CHILDREN = """
import sys
sys.path.insert(0, {folder!r})
from replications.test_multitest import run_all, small

if __name__ == "__main__":
    run_all({{"one": small("one"), "two": small("two", seed=5)}}, 10**6, {path!r}, workers=2)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are looked up in /proc")
def test_a_parent_that_is_killed_leaves_no_process_behind(tmp_path):
    script = tmp_path / "long.py"
    script.write_text(WITH_CHILDREN.format(folder=str(Path(__file__).parents[1]), path=str(tmp_path / "c.db")))
    parent = subprocess.Popen([sys.executable, str(script)])
    keys = [key_of(small("one"), 1), key_of(small("two", seed=5), 1)]
    assert _within(120, lambda: all(Kept.open(tmp_path / "c.db").runs(key, 10**6) for key in keys))
    children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
    assert len(children) >= 2
    parent.kill()
    parent.wait()
    assert _within(60, lambda: not any(_runs(child) for child in children))


def _within(seconds, true):
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def _runs(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_another_seed_and_other_data_share_nothing(tmp_path):
    data = small()
    changed = replace(data, features=(Feature("number", data.features[0].values + 1e-9), data.features[1]))
    keys = {key_of(data, 1), key_of(data, 2), key_of(changed, 1), key_of(replace(data, y=1 - data.y), 1)}
    assert len(keys) == 4
    kept = Kept.open(tmp_path / "c.db")
    kept.add(key_of(data, 1), Course(data, 1).run(1))
    assert kept.part(key_of(data, 2), 0, 1) is None
    assert kept.part(key_of(data, 1), 0, 2) is None
    assert kept.runs(key_of(data, 1), 5) == 1


def test_a_part_that_is_not_whole_is_run_again(tmp_path):
    kept, key = Kept.open(tmp_path / "c.db"), key_of(small(), 1)
    kept.add(key, Course(small(), 1).run(1))
    with sqlite3.connect(tmp_path / "c.db") as connection:
        connection.execute("UPDATE parts SET others = zeroblob(length(others))")
    connection.close()
    assert kept.part(key, 0, 1) is None


def test_a_file_of_something_else_is_left_alone(tmp_path):
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    before = other.read_bytes()
    (tmp_path / "text.db").write_text("not a database, and long enough to be looked at " * 30)
    for path in (other, tmp_path / "text.db", tmp_path / "no folder" / "c.db"):
        with pytest.raises(InputError, match="parts of a replication"):
            Kept.open(path)
    assert other.read_bytes() == before


@pytest.mark.slow
def test_processes_change_nothing():
    made = {"one": small("one"), "two": small("two", seed=5)}
    alone, together = run_all(made, 1), run_all(made, 1, workers=2)
    for name in made:
        np.testing.assert_array_equal(alone[name].errors, together[name].errors)


def test_progress_ends_at_all_runs():
    told = []
    running.errors_of_sets(
        {"one": small("one")}, 3, 1, into=None, workers=1, progress=lambda done, total, what: told.append((done, total))
    )
    assert told[-1] == (3, 3)


def errors_by_learner(*means, runs=4, noise=0.002):
    random = np.random.default_rng(1)
    return np.array(means)[:, None, None, None] + noise * random.normal(size=(len(means), runs, 5, 2))


def test_the_paper_s_methods_choose_as_section_4_says():
    far = chosen.choices_of("far", errors_by_learner(0.5, 0.4, 0.3, 0.2, 0.1, noise=0.0005), 1)
    assert {method: far[method].place(1)[0] for method in far} == {
        "Anova": "not found",
        "TestFirst": "NN",
        "Newman-Keuls": "NN",
        "MultiTest": "NN",
    }
    # All alike, the last with the smallest mean: only TestFirst is at a loss.
    alike = errors_by_learner(0.3, 0.3, 0.3, 0.3, 0.3, noise=0.03)
    alike -= alike.mean(axis=(2, 3), keepdims=True) - 0.3
    alike[4] -= 1e-4
    same = chosen.choices_of("alike", alike, 1)
    assert same["TestFirst"].counts == (4, 0, 0, 0, 0, 0)
    assert same["MultiTest"].counts == (0, 4, 0, 0, 0, 0)
    assert same["Anova"].counts == (0, 4, 0, 0, 0, 0)


def test_equal_means_are_drawn_in_test_first():
    losses = np.tile(np.full((1, 5, 5, 2), 0.4), (400, 1, 1, 1))
    losses[:, [0, 3]] = 0.2  # MAX and the tree: the same errors in every fold
    best = chosen.first_tested(losses, np.random.default_rng(0))
    counts = np.bincount(best + 1, minlength=6)
    assert counts[[0, 1]].sum() == 400  # the tree does not beat MAX: none is found
    assert 150 < counts[1] < 250
    np.testing.assert_array_equal(best, chosen.first_tested(losses, np.random.default_rng(0)))


def test_most_and_second_most_selected():
    choice = chosen.Choice("s", "MultiTest", (1, 0, 7, 2, 0, 0))
    assert (choice.place(1), choice.place(2)) == (("NMC", 70.0), ("LGC", 20.0))
    assert chosen.Choice("s", "MultiTest", (0, 3, 0, 0, 0, 0)).place(2) is None


def as_published():
    """Choices with the percentages of the published Table 2; what it does not print goes to its first place."""
    made = {}
    for name in dataset_names():
        made[name] = {"Anova": chosen.Choice(name, "Anova", (100, 0, 0, 0, 0, 0))}
        for method in chosen.COLUMNS:
            counts = dict.fromkeys(chosen.SELECTED, 0)
            ranked = chosen.published_choices()[name, method]
            for selected, percent in ranked:
                counts[selected] += int(percent)
            counts[ranked[0][0]] += 100 - sum(counts.values())
            made[name][method] = chosen.Choice(name, method, tuple(counts.values()))
    return made


def test_the_published_choices_agree_with_themselves():
    made = as_published()
    for method in chosen.COLUMNS:
        assert len(chosen.same_most_selected(made, method)) == 30
        assert chosen.largest_gap(made, method) < 1.5  # Table 2 prints the first two only
        assert chosen.distance(made, method) <= 3 * chosen.largest_gap(made, method)
    assert chosen.largest_deviation(made["bupa"]["MultiTest"], "bupa") <= 1
    block = chosen.table2_block(made)
    assert block.table.rows[0][:3] == ("balance", "LGC (100)", "LGC (100)")
    assert chosen.table3_block(made).table.rows[7][:3] == ("MultiTest", "theirs", "0.00")


def test_a_choice_that_differs_is_counted_and_measured():
    made = as_published()
    made["iris"]["MultiTest"] = chosen.Choice("iris", "MultiTest", (0, 0, 0, 100, 0, 0))
    assert "iris" not in chosen.same_most_selected(made, "MultiTest")
    assert chosen.largest_deviation(made["iris"]["MultiTest"], "iris") == 88  # NMC 88, LGC 12


def test_the_published_conclusions_stand_in_the_published_tables():
    found = today.published_conclusions()
    assert all(each.stands for each in found)
    assert found[-1].figure == "16 of 30"  # section 4.4 names the 14 others
    assert found[3].figure == "63.4 % against 21.9 %"


def test_on_fewer_sets_totals_are_not_compared_and_table_2_is_of_the_same_sets():
    *totals, apart = today.published_conclusions(("iris", "bupa", "zoo"))
    assert {each.stands for each in totals} == {None}
    assert all("not printed" in each.figure and "on all 30" in each.figure for each in totals)
    table = chosen.published_choices()
    differ = [n for n in ("iris", "bupa", "zoo") if table[n, "Newman-Keuls"][0][0] != table[n, "MultiTest"][0][0]]
    assert apart.figure == f"{len(differ)} of 3"


@pytest.mark.parametrize(("runs", "said"), [(1, "within chance at 1 run."), (1_000, "no reason is known.")])
def test_a_cell_within_chance_is_not_given_a_reason(runs, said):
    theirs = Figure("iris", "NN", 5.0, 2.0)
    cell = Cell(Figure("iris", "NN", 6.0, 2.0), theirs, None, runs)
    line = table1._miss(cell)
    assert line == f"iris, NN: +1.00 points, {1.0 / cell.standard_error:.1f} standard errors; {said}"


def test_fewer_sets_are_asked_the_same_share():
    assert [replicate.needed(28, sets) for sets in (30, 29, 10, 1)] == [28, 28, 10, 1]


def test_the_most_frequent_graph_is_found_and_compared_with_the_published_one():
    errors = errors_by_learner(0.5, 0.4, 0.3, 0.2, 0.1, runs=6, noise=0.0005)
    graph = replicate.frequent_graph(FoldErrors("pendigits", errors, 1.0))
    assert (graph.times, graph.runs, len(graph.edges)) == (6, 6, 10)
    assert graph.order == LEARNERS[::-1]
    section = replicate.figure_section(4, FoldErrors("pendigits", errors, 1.0))
    assert "with LGC → C4.5" in section.blocks[0].lines[0]
    assert {figure.name for figure in section.blocks[1].figures} == {
        "order-pendigits",
        "losses-pendigits",
        "error-histograms-pendigits",
    }


def test_offline_the_sets_that_need_no_folder_are_used_and_the_others_are_named(monkeypatch):
    monkeypatch.delenv("BESTOFK_DATA", raising=False)
    found = published.paper_sets(None, ())
    assert set(found.sets) == {"balance", "car", "iris", "monks", "nursery", "tictactoe", "wave", "wine"}
    assert "22 data sets" in found.left_out[0]
    assert "another sample" in found.left_out[1]
    with pytest.raises(InputError, match="Table 1 'irs'"):
        published.paper_sets(None, ["irs"])
    with pytest.raises(InputError, match="data sets can"):
        replicate.replicate(runs=1, datasets=["zoo"])


def test_todays_results_lie_beside_the_parts():
    assert store_beside("a/c.db").as_posix() == "a/c-today.db"


def test_a_short_run_from_start_to_report(monkeypatch, tmp_path):
    monkeypatch.delenv("BESTOFK_DATA", raising=False)
    told = []
    made = REPLICATIONS["multitest"](
        runs=2, datasets=["iris"], into=tmp_path / "c.db", progress=lambda *now: told.append(now)
    )
    assert (made.runs, made.paper) == (2, "multitest")
    assert [section.anchor for section in made.sections] == ["means", "choices", "today"]
    assert {line.what for line in made.agreement if line.met is None} == {"Table 3"}
    assert any("29 data sets" in note for note in made.left_out)
    assert any("paper's 1,000 runs" in note for note in made.left_out)
    assert "of 1 data set" in made.headline
    assert {path.name for path in tmp_path.iterdir()} >= {"c.db", "c-today.db"}
    text = made.report(tmp_path / "r.html").read_text(encoding="utf-8")
    assert "conclusions still stand?" in text
    assert told[-1][1] == 1


def test_todays_errors_have_the_paper_s_shape_and_no_more_runs_than_said():
    made = errors_today({"iris": published.paper_sets(None, ["iris"]).sets["iris"]}, 1, 1, into=None, workers=1)
    assert made["iris"].shape == (5, 1, 5, 2)
    assert made["iris"][0].mean() == pytest.approx(2 / 3)  # stratified: the most frequent class is right on a third
    assert RUNS_TODAY >= 1


def test_the_full_tables_are_there_with_all_thirty_sets():
    errors = {name: FoldErrors(name, errors_by_learner(0.5, 0.4, 0.3, 0.2, 0.1), 0.1) for name in dataset_names()}
    made = replicate.replication_of(errors, {name: each.errors for name, each in errors.items()}, 4, 1, ())
    anchors = [section.anchor for section in made.sections]
    assert anchors == ["means", "choices", "totals", "figure-3", "figure-4", "today"]
    shares = [line for line in made.agreement if line.what.startswith("Table 3")]
    assert [line.met for line in shares] == [False] * 4
    assert "no reason is known" in made.sections[0].blocks[1].lines[0]


@pytest.mark.skipif(not available("numba"), reason="needs numba")
@pytest.mark.parametrize("seed", slow(*range(6)))
def test_values_that_many_rows_share_do_not_change_the_tree(seed, monkeypatch):
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, 90)
    # The usual value is the lowest, the highest, in the middle, or there is none; one column has nothing else.
    low, high = np.maximum(random.normal(size=90) + y - 1, 0), np.minimum(random.normal(size=90), 0.2)
    middle = np.where(random.random(90) < 0.5, 0.0, random.normal(size=90).round(1))
    columns = (low, high, middle, random.normal(size=90), np.full(90, 3.0), random.integers(0, 4, 90).astype(float))
    features = tuple(Feature(f"x{at}", values) for at, values in enumerate(columns))
    table = table_of(Dataset("usual", features, y.astype(float), ("a", "b", "c")))
    train = random_halves(90, 3, seed)
    held = held_out_rows(train, seed)
    monkeypatch.setenv("BESTOFK_KERNELS", "numba")
    labels = tree(table, train, held)
    monkeypatch.setenv("BESTOFK_KERNELS", "numpy")
    np.testing.assert_array_equal(labels, tree(table, train, held))
    for fold, half in enumerate(train):
        np.testing.assert_array_equal(labels[fold, ~half], plain.tree(table, half, held[fold]))


def test_nominal_columns_in_groups_stand_for_their_own_levels():
    random = np.random.default_rng(3)
    levels = (3, 2, 12, 4, 2, 2, 5)
    codes = np.stack([random.integers(0, count, 400) for count in levels], axis=1).astype(float)
    codes[5, 2] = np.nan
    texts = [tuple(f"v{level}" for level in range(count)) for count in levels]
    features = tuple(Feature(f"k{at}", codes[:, at], texts[at]) for at in range(len(levels)))
    number = Feature("n", random.normal(size=400))
    table = table_of(Dataset("groups", (number, *features), np.arange(400) % 2.0, ("a", "b")))
    view, ready = Descent.of(table), prepared(table, np.ones((1, 400), dtype=bool))
    assert 1 < view.codes.shape[1] < len(levels)
    filled_codes = view.codes.copy()
    view.fill(ready, 0, view.numbers.copy(), filled_codes)
    starts = len(view.numbers) + np.cumsum((0, *levels[:-1]))
    for row in (0, 5, 399):
        inputs = {int(level) for entry in filled_codes[row] for level in view.members[entry] if level >= 0}
        own = np.where(table.codes[row] < 0, ready.fills.codes[0], table.codes[row])
        assert inputs == set((starts + own).tolist())


def test_openml_is_asked_for_what_is_not_at_hand_and_another_set_is_left_out(monkeypatch):
    random = np.random.default_rng(0)
    y = np.repeat([0.0, 1.0], [225, 81])
    haberman = Dataset("h", tuple(Feature(f"x{at}", random.normal(size=306)) for at in range(3)), y, ("1", "2"))
    fetched = {"openml:43": haberman, "openml:62": replace(haberman, name="z")}
    monkeypatch.setattr(published, "dataset_of_openml", lambda text, wishes: replace(fetched[text], name=wishes.name))
    found = published.paper_sets("openml", ["haberman", "zoo", "horse", "iris"])
    assert set(found.sets) == {"haberman", "iris"}
    assert found.sets["haberman"].name == "haberman"
    assert "authors' form 101 rows" in found.left_out[0]
    assert "horse: OpenML" in found.left_out[1]
    assert "26 data sets" in found.left_out[2]


def test_the_forms_for_openml_are_those_of_the_folder():
    folder = Path(os.environ.get("BESTOFK_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
    if not (folder / "index.json").is_file():
        pytest.skip(f"no data sets: {folder} has no index.json (set BESTOFK_DATA)")
    index = Index.open(folder)
    assert len(published._forms()) == 20
    for name, form in published._forms().items():
        authors = index.entry(name).authors
        assert (form["rows"], form["types"]) == (authors.rows, authors.types)
        assert list(form["classes"].items()) == list(authors.classes.items())
        assert len(form["left_out"]) == len(authors.left_out)


@pytest.mark.skipif(not available("numba"), reason="needs numba")
@pytest.mark.parametrize("nominal", slow(False, True))
def test_a_list_of_neighbours_serves_halves_that_weigh_columns_less(nominal, monkeypatch):
    random = np.random.default_rng(4)
    wild = random.standard_cauchy(size=160)  # its spread differs much from half to half
    kinds = (Feature("k", random.integers(0, 3, 160).astype(float), ("p", "q", "r")),) if nominal else ()
    features = (Feature("wild", wild), Feature("tame", random.normal(size=160)), *kinds)
    table = table_of(Dataset("n", features, random.integers(0, 2, 160).astype(float), ("a", "b")))
    train = random_halves(160, 40, 1)
    monkeypatch.setenv("BESTOFK_KERNELS", "numba")
    monkeypatch.setattr(learners, "NEAR", 12)
    monkeypatch.setattr(learners, "LEAST_SHARE", 1e-9)  # never made anew
    kept = learners.Neighbours(table)
    parts = [kept.labels(train[at : at + 2], prepared(table, train[at : at + 2])) for at in range(0, 80, 2)]
    shares = kept._shares(prepared(table, train).spread.inverse ** 2)
    assert shares.min() < 0.9
    assert (shares.max() <= 1) == nominal
    monkeypatch.setenv("BESTOFK_KERNELS", "numpy")
    np.testing.assert_array_equal(np.concatenate(parts), learners.nearest_neighbour(table, train))
