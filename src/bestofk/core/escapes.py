"""Texts of others without what would move or colour a terminal."""

from __future__ import annotations

import re

#: Colours and movements (ESC [ … letter), titles and links (ESC ] … BEL or ESC \\), other two-letter sequences.
_SEQUENCES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\].*?(?:\x07|\x1b\\)|[ -/]*[0-~])?", re.DOTALL)
#: Control characters, those that turn the direction of what follows, and halves of a character.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def without_escapes(text: str) -> str:
    """Return a text without escape sequences and control characters; tabs and line breaks stay.

    Examples
    --------
    >>> without_escapes("a " + chr(27) + "[31mred" + chr(27) + "[0m word")
    'a red word'
    """
    return _CONTROLS.sub("", _SEQUENCES.sub("", text))
