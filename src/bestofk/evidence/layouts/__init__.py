"""Layouts: how tables of results are laid out; ``table_kind`` says which a table has, and reads it."""
