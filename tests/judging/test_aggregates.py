"""Runs on several tasks: what the verdict, its page and its figure say of all tasks together."""

import json
from importlib.resources import files

import numpy as np
import pytest
from scipy import stats

import bestofk as bk
from bestofk.plots.figures.performance_profiles import PerformanceProfilesInfo
from bestofk.plots.gallery import figures_for
from bestofk.reporting.page import page_of

TASKS = ("pong", "qbert", "breakout", "seaquest")


def judged(measure="success_rate", larger=True, *, factor=1.0, sizes=(6, 4, 5), seed=0, **options):
    """Learners b, a, c in this order of merit, with different numbers of runs on four tasks."""
    rng = np.random.default_rng(seed)
    sign = 1.0 if larger else -1.0
    values, tasks = [], []
    for level, size in zip((0.5, 0.62, 0.3), sizes, strict=True):
        names = np.repeat(TASKS, size)
        each = 0.5 + sign * (level - 0.5 + 0.02 * np.arange(4)[:, None] + rng.normal(0, 0.06, (4, size)))
        values.append((factor ** np.arange(4)[:, None] * each).ravel().round(4))
        tasks.append(tuple(names))
    runs = bk.Runs(
        learners=("a", "b", "c"), values=tuple(values), datasets=tuple(tasks), measure=measure, larger_is_better=larger
    )
    return bk.judge(runs, **options)


def test_means_and_chances_are_scipys():
    verdict = judged()
    found = verdict.aggregates
    assert found.tasks == TASKS
    assert [each.learner for each in found.interquartile_means] == list(verdict.order) == ["b", "a", "c"]
    runs = verdict.evidence
    values = {name: each[:, 0].reshape(4, -1) for name, each in zip(runs.learners, runs.values, strict=True)}
    for each in found.interquartile_means:
        assert each.mean == pytest.approx(stats.trim_mean(values[each.learner], 0.25, axis=None))
        assert each.low < each.mean < each.high
    for each in found.improvements:
        u = [stats.mannwhitneyu(x, y).statistic / (len(x) * len(y))
             for x, y in zip(values["b"], values[each.second], strict=True)]  # fmt: skip
        assert (each.first, each.chance) == ("b", pytest.approx(np.mean(u)))
        assert each.low <= each.chance <= each.high


def test_the_direction_of_the_measure_is_kept():
    larger, smaller = judged(), judged("error", False)
    assert [each.chance for each in larger.aggregates.improvements] == pytest.approx(
        [each.chance for each in smaller.aggregates.improvements]
    )
    assert [each.mean for each in smaller.aggregates.interquartile_means] == pytest.approx(
        [1.0 - each.mean for each in larger.aggregates.interquartile_means]
    )


def test_level_and_seed_are_those_of_the_verdict():
    wide, narrow, other = judged(alpha=0.01), judged(alpha=0.2), judged(alpha=0.2, seed=0)
    for one, two, three in zip(*(each.aggregates.interquartile_means for each in (wide, narrow, other)), strict=True):
        assert one.low < two.low == three.low < two.high == three.high < one.high


@pytest.mark.parametrize(
    ("measure", "larger", "factor", "common"),
    [
        ("accuracy", True, 1.0, True),
        ("human_normalized_score", True, 1.3, True),
        ("taste", True, 1.0, True),  # not known, and all values are between 0 and 1
        ("taste", True, 10.0, False),
        ("return", True, 10.0, False),
        ("rmse", False, 10.0, False),
    ],
)
def test_without_a_common_scale_there_are_chances_only(measure, larger, factor, common):
    verdict = judged(measure, larger, factor=factor)
    assert len(verdict.aggregates.improvements) == 2
    assert bool(verdict.aggregates.interquartile_means) is common
    assert ("performance-profiles" in {each.name for each in figures_for(verdict)}) is common
    columns = tables(verdict)["aggregates"].columns
    assert ("interquartile mean" in columns) is common


def tables(verdict):
    blocks = (block for section in page_of(verdict).sections for block in section.blocks)
    return {block.anchor: block.table for block in blocks if block.kind == "table"}


def test_the_page_shows_all_tasks_together_and_one_by_one():
    verdict = judged()
    found = tables(verdict)
    assert [row[0] for row in found["aggregates"].rows] == ["b", "a", "c"]
    assert found["aggregates"].rows[0][-1] == ""
    means = np.array([[float(cell) for cell in row[1:]] for row in found["scores"].rows]).T
    assert found["scores"].columns == ("task", "a", "b", "c")
    assert [row[0] for row in found["scores"].rows] == list(TASKS)
    np.testing.assert_allclose(means.mean(axis=1), [verdict.means[name] for name in "abc"], atol=1e-4)
    assert any("Agarwal" in paper.full for section in page_of(verdict).sections for block in section.blocks
               if block.kind == "citations" for paper in block.papers)  # fmt: skip


def test_the_document_has_them_as_the_schema_says():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((files("bestofk.reporting.formats") / "verdict-2.schema.json").read_text(encoding="utf-8"))
    for verdict in (judged(), judged("rmse", False, factor=10.0)):
        found = json.loads(json.dumps(verdict.to_dict()["findings"]["aggregates"]))
        jsonschema.validate(found, {"$defs": schema["$defs"], "$ref": "#/$defs/aggregates"})


def test_runs_of_one_task_and_other_evidence_have_none():
    one = bk.Runs(learners=("a", "b"), values=([0.5, 0.6, 0.7], [0.4, 0.7]), measure="accuracy", larger_is_better=True)
    verdict = bk.judge(one)
    assert verdict.aggregates is None
    assert "all-tasks" not in {section.anchor for section in page_of(verdict).sections}
    folds = bk.Scores(
        learners=("a", "b"),
        values=np.random.default_rng(0).random((2, 1, 1, 10)),
        measure="error",
        larger_is_better=False,
    )
    assert bk.judge(folds).aggregates is None


@pytest.mark.parametrize(("measure", "larger"), [("success_rate", True), ("error", False)])
def test_profiles_are_shares_of_runs_that_are_better(measure, larger):
    verdict = judged(measure, larger)
    info = PerformanceProfilesInfo.of(verdict)
    assert info.learners == verdict.order
    runs = dict(zip(verdict.evidence.learners, verdict.evidence.values, strict=True))
    for i, name in enumerate(info.learners):
        values = runs[name].reshape(4, -1, 1)
        shares = (values > info.at if larger else values < info.at).mean(axis=(0, 1))
        np.testing.assert_allclose(info.share[i], shares, atol=1e-12)
    assert ((info.low <= info.share + 1e-12) & (info.share <= info.high + 1e-12)).all()
    np.testing.assert_allclose(info.share[:, [0, -1]], [[1.0, 0.0] if larger else [0.0, 1.0]] * 3, atol=1e-12)
    assert info.high.max() <= 1.0
    assert all(name in info.alt for name in "abc")


def test_profiles_of_many_runs_have_a_bounded_number_of_points():
    rng = np.random.default_rng(0)
    tasks = np.repeat(np.arange(20), 50)
    info = PerformanceProfilesInfo.from_runs({n: (rng.random(1000), tasks) for n in "ab"})
    assert len(info.at) < 250
    np.testing.assert_allclose(info.share[0], 1.0 - np.clip(info.at, 0, 1), atol=0.06)
