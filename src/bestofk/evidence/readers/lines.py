"""Whole lines of a text file, a block at a time: bounded memory, and every fault of the bytes named by its line."""

from __future__ import annotations

from collections.abc import Iterator

from bestofk.core.errors import InputError
from bestofk.evidence.readers.opening import HashedFile

BLOCK = 1 << 16  # bytes; small blocks stay in the cache of the processor
MOST_CHARACTERS = 100_000  # in one line of a table

_UTF8 = b"\xef\xbb\xbf"
_SQLITE = b"SQLite format 3\0"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def text_blocks(file: HashedFile, source: str, *, longest: int = MOST_CHARACTERS) -> Iterator[str]:
    """Yield the text of a file in blocks that end with a line; the last line gets an end where it has none."""
    line, offset = 1, 0
    for block in _blocks_of_lines(file, source, longest):
        _refuse_other_encodings(block, source, line, first=offset == 0)
        text = _decoded(block, source, line, offset)
        if len(text) > longest:
            _refuse_long_lines(text, source, line, longest)
        offset += len(block)
        line += _line_ends(text)
        text = text.removeprefix("\ufeff") if offset == len(block) else text
        if text:
            yield text if text.endswith(("\n", "\r")) else text + "\n"


def whole_text(file: HashedFile, source: str) -> str:
    """Return the text of a whole file, its encoding checked like that of a table."""
    block = file.read()
    _refuse_other_encodings(block, source, 1, first=True)
    return _decoded(block, source, 1, 0).removeprefix("\ufeff")


def _blocks_of_lines(file: HashedFile, source: str, longest: int) -> Iterator[bytes]:
    rest = b""
    lines = 1
    while block := file.read(BLOCK):
        rest += block
        # A carriage return at the very end may be half of a line end: it waits for the next block.
        cut = max(rest.rfind(b"\n"), rest.rfind(b"\r", 0, len(rest) - 1)) + 1
        if cut:
            lines += rest.count(b"\n", 0, cut)
            yield rest[:cut]
            rest = rest[cut:]
        if len(rest) > 4 * longest:  # a character has at most four bytes
            raise _long_line(f"more than {longest:,}", source, lines)
    if rest:
        yield rest


def _refuse_other_encodings(block: bytes, source: str, line: int, *, first: bool) -> None:
    if first and block.startswith(_UTF16):
        raise InputError("the file is in UTF-16.", source, "save it as UTF-8.")
    if first and block.startswith(_SQLITE):
        raise InputError(
            "it is a database of SQLite, and no store of results.",
            source,
            "give a store that bestofk collect made, or export the table to CSV.",
        )
    if b"\0" in block:
        at = line + _line_ends(block[: block.index(b"\0")].decode("latin-1"))
        raise InputError(
            "the file is binary: it has a NUL byte.",
            f"{source}, line {at}",
            "give a text file in UTF-8, or name the file by its kind: .parquet, .xlsx, .gz.",
        )


def _decoded(block: bytes, source: str, line: int, offset: int) -> str:
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError as error:
        at = line + _line_ends(block[: error.start].decode("latin-1"))
        raise InputError(
            f"byte {offset + error.start:,} is 0x{block[error.start]:02x}, which is not UTF-8.",
            f"{source}, line {at}",
            "save the file as UTF-8.",
        ) from None


def _refuse_long_lines(text: str, source: str, line: int, longest: int) -> None:
    for number, each in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=line):
        if len(each) > longest:
            raise _long_line(f"{len(each):,}", source, number)


def _long_line(characters: str, source: str, line: int) -> InputError:
    return InputError(
        f"a line has {characters} characters.", f"{source}, line {line}", "give a table with one row per result."
    )


def _line_ends(text: str) -> int:
    if "\r" not in text:
        return text.count("\n")
    return text.count("\n") + text.count("\r") - text.count("\r\n")
