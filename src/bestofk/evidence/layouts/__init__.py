"""Layouts: how tables of results are laid out; ``choice`` says which a table has, and reads it."""
