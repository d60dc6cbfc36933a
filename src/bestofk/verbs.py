"""The verbs: read · compare · order · judge. Composition only, no mathematics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bestofk.comparing import Comparison
from bestofk.core.errors import InputError
from bestofk.evidence import Evidence
from bestofk.evidence.reading import read_evidence
from bestofk.judging import Verdict, comparison_of, judge_evidence, ordering_from
from bestofk.ordering import Ordering
from bestofk.stats.arrays import glimpse
from bestofk.stores.opening import is_store, open_store


def read(
    source: Any,
    *,
    measure: str | None = None,
    larger_is_better: bool | None = None,
    learners: Sequence[str] | None = None,
    rows: str | None = None,
    replications: int | None = None,
    test_fraction: float | None = None,
    align: str | None = None,
    plan: str | None = None,
) -> Evidence:
    """Read results that exist already: a file, a data frame, arrays, or what scikit-learn returns.

    Parameters
    ----------
    source : path, data frame, dict or list
        CSV, TSV, Parquet, JSON, JSON Lines or XLSX; a pandas or polars frame; ``{learner: scores}``;
        ``{learner: cross_validate(...)}``; ``cv_results_`` of a search; one JSON Lines file per model. Long tables
        have a column ``learner``, wide ones a column per learner; see docs/reading.md for every layout.
    measure : str, optional
        Which measure to judge by, when there are several.
    larger_is_better : bool, optional
        The direction of a measure that bestofk does not know.
    learners : sequence of str, optional
        Names for a list of results.
    rows : {"datasets", "folds", "items"}, optional
        What the rows of a table are that has no column to say so.
    replications : int, optional
        Folds in a row are so many replications, where the source does not say (scikit-learn's RepeatedKFold).
    test_fraction : float, optional
        The results are random splits (ShuffleSplit) with this share of test data.
    align : {"common", "interpolate"}, optional
        What to do with curves whose steps differ: keep the steps that all have, or take values on lines between points.
    plan : str, optional
        Which plan of a store, by the beginning of its fingerprint, when it has several.

    Returns
    -------
    Scores, Items or Curves
        ``repr`` says in one sentence what was understood.
    """
    if is_store(source):
        scores = _from_store(str(source), plan, measure, larger_is_better)
        return read_evidence(scores, learners=learners, replications=replications, test_fraction=test_fraction)
    return read_evidence(
        source,
        measure=measure,
        larger_is_better=larger_is_better,
        learners=learners,
        rows=rows,
        replications=replications,
        test_fraction=test_fraction,
        align=align,
    )


def _from_store(url: str, plan: str | None, measure: str | None, larger_is_better: bool | None) -> Evidence:
    from bestofk.stores.evidence import evidence_from_store

    store = open_store(url, create=False)
    try:
        return evidence_from_store(store, plan=plan, measure=measure, larger_is_better=larger_is_better)
    finally:
        store.close()


def collect(
    plan: Any,
    into: str | Path,
    *,
    on: str = "local",
    retry_failed: bool = False,
    cell_timeout: float | str | None = None,
    cell_memory: float | str | None = None,
    progress: bool = True,
    allow_code: bool = False,
) -> Evidence:
    """Run what a plan still lacks and return its results: run again to resume.

    Parameters
    ----------
    plan : Plan or path
        What to run; a path is a TOML file.
    into : path or URL
        Where results are kept: a file (SQLite), or ``postgresql://…``.
    on : str
        ``local`` (processes of this machine), ``local:4``, ``serial``, the address of a Dask scheduler, or ``ray``.
    retry_failed : bool
        Run cells with failed folds again.
    cell_timeout, cell_memory : float or str, optional
        Seconds and bytes that one cell may take, or text: ``"10m"``, ``"500MB"``.
    progress : bool
        Show a bar on a terminal.
    allow_code : bool
        Let learners of a TOML file come from ``module:factory``.
    """
    from bestofk.collecting.collect import collect_file, collect_plan
    from bestofk.design.plan import Plan
    from bestofk.design.plan_file import read_plan

    limits: dict[str, Any] = {"cell_timeout": cell_timeout, "cell_memory": cell_memory}
    options = {"engine": on, "retry_failed": retry_failed, "progress": progress, **limits}
    if isinstance(plan, str | Path):
        collect_file(plan, store=into, allow_code=allow_code, **options)
        plan = read_plan(plan, allow_code=allow_code)
    elif not isinstance(plan, Plan):
        raise InputError(f"the plan is {glimpse(plan)}.", "collect, argument plan", "give bestofk.Plan(...) or a path.")
    else:
        store = open_store(into)
        try:
            collect_plan(plan, store, **options)
        finally:
            store.close()
    return _from_store(str(into), plan.fingerprint, None, None)


def compare(
    evidence: Any,
    *,
    test: str = "auto",
    adjust: str = "bonferroni",
    alpha: float = 0.05,
    control: str | None = None,
    paired: bool = False,
    seed: int = 0,
    force: bool = False,
    missing: str = "refuse",
) -> Comparison:
    """Compare all pairs of learners, or every learner with a control: differences, intervals, effects, p values."""
    _, comparison = comparison_of(
        _evidence(evidence),
        test=test,
        adjust=adjust,
        alpha=alpha,
        control=control,
        paired=paired,
        seed=seed,
        force=force,
        missing=missing,
    )
    return comparison


def order(
    evidence: Any,
    *,
    prior: str | Sequence[str] | None = None,
    method: str = "multitest",
    test: str = "auto",
    adjust: str = "bonferroni",
    alpha: float = 0.05,
    control: str | None = None,
    paired: bool = False,
    seed: int = 0,
    force: bool = False,
    missing: str = "refuse",
) -> Ordering:
    """Order the learners by a method: ``multitest``, ``multi2test``, ``test-first``, ``anova-best``,
    ``newman-keuls-best``, or see which are not told apart by ``ranges`` and ``cliques``."""
    settings = {"test": test, "adjust": adjust, "alpha": alpha, "control": control, "paired": paired, "seed": seed}
    return ordering_from(_evidence(evidence), prior=prior, method=method, force=force, missing=missing, **settings)[2]


def judge(
    evidence: Any,
    *,
    prior: str | Sequence[str] | None = None,
    method: str = "multitest",
    test: str = "auto",
    adjust: str = "bonferroni",
    alpha: float = 0.05,
    control: str | None = None,
    paired: bool = False,
    seed: int = 0,
    force: bool = False,
    missing: str = "refuse",
) -> Verdict:
    """Say which learner is best, in what order the others follow, and how sure that is.

    Parameters
    ----------
    evidence : Scores, Items or Curves
        What ``read`` returns; anything else goes through ``read`` first.
    prior : sequence of str, or str, optional
        Learners, most preferred first; or a cost, smaller first: ``"fit-time"``, ``"predict-time"``, ``"size"``,
        ``"price"`` or any numeric column. Without it nothing decides between learners that the data do not separate.
    method : str
        ``multitest``, ``multi2test``, ``test-first``, ``anova-best`` or ``newman-keuls-best``.
    test : str
        A pairwise test (``bestofk list pairwise``), or ``auto``: the one that fits the design.
    adjust : str
        How p values are adjusted for all pairs (``bestofk list adjust``), or ``none``.
    alpha : float
        Family-wise level for all pairs asked.
    control : str, optional
        Compare every learner with this one only. Fewer pairs are asked, so each answer is sharper; two others are told
        apart only where the control is shown to stand between them.
    paired : bool
        Curves with runs of the same name (a fold, a seed) belong together, and are shuffled within it.
    seed : int
        For tests that shuffle; the same seed gives the same verdict.
    force : bool
        Use a test that the design does not allow; the verdict says so.
    missing : {"refuse", "drop-datasets", "drop-items", "drop-learners", "keep"}
        What to do when results are missing.

    Returns
    -------
    Verdict
        ``best``, ``order``, ``status`` (decided, preferred, tied, undecided), ``rivals``, ``reasons``, ``comparison``,
        ``ordering``, ``advice``, ``provenance``; ``repr`` says it in words.
    """
    settings = {"test": test, "adjust": adjust, "alpha": alpha, "control": control, "paired": paired}
    return judge_evidence(
        _evidence(evidence), prior=prior, method=method, seed=seed, force=force, missing=missing, **settings
    )


def _evidence(evidence: Any) -> Evidence:
    if isinstance(evidence, Evidence):
        return evidence
    if evidence is None:
        raise InputError("the evidence is None.", "argument evidence", "give bestofk.read('results.csv').")
    return read(evidence)


def report(
    verdict: Any,
    path: str | Path,
    *,
    format: str | None = None,
    reading: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Path:
    """Write a report that a reader believes: the verdict first, then why, tables, figures, methods and provenance.

    Parameters
    ----------
    verdict : Verdict, or what ``judge`` takes
        Evidence, a file or a store is judged first.
    path : path
        Where to; the suffix says the format: .html, .md, .tex, .json, .txt. LaTeX and Markdown have their figures
        beside them.
    format : str, optional
        The format, where the suffix does not say.
    reading : mapping, optional
        The arguments of ``read`` with its ``source``, for the lines that make the verdict again.
    **settings
        Those of ``judge``, where there is no verdict yet.
    """
    from bestofk.reporting.report import format_of, write_report

    format_of(Path(path), format)  # before the work, not after it
    if not isinstance(verdict, Verdict):
        if reading is None and (isinstance(verdict, str | Path) or _are_paths(verdict)):
            reading = {"source": verdict}
        verdict = judge(verdict, **settings)
    elif settings:
        raise InputError(
            f"there is a verdict already, and {', '.join(settings)}.", "report", "give the settings to judge."
        )
    return write_report(verdict, path, format=format, reading=reading)


def _are_paths(source: Any) -> bool:
    return isinstance(source, list | tuple) and all(isinstance(each, str | Path) for each in source)
