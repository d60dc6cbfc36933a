"""Logs of evaluations, as programs write them: files and folders become one table with a row for every outcome."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.endings import JSON_LINES, TABLES, ends
from bestofk.core.endings import LOGS as ENDINGS
from bestofk.core.errors import InputError, Unsaid, glimpse, message_of
from bestofk.core.names import unknown, unprintable
from bestofk.core.phrases import counted, listed
from bestofk.core.shelf import Shelf
from bestofk.evidence import Items, Results, Scores
from bestofk.evidence.evidence import OTHER_PROMPTS
from bestofk.evidence.items import FEWEST_GROUPS
from bestofk.evidence.layouts.dataset_rows import refuse_without_dataset
from bestofk.evidence.layouts.measure_columns import chosen_metric
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.shelf import RESULTS
from bestofk.evidence.layouts.table_kind import evidence_from_table, selected
from bestofk.evidence.layouts.told_columns import filtered
from bestofk.evidence.measure_vectors.wanted import WHERE as ON
from bestofk.evidence.programs.log import COSTS, Log, Opening, Outcome, Program
from bestofk.evidence.result_files import refuse_same_file
from bestofk.measures.catalogue import is_larger_better
from bestofk.measures.checks import refuse_impossible, settled_direction
from bestofk.tables.files import kind_of
from bestofk.tables.json_files import GatheredRows
from bestofk.tables.json_keys import FirstKeys
from bestofk.tables.table import MEASURED, Numbers, Rows, Table
from bestofk.tables.text_files import opened


def _programs() -> dict[str, Program]:
    from bestofk.evidence.programs.aeon import AEON
    from bestofk.evidence.programs.deepeval import DEEPEVAL
    from bestofk.evidence.programs.helm import HELM
    from bestofk.evidence.programs.inspect_ai import INSPECT
    from bestofk.evidence.programs.lm_eval import LM_EVAL
    from bestofk.evidence.programs.openai_evals import OPENAI_EVALS
    from bestofk.evidence.programs.promptfoo import PROMPTFOO
    from bestofk.evidence.programs.swe_bench import SWE_BENCH

    return {
        "lm-eval": LM_EVAL,
        "inspect": INSPECT,
        "promptfoo": PROMPTFOO,
        "helm": HELM,
        "openai-evals": OPENAI_EVALS,
        "deepeval": DEEPEVAL,
        "swe-bench": SWE_BENCH,
        "aeon": AEON,
    }


LOGS: Shelf[Program] = Shelf("logs", _programs)

#: Endings of files with objects in them, and how many bytes of one tell whose it is: at first, and where they do not.
JSON = (".json", *JSON_LINES)
START, MOST = 1 << 16, 1 << 22
#: How the column is called that is said to name the group of an item.
GROUP = "group"
#: What is said to name the repeat of an item where there are several logs of a model.
FILE = "file"
#: Columns of words that every log may have.
FILTER = "filter"
WORDS = ("dataset", "split", "replication", "attempt", FILTER)
MEASURE = "measure"
#: The split that is advised where there are several.
TEST = "test"


def evidence_from_logs(source: Any, request: Request) -> Results | None:
    """Read the logs that a path, a folder, a list of paths or {model: path} names; None where they are none."""
    files = _files(source)
    program, own = _program_of([path for _, path in files])
    if program is None:
        return None
    where = str(source) if isinstance(source, str | Path) else listed([str(path) for path in own[:3]])
    if request.on:
        raise InputError(
            f"{listed([each.name for each in request.on])} are asked for, and logs are judged by one measure.",
            f"{ON}, {where}",
            f"leave --on out, and judge by each alone: --measure {request.on[0].name}.",
        )
    if isinstance(source, list | tuple):
        refuse_same_file([path for _, path in files])
    _refuse_others([path for _, path in _named(source)], [path for _, path in files], program, own)
    reading = _Reading(program, where, replace(request, notes=(*request.notes, *_passed_over(source, own))))
    with reading.as_written(Path(where)):
        kept = set(program.chosen(own))
    paths = [path for _, path in _named(source)] if isinstance(source, list | tuple) else []
    return reading.evidence([each for each in files if each[1] in kept], paths)


def _passed_over(source: Any, own: list[Path]) -> list[str]:
    """Say which tables of a folder are not read since there are logs; those above all logs are results of their own."""
    if not isinstance(source, str | Path) or not Path(source).is_dir():
        return []
    folder, logs = Path(source), set(own)
    tables = [path for path in _below(folder, (*TABLES, *JSON_LINES)) if path not in logs]
    above = [path for path in tables if path.parent == folder]
    if above and all(path.parent != folder for path in own):
        raise InputError(
            f"the folder has the table {above[0].name} and subfolders with logs, such as {own[0]}.",
            str(folder),
            f"name what is to be read: {above[0]}, or the subfolders ({folder}/*/); or take the table away.",
        )
    names = [str(path.relative_to(folder)) for path in tables]
    return [f"files that were not read: {listed(names[:5])}{' …' if names[5:] else ''}"] if names else []


def _refuse_others(named: Sequence[Path], paths: Sequence[Path], program: Program, own: list[Path]) -> None:
    """A path that is named must have a log, and a file beside logs that ends as they do must be one.

    It may be damaged: without it a model were left out unseen.
    """
    absent = next((path for path in named if not path.exists()), None)
    if absent is not None:
        raise InputError("there is no such file.", str(absent), "check the path.")
    endings, logs = {path.suffix for path in own}, set(own)
    odd = [path for path in named if path not in logs and not any(path in log.parents for log in own)]
    for path in paths:
        empty = path.suffix in endings and path.stat().st_size == 0
        odd += [path] if path not in logs and (empty or _may_write(program, path)) else []
    if odd:
        raise InputError(
            f"there is no log of {program.name}, and {own[0].name} is one.",
            str(odd[0]),
            "give the file as the program wrote it (is it empty or cut off?), or take it away; all are of one program.",
        )


def _files(source: Any) -> list[tuple[str, Path]]:
    """The files of a source that may be logs, with the names that the caller gives their models, else ""."""
    alone = isinstance(source, str | Path) and not Path(source).is_dir()
    endings = ENDINGS if alone else (*ENDINGS, ".csv")  # a log in such a file has one learner only
    return [(name, path) for name, each in _named(source) for path in _below(each, endings)]


def _named(source: Any) -> list[tuple[str, Path]]:
    """The paths of a source with the names of their models, else ""; none where something else is among them."""
    several = source if isinstance(source, list | tuple) else [source]
    named = source.items() if isinstance(source, Mapping) else (("", each) for each in several)
    paths: list[tuple[str, Path]] = []
    for name, each in named:
        for one in each if isinstance(each, list | tuple) else [each]:
            if not isinstance(one, str | Path) or unprintable(str(one)) or not str(one).strip():
                return []
            paths.append((str(name), Path(one)))
    return paths


def _below(path: Path, endings: tuple[str, ...]) -> list[Path]:
    """A file itself where it ends so, packed or not; all such files below a folder, except hidden ones."""
    if not path.is_dir():
        return [path] if path.exists() and _ends(path, endings) else []
    inner = (each for each in path.rglob("*") if ends(each.name, endings))
    hidden = len(path.parts)
    return sorted(each for each in inner if each.is_file() and not any(n[0] == "." for n in each.parts[hidden:]))


def _ends(path: Path, endings: tuple[str, ...]) -> bool:
    """Whether a file is of such a kind, by its name or by what is in it."""
    return kind_of(path) in endings


def _program_of(paths: Sequence[Path]) -> tuple[Program | None, list[Path]]:
    """The program that wrote some of the files, and these; files of two programs are refused.

    Most are known by their beginning; more is read of the others only where the program may have written them. A file
    that cannot be opened may be a log where there are others.
    """
    names: dict[Path, str | None] = {}
    unread: list[InputError] = []
    for path in paths:
        try:
            names[path] = _writer(path, START)
        except InputError as error:
            unread.append(error)
    known = [LOGS[name] for name in dict.fromkeys(filter(None, names.values()))]
    for path, name in names.items():
        if name is None and (not known or any(_may_write(each, path) for each in known)):
            names[path] = _writer(path, MOST)
    own = {path: name for path, name in names.items() if name}
    if own and unread:
        raise unread[0]
    programs = list(dict.fromkeys(own.values()))
    if len(programs) > 1:
        one, other = (next(path for path in own if own[path] == name) for name in programs[:2])
        wrong = f"there are logs of two programs: {LOGS[own[one]].name} and {LOGS[own[other]].name}."
        raise InputError(wrong, f"{one} and {other}", "give the logs of one program.")
    return LOGS[programs[0]] if programs else None, list(own)


def _may_write(program: Program, path: Path) -> bool:
    """Whether a file ends as logs do, and is none that the program writes beside them."""
    return _ends(path, program.endings) and not program.is_companion(_opening(path))


def _writer(path: Path, most: int) -> str | None:
    """Which program wrote a file, by so many of its bytes at most."""
    for opening in _openings(path, most):
        name = next((name for name, each in LOGS.items() if each.recognises(opening)), None)
        if name is not None:
            return name
    return None


def _opening(path: Path) -> Opening:
    return next(_openings(path, START))


def _openings(path: Path, most: int) -> Iterator[Opening]:
    """What the first bytes of a file tell of it, then some more of them, until its first object ends."""
    keys, taken = FirstKeys(), 0
    with opened(path) as file:
        block = file.read(START)
        start = block.decode("utf-8", "replace").lstrip("\ufeff \r\n")
        while True:
            taken += len(block)
            if _ends(path, JSON):
                keys.add(block)
            yield Opening(path, start, keys.found)
            if keys.ended or taken >= most or not block or not _ends(path, JSON):
                return
            block = file.read(START)


class _Reading:
    """Logs of one program on their way to a table."""

    def __init__(self, program: Program, where: str, request: Request) -> None:
        self.program, self.where, self.request = program, where, request
        self.logs: list[Log] = []
        self.paths: list[Path] = []
        self.rows = GatheredRows()
        self.places, self.numbers = array("l"), array("q")  # the file of every row, and its number there
        self.kinds: dict[Kind, tuple[int, dict[str, None]]] = {}  # numbered, with the measures of each
        self.kind_of = array("l")  # every row
        self.odd: dict[tuple[str, int], tuple[Any, int, Outcome]] = {}  # the first value of a kind that is no number
        self.counted: set[str] = set()  # measures that have numbers
        self.known: dict[str, None] = {}  # what else the logs say of items
        self.files: dict[tuple[str, ...], dict[int, int]] = {}  # those of a model and its measures, numbered
        self.first: dict[tuple[str, ...], int] = {}  # the file of every value, where files name no task
        self.proofs: dict[tuple[str, str], Seen] = {}
        self.other_prompts = ""
        self.repeated = request.replication == FILE  # several logs of a model are repeats
        self.of_items = True  # and not of one value per task

    @property
    def several(self) -> bool:
        """Whether there are several tasks."""
        return len({log.task for log in self.logs}) > 1

    def evidence(self, files: list[tuple[str, Path]], paths: Sequence[Path]) -> Results:
        """Read all files, then the table of their outcomes; ``learners`` may be names of the ``paths`` of a list."""
        self._take(files, paths)
        if not self.repeated:
            _refuse_two_runs(self.logs, self.paths, self.request.learners or ())
        _refuse_settings(self.logs, self.paths, self.request.dataset)
        _refuse_exchanged(self.logs, self.paths)
        _refuse_other_tasks(self.logs, self.where)
        for place, log in enumerate(self.logs):
            with self.as_written(self.paths[place]):
                self._gather(place, log)
        table = self._filtered(self._of_dataset(self._table()))
        for column in self.program.one_of:
            table = self._of_one_value(table, column)
        if self.request.group is not None and GROUP not in table.columns:
            raise unknown(self.request.group, list(self.known), what="column", where=self.where)
        table, request = self._measured(table)
        found = evidence_from_table(table, request)
        found = replace(found, origin=replace(found.origin, directions=self._directions()))
        if self.program.items and isinstance(found, Scores) and found.values[0].size == 1:
            raise InputError(
                "there is one value of every model, and nothing to tell chance by.",
                self.where,
                f"give the outcomes of items ({self.program.items}), or values of several tasks.",
            )
        return selected(by_task(found, self.request, default=self.several), self.request.learners)

    def _take(self, files: list[tuple[str, Path]], paths: Sequence[Path]) -> None:
        """The logs of the task that is asked for, under the names that the caller gives their models.

        ``learners`` may be these names, one for every path of a list that has logs; a folder keeps its own.
        """
        logs, names, asked = [], [name for name, _ in files], self.request.learners
        for _, path in files:
            with self.as_written(path):
                logs.append(self.program.read(path))
        given = [next((each for each in paths if each in (path, *path.parents)), path) for _, path in files]
        sources = list(dict.fromkeys(given))
        known = {name for log in logs for name in (log.learner, *log.learners)}
        if paths and asked and len(asked) == len(sources) and not known & set(asked):
            called = [each.resolve().name for each in sources]
            called = called if set(called) == set(asked) else list(asked)
            names = [called[sources.index(each)] for each in given]
            self.request = replace(self.request, learners=None)
        logs = [replace(log, learner=name, model="") if name else log for log, name in zip(logs, names, strict=True)]
        if self.repeated:  # of one model, whatever their folders are called
            logs = [replace(log, learner=log.model or log.learner) for log in logs]
        wanted, tasks = self.request.dataset, list(dict.fromkeys(log.task for log in logs if log.task))
        if wanted is not None and tasks and wanted not in tasks:
            raise unknown(wanted, tasks, what="task", where=self.where)
        if wanted in tasks:
            self.request = replace(self.request, dataset=None)
        kept = [place for place, log in enumerate(logs) if not tasks or wanted in (None, log.task)]
        self.logs, self.paths = [logs[place] for place in kept], [files[place][1] for place in kept]
        if wanted in tasks:
            learners, own = ([log.learner for log in each] for each in (logs, self.logs))
            refuse_without_dataset(learners, own, str(wanted), self.request.learners, self.where)

    @contextmanager
    def as_written(self, path: Path) -> Iterator[None]:
        """A log that lacks what its program writes, or has other things there, is refused, whatever is wrong."""
        try:
            yield
        except (AttributeError, LookupError, TypeError, ValueError, OverflowError, RecursionError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"this is not as {self.program.name} writes it: {type(error).__name__}: {message_of(error)}.",
                str(path),
                "give the file as it was written; or a table: columns model,item,score.",
            ) from error

    def _gather(self, place: int, log: Log) -> None:
        """Keep the few columns that count of every outcome."""
        group, several = self.request.group, self.several
        asked, before = {*WORDS, *columns_asked(self.request)}, len(self.places)
        for each in log.outcomes:
            own = each.words.get("learner", "")
            row: dict[str, Any] = {"learner": f"{log.learner}: {own}" if log.learner and own else own or log.learner}
            if log.task:
                row["task"] = log.task
            if each.item:
                row["item"] = f"{log.task} {each.item}" if several else each.item
            row |= {GROUP if name == group else name: each.words[name] for name in each.words if name in asked}
            row |= each.costs
            if self.repeated and each.item:
                row["attempt"] = f"{self.paths[place]} {row.get('attempt', '')}"
            elif self.repeated:  # the first logs of all models are one replication, and so on
                own = self.files.setdefault((row["learner"], *each.values), {})
                row["replication"] = f"{own.setdefault(place, len(own) + 1)} {row.get('replication', '')}".strip()
            parts = [str(each.words.get(name, NOTHING)) for name in self.program.one_of]
            kind = (place, row.get("dataset", log.task), *parts)
            if kind not in self.kinds:
                self.kinds[kind] = (len(self.kinds), {})
            number, measures = self.kinds[kind]
            self.kind_of.append(number)
            measures.update(dict.fromkeys(each.values))
            self.known.update(dict.fromkeys(each.words))
            self.rows.add({**row, **{f"{VALUE}{name}": self._number(name, each, place) for name in each.values}})
            if not log.task and not self.repeated:
                self._check_once(row, each, place)
            self.places.append(place)
            self.numbers.append(each.number)
            if each.proof or each.prompt:
                self._check_pair(row["learner"], log, each, place)
        if len(self.places) == before:
            raise InputError("there are no outcomes.", str(self.paths[place]), "give the log of a whole evaluation.")
        if not any(own for kind, (_, own) in self.kinds.items() if kind[0] == place):
            fix = "let the program score them, or leave this log out."
            raise InputError("no outcome has a value of any measure.", str(self.paths[place]), fix)

    def _check_once(self, row: Mapping[str, Any], each: Outcome, place: int) -> None:
        """A value that two files have is of two runs; a file may have other items, data sets or measures."""
        unit = tuple(str(row.get(name, "")) for name in ("learner", "dataset", "split", "replication", FILTER, "item"))
        for name in each.values:
            first = self.first.setdefault((name, *unit), place)
            if first != place:
                raise _two_runs(unit[0], unit[1], self.paths[first], self.paths[place])

    def _number(self, measure: str, outcome: Outcome, place: int) -> float | None:
        """A value of a measure; what is no number counts only if the measure is chosen."""
        value = outcome.values[measure]
        if isinstance(value, bool | int | float) and not np.isinf(float(value)):
            self.counted.add(measure)
            return float(value)
        if value is not None:
            self.odd.setdefault((measure, self.kind_of[-1]), (value, place, outcome))
        return None

    def _refuse_odd(self, by_task: Mapping[str, str]) -> None:
        """Refuse the measure of a task that has something else than numbers."""
        kinds, used = list(self.kinds), set(self.kind_of)
        for (measure, kind), (value, place, outcome) in self.odd.items():
            if kind not in used or by_task[kinds[kind][1]] != measure:
                continue
            item = f", item {outcome.item}" if outcome.item else ""
            raise InputError(
                f"{measure} is {glimpse(value)}, and no number.",
                f"{self.paths[place]}, {self.logs[place].unit} {outcome.number}{item}",
                "choose another measure (--measure), or mend the value.",
            )

    def _check_pair(self, learner: str, log: Log, each: Outcome, place: int) -> None:
        """The same item must be the same for all models; prompts may differ by their templates, which is said."""
        proof, prompt = (each.proof and hash(each.proof)), (each.prompt and hash(each.prompt))
        task = log.task or str(each.words.get("dataset", ""))
        first = self.proofs.setdefault((task, each.item), (proof, prompt, learner, place, each.number))
        if proof and first[0] and proof != first[0]:
            raise InputError(
                f"item {each.item}{f' of task {log.task!r}' if log.task else ''} has different inputs or answers for "
                f"{first[2]} and {learner}.",
                f"{self.paths[first[3]]}, {log.unit} {first[4]}, and {self.paths[place]}, {log.unit} {each.number}",
                "run all models on the same items, in the same version of the task.",
            )
        if prompt and first[1] and prompt != first[1] and not self.other_prompts:
            self.other_prompts = f"{first[2]} and {learner} got different prompts for the same items"

    def _table(self) -> Table:
        logs, paths, places, numbers = self.logs, self.paths, self.places, self.numbers
        digest = sha256("".join(log.sha256() for log in logs).encode()).hexdigest()
        table = self.rows.table(self.where, digest, lambda row: f"{logs[places[row]].unit} {numbers[row]}", RESULTS)
        self.of_items = "item" in table.columns
        if not self.of_items:
            table = table.renamed({"task": "dataset"})
        elif not self.several or self.request.group is not None:
            table = table.without(["task"])
        return replace(table, source_of=lambda row: str(paths[places[row]]))

    def _by_task(self, names: Callable[[Kind], Iterable[str]]) -> Mapping[str, Models]:
        """Names by task and model, each with a kind of rows that has it."""
        used, found = set(self.kind_of), dict[str, dict[str, dict[str, int]]]()
        for kind, (number, _) in self.kinds.items():
            if number in used:
                own = found.setdefault(kind[1], {}).setdefault(self.logs[kind[0]].learner, {})
                for name in names(kind):
                    own.setdefault(name, number)
        return found

    def _of_dataset(self, table: Table) -> Table:
        """The rows of the data set that is asked for, where a file has several: others may have other measures."""
        wanted, tasks = self.request.dataset, [kind[1] for kind in self.kinds]
        if wanted is None or not any(tasks):
            return table
        if wanted not in tasks:
            raise unknown(wanted, list(dict.fromkeys(tasks)), what="task", where=self.where)
        rows = np.flatnonzero(np.array([task == wanted for task in tasks])[np.asarray(self.kind_of)])
        learners = table.text("learner")
        refuse_without_dataset(learners.used, learners[rows].used, wanted, self.request.learners, self.where)
        return self._rows(table, rows)

    def _filtered(self, table: Table) -> Table:
        """The rows that pass the filters, but those of words that part outcomes: others are not asked about."""
        words = self.program.one_of
        mine = [each for each in self.request.filter or () if each.partition("=")[0].strip() not in words]
        if not mine:
            return table
        bare = table.without(name for name in table.names if name.startswith(VALUE))
        left, rows, notes = filtered(bare, mine, kept=self.request.columns.values())
        rest = tuple(each for each in self.request.filter or () if each not in mine)
        self.request = replace(self.request, filter=rest or None, notes=(*self.request.notes, *notes))
        return self._rows(table, rows).without(set(bare.names) - set(left.names))

    def _rows(self, table: Table, rows: Rows) -> Table:
        self.kind_of = array("l", np.asarray(self.kind_of)[rows].tolist())
        return table.rows(rows)

    def _of_one_value(self, table: Table, column: str) -> Table:
        """One kind of outcomes: how answers were taken from the model's words, say, must be chosen where it may be."""
        if column not in table.columns:
            return table
        part, said = PARTS + self.program.one_of.index(column), f"{column}="
        asked = [each.removeprefix(said) for each in self.request.filter or () if each.startswith(said)]
        tasks = self._by_task(lambda kind: [kind[part]])
        names = dict.fromkeys(name for models in tasks.values() for name in _names(models))
        for name in asked:
            if name not in names:
                raise unknown(name, list(names), what=column, where=self.where)
        used = {task: self._one_value(column, task, models, asked, table) for task, models in tasks.items()}
        others: dict[str, list[str]] = {}
        for task, name in used.items() if asked else ():
            if name not in asked:
                others.setdefault(name, []).append(task or "the log")
        notes = [f"the {column} of {listed(own)} is {name} alone" for name, own in others.items()]
        rest = tuple(each for each in self.request.filter or () if not each.startswith(said))
        self.request = replace(self.request, filter=rest or None, notes=(*self.request.notes, *notes))
        kinds = np.asarray(self.kind_of)
        kept = np.array([used.get(kind[1]) == kind[part] for kind in self.kinds])[kinds]
        return self._rows(table, np.flatnonzero(kept)).without([column])

    def _one_value(self, column: str, task: str, models: Models, asked: Sequence[str], table: Table) -> str:
        """The value of a column that is used of a task: its only one, or the one asked for."""
        names = _names(models)
        if len(names) == 1:
            return names[0]
        shared = self._shared(column, task, models, asked)
        if asked and len(shared) == 1:
            return shared[0]
        option = "" if column == FILTER else f"{column}="
        choices = [f"{option}{name}" for name in sorted(shared, key=lambda name: name != TEST)]
        raise Unsaid(
            f"{task or 'the log'} has outcomes of {len(names)} {column}s: {listed(names)}.",
            table.where(row=self.kind_of.index(next(own[names[-1]] for own in models.values() if names[-1] in own))),
            f"choose one: --filter {choices[0]} (filter={choices[0]!r}).",
            option="filter",
            choices=choices,
        )

    def _shared(self, what: str, task: str, models: Models, asked: Sequence[str]) -> list[str]:
        """The names that all models have of a task, of those asked for if any are; else who lacks which is refused."""
        names = _names(models)
        wanted = [name for name in asked if name in names] if asked else names
        common = _common(models.values())
        shared = [name for name in wanted if name in common]
        if shared:
            return shared
        most = max(wanted or asked, key=lambda name: sum(name in own for own in models.values()))
        learner, own = next((learner, own) for learner, own in models.items() if most not in own)
        of = "" if what == MEASURE else f"outcomes of the {what} "
        instead = "evaluate all models in one way on a task"
        if common:
            one = _said(what, *([] if wanted else asked), common[0])
            instead = ONE_DIRECTION if self._opposed([*asked, common[0]]) else f"choose one that all models have: {one}"
        raise InputError(
            f"{learner} has no {of}{most if wanted else ' or '.join(asked)}{f' on {task}' if task else ''}, but "
            f"{listed(list(own))}.",
            str(self.paths[[*self.kinds][next(iter(own.values()))][0]]),
            f"{instead}; or leave {learner} out.",
        )

    def _opposed(self, names: Iterable[str]) -> bool:
        """Whether larger values of one measure are better, and smaller ones of another."""
        said = self._directions()
        return len({said.get(name, is_larger_better(name)) for name in names} - {None}) > 1

    def _measured(self, table: Table) -> tuple[Table, Request]:
        """The table with one column of values, and what is asked of it."""
        kinds, kept = np.asarray(self.kind_of), set(self.kind_of)
        left = dict.fromkeys(name for number, own in self.kinds.values() if number in kept for name in own)
        if not left:
            wrong = "no measure has numbers."
            raise InputError(wrong, str(self.paths[0]), "log a measure that is a number for every item.")
        chosen, by_task = self._chosen(list(left))
        self._refuse_odd(by_task)
        request, measure, larger = self.request, " or ".join(chosen), self._direction(by_task)
        if larger is not None:
            settled_direction(measure, request.larger_is_better, where=self.where, known=larger)
        if is_larger_better(measure) is None:
            request = replace(request, larger_is_better=request.larger_is_better if larger is None else larger)
        values, used = np.full(len(table), np.nan), np.zeros(len(table), dtype=bool)
        by_row = np.array([by_task.get(kind[1], "") for kind in self.kinds])[kinds]
        has = np.array([by_task.get(kind[1]) in own for kind, (_, own) in self.kinds.items()])[kinds]
        rates = {name for log in self.logs for name in log.rates}
        for name in chosen:
            rows = np.flatnonzero(has & (by_row == name))
            values[rows], used[rows] = table.numbers(f"{VALUE}{name}")[rows], True
            _refuse_impossible(values[rows], name, table.rows(rows), rate=name in rates)
        table = table.without(name for name in table.names if name.startswith(VALUE))
        table = table.with_columns({MEASURED: Numbers(values)})
        table = table.without(name for name in COSTS if name in table.columns and table.column(name).empty.all())
        costs = tuple(name for name in COSTS if name in table.columns)
        others = [name for name in left if name not in chosen and name in self.counted]
        notes = (*request.notes, *self._notes(others))
        request = replace(request, measure=measure, costs=costs, notes=notes, one_file_each=True)
        request = replace(request, rate=rates >= set(chosen))
        if self.other_prompts:
            request = replace(request, assumed=(*request.assumed, OTHER_PROMPTS))
        request = replace(request, group=None, replication=None if self.repeated else request.replication)
        return table.rows(np.flatnonzero(used)), request

    def _direction(self, by_task: Mapping[str, str]) -> bool | None:
        """Whether larger is better, by the names or as the program says; None where neither does of one of them."""
        chosen = list(dict.fromkeys(by_task.values()))
        says = [(name, is_larger_better(name), "by its name") for name in chosen]
        for log, path in zip(self.logs, self.paths, strict=True):
            own = [each for each in log.directions if each.measure in chosen]
            asked = [each for each in own if each.of in by_task] or own
            says += [(name, larger, f"in {path}{f', {of}' if of else ''}") for name, larger, of in asked]
        first = {larger: f"for {name} {by}" for name, larger, by in reversed(says) if larger is not None}
        if len(first) > 1:
            raise InputError(
                f"larger is better {first[True]}, and smaller {first[False]}.",
                self.where,
                f"{ONE_DIRECTION}; or mend the log.",
            )
        known = {name for name, larger, _ in says if larger is not None}
        return next(iter(first), None) if known >= set(chosen) else None

    def _directions(self) -> dict[str, bool]:
        """Whether larger is better, of all measures of which the logs say so alike."""
        said: dict[str, set[bool]] = {}
        for log in self.logs:
            for each in log.directions:
                said.setdefault(each.measure, set()).add(each.larger)
        return {name: True in found for name, found in said.items() if len(found) == 1}

    def _notes(self, others: list[str]) -> list[str]:
        """What to say of the reading."""
        files, versions = len(self.paths), sorted({log.written_by for log in self.logs if log.written_by})
        left_out: Counter[str] = Counter()
        for log in self.logs:
            left_out.update(log.left_out)
        known = [name for name in self.known if name not in ("learner", *WORDS, *columns_asked(self.request))]
        return [
            f"{counted(files, 'file')} read as {'a log' if files == 1 else 'logs'} of {self.program.name}",
            *([f"further measures: {listed(others)} (measure= chooses)"] if others else []),
            *([f"the logs also say {listed(known[:8])} of items (group= makes groups of one)"] if known else []),
            *([self.other_prompts] if self.other_prompts else []),
            *(f"left out: {counted(number, what)}" for what, number in left_out.items() if number),
            *([f"they are of several versions of the program: {listed(versions)}"] if versions[1:] else []),
        ]

    def _chosen(self, every: list[str]) -> tuple[list[str], dict[str, str]]:
        """All measures, and that of every task: one that all have, or the first asked for that all its models have.

        A model may have a file for every measure.
        """
        said = [] if self.request.measure is None else self.request.measure.split(",")
        asked = [chosen_metric(every, replace(self.request, measure=each.strip()), self.where) for each in said]
        tasks = self._by_task(lambda kind: self.kinds[kind][1])
        shared = {task: self._shared(MEASURE, task, models, asked) for task, models in tasks.items()}
        if asked:
            by_task = {task: own[0] for task, own in shared.items()}
            return [name for name in dict.fromkeys(asked) if name in by_task.values()], by_task
        used = set(self.kind_of)
        odd = {name for name, kind in self.odd if kind in used} - self.counted
        numbers = {task: [name for name in own if name not in odd] or own[:1] for task, own in shared.items()}
        main = {task: _names(models) for task, models in self._by_task(lambda kind: [self.logs[kind[0]].main]).items()}
        declared = {task: own[0] for task, own in main.items() if len(own) == 1 and own[0] in numbers[task]}
        led = {task: [declared[task]] if task in declared else own for task, own in numbers.items()}
        common = _common(led.values())
        if not common or any(set(own) != set(common) for own in led.values()):
            raise self._no_one_measure(numbers, declared)
        one = chosen_metric(common, self.request, self.where)
        return [one], dict.fromkeys(tasks, one)

    def _no_one_measure(self, measures: Mapping[str, Sequence[str]], declared: Mapping[str, str]) -> InputError:
        """The error of tasks that do not lead to one measure, by what each of them declares or else has."""
        tasks: dict[str, list[str]] = {}
        for task, names in measures.items():
            for name in names:
                tasks.setdefault(name, []).append(f"{task} (declared)" if declared.get(task) == name else task)
        first = [declared.get(task, names[0]) for task, names in measures.items()]
        each = sorted(dict.fromkeys(first), key=lambda name: len(tasks[name]))
        choices = _common(measures.values())
        choices += [",".join(each)] if len(each) > 1 and not self._opposed(each) else []
        wrong = (
            f"the tasks have no one measure: {'; '.join(f'{name} of {listed(own)}' for name, own in tasks.items())}."
        )
        say = f"say which: --measure {' or '.join(choices)} (a task takes the first that it has)"
        alone = f"; or judge one task: --dataset {next(iter(measures))}" if self.of_items else ""
        fix = f"{say if choices else ONE_DIRECTION}{alone}."
        return Unsaid(wrong, self.where, fix, option="measure", choices=choices)


