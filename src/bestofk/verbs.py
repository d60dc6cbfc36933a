"""The verbs: read · collect · compare · order · judge · gate · report. Composition only, no mathematics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from bestofk.comparing import Comparison
from bestofk.core.errors import InputError, Unsaid, glimpse
from bestofk.core.names import plain, unknown
from bestofk.core.options import refuse_duplicates
from bestofk.core.passwords import shown_address
from bestofk.core.phrases import counted, listed
from bestofk.evidence import Evidence
from bestofk.evidence.cost_tables import is_cost_table, with_costs
from bestofk.evidence.layouts.request import OF_TABLES, filters_of
from bestofk.evidence.reading import read_evidence
from bestofk.evidence.vectors import Vectors
from bestofk.judging import Verdict, compared, judged, ordered
from bestofk.measures.catalogue import cost_of_name
from bestofk.ordering import Ordering
from bestofk.settings import (
    MEASURES,
    NOT_OF_GATES,
    STORE,
    Comparing,
    ComparingAnything,
    Gating,
    GatingAnything,
    Judging,
    JudgingAnything,
    OrderingAnything,
    Reading,
    options_of,
    refuse_unused,
    settled,
)
from bestofk.settings import Ordering as OrderingSettings
from bestofk.stores.address import is_store, open_store
from bestofk.tables.text_files import pipes_read_once

if TYPE_CHECKING:
    from bestofk.judging.gate import Gate
    from bestofk.reporting.leaderboard import Leaderboard

#: Options of reading that are about several measures, and those of every reading.
SEVERAL = ("on", "positive", "undefined")
ALWAYS = ("learners", *OF_TABLES, "costs", "rows", "replications", "test_fraction", "dataset")


def read(source: Any, **options: Unpack[Reading]) -> Evidence:
    """Read results that exist already: a file, a data frame, arrays, or what scikit-learn returns.

    Parameters
    ----------
    source : path, data frame, dict or list
        CSV, TSV, Parquet, JSON, JSON Lines or XLSX; a pandas or polars frame; ``{learner: scores}``;
        ``{learner: cross_validate(...)}``; a fitted search, its ``cv_results_``, or several by name; one JSON Lines
        file per model. Long tables have a column ``learner``, wide ones a column per learner; every layout is in
        docs/reference/reading.md.
    measure : str, optional
        Which measure to judge by, when there are several.
    larger_is_better : bool, optional
        The direction of a measure that bestofk does not know.
    learners : sequence of str, optional
        Names for a list of results.
    learner : str, optional
        The column that names the learner, where its name does not tell.
    item, group, dataset_column, replication : str, optional
        The columns of these roles: of the item, of the group of an item, of the data set or task, of the replication,
        seed or repeat. They go before any column whose name has the role.
    filter : sequence of str, or mapping, optional
        Rows to keep: ``["split=test"]`` or ``{"split": "test"}``; several values of one column keep rows with any.
    transpose : bool, optional
        Learners are in rows and data sets in columns, as papers print tables.
    costs : sequence of str, or path, data frame or mapping, optional
        Columns that are costs, not measures; one that ``judge`` is given as ``prior`` is such. Or a table with a row
        for every learner, a price list beside logs, or ``{"price": {"small": 0.15, "large": 3.0}}``.
    rows : {"datasets", "folds", "items", "runs"}, optional
        What the rows of a table, or the numbers of a list, are where no column says so.
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
        Keep this data set, or task of a log, only.
    tasks : {"groups", "datasets"}, optional
        What the tasks of items are: groups, or data sets with the mean of their items. Of logs, six tasks or more are
        groups unless said otherwise; of fewer the items are tested, and the claim is about these tasks.
    on, positive, undefined : optional
        Several measures at once: see ``judge``.

    Returns
    -------
    Scores, Items, Curves or Runs; Vectors with ``on``
        ``repr`` says in one sentence what was understood.
    """
    return read_for(None, source, **options)


def read_for(prior: Any, source: Any, **options: Unpack[Reading]) -> Evidence:
    """``read``, where a preference may name one more column that is a cost."""
    with pipes_read_once():
        return _read_for(prior, source, options)


def read_to_show(source: Any, **options: Unpack[Reading]) -> tuple[Evidence, dict[str, tuple[Any, ...]]]:
    """What is read when the likeliest is taken of what only the user can say; and these options with their choices."""
    unsaid: dict[str, tuple[Any, ...]] = {}
    given: dict[str, Any] = dict(options)
    with pipes_read_once():
        while True:
            try:
                return _read_for(None, source, given), unsaid
            except Unsaid as error:
                if error.option in unsaid or not error.choices:
                    raise
                unsaid[error.option] = error.choices
                first = error.choices[0]
                given[error.option] = [*(given.get("filter") or ()), first] if error.option == "filter" else first


def _read_for(prior: Any, source: Any, options: Mapping[str, Any]) -> Evidence:
    given = settled(Reading, options, where="read")
    given["filter"] = filters_of(given["filter"])
    costs = given["costs"]
    named = None if is_cost_table(costs) else costs
    given["costs"] = _costs_of(prior, named)
    stored = is_store(source)
    held = [*([STORE] if stored else []), *([] if given["on"] is None else [MEASURES])]
    known = ("plan", "positive", "undefined", *(["align"] if stored else []))  # before anything is read
    asked = {name: given[name] for name in known if given[name] is not None}
    if asked:
        refuse_unused(Reading, asked, held, glimpse(source))
    found = _read(source, given) if given["on"] is None else _read_on(source, given)
    _refuse_unknown_costs(found, named or ())
    found = with_costs(found, costs) if is_cost_table(costs) else found
    if found is not source:  # evidence stays as it was read first
        said = {name: value for name, value in given.items() if value is not None}
        if not set(map(plain, said.get("costs", ()))) & set(map(plain, found.costs)):
            said.pop("costs", None)  # a preference that names a learner
        said |= {"costs": str(costs)} if isinstance(costs, str | Path) else {}
        object.__setattr__(found, "origin", found.origin.read_with(source, said))
    return found


def _refuse_unknown_costs(found: Evidence, named: Sequence[str]) -> None:
    """A column that is said to be a cost is there; what it holds may have no amounts."""
    known = {plain(name) for name in (*found.costs, *found.origin.no_amounts, found.measure)}
    for name in named:
        if plain(name) not in known and cost_of_name(name) not in found.costs:
            if not found.costs:
                raise InputError(
                    f"{name} is said to be a cost, and there are none.", found.origin.source, "leave costs out."
                )
            raise unknown(name, found.costs, what="cost", where=found.origin.source)


def _read(source: Any, given: Mapping[str, Any]) -> Evidence:
    if is_store(source):
        scores = _from_store(str(source), given["plan"], given["measure"], given["larger_is_better"])
        return read_evidence(scores, **{name: given[name] for name in ALWAYS})
    _refuse_store_among_others(source)
    return read_evidence(source, **{name: given[name] for name in given if name not in ("plan", *SEVERAL)})


def _refuse_store_among_others(source: Any) -> None:
    """A store has all its learners inside, and is no file of one of them."""
    stores = [each for each in source if is_store(each)] if isinstance(source, list | tuple) else []
    if stores:
        raise InputError(
            f"a store is given beside {counted(len(source) - 1, 'other file')}.",
            str(stores[0]),
            "judge a store by itself; bestofk store merge puts several stores together, bestofk store export makes a "
            "table of one.",
        )


def _read_on(source: Any, given: Mapping[str, Any]) -> Vectors:
    """Several measures of every fold."""
    from bestofk.evidence.layouts.request import Request
    from bestofk.evidence.measure_vectors.vector_reading import read_vectors, vectors_from
    from bestofk.evidence.measure_vectors.wanted import Ask

    on = given["on"]
    on = list(on) if isinstance(on, Iterable) and not isinstance(on, str) else on  # an array or keys of a dict too
    for name in ("align", "measure"):
        if given[name] is not None:
            raise InputError(f"{name} is {given[name]!r}, and on is given.", f"arguments {name} and on", "give one.")
    ask = Ask(on, given["positive"], given["undefined"], given["larger_is_better"])
    if isinstance(source, Evidence) or is_store(source):
        return vectors_from(_read(source, {**given, "larger_is_better": None}), ask)
    _refuse_store_among_others(source)
    asked = {name: given[name] for name in ALWAYS}
    return read_vectors(source, ask, Request(None, given["larger_is_better"], **asked))


def _from_store(url: str, plan: str | None, measure: str | None, larger_is_better: bool | None) -> Evidence:
    """Read the results of a store, of one plan where it has several."""
    from bestofk.stores.evidence import evidence_from_store

    store = open_store(url, create=False)
    try:
        again = partial(open_store, url, create=False)
        return evidence_from_store(store, plan=plan, measure=measure, larger_is_better=larger_is_better, reopen=again)
    finally:
        store.close()


def collect(
    plan: Any,
    into: str | Path,
    *,
    engine: str = "local",
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
    engine : str
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
    from bestofk.collecting.run.collect import collect_into
    from bestofk.collecting.run.report import warn_of_failures

    limits: dict[str, Any] = {"cell_timeout": cell_timeout, "cell_memory": cell_memory}
    options = {"retry_failed": retry_failed, "progress": progress, "sharing": sharing, **limits}
    plan, report = collect_into(plan, into, engine=engine, allow_code=allow_code, **options)
    warn_of_failures(report, into)
    found = _from_store(str(into), plan.fingerprint, None, None)
    object.__setattr__(found, "origin", replace(found.origin, paths=(shown_address(str(into)),)))
    return found


def compare(evidence: Any, **settings: Unpack[ComparingAnything]) -> Comparison:
    """Compare all pairs of learners, or every learner with a control: differences, intervals, effects, p values.

    Parameters
    ----------
    evidence : Scores, Items, Curves or Vectors
        What ``read`` returns; anything else goes through ``read`` first.
    **settings
        ``test``, ``adjust``, ``control``, ``paired``, ``groups``, ``alpha``, ``rope``, ``missing``, ``force``,
        ``seed``: see ``judge``; and those of ``read``.
    """
    return compared(*_parted(Comparing, evidence, settings, "compare"))


def order(evidence: Any, **settings: Unpack[OrderingAnything]) -> Ordering:
    """Order the learners by a method: ``multitest``, ``multi2test``, ``test-first``, ``anova-best``,
    ``newman-keuls-best``, or see between which no difference is shown by ``ranges`` and ``cliques``.

    Parameters
    ----------
    evidence : Scores, Items, Curves or Vectors
        What ``read`` returns; anything else goes through ``read`` first.
    **settings
        Those of ``compare``, and ``prior``, ``method`` and ``sides``: see ``judge``.
    """
    return ordered(*_parted(OrderingSettings, evidence, settings, "order"))


def judge(evidence: Any, **settings: Unpack[JudgingAnything]) -> Verdict:
    """Say which learner is best, in what order the others follow, and how sure that is.

    Parameters
    ----------
    evidence : Scores, Items, Curves or Vectors
        What ``read`` returns; anything else goes through ``read`` first.
    prior : sequence of str, or str, optional
        Learners, most preferred first; or a cost, smaller first: ``"fit-time"``, ``"predict-time"``, ``"size"``,
        ``"price"`` or any numeric column. Without it nothing decides between learners that the data do not separate.
    method : str
        A way of ordering: ``bestofk list ordering``.
    test : str
        A test of pairs that fits the evidence, or ``auto``.
    adjust : str, optional
        An adjustment of the p values of all pairs, Holm's by default.
    alpha : float
        Level of all pairs together, and of the winner test.
    control : str, optional
        Compare every learner with this one only. Fewer pairs are asked, so each answer is sharper; of two
        others nothing is claimed.
    paired : bool
        Runs and curves of the same name (a fold, a seed) belong together: their differences are tested.
    groups : {"sampled", "fixed"}, optional
        Items in groups (documents, tasks, users): unless said otherwise groups are the units of the test, because
        items of one group err together. ``"fixed"`` tests items, and the claim is about these groups only.
    sides : {"two", "one"}
        Every pair is asked one two-sided question. ``"one"`` asks, as MultiTest's paper does, only whether the
        preferred one is worse.
    curve : {"final", "best", "mean", "area", "whole"}, optional
        What of a learning curve or training log is compared; whole curves by default, by their mean.
    intervals : {"family", "single"}
        Intervals of differences at the level that decided each pair, or each at 1 − alpha.
    seed : int
        For tests that shuffle; the same seed gives the same verdict.
    force : bool
        Use a test that the evidence does not allow; the verdict says so.
    missing : {"refuse", "drop-datasets", "drop-items", "drop-learners", "drop-runs", "keep", "worst", "baseline:NAME"}
        What to do when results are missing: leave something out, test each pair on what it has, or fill in the worst
        result of any learner there, or that of a learner ``NAME``. ``filled_in`` of the verdict says whether it hangs
        on what was filled in.
    within : float or str, optional
        Take the most preferred learner that is shown to lose at most this to the best: ``0.02`` in units of the
        measure, ``"2%"`` of amounts in other units on every data set. Without a preference the best mean comes first.
        Pairs that are shown to differ by less are ``equivalent``.
    rope : float, optional
        The largest difference that does not matter, in units of the measure, for the Bayesian tests over data sets, for
        advice, and, without ``within``, for pairs to be ``equivalent``; a hundredth of the scale of a rate for the
        first two if not given. It changes no order.
    features : path or mapping, optional
        Features of the data sets (a CSV file with a row each, or ``{name: {"rows": 150, …}}``), to see where the first
        of the order wins. They change no order.
    measure, larger_is_better, learners, …
        The options of ``read``, where the evidence is still to be read.
    on, positive, undefined
        Several measures at once, as in ``read``: ``("tpr", "fpr")``, ``"precision,recall"``, ``"confusion"`` (the
        four counts), ``"recalls"`` (of every class), ``"accuracy,fit-seconds"``; of probabilities ``"roc"`` and
        ``"tpr@0.3,fpr@0.3"``; see docs/reference/measures.md.
    task : {"retrieval", "detection"}, optional
        With ``on``: what the learners are for, so that advice can say which measures fit.

    Returns
    -------
    Verdict
        ``best``, ``order``, ``status`` (decided, within, preferred, tied, undecided), ``best_set``, ``rank_intervals``,
        ``scope``, ``comparison``, ``ordering``, ``advice``, ``provenance``; ``repr`` is the first screen. More is found
        when first read: ``sensitivity``, ``detectable``, ``bayes``, ``roc`` and others.
    """
    found, given = _parted(Judging, evidence, settings, "judge")
    refuse_unused(Judging, given, found.held, found)
    return judged(found, given)


def rank(evidence: Any, **settings: Unpack[ComparingAnything]) -> Leaderboard:
    """Rank the learners: between which ranks each is, all of them at once at the level 1 − alpha.

    Parameters
    ----------
    evidence : Scores, Items, Curves or Vectors
        What ``read`` returns; anything else goes through ``read`` first.
    **settings
        Those of ``compare``.

    Returns
    -------
    Leaderboard
        ``learners`` by mean, ``rank_intervals``, ``best_set``, ``means``, ``costs``, ``advice``; ``rows()``,
        ``frame()`` and ``report("board.html")``.
    """
    from bestofk.reporting.leaderboard import leaderboard_of

    return leaderboard_of(judged(*_parted(Comparing, evidence, settings, "rank")))


def gate(new: Any, against: Any, **options: Unpack[GatingAnything]) -> Gate:
    """Say whether a new model may take the place of an old one: whether it is not worse by more than a margin.

    Parameters
    ----------
    new, against : path, data frame, list or dict; or str
        The results of the new model and of the old one, each as ``read`` takes those of one learner: items, seeds,
        folds, data sets. With ``results`` the names of two learners in it. Items and data sets are matched by name.
    margin : float, str or dict
        How much may be lost, in units of the measure, or ``"2%"`` of amounts in other units on every data set; for
        several measures a dict by measure.
    results : path, data frame, dict or evidence, optional
        Where both learners are.
    by_group : bool
        Ask of all items and of every group of them, or of every data set, by itself: the claim is then about these.
    fail_on : {"undecided", "worse"}
        What fails: undecided and worse, or worse alone.
    missing : str
        What to do about results that one of the two lacks: refused unless it says ``"drop-items"``,
        ``"drop-datasets"`` or ``"drop-runs"``, which leave out at most a tenth, or ``"worst"``, which counts those of
        the new model so and leaves out what the old one lacks; ``outcome_instead`` is the outcome without them.
    aa : bool
        Draw gates of two equal models, and say how often they pass.
    measure : str, optional
        Which measure, or several: ``"accuracy,f1"``. Each is asked by itself, and all must pass.
    **options
        The others of ``read``; and ``test``, ``paired``, ``curve``, ``groups``, ``alpha``, ``force``, ``seed``: see
        ``judge``.

    Returns
    -------
    Gate
        ``outcome`` is ``"passed"``, ``"worse"`` or ``"undecided"``; ``checks`` has the bounds, ``failed`` and
        ``exit_code`` say what follows, ``report("gate.md")`` writes it.

    Examples
    --------
    >>> old = [0.80, 0.81, 0.79, 0.80, 0.82]
    >>> gate([0.81, 0.80, 0.80, 0.81, 0.82], old, margin=0.02, measure="accuracy", rows="runs").outcome
    'passed'
    """
    from bestofk.judging.gate import gated

    given: dict[str, Any] = dict(options)
    reading = {name: given.pop(name) for name in list(given) if name in options_of(Reading)}
    settings = settled(Gating, given, where="gate")
    for name in NOT_OF_GATES:
        if reading.pop(name, None) is not None:
            raise InputError(f"{name} is no option of a gate.", f"gate, argument {name}", "leave it out.")
    names, source, files = ("new", "old"), {"new": new, "old": against}, _two_files(new, against)
    if settings["results"] is not None:
        names, source, files = _two_names(new, against), settings["results"], {}
        reading["learners"] = names
    settings["margin"] = margin = _by_measure(settings["margin"])
    measures = [name.strip() for name in (reading.pop("measure", None) or "").split(",") if name.strip()]
    measures = measures or list(margin if isinstance(margin, Mapping) else (None,))
    with pipes_read_once():
        several = _read_by_measure(source, reading, measures, together=not isinstance(margin, Mapping))
    for evidence in several:
        _refuse_other_models(evidence, names)
    if isinstance(margin, Mapping):  # said of columns, whose measures may be called otherwise
        said = zip(measures, several, strict=True)
        settings["margin"] = {**margin, **{each.measure: margin[name] for name, each in said if name in margin}}
    return gated(several, *names, settings, files)


def _refuse_other_models(evidence: Evidence, names: Sequence[str]) -> None:
    """Refuse files that hold several models each, such as battles, settings of a search, or prompts of a log."""
    if not set(names) <= set(evidence.learners):
        raise InputError(
            f"the files hold {len(evidence.learners)} models, {listed(evidence.learners[:3])}"
            f"{' …' if len(evidence.learners) > 3 else ''}, not one each.",
            evidence.origin.source,
            "give one file per model; or name two models of one file, and say --results.",
        )


def _read_by_measure(
    source: Any, reading: Mapping[str, Any], measures: Sequence[str | None], *, together: bool
) -> list[Evidence]:
    """The results by each measure; or where tasks of logs have measures of their own, of each task by the first."""
    try:
        return [_read_for(None, source, {**reading, "measure": each}) for each in measures]
    except InputError as error:
        if not together or len(measures) < 2:
            raise
        try:
            return [_read_for(None, source, {**reading, "measure": ",".join(map(str, measures))})]
        except InputError:
            raise error from None


def _two_files(new: Any, against: Any) -> dict[str, str]:
    """Names of the files of two models, with as many folders as tell them apart."""
    given = {name: each for name, each in (("new", new), ("old", against)) if isinstance(each, str | Path)}
    parts = {name: Path(shown_address(str(each))).parts for name, each in given.items()}
    longest = max(map(len, parts.values()), default=1)
    for number in range(1, longest + 1):
        found = {name: str(Path(*each[-number:])) for name, each in parts.items()}
        if len(set(found.values())) == len(found):
            return found
    return {name: each[-1] for name, each in parts.items() if each}  # one file twice


def _two_names(new: Any, against: Any) -> tuple[str, str]:
    """Names of two learners in one table."""
    if not isinstance(new, str) or not isinstance(against, str):
        raise InputError("results are given, and a model is no name.", "gate", "name two learners in the results.")
    if new == against:
        raise InputError(f"{new} is given as the new model and as the old one.", "gate", "name two learners.")
    return new, against


def _by_measure(margin: Any) -> Any:
    """The margin, or where a text names measures, accuracy=0.01,f1=0.02, that of each."""
    if not isinstance(margin, str) or "=" not in margin:
        return margin
    parts = [part.partition("=") for part in margin.split(",")]
    for name, equals, _ in parts:
        if not equals:
            said = f"{name.strip()} is no margin of a measure."
            raise InputError(said, "gate, argument margin", "say accuracy=0.01,f1=0.02.")
    refuse_duplicates((name.strip() for name, _, _ in parts), what="measure", where="gate, argument margin")
    return {name.strip(): value for name, _, value in parts}


def _costs_of(prior: Any, costs: Any) -> Any:
    """Columns that are costs: those that are said to be, and the one that a preference may name."""
    named = prior[0] if isinstance(prior, list) and len(prior) == 1 else prior
    untold = isinstance(named, str) and cost_of_name(named) is None
    return [*(costs or ()), named] if untold else costs


def _parted(kind: Any, evidence: Any, settings: Mapping[str, Any], where: str) -> tuple[Evidence, dict[str, Any]]:
    """The evidence, read as those of the settings say that are about reading, and the others."""
    reading = {name: value for name, value in settings.items() if name in options_of(Reading)}
    given = {name: value for name, value in settings.items() if name not in reading}
    settled(kind, given, where=where)  # an unknown name is said before a file is read
    asked = {name: value for name, value in reading.items() if value is not None}
    return _evidence(evidence, prior=given.get("prior"), **asked), given


def _evidence(evidence: Any, *, prior: Any = None, **reading: Any) -> Evidence:
    if evidence is None:
        raise InputError("the evidence is None.", "argument evidence", "give bestofk.read('results.csv').")
    if "on" in reading and isinstance(evidence, Vectors):
        raise InputError("the measures were named when reading.", "arguments on, positive, undefined", "leave it out.")
    if isinstance(evidence, Evidence) and not reading:
        return evidence
    found: Evidence = read_for(prior, evidence, **reading)
    return found


def report(
    verdict: Any,
    path: str | Path,
    *,
    format: str | None = None,
    reading: Mapping[str, Any] | None = None,
    table: bool = False,
    **settings: Any,
) -> Path:
    """Write a report that a reader believes: the verdict first, then why, tables, figures, methods and provenance.

    Parameters
    ----------
    verdict : Verdict, or what ``judge`` takes
        Evidence, a file or a store is judged first.
    path : path
        Where to; the suffix says the format: .html, .md, .tex, .json, .txt, .png. LaTeX and Markdown have their figures
        beside them.
    format : str, optional
        The format, where the suffix does not say.
    reading : mapping, optional
        The arguments of ``read`` with its ``source``, for the lines that make the verdict again.
    table : bool
        Only the first table, for a paper: .tex or .md.
    **settings
        Those of ``judge``, where there is no verdict yet.
    """
    from bestofk.reporting.report import format_of, write_report

    format_of(Path(path), format, table=table)  # before the work, not after it
    if not isinstance(verdict, Verdict):
        if reading is None and (isinstance(verdict, str | Path) or _are_paths(verdict)):
            reading = {"source": verdict}
        verdict = judge(verdict, **settings)
    elif settings:
        raise InputError(
            f"there is a verdict already, and {', '.join(settings)}.", "report", "give the settings to judge."
        )
    return write_report(verdict, path, format=format, reading=reading, table=table)


def _are_paths(source: Any) -> bool:
    return isinstance(source, list | tuple) and all(isinstance(each, str | Path) for each in source)
