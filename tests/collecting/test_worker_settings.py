"""The setting of a run reaches all its workers, and none waits for another to read it."""

from __future__ import annotations

import os
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bestofk as bk
from bestofk.collecting.engines import local
from bestofk.collecting.run.jobs import Job, Setting
from bestofk.design.datasets.arrays import dataset_of_arrays
from bestofk.design.datasets.table import Wishes
from bestofk.design.folds.resampling import RepeatedFolds
from collecting_toys import Constant, toy_learner

#: Bytes that a pipe holds: what is longer keeps the parent until the child reads.
PIPE = 65_536


def _setting(rows: int = 4_000) -> Setting:
    rng = np.random.default_rng(1)
    data = dataset_of_arrays(rng.normal(size=(rows, 5)), np.arange(rows) % 2, Wishes(name="large"))
    return Setting((toy_learner("constant", Constant),), (data,), RepeatedFolds(5, 2), 1)


def test_every_reader_gets_the_whole_setting() -> None:
    setting = _setting()
    sent = local.Parcel(setting)
    for _ in range(2):  # a second worker reads from the beginning again
        got = local.loads(local._whole(sent.file.fileno(), sent.size))
        assert np.array_equal(got.datasets[0].y, setting.datasets[0].y)
    sent.close()
    sent.close()


@pytest.mark.skipif(not local.HANDED_DOWN, reason="open files cannot be handed to processes here")
def test_what_starts_a_worker_fits_into_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    from joblib.externals.loky.backend import popen_loky_posix

    sizes, dump = [], popen_loky_posix.reduction.dump

    def watched(what: Any, file: Any, **more: Any) -> None:
        dump(what, file, **more)
        if isinstance(what, BaseProcess):
            sizes.append(file.tell())

    monkeypatch.setattr(popen_loky_posix.reduction, "dump", watched)
    pool = local._Processes(2, _setting())
    try:
        done = [pool.submit(Job(0, 0, each, each + 1)) for each in range(3)]
        assert [each.result(60).result.confusion.sum() for each in done] == [4_000] * 3
    finally:
        pool.close()
    assert len(sizes) == 2
    assert max(sizes) < PIPE < pool.parcel.size


@pytest.mark.slow
def test_many_workers_leave_no_open_file_behind(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    plan = bk.Plan(["max", "nmc"], ["iris"], folds="2x2", seed=1)
    for name in ("one.db", "two.db"):
        bk.collect(plan, tmp_path / name, engine="local:2", progress=False)
    after = len(os.listdir("/proc/self/fd")) if before else 0
    assert after <= before + 4  # loky's tracker and manager stay, once