#: What to do about measures of which larger is better in some tasks and smaller in others.
ONE_DIRECTION = "judge tasks whose measures have one direction: --filter dataset=NAME, once for each"
#: Values of a measure are under its name with this before it, until one is chosen: no column is taken for another.
VALUE = "value of "
#: A file, a task in it, and from PARTS on the words that part its outcomes, with what stands for one that is not there.
Kind = tuple[Any, ...]
PARTS, NOTHING = 2, "nothing"
#: Of a task: the names that every model has, each with the number of a kind that has it.
Models = Mapping[str, Mapping[str, int]]
#: Proof, prompt, learner, file and number of an item when it was first seen.
Seen = tuple[int | str, int | str, str, int, int]


def columns_asked(request: Request) -> list[str]:
    """Columns that the caller names."""
    filters = [each.partition("=")[0] for each in request.filter or ()]
    return [name for name in (request.group, *filters) if name]


def _refuse_two_runs(logs: Sequence[Log], paths: Sequence[Path], asked: Sequence[str]) -> None:
    """Two logs of one model and task are two runs, unless they are asked for by their names: which counts is asked."""
    seen: dict[tuple[str, str], Path] = {}
    for log, path in zip(logs, paths, strict=True):
        model = log.learner if log.learner in asked else log.model or log.learner
        first = seen.setdefault((model, log.task), path)
        if log.task and first != path:
            raise _two_runs(model, log.task, first, path)


