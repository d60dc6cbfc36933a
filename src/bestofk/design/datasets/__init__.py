"""Data sets: those that come with the package, a line on the shelf each, and the door for files, frames, arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bestofk.design.datasets.sources import dataset_of

__all__ = ["dataset_of"]


def __getattr__(name: str) -> Any:
    """Load the door, and with it every reader of files, on first use."""
    if name == "dataset_of":
        from bestofk.design.datasets.sources import dataset_of

        return dataset_of
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
