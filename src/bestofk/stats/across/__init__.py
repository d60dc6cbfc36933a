"""Over many data sets: what happens to a conclusion when the data sets change. Arrays of losses (K, D) go in.

``all_pairs`` asks the question, ``leave_out`` answers it without one, two or more data sets, ``smallest_sets`` finds
the fewest that a conclusion hangs on, ``influences`` says what each data set adds, ``resampled`` draws them again.
``associations`` and ``grown_tree`` look for features of data sets that go with the difference.
"""

from bestofk.stats.across.conclusions import Decided, decide
from bestofk.stats.across.features import Associations, Branch, Leaf, associations, grown_tree
from bestofk.stats.across.influence import LeftOut, influences, leave_out, resampled, share_alike
from bestofk.stats.across.question import Question, all_pairs
from bestofk.stats.across.smallest import SmallestSet, smallest_sets

__all__ = [
    "Associations",
    "Branch",
    "Decided",
    "Leaf",
    "LeftOut",
    "Question",
    "SmallestSet",
    "all_pairs",
    "associations",
    "decide",
    "grown_tree",
    "influences",
    "leave_out",
    "resampled",
    "share_alike",
    "smallest_sets",
]
