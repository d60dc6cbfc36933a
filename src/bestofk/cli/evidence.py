"""From the command's files and options to evidence."""

from __future__ import annotations

from typing import Any

from bestofk.cli.options import names_of
from bestofk.settings import Reading, options_of

#: Options of reading that go to ``bk.read`` as they are.
_PLAIN = tuple(
    name for name in options_of(Reading) if name not in ("larger_is_better", "learners", "on", "positive", "undefined")
)

#: Options of several measures.
_SEVERAL = ("on", "positive", "undefined")


def evidence_from(files: tuple[str, ...], options: dict[str, Any]) -> Any:
    """Read the files with the reading options, which are taken out of ``options``."""
    from bestofk import verbs
    from bestofk.core.errors import InputError

    larger, smaller = options.pop("larger"), options.pop("smaller")
    if larger and smaller:
        raise InputError(
            "both --larger-is-better and --smaller-is-better are given.", "bestofk, options", "give one of them."
        )
    several = {name: options.pop(name) for name in _SEVERAL if name in options}
    if several.get("on") is None:
        _refuse_alone(several, options)
    return verbs.read(
        files[0] if len(files) == 1 else list(files),
        larger_is_better=True if larger else False if smaller else None,
        learners=names_of(options.pop("learners")),
        **{name: options.pop(name) for name in _PLAIN},
        **several,
    )


def _refuse_alone(several: dict[str, Any], options: dict[str, Any]) -> None:
    """Options of several measures without --on say nothing."""
    from bestofk.core.errors import InputError

    for name in ("positive", "undefined", "task"):
        if (several.get(name) if name in several else options.get(name)) is not None:
            raise InputError(
                f"--{name} is given, and --on is not.",
                f"bestofk, option --{name}",
                "say --on tpr,fpr, or leave it out.",
            )
