"""Optuna's table of trials: known in order to be refused, as a trial is no replication of a learner."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bestofk.core.errors import InputError
from bestofk.evidence.columns import roles_of_name

#: What the study minimised or maximised: ``value`` or ``values_0``; with ``set_metric_names`` ``value_accuracy``.
OBJECTIVE = re.compile(r"value|values?_.+")
SETTING = "params_"
#: What else ``trials_dataframe`` tells of a trial.
TIMES = ("datetime_start", "datetime_complete")
FACTS = (*TIMES, "state", "duration", "number")


def refuse_trials(names: Sequence[str], source: str) -> None:
    """Refuse the columns of ``study.trials_dataframe()``, all of them or those that its caller asked for."""
    objectives = [name for name in names if OBJECTIVE.fullmatch(name)]
    settings = [name for name in names if name.startswith(SETTING)]
    facts = [name for name in FACTS if name in names]
    if not objectives or not _are_trials(names, settings, facts):
        return
    shown = [(settings or facts)[0], objectives[0], *(facts[:1] if settings else ())]
    raise InputError(
        f"this is Optuna's table of trials (columns {', '.join(shown)}), and trials are no replications of a learner: "
        "each is one try of another setting, chosen by looking at the tries before.",
        source,
        "evaluate the few best settings on folds or seeds that the study did not see, and give those results: columns "
        "model,seed,accuracy or model,fold,accuracy.",
    )


def _are_trials(names: Sequence[str], settings: Sequence[str], facts: Sequence[str]) -> bool:
    """A column of learners may stand beside params_millions and value: then two facts of a trial have to be there."""
    if set(TIMES) <= set(facts):
        return True
    named = any("learner" in roles_of_name(name) for name in names)
    return bool(settings) and len(facts) >= (2 if named else 0)
