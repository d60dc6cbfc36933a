"""Figures: what each shows is first a plain record (``XxxInfo``), then a drawing of it. matplotlib is an extra."""

from bestofk.plots.gallery import Figure, figure, figure_of, figures_for

__all__ = ["Figure", "figure", "figure_of", "figures_for"]