def _refuse_other_tasks(logs: Sequence[Log], where: str) -> None:
    """Models that have no task in common cannot be compared; one that lacks some of the tasks lacks their items."""
    own: dict[str, dict[str, None]] = {}
    for log in logs:
        own.setdefault(log.learner, {})[log.task] = None
    if not _common(own.values()):
        first, *others = own
        other = next((name for name in others if not own[name].keys() & own[first].keys()), others[-1])
        has = [f"{name} has {listed([*own[name]])}" for name in (first, other)]
        raise InputError(
            f"no task is common to all models: {', '.join(has)}.",
            where,
            "run all models on the same tasks, or leave some of them out.",
        )


def _refuse_exchanged(logs: Sequence[Log], paths: Sequence[Path]) -> None:
    """A model may be called by its folder, but not by the name of another model."""
    models = {_LETTERS.sub("_", log.model): log.model for log in logs if log.model}
    for log, path in zip(logs, paths, strict=True):
        named = models.get(_LETTERS.sub("_", log.learner), log.model)
        if log.model and named != log.model:
            raise InputError(
                f"the log is of {log.model}, and its folder is called as that of {named}.",
                str(path),
                "call every folder by its own model, or by a name of your own.",
            )


#: What stands between the letters and numbers of a name, some of which a name of a folder cannot have.
_LETTERS = re.compile(r"[\W_]+")


