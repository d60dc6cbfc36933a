"""Templates of the package; every value that one shows is escaped, so that text from data stays text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

_LONG_WORD = re.compile(r"\S{25,}")
_PVALUE = re.compile(r"\bp [=≤] \d[\d.]*(?:e[-+]?\d+)?")


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
        page.filters["linked"] = _linked
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


def _linked(text: str, codes: Iterable[str] = ()) -> Any:
    """Escaped text in which each code of an advice leads to its paragraph, and no p value is broken into lines."""
    from markupsafe import Markup, escape

    found = "|".join(re.escape(str(escape(code))) for code in codes)
    plain = _PVALUE.sub(r'<span class="p">\g<0></span>', str(escape(_unbroken(text))))
    return Markup(re.sub(rf"\b({found})\b", r'<a href="#advice-\1">\1</a>', plain) if found else plain)


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


# Text from data made harmless: it stays text in LaTeX and in Markdown, as it does in HTML.


_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_\allowbreak{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": r"-{}",  # two in a row would become a dash; a line may still end after one
    "−": r"$-$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "±": r"$\pm$",
    "µ": r"$\mu$",
    "≠": r"$\neq$",
    "≈": r"$\approx$",
    "∞": r"$\infty$",
    "√": r"$\surd$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "◆": r"$\diamond$",
    "○": r"$\circ$",
    "●": r"$\bullet$",
    "✕": r"$\times$",
    "½": r"\textonehalf{}",
    "·": r"\textperiodcentered{}",
    "…": r"\ldots{}",
    "–": "--",
    "—": "---",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "\u00a0": "~",
}
#: Greek letters that LaTeX has; its other capitals are those of the Latin alphabet.
_GREEK = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"


def _greek(letter: str) -> str:
    name = unicodedata.name(letter).split()[-1].replace("LAMDA", "LAMBDA")
    return rf"$\{name.capitalize() if letter.isupper() else name.lower()}$"


_LATEX |= {letter: _greek(letter) for letter in _GREEK}
_LATEX |= {
    letter: rf"\textsuperscript{{{plain}}}" for letter, plain in zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True)
}
_LATEX |= {letter: rf"\textsubscript{{{plain}}}" for letter, plain in zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True)}


def latex(text: str) -> str:
    """Text for LaTeX; letters that its plain fonts lack are shown by their number there.

    Examples
    --------
    >>> print(latex("50% of <b> & $x_1$"), latex("Yıldız, 中"))
    50\\% of \\textless{}b\\textgreater{} \\& \\$x\\_\\allowbreak{}1\\$ Yıldız, \\otherletter{4E2D}{中}
    """
    return "".join(_LATEX.get(letter) or _letter(letter) for letter in " ".join(text.split()))


def breakable(line: str) -> str:
    """A line of code for LaTeX that may be broken after a comma; an empty one keeps its height.

    Examples
    --------
    >>> print(breakable("--prior a,b"))
    -{}-{}prior a,\\allowbreak{}b
    """
    return latex(line).replace(",", r",\allowbreak{}") or "~"


def _letter(letter: str) -> str:
    """A letter of the Latin alphabets as it is; T1 fonts have those up to U+017F."""
    code = ord(letter)
    if 0x20 <= code < 0x7F or (0xC0 <= code <= 0x17F and code not in _NOT_IN_T1):
        return letter
    return rf"\otherletter{{{code:04X}}}{{{letter}}}"


#: Latin letters without a sign in T1 that LaTeX knows by name.
_NOT_IN_T1 = frozenset((0x126, 0x127, 0x138, 0x13F, 0x140, 0x149, 0x166, 0x167, 0x17F))


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
