"""From the command's files and options to evidence."""

from __future__ import annotations

from typing import Any

from bestofk.cli.options import names_of


def evidence_from(files: tuple[str, ...], options: dict[str, Any]) -> Any:
    """Read the files with the reading options, which are taken out of ``options``."""
    from bestofk import verbs
    from bestofk.core.errors import InputError

    larger, smaller = options.pop("larger"), options.pop("smaller")
    if larger and smaller:
        raise InputError(
            "both --larger-is-better and --smaller-is-better are given.", "bestofk, options", "give one of them."
        )
    return verbs.read(
        files[0] if len(files) == 1 else list(files),
        measure=options.pop("measure"),
        larger_is_better=True if larger else False if smaller else None,
        learners=names_of(options.pop("learners")),
        rows=options.pop("rows"),
        replications=options.pop("replications"),
        test_fraction=options.pop("test_fraction"),
        align=options.pop("align"),
        plan=options.pop("plan"),
    )
