"""Failed folds told to a program: a run in Python has no exit code to look at."""

from __future__ import annotations

import shlex
import warnings
from pathlib import Path

from bestofk.collecting.collect import CollectReport
from bestofk.core.phrases import counted
from bestofk.stores.store import without_password


class FailedFolds(UserWarning):
    """Folds of the plan failed; the rest of the run went on."""


def warn_of_failures(report: CollectReport, store: str | Path) -> None:
    """Warn the caller's caller when folds of a plan failed: how many, why the first, and where the others stand."""
    if not report.failed_in_store:
        return
    whole = counted(report.folds + report.resumed, "fold")
    look = shlex.join(["bestofk", "store", "info", without_password(str(store))])
    warnings.warn(
        f"{report.failed_in_store:,} of {whole} failed. {report.troubles.failures[0]}. See all: {look}, or failures of "
        "the evidence that is returned; retry_failed=True runs them again.",
        FailedFolds,
        stacklevel=3,
    )
