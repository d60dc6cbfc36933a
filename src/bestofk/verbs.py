"""The verbs: read · compare · order · judge. Composition only, no mathematics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bestofk.comparing import Comparison
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.evidence import Curves, Evidence, Scores
from bestofk.evidence.reading import read_evidence
from bestofk.evidence.vectors import Vectors
from bestofk.judging import Verdict, comparison_of, judge_evidence, ordering_from
from bestofk.judging.measures_judge import judge_measures, vectors_from
from bestofk.judging.measures_reading import read_vectors
from bestofk.judging.measures_verdict import MeasuresVerdict
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
    dataset: str | None = None,
    on: Any = None,
    positive: str | None = None,
    undefined: float | None = None,
) -> Any:
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
    align : {"common", "interpolate", "relative"}, optional
        What to do with curves whose steps differ: keep the steps that all have, take values on lines between points,
        or count steps as shares of the last one of each data set.
    plan : str, optional
        Which plan of a store, by the beginning of its fingerprint, when it has several.
    dataset : str, optional
        Keep this data set only.
    on, positive, undefined : optional
        Several measures at once: see ``judge``.

    Returns
    -------
    Scores, Items or Curves; Vectors with ``on``
        ``repr`` says in one sentence what was understood.
    """
    options: dict[str, Any] = {
        "measure": measure,
        "larger_is_better": larger_is_better,
        "learners": learners,
        "rows": rows,
        "replications": replications,
        "test_fraction": test_fraction,
        "align": align,
        "plan": plan,
        "dataset": dataset,
    }
    several = {"on": on, "positive": positive, "undefined": undefined}
    found = _read(source, **options) if on is None else _read_on(source, **several, **options)
    if found is not source:  # evidence stays as it was read first
        given = {name: value for name, value in {**options, **several}.items() if value is not None}
        scores = found.scores if isinstance(found, Vectors) else found
        object.__setattr__(scores, "origin", scores.origin.read_with(source, given))
    return found


def _read(
    source: Any,
    *,
    measure: str | None,
    larger_is_better: bool | None,
    learners: Sequence[str] | None,
    rows: str | None,
    replications: int | None,
    test_fraction: float | None,
    align: str | None,
    plan: str | None,
    dataset: str | None,
) -> Evidence:
    if dataset is not None:
        whole = _read(source, measure=measure, larger_is_better=larger_is_better, learners=learners, rows=rows,
                      replications=replications, test_fraction=test_fraction, align=align, plan=plan,
                      dataset=None)  # fmt: skip
        return _of_dataset(whole, dataset)
    if is_store(source):
        if align is not None:
            raise InputError(
                f"align is {align!r}, and the source is a store.",
                "argument align",
                "leave it out: learning curves of a store have one grid, of several data sets in shares.",
            )
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


def _read_on(
    source: Any,
    *,
    on: Any,
    measure: str | None,
    positive: str | None,
    undefined: float | None,
    larger_is_better: bool | None,
    **given: Any,
) -> Vectors:
    """Several measures of every fold; ``given`` are the other options of ``read``."""
    if measure is not None:
        raise InputError(f"measure is {measure!r}, and on names measures too.", "arguments measure and on", "give one.")
    said: dict[str, Any] = {"positive": positive, "undefined": undefined, "larger_is_better": larger_is_better}
    if isinstance(source, Evidence):
        return vectors_from(_read(source, measure=None, larger_is_better=None, **given), on, **said)

    def once(name: str | None, larger: bool | None) -> Evidence:
        return _read(source, measure=name, larger_is_better=larger, **given)

    return read_vectors(once, source, on, **said)


