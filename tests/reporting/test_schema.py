"""The JSON of a verdict: real output of the command against its schema and its page, for every kind of evidence."""

import copy
import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import bestofk as bk
from bestofk.reporting.formats.json_document import document_of
from makers_measures import EXAMPLES, LADDER, TWO_CLASS, probability_lines, run, saved, three_classes_csv

jsonschema = pytest.importorskip("jsonschema")
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "schema.md"
#: Objects whose keys are learners, measures, settings or the like: no fields.
BY_NAME = {
    "means",
    "measure_means",
    "rank_intervals",
    "direction",
    "weights",
    "measure_pvalues",
    "curves",
    "areas",
    "rates",
}
BY_NAME |= {"settings", "versions", "reading", "bounds", "results", "filled"}


@pytest.fixture(scope="module")
def schema():
    path = files("bestofk.reporting.formats") / "verdict-2.schema.json"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def validate(schema):
    """Validates an instance; whether the schema itself is one is asked once, in a test of its own."""
    return jsonschema.Draft202012Validator(schema).validate


def over_datasets(folder):
    rng = np.random.default_rng(0)
    rows = [
        f"{n},d{d},{8 - int(rng.integers(3))},2,{1 + k + int(rng.integers(2))},{9 - k}"
        for d in range(12)
        for k, n in enumerate("abc")
    ]
    return saved(folder, "learner,dataset,tp,fn,fp,tn\n" + "\n".join(rows) + "\n")


def constant(folder):
    """b is worse than a by the same amount on every fold: statistics are infinite."""
    rows = [f"{n},{f},{8 - k},{2 + k},{1 + k},{9 - k}" for f in range(6) for k, n in enumerate("ab")]
    return saved(folder, "learner,fold,tp,fn,fp,tn\n" + "\n".join(rows) + "\n")


def probabilities(folder, **options):
    return saved(folder, probability_lines(**options)[2], "p.csv")


def grouped(folder):
    rng = np.random.default_rng(0)
    right = rng.random((60, 2)) < (0.9, 0.6)
    rows = [f"{i},g{i % 6},{n},{int(one[k])}" for i, one in enumerate(right) for k, n in enumerate("ab")]
    return saved(folder, "item,group,learner,correct\n" + "\n".join(rows) + "\n")


def folds_of_datasets(folder):
    rng = np.random.default_rng(0)
    rows = [
        f"{n},d{d},{f},{0.1 * (k + 1) + rng.normal(0, 0.02):.4f},{k + 1 + rng.random():.3f}"
        for d in range(9)
        for f in range(10)
        for k, n in enumerate("abc")
    ]
    return saved(folder, "learner,dataset,fold,error,fit_time\n" + "\n".join(rows) + "\n")


def runs_in_tasks(folder):
    rng = np.random.default_rng(0)
    rows = [
        f"{n},t{t},{seed},{0.5 + 0.1 * k + rng.normal(0, 0.05):.4f}"
        for t in range(4)
        for seed in range(5)
        for k, n in enumerate("abc")
    ]
    return saved(folder, "algo,env,seed,success_rate\n" + "\n".join(rows) + "\n")


def featured(folder):
    rows = [f"d{d},{100 + 10 * d},{d % 3}" for d in range(9)]
    return saved(folder, "dataset,rows,classes\n" + "\n".join(rows) + "\n", "features.csv")


