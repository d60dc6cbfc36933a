"""Facts to judge: the losses of K learners on shared folds, however they were obtained."""

from bestofk.evidence.scores import Scores
from bestofk.evidence.table import read_table

__all__ = ["Scores", "read_table"]
