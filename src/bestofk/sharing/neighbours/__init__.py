"""Nearest neighbours: lists of near rows, made once for a data set, that every fold searches."""
