"""Work shared across folds: all folds of a data set at once, with the predictions that the plain way gives."""

from bestofk.sharing.shelf import way_for
from bestofk.sharing.way import Way

__all__ = ["Way", "way_for"]
