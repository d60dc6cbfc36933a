"""Data sets: named ones, one per file, and doors for arrays, data frames, files and OpenML."""

from bestofk.design.datasets.opening import dataset_of

__all__ = ["dataset_of"]
