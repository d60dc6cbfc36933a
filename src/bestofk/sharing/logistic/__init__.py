"""Logistic regressions of many folds, begun from one solution for the whole data set."""
