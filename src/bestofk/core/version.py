"""The version, where every room can reach it: the front door imports them all."""

__version__ = "0.1.0"
