"""Replications of one fold: random splits, as it seems, whose share of test data nothing tells."""

from __future__ import annotations

from bestofk.core.errors import InputError


def share_not_known(replications: int, where: str, instead: str) -> InputError:
    """The error where the share is needed; ``instead`` is what else can be done."""
    return InputError(
        f"{replications} replications of 1 fold look like random splits, whose share of test data is not known.",
        where,
        f"say --test-fraction 0.3 (test_fraction=0.3) if 30 % were tested on, or {instead}.",
    )
