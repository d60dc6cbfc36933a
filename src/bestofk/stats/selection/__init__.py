"""Selection of the best classifier by the posteriors it gives to the true class."""

from bestofk.stats.selection.multinomial import multinomial_selection

__all__ = ["multinomial_selection"]
