"""Templates of the package; every value that one shows is escaped, so that text from data stays text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from bestofk.reporting.formats.latex_text import breakable, latex

_LONG_WORD = re.compile(r"\S{25,}")


class Raw(str):
    """Text that is in the format already."""


def rendered(template: str, **values: Any) -> str:
    """Fill a template of the package; its suffix says how values are escaped."""
    return str(_environment(template.rsplit(".", 1)[1]).get_template(template).render(**values))


@cache
def _environment(suffix: str) -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    settings: dict[str, Any] = {
        "loader": PackageLoader("bestofk.reporting.formats"),
        "undefined": StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "keep_trailing_newline": True,
    }
    if suffix == "html":
        page = Environment(autoescape=True, finalize=_unbroken, **settings)
        page.filters["wrapped"] = _wrapped
        return page
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


def _wrapped(text: str) -> Any:
    """Text of a cell in which a very long word may be broken: no table is wider than the paper for a name's sake."""
    from markupsafe import Markup, escape

    if not _LONG_WORD.search(text):
        return text
    parts = _LONG_WORD.sub(lambda word: _every(word.group(), 20), text).split("\0")
    return Markup("<wbr>").join(escape(_unbroken(part)) for part in parts)


def _every(word: str, letters: int) -> str:
    return "\0".join(word[i : i + letters] for i in range(0, len(word), letters))


def _finalizer(escaped: Callable[[str], str]) -> Callable[[Any], str]:
    def finalize(value: Any) -> str:
        return value if isinstance(value, Raw) else escaped(str(value))

    return finalize


# Text from data made harmless: it stays text in Markdown, as it does in HTML and in LaTeX.


_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&$])")
_AUTOLINK = re.compile(r"(?i)(://|(?<=\bwww)\.|(?<=\S)@(?=\S))")
_AT_START = re.compile(r"^(\d*)([#=]|[+-](?=[\s-]|$)|(?<=\d)[.)](?=\s|$))")


def markdown(text: str) -> str:
    """Text for Markdown: nothing in it is a heading, a list, a link or a tag.

    Examples
    --------
    >>> print(markdown("<script> a_b | 2*3"), markdown("1. first"), markdown("http://x.y"))
    \\<script\\> a\\_b \\| 2\\*3 1\\. first http\\://x.y
    """
    plain = _MARKDOWN.sub(r"\\\1", " ".join(text.split()))
    plain = _AUTOLINK.sub(r"\\\1", plain)  # an address stays text
    return _AT_START.sub(r"\1\\\2", plain)


def fenced(text: str) -> str:
    """A fence longer than any run of backticks inside.

    Examples
    --------
    >>> fenced("plain"), fenced("a ```` b")
    ('```', '`````')
    """
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(3, longest + 1)
