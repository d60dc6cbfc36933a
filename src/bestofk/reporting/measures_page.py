"""The report of a verdict on several measures, before any format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bestofk.judging.measures_verdict import MeasuresVerdict
from bestofk.reporting.blocks import Block, Bullets, Citations, Code, Pictures, Section, Sentences, TableBlock, Terms
from bestofk.reporting.certainty import Answer, careful, preference_words
from bestofk.reporting.measures_areas import roc_lines, roc_table
from bestofk.reporting.measures_methods import measures_methods_of
from bestofk.reporting.measures_notes import note_lines
from bestofk.reporting.measures_places import (
    measures_order_note,
    measures_order_title,
    measures_places,
    measures_status_means,
)
from bestofk.reporting.measures_tables import (
    acceptance_table,
    discriminant_table,
    learners_table,
    manova_table,
    measures_pairs_table,
    orders_table,
    single_measures_table,
)
from bestofk.reporting.measures_words import (
    class_title,
    cost_lines,
    difference_lines,
    ground_lines,
    group_lines,
    measures_headline,
    measures_level_words,
)
from bestofk.reporting.page import Page, advice_block
from bestofk.reporting.pictures import figures_of, why_no_figures
from bestofk.reporting.provenance_words import NO_COMMAND, origin_terms
from bestofk.reporting.reproducing import Recipe
from bestofk.stores.store import without_password

#: What the verbs take when nothing is said: such settings need no mention.
_USUAL = {"test": "auto", "adjust": "bonferroni", "alpha": 0.05, "missing": "refuse", "seed": 0}
_ORDERS = "Each measure by itself, best first; a group is underlined when its two ends are not told apart."
#: Figures in the order of the paper's: vectors, their differences, the error, decisions.
_FIGURES = ("contours", "difference-contours", "error-histograms", "acceptance", "roc")
#: Of areas the curves say the most.
_AREAS = ("roc", *_FIGURES[:-1])
#: Settings that belong to reading where there is a file.
_READ = ("on", "positive", "undefined")


def measures_page(verdict: MeasuresVerdict, reading: Mapping[str, Any] | None = None) -> Page:
    """Gather everything that a report says of a verdict on several measures."""
    wanted = _AREAS if verdict.comparison.of_areas else _FIGURES
    figures = tuple(sorted(figures_of(verdict), key=lambda each: _place_of(each.name, wanted)))  # type: ignore[arg-type]
    return Page(
        title=measures_title(verdict),
        status=verdict.status,
        status_means=measures_status_means(verdict),
        headline=measures_headline(verdict),
        answers=measures_answers(verdict),
        scale=f"mean {', '.join(verdict.names)}",
        places=measures_places(verdict),
        figure=figures[0] if figures else None,
        sections=(
            Section(
                "why", "What differs", (Bullets((*difference_lines(verdict), *_groups(verdict))), *_grounds(verdict))
            ),
            Section("tables", "Tables", _tables(verdict)),
            *_roc(verdict),
            *(_of_class(number, each) for number, each in enumerate(verdict.by_class, 1)),
            Section("figures", "Figures", (Pictures(figures[1:]) if figures[1:] else Sentences((why_no_figures(),)),)),
            Section("advice", "Advice", (advice_block(verdict.advice),)),
            _methods(verdict),
            _provenance(verdict, reading),
        ),
        about=verdict.comparison.evidence,
        version=verdict.provenance.versions["bestofk"],
        order_title=measures_order_title(verdict),
        order_note=measures_order_note(verdict),
        answered=True,
    )


def _place_of(figure: str, wanted: tuple[str, ...]) -> int:
    return wanted.index(figure) if figure in wanted else len(wanted)


def measures_title(verdict: MeasuresVerdict) -> str:
    """The verdict in a few words."""
    if verdict.status == "decided":
        return f"{verdict.best} is best"
    return f"{verdict.best} is the choice" if verdict.status == "preferred" else "No single best"


def measures_answers(verdict: MeasuresVerdict) -> tuple[Answer, ...]:
    """Best, what differs and how sure, for somebody who reads nothing else."""
    return (
        Answer("Which learner is best?", measures_headline(verdict).split(". ")[0].rstrip(".") + "."),
        *_preference(verdict),
        Answer("What differs?", difference_lines(verdict)[0]),
        Answer("How sure is that?", measures_level_words(verdict)),
        *careful(verdict.advice),
    )


def _preference(verdict: MeasuresVerdict) -> tuple[Answer, ...]:
    if verdict.prior is None:
        return ()
    return (Answer("Why this one?", f"{preference_words(verdict)}."),) if verdict.status == "preferred" else ()


def _groups(verdict: MeasuresVerdict) -> tuple[str, ...]:
    return tuple(line.removeprefix("- ") for line in group_lines(verdict))


def _grounds(verdict: MeasuresVerdict) -> tuple[Block, ...]:
    return (Sentences((*ground_lines(verdict), *note_lines(verdict), *cost_lines(verdict))),)


def _roc(verdict: MeasuresVerdict) -> tuple[Section, ...]:
    table = roc_table(verdict)
    if table is None:
        return ()
    caption = "Areas under the ROC curves, and the prices of a false alarm in misses at which each learner is best."
    return (Section("roc", "ROC curves", (Sentences(tuple(roc_lines(verdict))), TableBlock("areas", caption, table))),)


def _of_class(number: int, verdict: MeasuresVerdict) -> Section:
    """One class against the rest."""
    pairs = TableBlock(
        f"class-{number}-pairs", f"Every pair at alpha {verdict.alpha:.3g}.", measures_pairs_table(verdict)
    )
    said = Bullets((*difference_lines(verdict), *_groups(verdict)))
    return Section(
        f"class-{number}",
        class_title(verdict),
        (Sentences((measures_headline(verdict), *roc_lines(verdict))), said, pairs),
    )


def _tables(verdict: MeasuresVerdict) -> tuple[Block, ...]:
    names = ", ".join(verdict.names)
    alone = len(verdict.names) == 1
    single = TableBlock("measures", "Every pair in each measure by itself.", single_measures_table(verdict))
    blocks = [
        TableBlock("learners", f"The learners. {measures_order_title(verdict)}.", learners_table(verdict)),
        TableBlock("orders", _ORDERS, orders_table(verdict)),
        TableBlock("pairs", f"Every pair in {names}{'' if alone else ' together'}.", measures_pairs_table(verdict)),
        *(() if alone else (single,)),
        TableBlock("acceptance", f"1: not told apart by {names}; 0: told apart.", acceptance_table(verdict)),
    ]
    if verdict.comparison.error_means:
        caption = "1: not told apart by the error; 0: told apart."
        blocks.append(TableBlock("acceptance-error", caption, acceptance_table(verdict, error=True)))
    criteria, weights = manova_table(verdict), discriminant_table(verdict)
    if criteria is not None and weights is not None:
        blocks.append(TableBlock("manova", "MANOVA over all learners, four criteria.", criteria))
        caption = "The combination that tells the learners apart most, and the ANOVA of each measure."
        blocks.append(TableBlock("discriminant", caption, weights))
    return tuple(blocks)


def _methods(verdict: MeasuresVerdict) -> Section:
    methods = measures_methods_of(verdict)
    return Section("methods", "Methods", (Sentences((methods.paragraph,)), Citations(methods.references)))


def _provenance(verdict: MeasuresVerdict, reading: Mapping[str, Any] | None) -> Section:
    recipe = measures_recipe(verdict, reading)
    shell: Block = Code("Command", "sh", recipe.command) if recipe.command else Sentences((NO_COMMAND,))
    terms = Terms(origin_terms(verdict))  # type: ignore[arg-type]
    return Section("provenance", "Make it again", (terms, shell, Code("Python", "python", recipe.code)))


def measures_recipe(verdict: MeasuresVerdict, reading: Mapping[str, Any] | None = None) -> Recipe:
    """What made the verdict: measures are named when reading a file, and when judging results in memory."""
    known = dict(reading or {name: each for name, each in verdict.provenance.reading.items() if name not in _READ})
    source = known.pop("source", verdict.provenance.source)
    several = isinstance(source, list | tuple)
    files = tuple(without_password(str(each)) for each in (source if several else [source]))
    if reading is None and not (several or "://" in files[0] or Path(files[0]).exists()):
        files = ()
    settings = {**verdict.provenance.settings, "seed": verdict.provenance.seed}
    said = {name: settings.pop(name) for name in _READ if settings.get(name) is not None}
    kept = {name: value for name, value in settings.items() if value is not None and value != _USUAL.get(name)}
    known = {name: value for name, value in known.items() if value is not None}
    return Recipe(files, {**known, **said} if files else {}, kept if files else {**said, **kept})
