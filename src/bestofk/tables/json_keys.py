"""Keys of the first object in a JSON text that comes in blocks: who wrote a file is known without holding it.

Neither the order of keys nor the length of values counts, and what is in memory is a block and the keys.
"""

from __future__ import annotations

import re

#: How deep keys are kept, how many of them, and how many bytes of one.
DEEPEST, MOST, LONGEST = 4, 1 << 16, 200
_OUTSIDE = re.compile(rb'["{}:]')


class FirstKeys:
    """``found`` has the keys so far, each after those of the objects that it is in; lists do not count.

    Examples
    --------
    >>> keys = FirstKeys()
    >>> keys.add(b'{"eval": {"task": "su')
    >>> keys.add(b'ms {"}, "samples": [{"id": 1}]} {"other": 2}')
    >>> sorted(keys.found), keys.ended
    ([('eval',), ('eval', 'task'), ('samples',), ('samples', 'id')], True)
    """

    def __init__(self) -> None:
        self.found: set[tuple[str, ...]] = set()
        self.ended = False
        self._above: list[str] = []  # keys of the open objects
        self._depth = 0
        self._within = False  # a string
        self._string, self._rest = b"", b""

    def add(self, block: bytes) -> None:
        """Take the next bytes of the text."""
        block, at = self._rest + block, 0
        kept = len(block) - len(block.rstrip(b"\\"))  # whether they escape a quote is seen with the next block
        block, self._rest = block[: len(block) - kept], block[len(block) - kept :]
        while not self.ended and at < len(block):
            at = self._to_end_of_string(block, at) if self._within else self._to_next(block, at)

    def _to_end_of_string(self, block: bytes, at: int) -> int:
        end = block.find(b'"', at)
        while end >= 0 and _is_escaped(block, at, end):
            end = block.find(b'"', end + 1)
        stop = len(block) if end < 0 else end
        self._string += block[at : min(stop, at + LONGEST)]
        self._within = end < 0
        return stop + 1

    def _to_next(self, block: bytes, at: int) -> int:
        found = _OUTSIDE.search(block, at)
        if found is None:
            return len(block)
        sign = found[0]
        if sign == b'"':
            self._within, self._string = True, b""
        elif sign == b"{":
            self._depth += 1
        elif sign == b"}":
            self._depth -= 1
            self.ended = self._depth <= 0
        elif self._depth > 0:
            self._above[self._depth - 1 :] = [self._string[:LONGEST].decode("utf-8", "replace")]
            if self._depth <= DEEPEST and len(self.found) < MOST:
                self.found.add(tuple(self._above))
        return found.end()


def _is_escaped(block: bytes, start: int, at: int) -> bool:
    """Whether an odd number of backslashes stands before a place in a string."""
    first = at
    while first > start and block[first - 1] == ord("\\"):
        first -= 1
    return (at - first) % 2 == 1
