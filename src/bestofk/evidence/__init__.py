"""Facts to judge: scores on shared folds, outcomes on shared items, curves along training, runs."""

from bestofk.evidence.curves import Curves, Runs
from bestofk.evidence.evidence import Evidence, Origin
from bestofk.evidence.items import Items
from bestofk.evidence.scores import Scores

__all__ = ["Curves", "Evidence", "Items", "Origin", "Runs", "Scores"]
