"""The layouts of programs by name, in the order in which they are tried; any other table is read by its columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

from bestofk.core.names import plain
from bestofk.core.shelf import Shelf
from bestofk.evidence.columns import NUMERIC_ROLES, roles_of_name
from bestofk.evidence.layouts.battle_tables import BATTLES
from bestofk.evidence.layouts.layout import Layout
from bestofk.evidence.layouts.search_results import CV_RESULTS
from bestofk.evidence.programs import optuna, promptfoo
from bestofk.evidence.programs.aeon import AEON_TABLES
from bestofk.evidence.programs.benchmark_tables import AMLB, AUTOGLUON, KAGGLE, OPENML, TABARENA
from bestofk.evidence.programs.confusion_tables import CONFUSIONS
from bestofk.evidence.programs.r_packages import CARET, MLR3, TIDYMODELS
from bestofk.evidence.programs.tracker_tables import MLFLOW_RUNS, WANDB_RUNS
from bestofk.evidence.programs.training import LIGHTNING, MLFLOW, TENSORBOARD, WANDB_CHART, WANDB_HISTORY
from bestofk.evidence.programs.weka import WEKA
from bestofk.tables.cells import Purpose

LAYOUTS: Shelf[Layout] = Shelf(
    "layouts",
    {
        "battles": BATTLES,
        "optuna": optuna.OPTUNA,
        "promptfoo": promptfoo.CSV,
        "amlb": AMLB,
        "tabarena": TABARENA,
        "openml": OPENML,
        "mlr3": MLR3,
        "tidymodels": TIDYMODELS,
        "caret": CARET,
        "aeon": AEON_TABLES,
        "autogluon": AUTOGLUON,
        "kaggle": KAGGLE,
        "weka": WEKA,
        "cv_results_": CV_RESULTS,
        "bestofk-export": CONFUSIONS,
        "mlflow-runs": MLFLOW_RUNS,
        "wandb-runs": WANDB_RUNS,
        "wandb-chart": WANDB_CHART,
        "wandb-history": WANDB_HISTORY,
        "tensorboard": TENSORBOARD,
        "mlflow": MLFLOW,
        "lightning": LIGHTNING,
    },
)


def layout_of(names: Sequence[str]) -> Layout | None:
    """The first layout that recognises columns of these names."""
    return next((each for each in LAYOUTS.values() if each.recognises(names)), None)


def is_key_name(name: str) -> bool:
    """Whether a column of this name holds names (of learners, folds, items, classes) and so stays text.

    Examples
    --------
    >>> is_key_name("Model"), is_key_name("fold"), is_key_name("epoch"), is_key_name("error")
    (True, True, False, False)
    """
    roles = roles_of_name(name)
    return bool(roles and not NUMERIC_ROLES.intersection(roles)) or plain(name) in _keys()


@cache
def _keys() -> frozenset[str]:
    return frozenset().union(*(each.keys for each in LAYOUTS.values()))


def _instead(names: Sequence[str]) -> str:
    """What to give in place of a table with a column twice, as programs write it whose header has several levels."""
    if promptfoo.OF_CSV.issubset(names):
        return promptfoo.INSTEAD
    return f"these are Optuna's trials: {optuna.INSTEAD}" if optuna.are_trials(names) else ""


#: How tables of results are read.
RESULTS = Purpose("result", is_key_name, instead=_instead)


def results_with(keys: Collection[str]) -> Purpose:
    """How tables of results are read that have further columns of names: versions 1.1 and 1.10 are two."""
    return replace(RESULTS, is_key=lambda name: name in keys or is_key_name(name)) if keys else RESULTS
