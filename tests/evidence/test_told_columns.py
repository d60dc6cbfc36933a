"""Options that say what columns are: they go before names, and one that has no effect is refused."""

from pathlib import Path

import pytest

import bestofk as bk
from bestofk.evidence.columns import SYNONYMS, WEAK
from bestofk.evidence.layouts.request import COLUMN_ROLES
from makers_tables import differences

pandas = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

LEARNERS = ["a", "b"]
ITEMS = pandas.DataFrame(
    [(k, i, f"g{i % 7}", r, (i * 7 + r + (k == "b")) % 3 > 0) for k in LEARNERS for i in range(21) for r in range(3)],
    columns=["learner", "item", "group", "repeat", "accuracy"],
)
FOLDS = pandas.DataFrame(
    [
        (k, d, r, f, round(0.1 + 0.01 * ((3 * r + f + len(d)) % 5) + 0.02 * (k == "b"), 2))
        for k in LEARNERS
        for d in ("u", "vv", "www")
        for r in (1, 2)
        for f in (1, 2, 3)
    ],
    columns=["learner", "dataset", "replication", "fold", "error"],
)
STRANGE = {"learner": "who", "item": "what", "group": "topic", "dataset": "where", "replication": "round"}
OPTIONS = {role: option for option, role in COLUMN_ROLES.items()}


def told(*roles):
    return {OPTIONS[role]: STRANGE[role] for role in roles}


def refused(frame, *parts, **options):
    with pytest.raises(bk.InputError) as caught:
        bk.read(frame, **options)
    assert all((caught.value.wrong, caught.value.where, caught.value.fix))
    for part in parts:
        assert part in str(caught.value), str(caught.value)


def test_columns_of_any_name_have_the_role_that_is_said():
    strange = FOLDS.rename(columns=STRANGE)
    assert differences(bk.read(strange, **told("learner", "dataset", "replication")), bk.read(FOLDS)) == []
    strange = ITEMS.rename(columns={**STRANGE, "repeat": "round"})
    assert differences(bk.read(strange, **told("learner", "item", "group", "replication")), bk.read(ITEMS)) == []


def test_what_is_said_goes_before_names():
    both = FOLDS.rename(columns={"learner": "who"}).assign(model="x", task="y", seed=7)
    options = {"learner": "who", "dataset_column": "dataset", "replication": "replication"}
    assert differences(bk.read(both, **options), bk.read(FOLDS)) == []
    swapped = ITEMS.rename(columns={"group": "learner", "learner": "group"})
    found = bk.read(swapped, learner="group", group="learner")
    assert differences(found, bk.read(ITEMS)) == []


def test_names_that_look_like_numbers_stay_apart(tmp_path):
    path = tmp_path / "versions.csv"
    path.write_text("version,error\n" + "".join(f"{v},0.{i}\n" for v in ("1.1", "1.10", "1.2") for i in (1, 2, 3)))
    assert bk.read(path, learner="version", rows="runs").learners == ("1.1", "1.10", "1.2")


def test_a_seed_stays_a_seed():
    runs = FOLDS.query("fold == 1 and dataset == 'u'").drop(columns=["fold", "dataset"])
    seeds = runs.rename(columns={"replication": "seed"})
    assert isinstance(bk.read(seeds, replication="seed"), bk.Runs)
    assert isinstance(bk.read(runs.rename(columns={"replication": "round"}), replication="round", rows="runs"), bk.Runs)


@pytest.mark.parametrize(
    ("frame", "options", "part"),
    [
        (FOLDS, {"learner": "lerner"}, "did you mean 'learner'"),
        (FOLDS, {"learner": "dataset", "item": "dataset"}, "both 'dataset'"),
        (FOLDS, {"group": "dataset"}, "has no effect"),
        (FOLDS, {"item": 3}, "item is 3"),
        (ITEMS.query("repeat == 0"), {"replication": "repeat"}, "has no effect"),
        (FOLDS, {"item": "fold", "rows": "datasets"}, "rows is 'datasets'"),
        (FOLDS, {"replication": "replication", "replications": 3}, "replications"),
        (FOLDS, {"transpose": True}, "beside the learner are dataset"),
        (FOLDS.drop(columns=["learner"]), {"transpose": True}, "leave transpose out"),
        (FOLDS[["learner"]].drop_duplicates(), {"transpose": True}, "no column holds scores"),
        (pandas.DataFrame({"model": LEARNERS, "x": ["85±1", "86±2"]}), {"transpose": True, "measure": "f1"}, "spread"),
        ({"a": [0.1, 0.2], "b": [0.3, 0.1]}, {"item": "x", "measure": "error"}, "no columns"),
        ({"a": [0.1, 0.2], "b": [0.3, 0.1]}, {"filter": "x=1", "measure": "error"}, "no columns"),
        ({"a": [0.1, 0.2], "b": [0.3, 0.1]}, {"transpose": True, "measure": "error"}, "no columns"),
    ],
)
def test_an_option_without_effect_is_refused(frame, options, part):
    refused(frame, part, **options)


