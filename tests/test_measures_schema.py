"""The JSON of a verdict on several measures: real output of the commands against its schema and its page."""

import copy
import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from bestofk.reporting.json_document import document_of
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from test_measures_roc import LADDER, table, three_classes

ROOT = Path(__file__).parents[1]
TWO_CLASS = str(ROOT / "examples" / "two_class.csv")


def schema():
    return json.loads((files("bestofk.reporting") / "measures-verdict-1.schema.json").read_text(encoding="utf-8"))


def judged(*words):
    """The JSON of ``bestofk judge``, checked to be that of ``bestofk report`` too."""
    answer = CliRunner().invoke(main, ["judge", *words, "--json"], catch_exceptions=False)
    assert answer.exit_code in (0, 1), answer.output
    told = CliRunner().invoke(main, ["report", *words, "--format", "json", "-o", "-"], catch_exceptions=False)
    data, reported = json.loads(answer.stdout), json.loads(told.stdout)
    assert data == reported
    return data


def over_datasets(folder):
    rng = np.random.default_rng(0)
    rows = [f"{n},d{d},{8 - int(rng.integers(3))},2,{1 + k + int(rng.integers(2))},{9 - k}" for d in range(12)
            for k, n in enumerate("abc")]  # fmt: skip
    return written(folder, "learner,dataset,tp,fn,fp,tn", rows)


def constant_differences(folder):
    """b is worse than a by the same amount on every fold: statistics are infinite."""
    rows = [f"{n},{f},{8 - k},{2 + k},{1 + k},{9 - k}" for f in range(6) for k, n in enumerate("ab")]
    return written(folder, "learner,fold,tp,fn,fp,tn", rows)


def probabilities(folder, **options):
    path = folder / "p.csv"
    path.write_text(table(**options)[2], encoding="utf-8")
    return str(path)


def written(folder, heading, rows):
    path = folder / "r.csv"
    path.write_text(heading + "\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


CASES = {
    "counts": lambda folder: (TWO_CLASS, "--on", "tpr,fpr"),
    "preferred": lambda folder: (TWO_CLASS, "--on", "confusion", "--prior", "lda,qda,nb,knn,tree", "--task=detection"),
    "two learners": lambda folder: (TWO_CLASS, "--on", "precision,recall", "--learners", "lda,qda"),
    "data sets": lambda folder: (over_datasets(folder), "--on", "tpr,fpr"),
    "certain": lambda folder: (constant_differences(folder), "--on", "tpr,fpr"),
    "one test set": lambda folder: (probabilities(folder), "--on", "roc"),
    "areas of folds": lambda folder: (probabilities(folder, groups=True), "--on", "roc"),
    "thresholds": lambda folder: (probabilities(folder, groups=True), "--on", LADDER),
    "every class": lambda folder: (three_classes(folder)[0], "--on", "tpr,fpr", "--positive", "each"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_real_output_obeys_the_schema(case, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(judged(*CASES[case](tmp_path)), schema())


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("status",), "perhaps"),
        (("schema",), 2),
        (("comparison", "pairs", 0, "pvalue"), 1.5),
        (("comparison", "pairs", 0, "relation"), "worse"),
        (("comparison", "pairs", 0, "tests", 0, "better"), 3),
        (("comparison", "manova", "criteria"), []),
        (("ordering", "by_measure", 0, "order"), "qda"),
        (("costs", "best", 0, "low"), "cheap"),
    ],
)
def test_the_schema_refuses_what_is_wrong(place, value):
    jsonschema = pytest.importorskip("jsonschema")
    data = json.loads(json.dumps(document_of(bk.judge(TWO_CLASS, on="tpr,fpr"))))
    jsonschema.validate(data, schema())
    wrong = copy.deepcopy(data)
    inside = wrong
    for part in place[:-1]:
        inside = inside[part]
    inside[place[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, schema())
    del inside[place[-1]]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, schema())


def test_an_ordinary_verdict_is_another_document():
    jsonschema = pytest.importorskip("jsonschema")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(json.dumps(document_of(bk.judge(TWO_CLASS)))), schema())


def named_in(data, below=("means", "error_means", "direction", "weights", "curves", "areas", "rates", "provenance")):
    """Names of all fields at any depth; what is keyed by learner or measure is not a field."""
    found = set()
    if isinstance(data, dict):
        for name, value in data.items():
            found |= {name, *(() if name in (*below, "measure_pvalues") else named_in(value))}
    if isinstance(data, list):
        for value in data:
            found |= named_in(value)
    return found


def test_every_field_is_documented_and_in_the_schema(tmp_path):
    page = (ROOT / "docs" / "schema.md").read_text(encoding="utf-8")
    section = page[page.index("## A verdict on several measures") :]
    rules = json.dumps(schema())
    fields = named_in(judged(TWO_CLASS, "--on", "tpr,fpr"))
    fields |= named_in(judged(probabilities(tmp_path, groups=True), "--on", "roc"))
    assert {name for name in fields if f"`{name}`" not in section and f"{{{name}" not in section} - {
        "code", "seen", "do", "name", "larger_is_better"} == set()  # fmt: skip
    assert {name for name in fields if f'"{name}"' not in rules} == set()
