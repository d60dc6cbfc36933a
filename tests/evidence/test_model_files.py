"""One file of items per model: in a list, in a folder, or in a folder per model."""

import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.evidence import Items
from bestofk.evidence.reading import read_evidence
from makers_tables import harness, written


def test_one_file_per_model(tmp_path):
    paths = harness(tmp_path, small={1: 0, 2: 1, 3: 0}, large={3: 1, 2: 1, 1: 0})
    expected = {"small": {"1": 0, "2": 1, "3": 0}, "large": {"1": 0, "2": 1, "3": 1}}
    sources = {"folder": tmp_path, "list": paths, "dict": {"small": paths[0], "large": paths[1]}}
    for source in sources.values():
        found = read_evidence(source)
        assert isinstance(found, Items)
        by_learner = zip(found.learners, found.values.tolist(), strict=True)
        assert {name: dict(zip(found.items, values, strict=True)) for name, values in by_learner} == expected
        assert "'doc' (lists or objects)" in found.origin.notes[-1]
    assert read_evidence(paths, learners=["s", "l"]).learners == ("s", "l")
    with pytest.raises(InputError, match="unknown learner 's'"):
        read_evidence(tmp_path, learners=["s", "l"])
    assert read_evidence(paths, measure="len", larger_is_better=False).measure == "len"


def test_unmatched_items_are_named(tmp_path):
    paths = harness(tmp_path, small=dict.fromkeys(range(9), 1), large={1: 1})
    found = read_evidence(paths)
    assert len(found.missing()) == 8
    with pytest.raises(InputError, match="learner large, item 0") as error:
        bk.judge(found)
    assert "drop-items" in error.value.fix


def test_an_item_twice_in_one_file_is_named(tmp_path):
    paths = [*harness(tmp_path, small={1: 1, 2: 0}), written(tmp_path, "b.jsonl", '{"doc_id": 1, "acc": 1}\n' * 2)]
    with pytest.raises(InputError, match="appears twice") as error:
        read_evidence(paths)
    assert f"{paths[1]}, line 2" in error.value.where


def test_a_column_that_one_file_lacks_is_said_back(tmp_path):
    paths = [*harness(tmp_path, small={1: 1}), written(tmp_path, "b.jsonl", '{"doc_id": 1, "acc": 1}\n')]
    notes = read_evidence(paths).origin.notes
    assert "'len' (not in all files)" in notes[-1]


def test_models_named_inside_and_files_of_folds(tmp_path):
    first = written(tmp_path, "1.csv", "model,fold,accuracy\na,1,.5\na,2,.6\n")
    second = written(tmp_path, "2.csv", "model,fold,accuracy\nb,2,.5\nb,1,.6\n")
    found = read_evidence([first, second])
    assert (found.learners, found.values.tolist()) == (("a", "b"), [[[[0.5, 0.6]]], [[[0.6, 0.5]]]])


def test_files_called_alike_are_named_by_their_folders(tmp_path):
    for model in ("small", "large"):
        (tmp_path / model).mkdir()
        written(tmp_path / model, "out.jsonl", '{"id": 1, "acc": 1}\n')
    found = read_evidence([tmp_path / "small" / "out.jsonl", tmp_path / "large" / "out.jsonl"])
    assert found.learners == ("small", "large")


OUTCOMES = '{"id": 1, "acc": 1}\n{"id": 2, "acc": 0}\n'


def models_in_folders(folder, files):
    """Write files, named by their path below a folder."""
    for name in files:
        (folder / name).parent.mkdir(exist_ok=True)
        written(folder, name, OUTCOMES)
    return folder


def test_a_folder_of_one_subfolder_per_model(tmp_path):
    names = ["org__small/samples_a_2026-01-01T00-00-00.1.jsonl", "large/samples_a_2026-01-02T10-00-00.2.jsonl"]
    models_in_folders(tmp_path, [*names, ".checkpoints/old.jsonl"])
    written(tmp_path / "large", "results_2026.json", "{}")
    assert read_evidence(tmp_path).learners == ("large", "org__small")
    (tmp_path / "failed").mkdir()
    assert "subfolders without results: failed" in read_evidence(tmp_path).origin.notes
    assert read_evidence([tmp_path / name for name in names]).learners == ("org__small", "large")
    assert read_evidence(tmp_path, learners=["large", "org__small"]).learners == ("large", "org__small")


