"""The command report says where it wrote, or why it could not."""

import errno
import warnings
from pathlib import Path

import numpy as np

import bestofk as bk
from bestofk.collecting.run.report import FailedFolds
from makers import command


def plan_file(tmp_path, *lines, folds="3-fold", datasets="iris", name="plan.toml"):
    text = [f'folds = "{folds}"', f'datasets = ["{datasets}"]', "[learners]", "max = {}", "nmc = {}", *lines]
    (tmp_path / name).write_text("\n".join(text))
    return tmp_path / name


def test_a_report_is_told_in_a_whole_sentence(tmp_path):
    store, page = tmp_path / "r.db", tmp_path / "r.md"
    command("collect", plan_file(tmp_path), "--into", store, "--engine", "serial")
    said = command("report", store, "-o", page).stdout
    assert said.endswith(f"\nThe report is in {page}\n")


X = np.random.default_rng(7).normal(size=(60, 2))


Y = np.r_[[1] * 29, [2] * 29, [3] * 2]


def collected_beside_max(tmp_path, learner, *, data=None, folds="5-fold", **more):
    first = np.c_[Y, X].astype(float)
    plan = bk.Plan(
        learners={"mine": learner, "max": "max"}, datasets={"d": data or (first, Y)}, folds=folds, seed=1, **more
    )
    store = str(tmp_path / "s.db")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FailedFolds)
        bk.collect(plan, store, engine="serial", progress=False)
    return store


def three_lines(answer):
    """The error of a command: three lines, exit code 2, no traceback."""
    assert answer.exit_code == 2, (answer.output, answer.exception)
    lines = answer.stderr.splitlines()
    assert len(lines) == 3, answer.stderr
    return lines


def read_only(*_, **__):
    raise OSError(errno.EROFS, "Read-only file system")


def test_a_report_that_cannot_be_written_is_told_in_three_lines(tmp_path, monkeypatch):
    store = collected_beside_max(tmp_path, "nmc", folds="5x2")
    told = three_lines(command("report", store, "-o", tmp_path / f"{'r' * 300}.md"))
    assert told[0] == "the report cannot be written: File name too long."
    monkeypatch.setattr(Path, "unlink", read_only)
    monkeypatch.setattr(Path, "write_text", read_only)
    told = three_lines(command("report", store, "-o", tmp_path / "r.md"))
    assert told[0] == "the report cannot be written: Read-only file system."
