"""Experiments of the papers run again: one folder per paper, ours set beside what was published."""