def runs(folder, tasks=1):
    rng = np.random.default_rng(0)
    rows = [f"{n},t{t},{s},{0.7 + 0.02 * k + rng.normal(0, 0.01):.4f}"
            for t in range(tasks) for s in range(6 - tasks // 2) for k, n in enumerate("abc")]  # fmt: skip
    return saved(folder, "model,task,seed,accuracy\n" + "\n".join(rows) + "\n", "runs.csv")


def amounts(folder, least=1.0):
    rng = np.random.default_rng(0)
    rows = [
        f"{n},d{d},{10.0**d * (1 + 0.1 * k + rng.normal(0, 0.05)):.6g}" for d in range(9) for k, n in enumerate("abc")
    ]
    rows[0] = f"a,d0,{least}"
    return saved(folder, "learner,dataset,rmse\n" + "\n".join(rows) + "\n", "rmse.csv")


FIVE = (EXAMPLES / "five_by_two.csv",)
DEMSAR = (EXAMPLES / "demsar.csv", "--larger-is-better")
CASES = {
    "folds": lambda folder: FIVE,
    "folds, preferred": lambda folder: (*FIVE, "--prior", "max,nmc,lgc,tree,nn", "--rope", "0.02"),
    "folds, one side": lambda folder: (*FIVE, "--prior", "max,nmc,lgc,tree,nn", "--sides", "one"),
    "folds, control": lambda folder: (*FIVE, "--control", "nn"),
    "folds, no best": lambda folder: (*FIVE, "--prior", "max,nmc,lgc,tree,nn", "--method", "anova-best"),
    "data sets": lambda folder: DEMSAR,
    "data sets, nemenyi": lambda folder: (*DEMSAR, "--test", "nemenyi"),
    "data sets, control": lambda folder: (*DEMSAR, "--control", "C4.5", "--adjust", "holm"),
    "two learners": lambda folder: (EXAMPLES / "bramer_15_2.csv", "--larger-is-better"),
    "ranks": lambda folder: (folds_of_datasets(folder), "--prior", "c,b,a", "--method", "multi2test"),
    "features and costs": lambda folder: (
        folds_of_datasets(folder), "--measure", "error", "--prior", "fit_time", "--features", featured(folder)
    ),
    "runs in tasks": lambda folder: (runs_in_tasks(folder),),
    "curves": lambda folder: (EXAMPLES / "curves.csv",),
    "curves, final": lambda folder: (EXAMPLES / "curves.csv", "--curve", "final"),
    "curves of folds": lambda folder: (
        saved(folder, (EXAMPLES / "curves.csv").read_text(encoding="utf-8").replace("run", "fold", 1)),
    ),
    "runs": lambda folder: (runs(folder), "--intervals", "single"),
    "tasks": lambda folder: (runs(folder, tasks=4), "--prior", "a,b,c"),
    "amounts": lambda folder: (amounts(folder),),
    "amounts, one of them 0": lambda folder: (amounts(folder, least=0.0),),
    "items": lambda folder: (EXAMPLES / "predictions.csv",),
    "items, price": lambda folder: (EXAMPLES / "language_models.csv", "--prior", "price"),
    "battles": lambda folder: (EXAMPLES / "battles.csv", "--prior", "price", "--within", "60"),
    "filled in": lambda folder: (
        saved(folder, DEMSAR[0].read_text(encoding="utf-8").replace("0.628", "", 1)), *DEMSAR[1:], "--missing", "worst"
    ),
    "groups": lambda folder: (grouped(folder),),
    "groups, fixed": lambda folder: (grouped(folder), "--groups", "fixed"),
    "measures": lambda folder: (TWO_CLASS, "--on", "tpr,fpr"),
    "measures, preferred": lambda folder: (
        TWO_CLASS, "--on", "confusion", "--prior", "lda,qda,nb,knn,tree", "--task", "detection"
    ),
    "measures, control": lambda folder: (TWO_CLASS, "--on", "tpr,fpr", "--control", "lda"),
    "measures, two learners": lambda folder: (TWO_CLASS, "--on", "precision,recall", "--learners", "lda,qda"),
    "measures, data sets": lambda folder: (over_datasets(folder), "--on", "tpr,fpr"),
    "measures, no spread": lambda folder: (constant(folder), "--on", "tpr,fpr"),
    "areas of a test set": lambda folder: (probabilities(folder), "--on", "roc"),
    "areas of folds": lambda folder: (probabilities(folder, groups=True), "--on", "roc"),
    "thresholds": lambda folder: (probabilities(folder, groups=True), "--on", LADDER),
    "every class": lambda folder: (three_classes_csv(folder)[0], "--on", "tpr,fpr", "--positive", "each"),
}  # fmt: skip


def judged(*words):
    """The JSON of ``bestofk judge``."""
    answer = run("judge", *words, "--json")
    assert answer.exit_code in (0, 1), answer.output
    return json.loads(answer.stdout)


@pytest.mark.parametrize("case", ["folds, preferred", "data sets, control", "battles", "measures"])
def test_a_report_as_json_is_the_answer_of_judge(case, tmp_path):
    words = CASES[case](tmp_path)
    assert judged(*words) == json.loads(run("report", *words, "--format", "json", "-o", "-").stdout)


def named_in(data):
    """Names of all fields at any depth."""
    found = set()
    for name, value in data.items() if isinstance(data, dict) else ():
        found |= {name, *(named_in(value) if name not in BY_NAME or isinstance(value, list) else ())}
    for value in data if isinstance(data, list) else ():
        found |= named_in(value)
    return found


@pytest.mark.parametrize("case", CASES)
def test_real_output_obeys_the_schema_and_has_no_field_that_is_not_documented(case, tmp_path, validate):
    data = judged(*CASES[case](tmp_path))
    validate(data)
    page = PAGE.read_text(encoding="utf-8")
    assert {name for name in named_in(data) if f"`{name}`" not in page} == set()


def test_the_schema_is_one(schema):
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    for name in ("comparison", "pair", "ordering", "findings", "verdict", "advice", "provenance"):
        assert schema["$defs"][name]["additionalProperties"] is False


@pytest.mark.parametrize("name", sorted(each.name for each in EXAMPLES.glob("*.csv")))
def test_every_example_obeys_the_schema(name, validate):
    larger = True if name.startswith(("demsar", "bramer")) else None
    try:
        verdict = bk.judge(bk.read(EXAMPLES / name, larger_is_better=larger))
    except bk.InputError as error:
        pytest.skip(f"{name} needs more than defaults: {error.wrong}")
    validate(json.loads(json.dumps(document_of(verdict))))


PLACES = [
    (("status",), "perhaps"),
    (("schema",), 1),
    (("scope",), "everything"),
    (("rank_intervals", "lda"), [0, 5]),
    (("comparison", "alpha"), 5),
    (("comparison", "sample", "kind"), "rows"),
    (("comparison", "pairs", 0, "pvalue"), 1.5),
    (("comparison", "pairs", 0, "level"), "family"),
    (("comparison", "sample", "scale"), "cubic"),
    (("comparison", "quantity"), None),
    (("best_set",), []),
    (("comparison", "pairs", 0, "relation"), "worse"),
    (("comparison", "pairs", 0, "parts", 0, "better"), 3),
    (("comparison", "omnibus", "manova", "criteria"), {}),
    (("findings", "measure_orders", "orders", 0, "order"), "qda"),
    (("findings", "mistake_costs", "best", 0, "low"), "cheap"),
]


@pytest.fixture(scope="module")
def document():
    return json.loads(json.dumps(document_of(bk.judge(TWO_CLASS, on="tpr,fpr"))))


@pytest.mark.parametrize(("place", "value"), PLACES, ids=lambda each: str(each))
def test_the_schema_refuses_what_is_wrong_or_missing(place, value, validate, document):
    wrong = copy.deepcopy(document)
    inside = wrong
    for part in place[:-1]:
        inside = inside[part]
    inside[place[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        validate(wrong)
    if place[-2:-1] == ("rank_intervals",):
        return
    del inside[place[-1]]
    with pytest.raises(jsonschema.ValidationError):
        validate(wrong)


def test_the_schema_refuses_what_is_unknown(validate, document):
    validate(document)
    wrong = copy.deepcopy(document)
    wrong["comparison"]["extra"] = 1
    with pytest.raises(jsonschema.ValidationError):
        validate(wrong)
