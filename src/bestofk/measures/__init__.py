"""Measures: one catalogue says what each is called, which direction is better, what it may be, and how it is computed.

``measures.catalogue`` has an entry for each; everything that asks about a measure asks there.
"""
