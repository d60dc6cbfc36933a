"""Readers: any source of rows becomes a ``Table``; what its columns mean is for the layouts to say."""

from bestofk.evidence.readers.files import table_from_file
from bestofk.evidence.readers.frames import is_frame, table_from_frame
from bestofk.evidence.readers.json_rows import ObjectsByName

__all__ = ["ObjectsByName", "is_frame", "table_from_file", "table_from_frame"]