def test_two_columns_of_one_role_name_the_option():
    refused(FOLDS.assign(model="x"), "--learner learner")
    asked = {
        "model": ["a", "b"] * 4,
        "doc_id": [1, 1, 1, 1, 2, 2, 2, 2],
        "qid": [1, 1, 2, 2, 3, 3, 4, 4],
        "correct": [1] * 8,
    }
    refused(asked, "--item qid, and --group doc_id if")  # the column that says most


@pytest.mark.parametrize(
    ("filter", "rows"),
    [
        (["dataset=u"], "dataset == 'u'"),
        ({"dataset": "u"}, "dataset == 'u'"),
        ("dataset=vv", "dataset == 'vv'"),
        (["dataset=u", "dataset=www"], "dataset != 'vv'"),
        ({"dataset": ["u", "www"], "fold": 2}, "dataset != 'vv' and fold == 2"),
    ],
)
def test_a_filter_reads_the_rows_that_it_keeps(filter, rows):
    kept = FOLDS.query(rows)
    expected = kept.drop(columns="fold") if "fold" in rows else kept
    assert differences(bk.read(FOLDS, filter=filter), bk.read(expected)) == []


@pytest.mark.parametrize(
    ("filter", "part"),
    [
        ("datset=u", "did you mean 'dataset'"),
        ("dataset=ww", "did you mean 'www'"),
        ("dataset", "unknown column 'filter'"),
        (3, "filter is 3"),
        (["dataset=u", "error=0.14", "fold=1", "replication=2"], "no row has"),
        ("error=x", "unknown value of error"),
    ],
)
def test_a_filter_that_keeps_nothing_is_refused(filter, part):
    refused(FOLDS, part, filter=filter)


def test_training_rows_are_filtered_away():
    parts = pandas.concat([FOLDS.assign(split="test"), FOLDS.assign(split="train", error=0.0)])
    parts = parts.drop(columns="fold").query("replication == 1").drop_duplicates(["learner", "dataset", "split"])
    found = bk.read(parts.reset_index(drop=True), filter="split=test")
    assert found.means()["a"] > 0


def test_learners_in_rows():
    wide = FOLDS.query("fold == 1 and replication == 1").pivot(index="dataset", columns="learner", values="error")
    turned = wide.T.reset_index(names="what we tried").assign(Params=["11M", "7M"])
    refused(turned.drop(columns="Params"), "may name learners or data sets")
    found = bk.read(turned, transpose=True, measure="error")
    expected = bk.read(wide.reset_index(), measure="error")
    assert differences(found, expected, ("costs", "measured_costs")) == []
    assert found.costs["size"] == {"a": 11e6, "b": 7e6}
    refused(turned.rename(columns={"u": "accuracy", "vv": "f1"}), "beside the learner are accuracy", transpose=True)
    more = turned.assign(Year=[2024, 2016], Avg=[0.1, 0.2], **{"FLOPs (G)": [1.8, 4.1]})
    assert (
        differences(bk.read(more, transpose=True, measure="error"), found, ("costs", "measured_costs", "others")) == []
    )
    folds = turned.rename(columns={"u": "x", "vv": "y", "www": "z"})
    assert bk.read(folds, transpose=True, measure="error", rows="folds").folds == ("x", "y", "z")


@pytest.mark.parametrize(
    ("role", "name"),
    [(role, name) for role in ("learner", "dataset", "replication", "fold") for name in SYNONYMS[role]],
)
def test_every_synonym_is_its_role(role, name):
    renamed = bk.read(FOLDS.rename(columns={role: name}), measure="error")
    assert differences(renamed, bk.read(FOLDS), ("counts",)) == []


@pytest.mark.parametrize(
    ("name", "role"), [(name, role) for role in ("learner", "dataset") for name in SYNONYMS[role] if name in WEAK]
)
def test_identifiers_give_way_to_names(name, role):
    found = bk.read(FOLDS.assign(**{name: FOLDS[role].map(hash)}))
    assert differences(found, bk.read(FOLDS)) == []
    assert any(name in note for note in found.origin.notes)


