"""Discriminant analyses: scatter matrices of many folds at once."""
