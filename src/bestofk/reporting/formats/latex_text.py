"""Text as LaTeX: nothing in it is a command, no letter is lost, and no word is wider than the room it has."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
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
GREEK = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"
_LIKE_LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo", strict=True))


def _greek(letter: str) -> str:
    name = unicodedata.name(letter).split()[-1].replace("LAMDA", "LAMBDA")
    return rf"\{name.capitalize() if letter.isupper() else name.lower()}"


_FORMULAS = {letter: _greek(letter) for letter in GREEK} | {"ς": r"\varsigma"}
_FORMULAS |= {letter: rf"\mathrm{{{plain}}}" for letter, plain in _LIKE_LATIN.items()}
_ACCENTS = {"\u0301": "acute", "\u0308": "ddot"}
_FORMULAS |= {
    unicodedata.normalize("NFC", letter + mark): rf"\{accent}{{{formula}}}"
    for letter, formula in _FORMULAS.items()
    for mark, accent in _ACCENTS.items()
    if len(unicodedata.normalize("NFC", letter + mark)) == 1
}
_LATEX |= {letter: f"${formula}$" for letter, formula in _FORMULAS.items()}
_LATEX |= {
    letter: rf"\textsuperscript{{{plain}}}" for letter, plain in zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True)
}
_LATEX |= {letter: rf"\textsubscript{{{plain}}}" for letter, plain in zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True)}
#: Latin letters without a sign in T1 that LaTeX knows by name.
_NOT_IN_T1 = frozenset((0x126, 0x127, 0x138, 0x13F, 0x140, 0x149, 0x166, 0x167, 0x17F))

#: Words wider than this, in ems, may be broken: about 26 letters.
WIDEST_WORD = 14.0
_BREAK = r"\allowbreak{}"
#: Where a word that has no room is broken first, where a piece of it that still has none, and what is all digits.
_AFTER_SIGNS = re.compile(r"(?<=[-_/.:])(?<!\d[.:](?=\d))(?<!\de-(?=\d))(?!$)")
_BETWEEN_LETTERS = re.compile(r"(?<=.)(?<![−+\d.](?=[\d.]))(?!$)")
_ANYWHERE = re.compile("")


def latex(text: str, *, room: float = WIDEST_WORD) -> str:
    """Text for LaTeX; words wider than ``room`` (in ems) may be broken after signs, or else between any two letters.

    Letters that the plain fonts lack are arguments of a command, with what is shown in their place where no font has
    them: ``others_in`` says whether a text needs it.

    Examples
    --------
    >>> print(latex("50% of <b> & $x_1$"), latex("Yıldız, 中"))
    50\\% of \\textless{}b\\textgreater{} \\& \\$x\\_1\\$ Yıldız, \\otherletters{4E2D}{中}{U+4E2D}
    >>> print(latex("net/0.25 word", room=2.0))
    net/\\allowbreak{}0.25 w\\allowbreak{}o\\allowbreak{}r\\allowbreak{}d
    """
    plain = unicodedata.normalize("NFC", " ".join(text.split()))
    pieces = (
        _set_right(run) if kind == "right" else " ".join(_word(word, room) for word in run.split(" "))
        for kind, run in _runs(plain)
    )
    return "".join(pieces)


def breakable(line: str) -> str:
    """A line of code for LaTeX that may be broken after a comma; an empty one keeps its height.

    Examples
    --------
    >>> print(breakable("--prior a,b"))
    -{}-{}prior a,\\allowbreak{}b
    """
    return latex(line).replace(",", r",\allowbreak{}") or "~"


def others_in(text: str) -> bool:
    """Whether LaTeX text has letters that its plain fonts lack."""
    return r"\otherletters" in text or r"\rightletters" in text


def em_width(text: str) -> float:
    """About how wide a text is set, in ems; rather too wide than too narrow.

    Examples
    --------
    >>> em_width("") == 0 < em_width("0.25") < em_width("−0.25") < em_width("学")
    True
    """
    return sum(map(_em, text))


def _em(letter: str) -> float:
    if letter in "ijlt.,;:'|![]()/ ":
        return 0.42
    if letter in "mw%&":
        return 0.9
    if letter in "MW@+−×±=<>≤≥→←≠≈∞√◆○●✕":
        return 1.1
    if letter in _FORMULAS:
        return 0.85
    if letter not in _LATEX and not _is_plain(letter):
        return max(4.2, 0.62 * len(_instead(letter)))
    return 0.82 if letter.isupper() else 0.52 if letter.isdigit() else 0.56


def _word(word: str, room: float) -> str:
    fits = em_width(word) <= room
    return _BREAK.join(
        (_set_plain(run) if fits else _in_pieces(run, room)) if kind == "plain" else _set_others(kind, run)
        for kind, run in _runs(word)
    )


def _in_pieces(run: str, room: float) -> str:
    pieces = [run]
    for places in (_AFTER_SIGNS, _BETWEEN_LETTERS, _ANYWHERE):
        pieces = [
            each for piece in pieces for each in ([piece] if em_width(piece) <= room else places.split(piece)) if each
        ]
    return _BREAK.join(map(_set_plain, pieces))


def _set_plain(run: str) -> str:
    return "".join(_LATEX.get(letter) or letter for letter in run)


def _runs(text: str) -> list[tuple[str, str]]:
    """The text in runs of one kind: plain ones, other alphabets, ideographs and signs, and what is read to the left."""
    kinds = [_kind(letter) for letter in text]
    for i, letter in enumerate(text):
        if letter == " " and 0 < i < len(text) - 1 and kinds[i - 1] == kinds[i + 1] == "right":
            kinds[i] = "right"
    return [(kind, "".join(text[i] for i in run)) for kind, run in groupby(range(len(text)), kinds.__getitem__)]


def _kind(letter: str) -> str:
    if letter in _LATEX or _is_plain(letter):
        return "plain"
    if unicodedata.bidirectional(letter) in ("R", "AL"):
        return "right"
    return "alphabet" if letter.isalpha() and unicodedata.east_asian_width(letter) not in "WF" else "sign"


def _is_plain(letter: str) -> bool:
    """Whether a letter is of the Latin alphabets; T1 fonts have those up to U+017F."""
    code = ord(letter)
    return 0x20 <= code < 0x7F or (0xC0 <= code <= 0x17F and code not in _NOT_IN_T1)


def _set_others(kind: str, run: str) -> str:
    if kind == "right":
        return _set_right(run)
    if kind == "alphabet":  # letters of one word are set in one font
        return _command("otherletters", run)
    return r"\allowbreak{}".join(_command("otherletters", letter) for letter in run)


def _set_right(run: str) -> str:
    return _command("rightletters", run)


def _command(name: str, run: str) -> str:
    instead = " ".join(_instead(letter) for letter in run if letter != " ")
    return rf"\{name}{{{ord(run[0]):04X}}}{{{run}}}{{{instead}}}"


def _instead(letter: str) -> str:
    """What stands for a letter that no font has: of signs, such as emoji, their name."""
    name = unicodedata.name(letter, "") if unicodedata.category(letter) == "So" else ""
    return f"[{name.lower()}]" if name else f"U+{ord(letter):04X}"
