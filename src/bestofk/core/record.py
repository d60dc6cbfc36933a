"""Records: frozen objects with named fields, read-only arrays, and a form that is ready for JSON."""

from __future__ import annotations

from dataclasses import Field, field, fields
from typing import Any, ClassVar, dataclass_transform

import numpy as np

from bestofk.core.frozen import frozen


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
class Record:
    """A frozen dataclass: arrays are read-only, single values plain Python numbers. ``class X(Record, kw_only=True)``.

    Examples
    --------
    >>> class Point(Record):
    ...     x: float
    ...     y: float = 0.0
    >>> Point(np.float64(1)).to_dict()
    {'x': 1.0, 'y': 0.0}
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls, *, kw_only: bool = False, **options: Any) -> None:
        super().__init_subclass__(**options)
        frozen(eq=False, repr=False, kw_only=kw_only)(cls)

    def __post_init__(self) -> None:
        values = self.__dict__
        for each in fields(self):
            values[each.name] = _settled(values[each.name])

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: _settled(value) for name, value in state.items()})  # arrays come back writable

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, ready for JSON; infinities are the words Infinity and -Infinity.

        A field declared with ``repr=False`` is shown nowhere.
        """
        return {each.name: jsonable(getattr(self, each.name)) for each in fields(self) if each.repr}

    def text(self) -> str:
        """Return what ``repr`` shows."""
        return repr(self)

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f'<tr><th scope="row">{escape(each.name)}</th><td>{escape(_short(getattr(self, each.name)))}</td></tr>'
            for each in fields(self)
            if each.repr
        )
        return f"<p>{escape(self.text())}</p><table>{rows}</table>"

    def __repr__(self) -> str:
        shown = (each.name for each in fields(self) if each.repr)
        inside = ", ".join(f"{name}={_short(getattr(self, name))}" for name in shown)
        return f"{type(self).__name__}({inside})"


_PLAIN = frozenset({str, int, float, bool, type(None)})


def _settled(value: Any) -> Any:
    if isinstance(value, tuple):
        plain = set(map(type, value)) <= _PLAIN  # as a million names of items are
        return value if plain else tuple(_settled(entry) for entry in value)
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value.item()
    if isinstance(value, np.ndarray):
        value = value.view()  # the caller's own array keeps its flags
        value.flags.writeable = False
    return value


def jsonable(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, np.ndarray):
        return jsonable(value.tolist())
    if isinstance(value, float) and not np.isfinite(value):
        if np.isnan(value):
            return None
        return "Infinity" if value > 0 else "-Infinity"  # JSON has no infinity; Python and JavaScript read this word
    if isinstance(value, tuple | list):
        return [jsonable(entry) for entry in value]
    if isinstance(value, dict):
        return {str(key): jsonable(entry) for key, entry in value.items()}
    return value


def _short(value: Any, width: int = 80) -> str:
    text = np.array2string(value, threshold=12, precision=4) if isinstance(value, np.ndarray) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"
