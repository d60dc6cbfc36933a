"""Performance curves: analysis of variance (algorithm × training), conventional and randomized; a randomized t."""

from bestofk.stats.curves.curve_anova import curve_anova
from bestofk.stats.curves.modify import modify
from bestofk.stats.curves.randomized_anova import randomized_anova
from bestofk.stats.curves.randomized_t import randomized_t

__all__ = ["curve_anova", "modify", "randomized_anova", "randomized_t"]
