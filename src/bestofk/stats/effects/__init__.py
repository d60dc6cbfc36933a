"""How large is a difference, beside how sure: effect sizes of two learners' losses.

All of them say by their sign (``a12``: by its side of ½) who loses more: positive, or above ½, is the first.

==================  ============================================================================
``cohens_d``        paired: mean difference in standard deviations of the differences
``rank_biserial``   paired: from −1 to 1, the share of signed ranks that speaks for either side
``a12``             not paired: the chance that the first loses more, from 0 to 1
==================  ============================================================================
"""

from bestofk.stats.effects.a12 import a12
from bestofk.stats.effects.cohens_d import cohens_d
from bestofk.stats.effects.effect import Effect
from bestofk.stats.effects.rank_biserial import rank_biserial

__all__ = ["Effect", "a12", "cohens_d", "rank_biserial"]