def _two_runs(learner: str, task: str, first: Path, second: Path) -> InputError:
    return InputError(
        f"there are two logs of {learner}{f' on {task}' if task else ''}.",
        f"{first} and {second}",
        "keep one of them; or take them for repeats: --replication file; or give both paths with a name for each: "
        "--learners first,second.",
    )


def _refuse_settings(logs: Sequence[Log], paths: Sequence[Path], dataset: str | None) -> None:
    """A task of another version, say, has other items or prompts."""
    seen: dict[tuple[str, str], tuple[Any, str, Path]] = {}
    for log, path in zip(logs, paths, strict=True):
        for task, name, value in log.settings:
            first, learner, where = seen.setdefault((task, name), (value, log.learner, path))
            if value != first and dataset in (None, task):
                raise InputError(
                    f"the {name} of {task} is {first} for {learner} and {value} for {log.learner}.",
                    f"{where} and {path}",
                    f"run all models with the same {name}.",
                )


def _common(measures: Iterable[Iterable[str]]) -> list[str]:
    """Measures that all have, in the order of the first."""
    first, *others = map(list, measures)
    return [name for name in first if all(name in own for own in others)]


def _names(models: Models) -> list[str]:
    return list(dict.fromkeys(name for own in models.values() for name in own))


def _said(what: str, *names: str) -> str:
    """The options that choose these."""
    if what == MEASURE:
        return f"--measure {','.join(names)}"
    return " ".join(f"--filter {'' if what == FILTER else f'{what}='}{name}" for name in names)


