"""Names of runs as programs write them: which part is the learner and which the run."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SAID = re.compile(r"(.+?)[\s._/-]+(?:random_?)?(?:seed|run|fold|rep|repeat|trial|version|split)[\s._=-]*(\d+)", re.I)
_NUMBERED = re.compile(r"(.+?)[\s._/-]+(\d+)")
#: What loggers put after the name of a run: which of its data a curve is on.
_PART = re.compile(r"(.+?)[\s._/-]+(train|validation|valid|val|eval|evaluation|test)", re.I)


def learners_and_runs(names: Sequence[str]) -> tuple[tuple[str, str], ...] | None:
    """Split names into learner and run, or return None where each name is a learner of its own.

    A word says so (ppo-seed3, lda_fold_2); mere numbers do when every learner has the same ones, at least two. An end
    that all names share (ppo_seed3_validation) is passed over.

    Examples
    --------
    >>> learners_and_runs(["ppo_1", "ppo_2", "dqn_1", "dqn_2"])
    (('ppo', '1'), ('ppo', '2'), ('dqn', '1'), ('dqn', '2'))
    >>> learners_and_runs(["resnet-18", "resnet-50"])
    """
    names = _without_part(names)
    said = [_SAID.fullmatch(name) for name in names]
    if all(said):
        return _parts(said)
    numbered = _parts([_NUMBERED.fullmatch(name) for name in names])
    if numbered is None:
        return None
    runs: dict[str, set[str]] = {}
    for learner, run in numbered:
        runs.setdefault(learner, set()).add(run)
    same = len({frozenset(each) for each in runs.values()}) == 1
    return numbered if same and len(runs) > 1 and min(map(len, runs.values())) > 1 else None


def _without_part(names: Sequence[str]) -> list[str]:
    matches = [_PART.fullmatch(name) for name in names]
    found = [match for match in matches if match is not None]
    same = len(found) == len(names) and len({match[2].lower() for match in found}) == 1
    return [match[1] for match in found] if same else list(names)


def _parts(matches: Sequence[re.Match[str] | None]) -> tuple[tuple[str, str], ...] | None:
    parts = tuple((match[1], match[2]) for match in matches if match is not None)
    return parts if len(parts) == len(matches) and len(set(parts)) == len(parts) else None
