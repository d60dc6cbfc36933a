"""Bramer, Principles of Data Mining, chapter 15: the paired t test over data sets, every figure and the exercise."""