def _refuse_impossible(values: Array, measure: str, table: Table, *, rate: bool) -> None:
    """Refuse values of a measure that cannot be; ``rate``: what the program wrote is between 0 and 1."""
    refuse_impossible(values, measure, lambda where: table.where(row=where[0]))
    if rate:
        fix = "mend the value, or run what wrote it again."
        table.refuse(
            (values < 0) | (values > 1), lambda row: f"{measure} is {values[row]:g}, no rate from 0 to 1.", fix
        )


def by_task(evidence: Results, request: Request, *, default: bool = False) -> Results:
    """Items in tasks as asked; by ``default`` tasks are groups, and of few the claim is about these only."""
    tasks = request.tasks
    if not isinstance(evidence, Items) or evidence.groups is None:
        if tasks is not None:
            raise InputError(
                f"tasks is {tasks!r}, and there are no items in tasks.", evidence.origin.source, "leave it out."
            )
        return evidence
    number = len(evidence.group_names)
    if tasks is None and default and request.group is None:
        tasks = "groups" if number >= FEWEST_GROUPS else "these"
    note = ""
    found: Scores | Items = evidence
    if tasks == "datasets":
        note = f"{counted(number, 'task')} are data sets, each with the mean of its items (tasks='groups' tests items)"
        found = evidence.as_datasets()
    elif tasks == "groups":
        note = f"{counted(number, 'task')} are tested, and means are over all items (tasks='datasets': over tasks)"
    elif tasks == "these":
        few = f"{number} tasks are too few for a claim about others, which takes {FEWEST_GROUPS}"
        note = f"{few}: items are tested, means are over all items, and the claim is about these tasks"
        found = replace(evidence, fixed_groups=True)
    return replace(found, origin=replace(found.origin, notes=(*found.origin.notes, note))) if note else found
