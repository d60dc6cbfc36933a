"""Several measures at once: Hotelling's test for two learners, MANOVA for more, and the measures themselves."""

from bestofk.stats.multivariate.hotelling import hotelling
from bestofk.stats.multivariate.manova import manova
from bestofk.stats.multivariate.measures import measures

__all__ = ["hotelling", "manova", "measures"]
