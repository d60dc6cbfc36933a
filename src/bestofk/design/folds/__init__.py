"""Ways to divide rows into training and test sets; ``folds_of`` finds the one that a plan names."""

from bestofk.design.folds.base import Fold, Folds
from bestofk.design.folds.shelf import folds_of

__all__ = ["Fold", "Folds", "folds_of"]
