"""Performance curves: two-way analysis of variance, algorithm × training, conventional and randomized."""

from bestofk.stats.curves.curve_anova import curve_anova
from bestofk.stats.curves.modify import modify
from bestofk.stats.curves.randomized_anova import randomized_anova

__all__ = ["curve_anova", "modify", "randomized_anova"]
