"""Reading: any source becomes evidence, and says how it was understood."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError, glimpse
from bestofk.core.names import unknown
from bestofk.evidence import Battles, Curves, Items, Results, Runs, Scores
from bestofk.evidence.divisions import as_asked
from bestofk.evidence.layouts.dataset_rows import of_dataset, refuse_items_read_already
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.shelf import results_with
from bestofk.evidence.layouts.table_kind import evidence_from_table, selected
from bestofk.evidence.logs import by_task, evidence_from_logs
from bestofk.evidence.mixed_scales import refuse_mixed_scales
from bestofk.evidence.objects import evidence_from_json, evidence_from_list, evidence_from_mapping, of_search
from bestofk.evidence.result_files import are_files, evidence_from_files, evidence_from_folder, evidence_from_named
from bestofk.measures.checks import settled_direction
from bestofk.settings import FILES, Reading, refuse_unused
from bestofk.tables.files import table_from_file
from bestofk.tables.frames import is_frame, table_from_frame
from bestofk.tables.json_files import ObjectsByName
from bestofk.tables.table import Table


def read_evidence(source: Any, **options: Any) -> Results:
    """Read evidence from a file, a data frame, arrays, or what scikit-learn returns.

    Parameters
    ----------
    source : path, list or dict of paths, folder, data frame, dict, list, or evidence
        A table (CSV, TSV, Parquet, JSON, XLSX, data frame); one file per model (list, {model: path}, folder of .jsonl
        files or of one subfolder per model); {learner: scores}; {learner: {seed, data set, fold or item: score}} with
        ``rows``; {learner: cross_validate output}, also as JSON, or a list of them; a ``cv_results_`` or a fitted
        search, or several by name; {learner: histories of training, or ``learning_curve`` output}; {learner: logs of
        its runs}.
    **options
        What the caller says about it: fields of ``Request``, as ``bestofk.read`` explains them.

    Returns
    -------
    Scores, Items, Curves or Runs
        ``origin.notes`` says how names were understood, ``origin.assumed`` what a person should confirm.

    Examples
    --------
    >>> read_evidence({"lda": [0.8, 0.9, 0.7], "knn": [0.7, 0.9, 0.6]}, measure="accuracy")
    2 learners on 1 data set, 1 replication of 3 folds, measure accuracy: larger is better
    """
    return evidence_of(source, Request(**options))


def evidence_of(source: Any, request: Request) -> Results:
    """Read evidence as a request says that was checked already."""
    is_read = not isinstance(source, Results)
    logged = evidence_from_logs(source, request) if is_read else None
    found = by_task(_read(source, request), request) if logged is None else logged
    asked = {name: getattr(request, name) for name in ("replications", "test_fraction", "align")}
    curves = {FILES} if is_read and isinstance(found, Curves) and not isinstance(found, Runs) else set()
    refuse_unused(Reading, asked, found.held | curves, found)
    found = as_asked(found, request.replications, request.test_fraction)
    _refuse_other_rows(found, request.rows)
    found = found if request.dataset is None else of_dataset(found, request.dataset)
    if is_read:  # what was put together by hand may be in any unit
        refuse_mixed_scales(found)
    return found


def _refuse_other_rows(evidence: Results, rows: str | None) -> None:
    """Refuse evidence of another kind than the rows were said to be."""
    if rows is None or rows in _rows_of(evidence):
        return
    fix = "leave rows out; of curves --curve final makes one number of each."
    raise InputError(f"rows is {rows!r}, and these are {evidence!r}.", evidence.origin.source, fix)


def _rows_of(evidence: Results) -> tuple[str, ...]:
    """What rows the evidence has: folds within data sets are both."""
    if isinstance(evidence, Curves):
        return ("runs",) if isinstance(evidence, Runs) else ()
    if isinstance(evidence, Items | Battles):
        return ("items",) if isinstance(evidence, Items) else ()
    several, folds = len(evidence.datasets) > 1, len(evidence.replications) * len(evidence.folds) > 1
    return (*(["datasets"] if several or not folds else []), *(["folds"] if folds or not several else []))


def _read(source: Any, request: Request) -> Results:
    if isinstance(source, Results):
        request.refuse_columns(source.origin.source)
        refuse_items_read_already(source, request.dataset)
        return selected(_on(source, request), request.learners)
    if isinstance(source, str | Path) and Path(source).is_dir():
        return evidence_from_folder(Path(source), request)
    source = opened(_without_searches(source), request)
    if isinstance(source, Table):
        return evidence_from_table(source, request)
    if isinstance(source, ObjectsByName):
        return selected(evidence_from_json(source, request), request.learners)
    if isinstance(source, Mapping):
        read = evidence_from_named if are_files(source) else evidence_from_mapping
        return selected(read(source, request), request.learners)
    if isinstance(source, list | tuple):
        files = source and all(isinstance(each, str | Path) for each in source)
        return evidence_from_files(source, request) if files else evidence_from_list(source, request)
    raise InputError(
        f"the source is {glimpse(source)}.",
        "read, argument source",
        "give a path, a data frame, {learner: scores}, or a list of cross_validate outputs.",
    )


def _without_searches(source: Any) -> Any:
    """The results of searches of scikit-learn, alone, by name or in a list, in the place of the searches."""
    if isinstance(source, Mapping):
        return {name: of_search(each) for name, each in source.items()}
    return type(source)(map(of_search, source)) if type(source) in (list, tuple) else of_search(source)


def opened(source: Any, request: Request) -> Any:
    """A file or a frame as the table in it, to be read several times; any other source as it is.

    A JSON file of objects by name is returned as ``ObjectsByName``.
    """
    purpose = results_with(request.columns.values())
    if is_frame(source):
        return table_from_frame(source, purpose)
    if not isinstance(source, str | Path) or Path(source).is_dir():
        return source
    if Path(source).suffix.lower() == ".toml" and Path(source).is_file():
        raise InputError(
            "it is a plan, or another file of settings (TOML), and has no results.",
            str(source),
            f"collect it first, then judge the store: bestofk collect {source} --into results.db.",
        )
    try:
        return table_from_file(source, purpose)
    except ObjectsByName as found:
        return found


def _on(evidence: Results, request: Request) -> Results:
    """The same evidence, with another of its measures in front where one is asked for."""
    where, measure = evidence.origin.source, request.measure or evidence.measure
    if measure == evidence.measure:
        settled_direction(measure, request.larger_is_better, where=where, known=evidence.larger_is_better)
        return evidence
    if isinstance(evidence, Scores) and measure in evidence.others:
        return evidence.on(measure, larger_is_better=request.larger_is_better)
    known = [evidence.measure, *(evidence.others if isinstance(evidence, Scores) else ())]
    raise unknown(measure, known, what="measure", where=where)
