"""Runs."""
from bestofk.evidence.curves import Curves


class Runs(Curves, kw_only=True):
    """Stub."""
