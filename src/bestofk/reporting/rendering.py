"""Templates: found in the package, and every value that a template shows is escaped for its format."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from bestofk.reporting.escaping import breakable, fenced, latex, markdown


class Raw(str):
    """Text that is in the format already."""


def rendered(template: str, **values: Any) -> str:
    """Fill a template of the package; its suffix says how values are escaped."""
    return str(_environment(template.rsplit(".", 1)[1]).get_template(template).render(**values))


@cache
def _environment(suffix: str) -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    settings: dict[str, Any] = {
        "loader": PackageLoader("bestofk.reporting"),
        "undefined": StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "keep_trailing_newline": True,
    }
    if suffix == "html":
        return Environment(autoescape=True, finalize=_unbroken, **settings)
    if suffix == "tex":  # braces and per cent signs are LaTeX's own
        marks = ("block", "<%", "%>"), ("variable", "<<", ">>"), ("comment", "<#", "#>")
        settings |= {f"{name}_start_string": start for name, start, _ in marks}
        settings |= {f"{name}_end_string": end for name, _, end in marks}
    environment = Environment(autoescape=False, finalize=_finalizer(latex if suffix == "tex" else markdown), **settings)
    environment.filters["fence"] = lambda text: Raw(fenced(text))
    environment.filters["breakable"] = lambda text: Raw(breakable(text))
    environment.filters["raw"] = Raw
    return environment


def _unbroken(value: Any) -> Any:
    """Keep a number and its per cent sign in one line; what is markup already, such as code, stays as it is."""
    return value.replace(" %", "\N{NO-BREAK SPACE}%") if type(value) is str else value


def _finalizer(escaped: Callable[[str], str]) -> Callable[[Any], str]:
    def finalize(value: Any) -> str:
        return value if isinstance(value, Raw) else escaped(str(value))

    return finalize
