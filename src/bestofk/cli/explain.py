"""``bestofk explain``: what a code of advice, a test, a status or a term means."""

from __future__ import annotations

import re
from importlib import resources
from inspect import getdoc
from pathlib import Path
from typing import Any

import click

from bestofk.cli.options import AS_JSON, shelf_of
from bestofk.cli.printing import say, show_json, terminal_width
from bestofk.core.names import unknown

#: Shelves whose parts explain themselves.
SHELVES = ("pairwise", "omnibus", "ranges", "curves", "special", "adjust", "ordering")
#: A formula in a docstring, the colon before it, and what its first equation defines.
_FORMULA = re.compile(r"(:?)\s*\.\. math:: (?:([^=\n]+?) *=)?.*(?:\n +.*)*\s*")
_LETTERS = {r"\chi^2": "χ²", r"\Lambda": "Λ"}


def _begun(context: click.Context, argument: click.Parameter, begun: str) -> list[str]:
    """The names that begin like this, for the shell."""
    return [name for name in _names() if name.lower().startswith(begun.lower())]


@click.command()
@click.argument("name", shell_complete=_begun)
@AS_JSON
def explain(name: str, as_json: bool) -> None:
    """Explain a code of advice (K119), a test or method (wilcoxon), a status (preferred) or a term (winner-test)."""
    from bestofk.reporting.tables import in_columns

    text = _explained(name)
    if as_json:
        show_json({"name": name, "text": text})
        return
    paragraphs = (" ".join(part.split()) for part in text.split("\n\n"))
    say("\n\n".join("\n".join(in_columns(each, terminal_width())) for each in paragraphs))


def _explained(name: str) -> str:
    from bestofk.judging.verdict import STATUSES
    from bestofk.reporting.method_names import CALLED

    pages = _advice_pages()
    if name.upper() in pages:
        return pages[name.upper()]
    if name in shelf_of("advice"):  # of another package, or new
        return _about("", shelf_of("advice")[name])
    if name in STATUSES:
        return f"{name}: {STATUSES[name]}."
    parts = _parts()
    if name in parts:
        return _about(name, parts[name])
    if name in CALLED:
        return f"{name}: {CALLED[name]}. {_papers(name)}".strip()
    terms = _terms()
    if _term(name) in terms:
        return f"{name}: {terms[_term(name)]}"
    begun = [each for each in _names() if each.startswith(_term(name))]
    if len(begun) == 1:
        return _explained(begun[0])
    raise unknown(
        name, _names(), what="name", where="bestofk explain", see=f"bestofk list advice (or {', '.join(SHELVES)})"
    )


def _names() -> list[str]:
    """Everything that can be explained."""
    from bestofk.judging.verdict import STATUSES
    from bestofk.reporting.method_names import CALLED

    return list(dict.fromkeys([*_advice_pages(), *shelf_of("advice"), *STATUSES, *_parts(), *CALLED, *_terms()]))


def _advice_pages() -> dict[str, str]:
    """The paragraph of every code."""
    found = re.findall(r"^## (K\d+)\n(.*?)(?=^## |\Z)", _page("advice.md"), re.MULTILINE | re.DOTALL)
    return {code: f"{code}: {_plain(page)}" for code, page in found}


def _terms() -> dict[str, str]:
    """What the glossary says of every term."""
    return {
        _term(term): _plain(said) for term, said in re.findall(r"^\*\*(.*?)\.\*\* (.*)$", _page("glossary.md"), re.M)
    }


def _term(name: str) -> str:
    return name.lower().replace(" ", "-")


def _page(name: str) -> str:
    """A page of the docs: in the package, or beside a source tree."""
    inside = resources.files("bestofk.advice") / name
    beside = Path(__file__).parents[3] / "docs" / "reference" / name
    return inside.read_text(encoding="utf-8") if inside.is_file() else beside.read_text(encoding="utf-8")


def _plain(page: str) -> str:
    """Markdown as plain words: bold and links without their marks."""
    words = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", page.strip())
    return words.replace("**", "").replace("`", "")


def _parts() -> dict[str, Any]:
    return {name: part for shelf in SHELVES for name, part in shelf_of(shelf).items()}


def _about(name: str, part: Any) -> str:
    """What a function says of itself, without its parameters; what it assumes; and its papers."""
    from bestofk.stats.method import limits_of

    said = re.split(r"\n(?=\w+\n-{3,})", getdoc(part) or "", maxsplit=1)[0]
    limits = " ".join(f"{what.capitalize()} {text}." for what, text in limits_of(part).items())
    words = _FORMULA.sub(_defined, said)
    words = re.sub(r":\w+:(?=`)|`|\\", "", words).strip()
    return "\n\n".join(filter(None, (f"{name}: {words}" if name else words, limits, _papers(name))))


def _defined(formula: re.Match[str]) -> str:
    """What the formula defines, where the sentence goes on with it; no terminal shows the formula itself."""
    colon, name = formula[1], formula[2] or "it"
    if not formula.string[formula.end() :][:1].islower():
        return ".\n\n" if colon else "\n\n"
    gap = "\n\n" if formula.string[: formula.start()].endswith((".", "?")) else " "
    return f"{colon}{gap}{_LETTERS.get(name, name)} "


def _papers(name: str) -> str:
    from bestofk.reporting.papers import references_of

    return " ".join(f"{paper.short}." for paper in references_of(name))
