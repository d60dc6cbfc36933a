"""One command for several measures: the first screen, JSON, reports, errors and exit codes."""

import json
from html.parser import HTMLParser

import pytest

import bestofk as bk
from bestofk.reporting.page import recipe_of
from makers_measures import TWO_CLASS, by_holm, counts_by_fold, counts_csv, named_counts_csv, pairs_of, run, three_lines

#: Of several measures; others go with any verdict.
FIGURES = {"contours", "difference-contours", "error-histograms", "acceptance", "roc"}


@pytest.fixture(scope="module")
def verdict():
    return bk.judge(TWO_CLASS, on=("tpr", "fpr"))


def test_one_command_says_what_differs():
    answer = run("judge", TWO_CLASS, "--on", "tpr,fpr")
    assert answer.exit_code == 0  # nobody dominates, and no preference was given
    rows = {line.split("\t")[0]: line.split("\t") for line in answer.stdout.splitlines() if "\t" in line}
    pairs = pairs_of(bk.judge(TWO_CLASS, on="tpr,fpr"))
    adjusted = by_holm([each.pvalue for each in pairs])
    (p,) = (p for p, each in zip(adjusted, pairs, strict=True) if {each.first, each.second} == {"lda", "qda"})
    assert rows["learner"] == ["learner", "error", "tpr", "fpr", "rank", "beside qda"]
    assert rows["lda"] == ["lda", "0.0685", "0.9944", "0.1745", "1–5", f"worse only in fpr, p = {p:.2g}"]
    assert rows["tree"][-1] == "differs from lda in tpr and fpr together"


def test_a_preference_decides_and_ends_with_0():
    answer = run("judge", TWO_CLASS, "--on", "tpr,fpr", "--prior", "lda,qda,nb,knn,tree")
    assert answer.exit_code == 0
    assert answer.stdout.startswith("Take lda, by preference")
    assert run("judge", TWO_CLASS, "--on", "tpr,fpr", "--prior", "lda,qda,nb,knn,tree", "-q").stdout == "lda\n"


def test_json_has_every_field(verdict):
    answer = run("judge", TWO_CLASS, "--on", "tpr,fpr", "--json")
    found = json.loads(answer.stdout)
    assert found["schema"] == 2
    assert found["status"] == "tied"
    assert found["order"] == list(verdict.order)
    assert found["comparison"]["pairs"][0]["statistic"] == pytest.approx(pairs_of(verdict)[0].statistic)
    assert [each["measure"] for each in found["findings"]["measure_orders"]["orders"]] == ["error", "tpr", "fpr"]
    assert "evidence" not in found
    assert found["provenance"]["settings"]["on"] == ["tpr", "fpr"]


@pytest.mark.parametrize("suffix", ["html", "md", "tex", "json", "txt"])
def test_reports_in_every_format(tmp_path, suffix):
    path = tmp_path / f"v.{suffix}"
    answer = run("report", TWO_CLASS, "--on", "precision,recall", "-o", str(path))
    assert answer.exit_code == 0, answer.output
    assert str(path) in answer.stdout
    text = path.read_text(encoding="utf-8")
    assert "precision" in text
    if suffix in ("md", "tex"):
        assert {each.stem.removeprefix("v-") for each in tmp_path.iterdir() if each != path} >= FIGURES
    if suffix == "html":
        for name in FIGURES:
            assert f'id="figure-{name}"' in text
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
    recipe = recipe_of(bk.judge(scores, on="tpr,fpr", task="detection"))
    assert recipe.command == ""
    assert "bk.judge(evidence, on=['tpr', 'fpr'], task='detection')" in recipe.code


def test_identical_learners(tmp_path):
    rows = [
        f"{name},{fold},{9 - fold % 3},{1 + fold % 3},{fold % 2},{10 - fold % 2}" for name in "ab" for fold in range(8)
    ]
    answer = run("judge", counts_csv(tmp_path, rows), "--on", "tpr,fpr")
    assert answer.exit_code == 0


