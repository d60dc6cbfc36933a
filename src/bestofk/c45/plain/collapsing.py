"""Collapsing: a subtree that makes no fewer training errors than a leaf is one."""

from __future__ import annotations

from bestofk.c45.margins import WORTHLESS
from bestofk.c45.plain.draft import Node, breadth_first


def collapse(root: Node) -> None:
    """From the root down."""
    below: dict[int, float] = {}
    for node in reversed(breadth_first(root)):
        below[id(node)] = sum(below[id(child)] for child in node.children) if node.children else node.errors
    for node in breadth_first(root):
        if node.children and below[id(node)] >= node.errors - WORTHLESS:
            node.become_leaf()
