"""Facts to judge: scores on shared folds, outcomes on shared items, curves along training, runs, battles of two."""

from bestofk.evidence.battles import Battles
from bestofk.evidence.curves import Curves, Runs
from bestofk.evidence.evidence import Evidence, Origin
from bestofk.evidence.items import Items
from bestofk.evidence.scores import Scores

#: What a table may hold.
Results = Scores | Items | Curves | Battles

__all__ = ["Battles", "Curves", "Evidence", "Items", "Origin", "Results", "Runs", "Scores"]
