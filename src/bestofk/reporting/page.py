"""A report before any format: the first screen, then what stands below it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bestofk.advice import Advice
from bestofk.judging import Verdict
from bestofk.reporting.blocks import Block, Bullets, Citations, Code, Pictures, Section, Sentences, Terms
from bestofk.reporting.methods import methods_of
from bestofk.reporting.pictures import figures_of, why_no_figures
from bestofk.reporting.provenance import origin_terms, recipe_of
from bestofk.reporting.sections import SECTIONS
from bestofk.reporting.tables import PlainTable, first_table
from bestofk.reporting.words import best_set_sentence, headline, tested, title

_NO_COMMAND = "The results were in memory, not in a file: no command can make this verdict again, the lines below can."


@dataclass(frozen=True)
class Page:
    """The first screen and the sections below it.

    ``about`` says in a line what was judged and ``version`` what judged it; ``lines`` are the sentences of the first
    screen, ``table`` its table, ``figure`` its figure, ``careful`` its one caution, ``small`` what stands below it.
    """

    title: str
    status: str
    lines: tuple[str, ...]
    sections: tuple[Section, ...]
    about: str
    version: str
    table: PlainTable | None = None
    figure: Any | None = None
    careful: Advice | None = None
    small: tuple[str, ...] = ()


def page_of(verdict: Verdict, reading: Mapping[str, Any] | None = None) -> Page:
    """Gather everything that a report says of a verdict."""
    figures = figures_of(verdict)
    found = (section(verdict) for section in SECTIONS)
    lines = (headline(verdict), best_set_sentence(verdict))
    return Page(
        title=title(verdict),
        status=verdict.status,
        lines=tuple(line for line in lines if line),
        table=first_table(verdict, most=len(verdict.order)),
        figure=figures[0] if figures else None,
        careful=verdict.advice[0] if verdict.advice else None,
        small=(f"Tested: {tested(verdict.comparison)}.",),
        sections=(
            *(section for section in found if section is not None),
            _figures(figures[1:]),
            *_advice(verdict),
            _methods(verdict),
            _provenance(verdict, reading),
        ),
        about=verdict.comparison.evidence,
        version=verdict.provenance.versions["bestofk"],
    )


def _figures(figures: tuple[Any, ...]) -> Section:
    block: Block = Pictures(figures) if figures else Sentences((why_no_figures(),))
    return Section("figures", "Figures", (block,))


def _advice(verdict: Verdict) -> tuple[Section, ...]:
    """Every advice under its code, where the first screen leads to."""
    if not verdict.advice:
        return ()
    anchors = tuple(f"advice-{each.code}" for each in verdict.advice)
    return (Section("advice", "Advice", (Bullets(tuple(map(repr, verdict.advice)), anchors),)),)


def _methods(verdict: Verdict) -> Section:
    methods = methods_of(verdict)
    return Section("methods", "Methods", (Sentences((methods.paragraph,)), Citations(methods.references)))


def _provenance(verdict: Verdict, reading: Mapping[str, Any] | None) -> Section:
    recipe = recipe_of(verdict, reading)
    shell: Block = Code("Command", "sh", recipe.command) if recipe.command else Sentences((_NO_COMMAND,))
    code = Code("Python", "python", recipe.code)
    return Section("provenance", "Make it again", (Terms(origin_terms(verdict)), shell, code))
