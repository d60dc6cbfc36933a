"""Templates of the package; every value that one shows is escaped, so that text from data stays text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any
from unicodedata import bidirectional

from bestofk.reporting.formats.latex_text import breakable, latex

_LONG_WORD = re.compile(r"\S{25,}")


class Raw(str):
    """Text that is in the format already."""


def rendered(template: str, **values: Any) -> str:
    """Fill a template of the package; its suffix says how values are escaped, and in HTML ``names`` are isolated."""
    environment = _environment(template.rsplit(".", 1)[1])
    return str(environment.get_template(template).render(isolate=isolation(values.get("names", ())), **values))


def isolation(names: Iterable[str]) -> Callable[[str], str]:
    """What sets names that are written from right to left apart: they change no order of the words around them.

    The letters that do so (U+2068, U+2069) have no width; unlike an element they work in titles and in scripts too.

    Examples
    --------
    >>> ascii(isolation(["knn", "\u05d0 2"])("Take \u05d0 2, 3 folds"))
    "'Take \\\\u2068\\\\u05d0 2\\\\u2069, 3 folds'"
    """
    turned = set(filter(has_right_to_left, names))
    if not turned:
        return lambda text: text
    known = re.compile("|".join(map(re.escape, sorted(turned, key=len, reverse=True))))
    return lambda text: known.sub("\N{FIRST STRONG ISOLATE}\\g<0>\N{POP DIRECTIONAL ISOLATE}", text)


def has_right_to_left(text: str) -> bool:
    """Whether a text has letters that are written from right to left."""
    return any(bidirectional(letter) in ("R", "AL") for letter in text)


@cache
def _environment(suffix: str) -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context

    settings: dict[str, Any] = {
        "loader": PackageLoader("bestofk.reporting.formats"),
        "undefined": StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "keep_trailing_newline": True,
    }
    if suffix == "html":
        page = Environment(autoescape=True, finalize=pass_context(_unbroken), **settings)
        page.filters["wrapped"] = pass_context(_wrapped)
        return page
    if suffix == "tex":  # braces and per cent signs are LaTeX's own
        marks = ("block", "<%", "%>"), ("variable", "<<", ">>"), ("comment", "<#", "#>")
        settings |= {f"{name}_start_string": start for name, start, _ in marks}
        settings |= {f"{name}_end_string": end for name, _, end in marks}
    # _finalizer escapes as LaTeX and Markdown want it, every value.
    environment = Environment(autoescape=False, finalize=_finalizer(latex if suffix == "tex" else markdown), **settings)  # noqa: S701
    environment.filters["fence"] = lambda text: Raw(fenced(text))
    environment.filters["breakable"] = lambda text: Raw(breakable(text))
    environment.filters["raw"] = Raw
    return environment


def _unbroken(context: Any, value: Any) -> Any:
    """Keep a number and its per cent sign in one line; what is markup already, such as code, stays as it is."""
    return context.get("isolate", str)(value).replace(" %", "\N{NO-BREAK SPACE}%") if type(value) is str else value


def _wrapped(context: Any, text: str) -> Any:
    """Text of a cell in which a very long word may be broken: no table is wider than the paper for a name's sake."""
    from markupsafe import Markup, escape

    if not _LONG_WORD.search(text):
        return text
    parts = _LONG_WORD.sub(lambda word: _every(word.group(), 20), context.get("isolate", str)(text)).split("\0")
    return Markup("<wbr>").join(escape(part.replace(" %", "\N{NO-BREAK SPACE}%")) for part in parts)


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
