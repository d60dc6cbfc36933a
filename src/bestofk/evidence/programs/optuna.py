"""Optuna's table of trials: known in order to be refused, as a trial is no replication of a learner."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from bestofk.core.errors import InputError
from bestofk.evidence.columns import has_role
from bestofk.evidence.layouts.layout import Layout
from bestofk.evidence.layouts.request import Request
from bestofk.tables.table import Table

#: What the study minimised or maximised: ``value`` or ``values_0``; with ``set_metric_names`` ``value_accuracy``; of a
#: header of two levels ``values``.
OBJECTIVE = re.compile(r"values?|values?_.+")
SETTING = "params_"
ATTRIBUTES = ("user_attrs_", "system_attrs_")
#: What else ``trials_dataframe`` tells of a trial.
TIMES = ("datetime_start", "datetime_complete")
FACTS = (*TIMES, "state", "duration", "number")
INSTEAD = (
    "evaluate the few best settings on folds or seeds that the study did not see, and give those results: columns "
    "model,seed,accuracy or model,fold,accuracy."
)


def are_trials(names: Sequence[str]) -> bool:
    """Whether the columns are those of ``study.trials_dataframe()``, all of them or those that its caller asked for.

    A column of learners may stand beside params_millions and value: then two facts of a trial have to be there.
    """
    objectives, settings, facts = _parts(names)
    if not objectives or set(TIMES) <= set(facts):
        return bool(objectives)
    named = has_role(names, "learner")
    return bool(settings) and len(facts) >= (2 if named else 0)


def refuse_told_trials(table: Table, request: Request) -> None:
    """Refuse trials whose learner is said to be a setting, or another column that Optuna writes of a trial.

    Under another name the column would no longer tell that the rows are trials.
    """
    told = request.columns.get("learner")
    written = told is None or told.startswith((SETTING, *ATTRIBUTES)) or told in FACTS or OBJECTIVE.fullmatch(told)
    if written and are_trials(table.names):
        refuse_trials(table, request)


def refuse_trials(table: Table, _: Request) -> NoReturn:
    """Refuse the trials of a study."""
    objectives, settings, facts = _parts(table.names)
    shown = [(settings or facts)[0], objectives[0], *(facts[:1] if settings else ())]
    raise InputError(
        f"this is Optuna's table of trials (columns {', '.join(shown)}), and trials are no replications of a learner: "
        "each is one try of another setting, chosen by looking at the tries before.",
        table.source,
        INSTEAD,
    )


def _parts(names: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """Columns of objectives, of settings, and of facts about trials."""
    objectives = [name for name in names if OBJECTIVE.fullmatch(name)]
    return objectives, [name for name in names if name.startswith(SETTING)], [name for name in FACTS if name in names]


OPTUNA = Layout(are_trials, refuse_trials)