def _of_dataset(evidence: Evidence, dataset: str) -> Evidence:
    if isinstance(evidence, Scores):
        known = evidence.datasets
    elif isinstance(evidence, Curves) and evidence.datasets:
        known = tuple(dict.fromkeys(name for names in evidence.datasets for name in names))
    else:
        raise InputError(f"dataset is {dataset!r}, and there are no data sets.", "argument dataset", "leave it out.")
    if dataset not in known:
        raise unknown(dataset, known, what="data set", where="argument dataset")
    return evidence.without(datasets=[name for name in known if name != dataset])


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
    sharing: bool | str = True,
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
    sharing : bool or str
        Let the many folds of known learners share work, with the same results; ``"always"`` also where there are few.

    Returns
    -------
    Scores or Curves
        Folds that failed are told by a warning (``FailedFolds``) and in ``failures``.
    """
    from bestofk.collecting.collect import collect_file, collect_plan
    from bestofk.collecting.destination import store_for
    from bestofk.collecting.failed_folds import warn_of_failures
    from bestofk.design.plan import Plan
    from bestofk.design.plan_file import read_plan

    limits: dict[str, Any] = {"cell_timeout": cell_timeout, "cell_memory": cell_memory}
    options = {"engine": on, "retry_failed": retry_failed, "progress": progress, "sharing": sharing, **limits}
    if isinstance(plan, str | Path):
        report = collect_file(plan, store=into, allow_code=allow_code, **options)
        plan = read_plan(plan, allow_code=allow_code)
    elif not isinstance(plan, Plan):
        raise InputError(f"the plan is {glimpse(plan)}.", "collect, argument plan", "give bestofk.Plan(...) or a path.")
    else:
        store = store_for(plan, into)
        try:
            report = collect_plan(plan, store, **options)
        finally:
            store.close()
    warn_of_failures(report, into)
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
    rope: float | None = None,
    features: Any = None,
    on: Any = None,
    positive: str | None = None,
    undefined: float | None = None,
    task: str | None = None,
) -> Any:
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
    rope : float, optional
        The largest difference that does not matter, in units of the measure, for the Bayesian tests over data sets; a
        hundredth of the scale where it is a rate. It changes no order.
    features : path or mapping, optional
        Features of the data sets (a CSV file with a row each, or ``{name: {"rows": 150, …}}``), to see where the first
        of the order wins. They change no order.
    on : sequence of str, or str, optional
        Several measures at once, by Hotelling's test: ``("tpr", "fpr")``, ``"precision,recall"``, ``"confusion"`` (the
        four counts), ``"recalls"`` (of every class), ``"accuracy,fit-seconds"``; of probabilities ``"roc"`` and
        ``"tpr@0.3,fpr@0.3"``; see docs/measures.md.
    positive : str, optional
        With ``on``: the class that is positive, against the rest; ``"each"`` takes every class in turn.
    undefined : float, optional
        With ``on``: what a measure 0/0 counts as, such as the precision of a learner that never says positive.
    task : {"retrieval", "detection"}, optional
        With ``on``: what the learners are for, so that advice can say which measures fit.

    Returns
    -------
    Verdict, or MeasuresVerdict with ``on``
        ``best``, ``order``, ``status`` (decided, preferred, tied, undecided), ``rivals``, ``reasons``, ``comparison``,
        ``ordering``, ``advice``, ``provenance``; ``repr`` says it in words. Over data sets also ``sensitivity``,
        ``detectable``, ``bayes`` and others, found when first read.
    """
    settings: dict[str, Any] = {
        "test": test, "adjust": adjust, "alpha": alpha, "control": control, "paired": paired
    }  # fmt: skip
    if on is not None or isinstance(evidence, Vectors):
        vectors = _vectors(evidence, on, positive, undefined)
        more: dict[str, Any] = {"method": method, "force": force, "missing": missing, "task": task}
        more |= {"rope": rope, "features": features}
        return judge_measures(vectors, prior=prior, seed=seed, **settings, **more)
    _refuse_without_on(positive=positive, undefined=undefined, task=task)
    return judge_evidence(
        _evidence(evidence),
        prior=prior,
        method=method,
        seed=seed,
        force=force,
        missing=missing,
        rope=rope,
        features=features,
        **settings,
    )


def _vectors(evidence: Any, on: Any, positive: str | None, undefined: float | None) -> Vectors:
    if not isinstance(evidence, Vectors):
        evidence = read(evidence, on=on, positive=positive, undefined=undefined)
    elif on is not None or positive is not None or undefined is not None:
        raise InputError("the measures were named when reading.", "arguments on, positive, undefined", "leave it out.")
    assert isinstance(evidence, Vectors)
    return evidence


def _refuse_without_on(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} is {value!r}, and on is not given.", f"argument {name}", 'say on=("tpr", "fpr").')


def _evidence(evidence: Any) -> Evidence:
    if isinstance(evidence, Evidence):
        return evidence
    if isinstance(evidence, Vectors):
        raise InputError(f"there are {evidence!r}.", "argument evidence", "judge them: this verb takes one measure.")
    if evidence is None:
        raise InputError("the evidence is None.", "argument evidence", "give bestofk.read('results.csv').")
    found: Evidence = read(evidence)
    return found


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
    if not isinstance(verdict, Verdict | MeasuresVerdict):
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