@pytest.mark.parametrize(
    ("files", "wrong", "where", "fix"),
    [
        (["a/x.jsonl", "a/y.jsonl", "b/x.jsonl"], "a has 2 files: x.jsonl and y.jsonl.", "/a", "/*/x.jsonl."),
        (
            ["a/s_2026-01-01T00-00.jsonl", "a/s_2026-01-02T00-00.jsonl", "b/s_2026-01-01T00-00.jsonl"],
            "a has 2 files: s_2026-01-01T00-00.jsonl and s_2026-01-02T00-00.jsonl.",
            "/a",
            "/*/s_2026-01-01T00-00.jsonl.",
        ),
        (["a.jsonl", "b/x.jsonl"], "the folder has a.jsonl and subfolders with results: b.", "", "one per model."),
    ],
)
def test_folders_that_do_not_hold_one_file_per_model(tmp_path, files, wrong, where, fix):
    with pytest.raises(InputError) as error:
        read_evidence(models_in_folders(tmp_path, files))
    assert (error.value.wrong, error.value.where) == (wrong, f"{tmp_path}{where}")
    assert error.value.fix.endswith(fix)


def test_a_point_in_a_files_name_belongs_to_the_model(tmp_path):
    paths = [written(tmp_path, f"model-{version}.jsonl", OUTCOMES) for version in ("1.0", "1.5")]
    assert read_evidence(paths).learners == ("model-1.0", "model-1.5")


def test_files_that_would_have_one_name_are_named(tmp_path):
    paths = [written(tmp_path, f"run_2026-01-0{day}T00-00.jsonl", OUTCOMES) for day in (1, 2)]
    with pytest.raises(InputError, match=rf"2 files.*{tmp_path.name!r}") as error:
        read_evidence(paths)
    assert error.value.where == f"{paths[0]} and {paths[1]}"
    assert read_evidence(paths, learners=["a", "b"]).learners == ("a", "b")


@pytest.mark.parametrize(("row", "column"), [('{"id": 1, "score": 1}', "acc"), ('{"name": 1, "acc": 1}', "id")])
def test_the_file_that_lacks_a_column_is_named(tmp_path, row, column):
    paths = [written(tmp_path, "a.jsonl", OUTCOMES), written(tmp_path, "b.jsonl", row)]
    with pytest.raises(InputError, match=f"no column '{column}'") as error:
        read_evidence(paths, measure="acc")
    assert error.value.where == str(paths[1])


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [
        ("item,group,correct\n1,a,1\n2,b,0\n", "item,correct\n1,1\n2,0\n", "'group', which other files have"),
        ("item,correct\n1,1\n2,0\n", "item,weight,correct\n1,2,1\n2,1,0\n", "'weight', which other files have"),
        ("item,correct\n1,1\n2,0\n", "item,f1\n1,1\n2,0\n", "no measure in common: the first has correct, this one f1"),
    ],
)
def test_files_of_two_layouts_are_refused(tmp_path, first, second, wrong):
    """Without the groups of one file items would be the units; and no file is blamed for what it has."""
    paths = [written(tmp_path, "a.csv", first), written(tmp_path, "b.csv", second)]
    with pytest.raises(InputError, match=wrong) as error:
        read_evidence(paths)
    assert error.value.where.endswith("a.csv" if "weight" in wrong else "b.csv")


def test_an_empty_item_of_several_files_names_one_file(tmp_path):
    paths = [written(tmp_path, "a.jsonl", OUTCOMES), written(tmp_path, "b.jsonl", OUTCOMES + '{"acc": 1}\n')]
    with pytest.raises(InputError, match="the item is empty") as error:
        read_evidence(paths)
    assert error.value.where == f"{paths[1]}, line 3, column id"


def test_the_same_file_twice_is_said(tmp_path):
    path = harness(tmp_path, small={1: 0, 2: 1})[0]
    (tmp_path / "link.jsonl").symlink_to(path)
    for again in (str(path), tmp_path / "link.jsonl"):
        with pytest.raises(InputError, match=r"twice.*file 1.*file 2"):
            read_evidence([path, again])
