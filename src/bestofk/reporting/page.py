"""A report before any format: what it says, in which order. Words come from the files of words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from bestofk.advice import Advice
from bestofk.evidence import Scores
from bestofk.judging import Verdict
from bestofk.reporting.blocks import Block, Bullets, Citations, Code, Pictures, Section, Sentences, TableBlock, Terms
from bestofk.reporting.certainty import Answer, answers, caution, status_means, title
from bestofk.reporting.dataset_sections import dataset_sections
from bestofk.reporting.known_names import learners_line
from bestofk.reporting.methods import methods_of
from bestofk.reporting.order_words import BEST_FIRST
from bestofk.reporting.pictures import figures_of, why_no_figures
from bestofk.reporting.places import Place, learners_caption, order_note, order_title, places_of, scale
from bestofk.reporting.provenance_words import NO_COMMAND, origin_terms
from bestofk.reporting.reason_words import because_as_listed
from bestofk.reporting.reproducing import recipe_of
from bestofk.reporting.tables import comparison_table, reasons_table, scores_table, verdict_table
from bestofk.reporting.words import (
    comparison_words,
    grounds,
    headline,
    notes,
    overruled,
    possible_words,
    rule,
)


@dataclass(frozen=True)
class Page:
    """The first screen and the sections below it; ``figure`` is the one for the first screen, if there is one.

    ``about`` says in a line what was judged and ``version`` what judged it; ``places`` are empty where nothing is
    ordered, and ``order_note`` says how to read them. ``answered``: the answers say all that the headline says.
    """

    title: str
    status: str
    status_means: str
    headline: str
    answers: tuple[Answer, ...]
    scale: str
    places: tuple[Place, ...]
    figure: Any | None
    sections: tuple[Section, ...]
    about: str
    version: str
    order_title: str = BEST_FIRST
    order_note: str = ""
    answered: bool = False

    @property
    def lead(self) -> str:
        """The headline where the answers do not say it already."""
        return "" if self.answered else self.headline


def page_of(verdict: Verdict, reading: Mapping[str, Any] | None = None) -> Page:
    """Gather everything that a report says of a verdict."""
    figures = figures_of(verdict)
    return Page(
        title=title(verdict),
        status=verdict.status,
        status_means=status_means(verdict),
        headline=headline(verdict),
        answers=(*answers(verdict), *caution(verdict)),
        scale=scale(verdict),
        places=places_of(verdict),
        figure=figures[0] if figures else None,
        sections=(
            _why(verdict),
            _tables(verdict),
            *dataset_sections(verdict),
            _figures(figures[1:]),
            _advice(verdict),
            _methods(verdict),
            _provenance(verdict, reading),
        ),
        about=verdict.comparison.evidence,
        version=verdict.provenance.versions["bestofk"],
        order_title=order_title(verdict),
        order_note=order_note(verdict),
        answered=True,
    )


def _why(verdict: Verdict) -> Section:
    said = (*grounds(verdict.comparison), *rule(verdict), *notes(verdict))
    found = [overruled(name, by, verdict) for name, by in verdict.overtaken]
    if verdict.possible_best is not None:
        found.append(possible_words(verdict))
    pairs = TableBlock(
        "reasons",
        "Every pair in words: which learner stands above which, and because of what.",
        reasons_table(verdict, because_as_listed),
        frozenset({"because"}),
    )
    return Section("why", "Why", (*_paragraphs(said), *((Bullets(tuple(found)),) if found else ()), pairs))


def _paragraphs(lines: Iterable[str]) -> tuple[Block, ...]:
    """Sentences, and lists of those that words begin with a dash."""
    runs = groupby(lines, key=lambda line: line.startswith("- "))
    return tuple(
        Bullets(tuple(line.removeprefix("- ") for line in run)) if dashed else Sentences(tuple(run))
        for dashed, run in runs
    )


def _tables(verdict: Verdict) -> Section:
    compared = comparison_words(verdict.comparison)
    names = learners_line(verdict)
    blocks: list[Block] = [Sentences(names)] if names else []
    blocks += [
        TableBlock("learners", learners_caption(verdict), verdict_table(verdict)),
        TableBlock(
            "pairs",
            f"Every pair in numbers, by {verdict.test}. {compared[0]} {compared[-1]}",
            comparison_table(verdict.comparison),
        ),
    ]
    evidence = getattr(verdict, "evidence", None)
    if isinstance(evidence, Scores) and len(evidence.datasets) > 1:
        caption = f"Mean {evidence.measure} on every data set; {evidence.direction}."
        blocks.append(TableBlock("scores", caption, scores_table(evidence)))
    return Section("tables", "Tables", tuple(blocks))


def _figures(figures: tuple[Any, ...]) -> Section:
    block: Block = Pictures(figures) if figures else Sentences((why_no_figures(),))
    return Section("figures", "Figures", (block,))


def _advice(verdict: Verdict) -> Section:
    return Section("advice", "Advice", (advice_block(verdict.advice),))


def advice_block(advice: Iterable[Advice]) -> Block:
    """Every advice under its code, where the first screen leads to; or that there is none."""
    said = tuple(advice)
    if not said:
        return Sentences(("No known pitfall was seen in these results.",))
    codes = [each.code for each in said]
    first = (codes.index(code) == i for i, code in enumerate(codes))  # a link leads to one place
    anchors = tuple(f"advice-{code}" if is_first else "" for code, is_first in zip(codes, first, strict=True))
    return Bullets(tuple(map(repr, said)), anchors)


def _methods(verdict: Verdict) -> Section:
    methods = methods_of(verdict)
    return Section("methods", "Methods", (Sentences((methods.paragraph,)), Citations(methods.references)))


def _provenance(verdict: Verdict, reading: Mapping[str, Any] | None) -> Section:
    recipe = recipe_of(verdict, reading)
    shell: Block = Code("Command", "sh", recipe.command) if recipe.command else Sentences((NO_COMMAND,))
    code = Code("Python", "python", recipe.code)
    return Section("provenance", "Make it again", (Terms(origin_terms(verdict)), shell, code))
