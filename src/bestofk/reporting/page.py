"""A report before any format: the first screen, then what stands below it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from bestofk.advice import Advice
from bestofk.core.extras import available
from bestofk.core.frozen import frozen
from bestofk.core.passwords import shown_address
from bestofk.judging import Verdict
from bestofk.reporting.blocks import Block, Bullets, Citations, Code, Pictures, Section, Sentences, Terms
from bestofk.reporting.choices import Choices, choices_of
from bestofk.reporting.first_screen import LearnersTable, first_table
from bestofk.reporting.methods_paragraph import methods_of
from bestofk.reporting.sections import SECTIONS
from bestofk.reporting.words import below_title, best_set_sentence, judged_line, positive_class, tested_by, title
from bestofk.stores.address import is_store

_NO_COMMAND = "The results were in memory, not in a file: no command can make this verdict again, the lines below can."


@frozen
class Page:
    """The first screen and the sections below it.

    ``about`` says in a line what was judged and ``version`` what judged it; ``lines`` are the sentences below the
    title, ``table`` the table with its drawing, ``figure`` what stands beside it, ``advice`` the cautions, of
    which the first stands there, with what to do about it where ``remedy``, ``small`` what stands below it.
    ``choices`` are what another preference would choose.
    """

    title: str
    lines: tuple[str, ...]
    sections: tuple[Section, ...]
    about: str
    version: str
    table: LearnersTable | None = None
    figure: Any | None = None
    choices: Choices | None = None
    advice: tuple[Advice, ...] = ()
    remedy: bool = False
    small: tuple[str, ...] = ()

    @property
    def careful(self) -> Advice | None:
        """The one caution of the first screen."""
        return self.advice[0] if self.advice else None

    @property
    def caution(self) -> str:
        """The same in words, with what to do where nothing could be shown."""
        first = self.careful
        return "" if first is None else f"{first.seen}; {first.do}" if self.remedy else first.seen


#: Figures that say of their kind of evidence what the table cannot: they stand beside it.
BESIDE = ("bounds", "curves", "pareto", "roc")


def page_of(verdict: Verdict, reading: Mapping[str, Any] | None = None) -> Page:
    """Gather everything that a report says of a verdict."""
    figures = figures_of(verdict)
    beside = next((each for each in figures[:1] if each.name in BESIDE), None)
    found = (section(verdict) for section in SECTIONS)
    lines = (below_title(verdict), best_set_sentence(verdict))
    return Page(
        title=title(verdict),
        lines=tuple(line for line in lines if line),
        table=first_table(verdict, most=len(verdict.order)),
        figure=beside,
        choices=choices_of(verdict),
        advice=verdict.advice,
        remedy=verdict.status == "undecided",
        small=(f"{tested_by(verdict)}.", *_positive(verdict)),
        sections=(
            *advice_sections(verdict),
            *(section for section in found if section is not None),
            _figures(tuple(each for each in figures if each is not beside)),
            _methods(verdict),
            _provenance(verdict, reading),
        ),
        about=judged_line(verdict),
        version=verdict.provenance.versions["bestofk"],
    )


def _positive(verdict: Verdict) -> list[str]:
    positive = positive_class(verdict)
    return [] if positive is None else [f"Positive class: {positive}."]


def figures_of(verdict: Verdict) -> tuple[Any, ...]:
    """The figures that fit the verdict, most telling first; none without matplotlib."""
    if not available("matplotlib"):
        return ()
    from bestofk.plots.gallery import figures_for

    return tuple(figures_for(verdict))


def why_no_figures() -> str:
    """Say why there are no (more) figures."""
    if not available("matplotlib"):
        return 'Figures are left out: matplotlib is not installed (pip install "bestofk[plots]" brings it).'
    return "No further figure fits this verdict."


def _figures(figures: tuple[Any, ...]) -> Section:
    block: Block = Pictures(figures) if figures else Sentences((why_no_figures(),))
    return Section("figures", "Figures", (block,))


def advice_sections(verdict: Verdict) -> tuple[Section, ...]:
    """Every advice under its code, where the first screen leads to."""
    if not verdict.advice:
        return ()
    anchors = tuple(f"advice-{each.code}" for each in verdict.advice)
    return (Section("advice", "Advice", (Bullets(tuple(map(repr, verdict.advice)), anchors),)),)


def _methods(verdict: Verdict) -> Section:
    methods = methods_of(verdict)
    return Section("methods", "Methods", (Sentences(methods.paragraphs), Citations(methods.references)))


def _provenance(verdict: Verdict, reading: Mapping[str, Any] | None) -> Section:
    recipe = recipe_of(verdict, reading)
    shell: Block = Code("Command", "sh", recipe.command) if recipe.command else Sentences((_NO_COMMAND,))
    code = Code("Python", "python", recipe.code)
    return Section("provenance", "Make it again", (Terms(origin_terms(verdict)), shell, code))


# Where a verdict came from, and the command and the code that make it again.


@frozen
class Recipe:
    """Files, options of reading and settings of judging; ``files`` is empty for results that were in memory."""

    files: tuple[str, ...]
    reading: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def command(self) -> str:
        """The line for a shell; empty when there is no file to name."""
        if not self.files:
            return ""
        words = ["bestofk", "judge", *self.files]
        for name, value in {**self.reading, **self.settings}.items():
            words += option_words(name, value)
        return shlex.join(words)

    @property
    def code(self) -> str:
        """The lines of Python."""
        source = repr(self.files[0] if len(self.files) == 1 else list(self.files))
        read = f"bk.read({_call(source, self.reading)})" if self.files else "evidence"
        return f"import bestofk as bk\n\nverdict = bk.judge({_call(read, self.settings)})\nprint(verdict)"


def recipe_of(verdict: Verdict, reading: Mapping[str, Any] | None = None) -> Recipe:
    """What made the verdict; ``reading`` are the options of ``bk.read``, with its ``source``, where they are known."""
    known = dict(reading or verdict.provenance.reading)
    files = _files(known.pop("source", None), verdict.provenance.source)
    if reading is None and not known and files:  # how it was read is not known: said in full what can be
        known = {"measure": verdict.measure, "larger_is_better": verdict.comparison.larger_is_better}
        if is_store(files[0]):  # whose hash is the fingerprint of the plan
            known["plan"] = verdict.provenance.sha256[:12]
    settings = dict(verdict.provenance.settings)
    if isinstance(settings.get("prior"), list) and len(settings["prior"]) > 1:
        settings["prior"] = list(verdict.prior or ())  # a dict of costs is kept by its names alone
    on: dict[str, Any] = {name: settings.pop(name) for name in ("on", "positive", "undefined") if name in settings}
    known = {name: value for name, value in {**known, **on}.items() if value is not None}
    return Recipe(files, known, settings) if files else Recipe((), {}, {**on, **settings})


def origin_terms(verdict: Verdict) -> tuple[tuple[str, str], ...]:
    """Source, hash, settings, seed and versions by name."""
    origin = verdict.provenance
    notes = "; ".join(origin.notes)
    terms = {
        "Source": origin.source,
        "Fingerprint of the plan" if is_store(origin.source) else "SHA-256": origin.sha256,  # stores grow
        "Read": notes,
        "Settings": ", ".join(f"{name} {_said(value)}" for name, value in origin.settings.items() if value is not None),
        "Seed": str(origin.seed),
        "Versions": ", ".join(f"{name} {number}" for name, number in origin.versions.items()),
    }
    return tuple((name, text) for name, text in terms.items() if text)


def _said(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _files(source: Any, said: str) -> tuple[str, ...]:
    if isinstance(source, list | tuple):
        return tuple(shown_address(str(each)) for each in source)
    if isinstance(source, str | Path):
        return (shown_address(str(source)),)
    return (said,) if "://" in said or Path(said).exists() else ()


def option_words(name: str, value: Any) -> list[str]:
    """An argument of ``read`` or ``judge`` as words of the command."""
    if name == "larger_is_better":
        return ["--larger-is-better" if value else "--smaller-is-better"]
    flag = "--" + name.replace("_", "-")
    if value is True:
        return [flag]
    if name == "filter":
        return [word for each in value for word in (flag, str(each))]
    if isinstance(value, list | tuple):
        return [flag, ",".join(_quoted(str(each)) for each in value)]
    return [flag, str(value)]


def _quoted(name: str) -> str:
    """A learner's name as ``--prior`` reads it: quotes around a comma."""
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name or name != name.strip() else name


def _call(first: str, options: Mapping[str, Any]) -> str:
    return ", ".join([first, *(f"{name}={value!r}" for name, value in options.items())])
