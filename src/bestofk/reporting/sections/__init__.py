"""Sections of a report, each ``of(verdict) -> Section | None``; the page is those that are not None."""

from __future__ import annotations

from collections.abc import Callable

from bestofk.judging import Verdict
from bestofk.reporting.blocks import Section
from bestofk.reporting.sections.datasets import (
    aggregates_section,
    costs_section,
    features_section,
    other_datasets_section,
    other_tests_section,
    power_section,
)
from bestofk.reporting.sections.pairs import (
    classes_section,
    curves_section,
    groups_section,
    measures_section,
    pairs_section,
    roc_section,
    scores_section,
)

SectionMaker = Callable[[Verdict], Section | None]

#: In the order of the page.
SECTIONS: tuple[SectionMaker, ...] = (
    pairs_section,
    measures_section,
    curves_section,
    roc_section,
    classes_section,
    scores_section,
    aggregates_section,
    groups_section,
    other_tests_section,
    other_datasets_section,
    power_section,
    costs_section,
    features_section,
)