def test_identifiers_that_are_called_after_folds_are_no_items():
    named = FOLDS.query("dataset == 'u'").drop(columns="dataset")
    tidy = named.assign(id="Repeat" + named.replication.astype(str), id2="Fold" + named.fold.astype(str))
    found = bk.read(tidy.drop(columns=["replication", "fold"]))
    assert isinstance(found, bk.Scores)
    assert found.values.shape == (2, 1, 2, 3)


def test_the_page_has_every_role_with_its_option_and_its_names():
    page = (Path(__file__).parents[2] / "docs" / "reference" / "reading.md").read_text(encoding="utf-8")
    rows = {cells[1].strip(): cells[2:4] for line in page.splitlines() if len(cells := line.split("|")) == 5}
    options = {role: f"--{option.replace('_', '-')} COLUMN" for option, role in COLUMN_ROLES.items()}
    for role, names in SYNONYMS.items():
        if role != "filter":  # a name of one program
            option, told = rows[role]
            assert option.strip(" `") == options.get(role, "")
            assert tuple(name.strip(" `") for name in told.split(",")) == names


WORDS = {
    "per cent": (["85.1%", "80 %", "70.5%", "60%"], [85.1, 80, 70.5, 60]),
    "commas": (["0,851", "0,80", "1", "0,5"], [0.851, 0.8, 1.0, 0.5]),
    "per cent with commas": (["85,1%", "80%", "70,5%", "60%"], [85.1, 80, 70.5, 60]),
}


@pytest.mark.parametrize("way", WORDS)
def test_written_numbers_are_read_and_reported(way):
    words, numbers = WORDS[way]
    keys = {"learner": ["a", "a", "b", "b"], "fold": [1, 2, 1, 2]}
    found = bk.read(pandas.DataFrame({**keys, "accuracy": words}))
    assert differences(found, bk.read(pandas.DataFrame({**keys, "accuracy": numbers}))) == []
    assert any("accuracy" in note for note in found.origin.notes)


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (["11M", "7M"], [11e6, 7e6]),
        (["$0.70", "$1"], [0.7, 1]),
        (["1.2k", "900"], [1200, 900]),
        (["350 ms", "1.5 s"], [0.35, 1.5]),
        (["7B", "70B"], [7e9, 70e9]),
        (["512 MB", "2 GB"], [512e6, 2e9]),
        (["$1", "€1"], None),
        (["5 min", "7M"], None),
        (["cheap", "dear"], None),
    ],
)
def test_amounts_are_costs_or_passed_over(words, numbers):
    frame = pandas.DataFrame({"learner": ["a", "b"] * 3, "fold": [1, 1, 2, 2, 3, 3], "accuracy": [0.5, 0.6] * 3})
    found = bk.read(frame.assign(price=words * 3))
    expected = {} if numbers is None else {"price": dict(zip(LEARNERS, numbers, strict=True))}
    assert found.costs == expected
    assert any("price" in note.lower() for note in found.origin.notes)
    other = bk.read(frame.assign(tag=words * 3))
    assert other.measure == "accuracy"


def test_the_measure_is_proposed_by_what_is_known():
    frame = FOLDS.assign(zeal=1.0, accuracy=0.5, latency_p50=2.0)
    refused(frame.drop(columns="error"), "--measure accuracy")
    with pytest.raises(bk.InputError) as caught:
        bk.judge(frame, prior="latency_p50")
    assert "latency" not in str(caught.value)


def test_columns_without_name_and_content_are_passed_over(tmp_path):
    path = tmp_path / "ends.csv"
    FOLDS.assign(**{"": None, " ": None}).to_csv(path, index=False)
    assert differences(bk.read(path), bk.read(FOLDS)) == []


def test_items_with_outcomes_of_two_filters_are_asked_about():
    """How an answer was taken from a model's words is one for all: extractions are no repeats, and no models."""
    ways = pandas.concat((ITEMS.assign(filter=way) for way in ("strict", "flexible")), ignore_index=True)
    refused(ways, "2 filters: strict and flexible", "--filter filter=")
    refused(ITEMS.assign(filter=ITEMS.learner.map({"a": "strict", "b": "flexible"})), "2 filters")
    assert bk.read(ways, filter="strict").values.tolist() == bk.read(ITEMS).values.tolist()
