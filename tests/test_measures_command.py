"""One command for several measures: words, tables, JSON, reports, errors and exit codes."""

import json
from pathlib import Path

import pytest
from bestofk.reporting.measures_page import measures_recipe
from bestofk.reporting.measures_phrases import combination_words, worse_words
from bestofk.reporting.measures_tables import acceptance_table, measures_pairs_table, orders_table
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.plots.figures import figure, figures_for

EXAMPLES = Path(__file__).parent.parent / "examples"
TWO_CLASS = str(EXAMPLES / "two_class.csv")
FIGURES = {"contours", "difference-contours", "error-histograms", "acceptance", "roc"}


def run(*words):
    return CliRunner().invoke(main, list(words), catch_exceptions=False)


def written(tmp_path, lines):
    path = tmp_path / "r.csv"
    path.write_text("learner,fold,tp,fn,fp,tn\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def verdict():
    return bk.judge(TWO_CLASS, on=("tpr", "fpr"))


def test_one_command_says_what_differs():
    answer = run("judge", TWO_CLASS, "--on", "tpr,fpr")
    assert answer.exit_code == 1  # nobody dominates, and no preference was given
    assert "lda raises more false alarms than qda (fpr 0.1745 against 0.0989" in answer.stdout
    assert "their error is the same as far as the test can tell (lda 0.0685, qda 0.0545" in answer.stdout
    assert "By fpr, best first: tree qda knn nb lda" in answer.stdout
    assert "manova-corrected" in answer.stdout
    assert "1: not told apart by tpr, fpr; 0: told apart." in answer.stdout


def test_a_preference_decides_and_ends_with_0():
    answer = run("judge", TWO_CLASS, "--on", "tpr,fpr", "--prior", "lda,qda,nb,knn,tree")
    assert answer.exit_code == 0
    assert answer.stdout.startswith("lda is the choice: nobody is shown to dominate it, and it is preferred.")


def test_json_has_every_field(verdict):
    answer = run("judge", TWO_CLASS, "--on", "tpr,fpr", "--json")
    found = json.loads(answer.stdout)
    assert found["schema"] == 1
    assert found["status"] == "tied"
    assert found["order"] == list(verdict.order)
    assert found["comparison"]["pairs"][0]["statistic"] == pytest.approx(verdict.comparisons[0].statistic)
    assert [each["measure"] for each in found["ordering"]["by_measure"]] == ["error", "tpr", "fpr"]
    assert "evidence" not in found
    assert found["provenance"]["settings"]["on"] == ["tpr", "fpr"]


@pytest.mark.parametrize("suffix", ["html", "md", "tex", "json", "txt"])
def test_reports_in_every_format(tmp_path, suffix):
    path = tmp_path / f"v.{suffix}"
    answer = run("report", TWO_CLASS, "--on", "precision,recall", "-o", str(path))
    assert answer.exit_code == 1, answer.output
    assert answer.stdout == f"No single best; the report is in {path}\n"
    text = path.read_text(encoding="utf-8")
    assert "precision" in text
    if suffix in ("md", "tex"):
        assert {each.stem.removeprefix("v-") for each in tmp_path.iterdir() if each != path} == FIGURES
    if suffix == "html":
        for name in FIGURES:
            assert f'id="figure-{name}"' in text
        assert text.index('id="figure-contours"') < text.index('id="figure-roc"')
    if suffix != "json":
        assert "MANOVA" in text


def test_the_report_says_how_to_make_it_again(tmp_path):
    path = tmp_path / "v.txt"
    options = ("--on", "tpr,fpr", "--adjust", "holm", "--task", "detection", "--undefined", "0")
    run("report", TWO_CLASS, *options, "-o", str(path))
    text = path.read_text(encoding="utf-8")
    line = next(each.strip() for each in text.splitlines() if each.strip().startswith("bestofk judge"))
    again = run(*line.split()[1:], "--json")
    assert (
        json.loads(again.stdout)["comparison"]
        == json.loads(run("judge", TWO_CLASS, *options, "--json").stdout)["comparison"]
    )
    lines = {}
    code = text[text.index("import bestofk as bk") :].replace("\n    ", "\n")
    exec(code.replace("print(verdict)", ""), lines)
    assert lines["verdict"].comparison.adjust == "holm"


def test_results_in_memory_are_made_again_by_judge(verdict):
    scores = bk.Scores(
        learners=verdict.comparison.learners,
        values=verdict.evidence.values,
        counts=verdict.evidence.counts,
        measure="tpr",
        larger_is_better=True,
    )
    recipe = measures_recipe(bk.judge(scores, on="tpr,fpr", task="detection"))
    assert recipe.command == ""
    assert "bk.judge(evidence, on=['tpr', 'fpr'], task='detection')" in recipe.code


# Rulings, through the command


def three_lines(answer, *, wrong, where, fix):
    assert answer.exit_code == 2
    lines = answer.stderr.splitlines()
    assert len(lines) == 3
    for line, part in zip(lines, (wrong, where, fix), strict=True):
        assert part in line


def test_a_fold_without_predicted_positives(tmp_path):
    rows = [f"{name},{fold},{8 - fold % 2},{2 + fold % 2},1,{9}" for name in "ab" for fold in range(1, 7)]
    rows[8] = "b,3,0,10,0,10"
    path = written(tmp_path, rows)
    where = "learner b, fold 3"
    three_lines(
        run("judge", path, "--on", "precision,recall"),
        wrong="precision is 0/0 in 1 fold",
        where=where,
        fix="--undefined 0",
    )
    assert run("judge", path, "--on", "precision,recall", "--undefined", "0").exit_code in (0, 1)
    assert run("judge", path, "--on", "tpr,fpr").exit_code in (0, 1)


def test_as_many_measures_as_folds(tmp_path):
    rows = ["a,1,8,2,1,9", "a,2,7,3,3,7", "a,3,9,1,2,8", "b,1,6,4,2,8", "b,2,8,2,1,9", "b,3,5,5,3,7"]
    path = written(tmp_path, rows)
    answer = run("judge", path, "--on", "tpr,fpr,f1")
    three_lines(answer, wrong="3 folds cannot carry 3 measures", where="tpr,fpr,f1", fix="fewer measures")
    path = written(tmp_path, [*rows, "a,4,8,2,2,8", "b,4,7,3,1,9"])
    found = json.loads(run("judge", path, "--on", "confusion", "--json").stdout)  # rank 2 of 4: four folds carry it
    assert found["comparison"]["pairs"][0]["rank"] == 2
    assert found["comparison"]["pairs"][0]["df"] == [2.0, 2.0]


def test_constant_measures_and_constant_differences(tmp_path):
    rows = [f"a,{fold},10,0,{fold % 3},{10 - fold % 3}" for fold in range(1, 9)]
    rows += [f"b,{fold},10,0,{fold % 2},{10 - fold % 2}" for fold in range(1, 9)]
    found = json.loads(run("judge", written(tmp_path, rows), "--on", "tpr,fpr", "--json").stdout)
    assert found["comparison"]["pairs"][0]["rank"] == 1
    rows = [
        f"{name},{fold},{9 - less},{1 + less},{fold % 3},{10 - fold % 3}"
        for name, less in (("a", 0), ("b", 2))
        for fold in range(8)
    ]
    found = json.loads(run("judge", written(tmp_path, rows), "--on", "tpr,fpr", "--json").stdout)
    pair = found["comparison"]["pairs"][0]
    assert (pair["statistic"], pair["pvalue"], pair["relation"]) == ("Infinity", 0.0, "differ")
    assert found["status"] == "tied"  # certain in tpr; equal in fpr, and equality is never shown


def test_identical_learners(tmp_path):
    rows = [
        f"{name},{fold},{9 - fold % 3},{1 + fold % 3},{fold % 2},{10 - fold % 2}" for name in "ab" for fold in range(8)
    ]
    answer = run("judge", written(tmp_path, rows), "--on", "tpr,fpr")
    assert answer.exit_code == 1
    assert "No two learners are told apart by tpr and fpr." in answer.stdout


def test_options_that_do_not_fit():
    three_lines(run("judge", TWO_CLASS, "--task", "retrieval"), wrong="--on is not", where="--task", fix="--on tpr,fpr")
    three_lines(run("judge", TWO_CLASS, "--on", "tpr"), wrong="one measure", where="argument on", fix="--measure NAME")
    three_lines(
        run("judge", TWO_CLASS, "--on", "tpr,fpr", "--control", "lda"), wrong="control", where="control", fix="leave"
    )
    answer = run("judge", TWO_CLASS, "--on", "tpr,fbr", "--json")
    assert answer.exit_code == 2
    assert "did you mean" in json.loads(answer.stdout)["fix"]


# Words, tables and figures agree


def test_words_for_each_measure():
    assert worse_words("recall", "b") == worse_words("fn", "b") == "misses more positives than b"
    assert worse_words("specificity", "b") == "raises more false alarms than b"
    assert worse_words("precision", "b") == "is wrong more often than b where it says positive"
    assert worse_words("fit_time", "b") == "takes longer to fit than b"
    assert worse_words("recall_cat", "b") == "misses more of class cat than b"
    assert worse_words("taste", "b") == "is worse in taste than b"
    assert combination_words({"a": -1.0, "b": 2.0}) == "−1·a + 2·b"


def test_tables_words_and_figures_agree(verdict):
    table = acceptance_table(verdict)
    drawn = figure("acceptance", verdict).info
    for i, row in enumerate(table.rows):
        for j, cell in enumerate(row[1:]):
            if i != j:
                pair = verdict.comparison.pair(verdict.order[i], verdict.order[j])
                assert cell == str(int(not pair.significant)) == str(int(drawn.tables[0][1][i, j]))
    assert [row[0] for row in orders_table(verdict).rows] == ["error", "tpr", "fpr"]
    findings = {(row[0], row[1]): row[-2] for row in measures_pairs_table(verdict).rows}
    assert findings["lda", "qda"] == "qda better in fpr"
    assert findings["lda", "tree"] == "differ in a combination"
    assert findings["qda", "knn"] == "not separated"


def test_figures_of_the_verdict(verdict):
    found = {each.name: each for each in figures_for(verdict)}
    assert set(found) == FIGURES
    assert found["contours"].info.learners == verdict.order
    difference = found["difference-contours"].info
    pair = verdict.telling_pair
    assert {difference.first, difference.second} == {pair.first, pair.second}
    assert difference.pvalue == pair.adjusted
    assert "ROC points of 5 learners" in found["roc"].alt
    assert "told apart are" in found["acceptance"].alt
    for each in found.values():
        assert each.svg() == each.svg()


def test_figures_of_counts_show_no_copies(verdict):
    four = bk.judge(TWO_CLASS, on="confusion")
    assert figure("contours", four).info.measures == ("tp", "fp")


def test_without_counts_there_is_no_roc():
    table = {"a": {"test_accuracy": [0.9, 0.8, 0.85, 0.9], "test_f1": [0.9, 0.7, 0.8, 0.8], "fit_time": [1, 2, 1, 2]}}
    table["b"] = {"test_accuracy": [0.8, 0.8, 0.82, 0.7], "test_f1": [0.7, 0.7, 0.9, 0.8], "fit_time": [3, 2, 4, 2]}
    found = bk.judge(bk.read(table, measure="accuracy"), on=("accuracy", "f1"))
    assert {each.name for each in figures_for(found)} == FIGURES - {"roc"}


def test_notebook_form(verdict):
    html = verdict._repr_html_()
    assert "lda raises more false alarms than qda" in html
    assert "<table" in html
    assert "<script" not in html
    assert repr(verdict) == verdict.text()


def test_many_learners_are_drawn_without_numbers():
    import numpy as np

    from bestofk.plots.acceptance import AcceptanceInfo
    from bestofk.plots.figures import figure_of

    names = tuple(f"learner {i}" for i in range(15))
    accepted = np.random.default_rng(0).random((15, 15)) < 0.5
    drawn = figure_of(AcceptanceInfo(names, (("tpr, fpr", accepted | accepted.T),))).svg()
    assert "filled: not told apart" in drawn
    few = figure_of(AcceptanceInfo(names[:3], (("tpr, fpr", np.ones((3, 3), dtype=bool)),)))
    assert "0: told apart" in few.svg()
    assert few.alt == "By tpr, fpr: no pair is told apart."