def test_options_that_do_not_fit():
    three_lines(run("judge", TWO_CLASS, "--task", "retrieval"), wrong="on is not", where="task", fix="--on tpr,fpr")
    three_lines(run("judge", TWO_CLASS, "--on", "tpr"), wrong="one measure", where="argument on", fix="--measure NAME")
    three_lines(run("judge", TWO_CLASS, "--on", "tpr,fpr", "--rope", "0.1"), wrong="rope", where="rope", fix="leave")
    answer = run("judge", TWO_CLASS, "--on", "tpr,fbr", "--json")
    assert answer.exit_code == 2
    assert "did you mean" in json.loads(answer.stdout)["fix"]


#: Marks that mean something to Markdown, LaTeX, HTML, CSV and spreadsheets.
ODD = {"a": 'l,d|a & "x" <b>$_%#~^\\{}', "b": "日本 é", "c": "=cmd()|1"}


@pytest.fixture
def file(tmp_path):
    def made(changes=None, names=None):
        return named_counts_csv(tmp_path / "r.csv", counts_by_fold() | (changes or {}), names)

    return made


class Page(HTMLParser):
    """All text of a page."""

    def __init__(self):
        super().__init__()
        self.text = ""

    def handle_data(self, data):
        self.text += data


def test_readings_and_the_preference_are_told(tmp_path):
    lines = [
        f"{n},{f},{f % 3 + 5 * (n == 'b')},{0.9 - 0.01 * (f % 4)},{3 if n == 'a' else 1}"
        for f in range(8)
        for n in "ab"
    ]
    path = tmp_path / "r.csv"
    path.write_text("model,split,loss,accuracy,price\n" + "\n".join(lines) + "\n")
    asked = (str(path), "--on", "loss,accuracy", "--prior", "price")
    found = json.loads(run("judge", *asked, "--json").stdout)
    assert found["ordering"]["prior"] == ["b", "a"]
    assert found["ordering"]["prior_from"] == "price"
    assert any("'model' was read" in note for note in found["provenance"]["notes"])
    for text in (run("judge", *asked, "--full").stdout, run("report", *asked, "-o", "-", "--format", "md").stdout):
        assert "was read as learner" in text
        assert "price" in text


@pytest.mark.parametrize("suffix", ["html", "md", "tex", "json", "txt"])
def test_reports_survive_odd_names(file, suffix):
    found = run("report", file(names=ODD), "--on", "tpr,fpr", "-o", "-", "--format", suffix)
    assert found.exit_code in (0, 1)
    text = found.stdout
    if suffix == "json":
        assert set(json.loads(text)["order"]) == set(ODD.values())
    elif suffix == "html":
        page = Page()
        page.feed(text)
        assert all(name in page.text for name in ODD.values())
        assert ODD["a"] not in text
    elif suffix == "md":
        assert r"l,d\|a" in text
    elif suffix == "tex":
        assert r"\textless{}b\textgreater{}\$\_" in text
        assert "=cmd()|1" not in text
    else:
        assert all(name in text for name in ODD.values())


def test_names_with_commas_make_the_verdict_again(tmp_path):
    path = tmp_path / "c.csv"
    lines = "".join(f"{n},{f},0.{f + 1 + (n == 'a')},{(f * 3 + (n == 'a')) % 5}\n" for n in "ab" for f in range(6))
    path.write_text('learner,fold,accuracy,"cost, in euro"\n' + lines)
    verdict = bk.judge(str(path), on='accuracy,"cost, in euro:smaller"')
    assert verdict.provenance.settings["on"] == ["accuracy", "cost, in euro:smaller"]
    recipe = recipe_of(verdict)
    assert '"cost, in euro:smaller"' in recipe.command
    found = {}
    exec(recipe.code.replace("print(verdict)", ""), found)
    assert found["verdict"].to_dict()["comparison"] == verdict.to_dict()["comparison"]
