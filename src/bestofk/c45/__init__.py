"""Quinlan's C4.5, release 8, as a scikit-learn estimator; the rules are in ``docs/reference/c45.md``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bestofk.c45.classifier import C45Classifier

__all__ = ["C45Classifier"]


def __getattr__(name: str) -> Any:
    """Load the estimator, and with it scikit-learn, on first use."""
    if name == "C45Classifier":
        from bestofk.c45.classifier import C45Classifier

        return C45Classifier
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
