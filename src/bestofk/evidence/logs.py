"""Logs of evaluations, as programs write them: files and folders become one table with a row for every outcome."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from bestofk.evidence.programs.log import COSTS, Log, Opening, Outcome, Program
from bestofk.evidence.result_files import refuse_same_file
from bestofk.measures.catalogue import is_larger_better
from bestofk.measures.checks import refuse_impossible
from bestofk.tables.files import kind_of
from bestofk.tables.json_files import GatheredRows, JsonLines, json_value
from bestofk.tables.json_keys import FirstKeys
from bestofk.tables.table import MEASURED, Numbers, Table
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
WORDS = ("dataset", "split", "attempt", FILTER)
#: The split that is advised where there are several.
TEST = "test"


def evidence_from_logs(source: Any, request: Request) -> Results | None:
    """Read the logs that a path, a folder, a list of paths or {model: path} names; None where they are none."""
    files = _files(source)
    program, own = _program_of([path for _, path in files])
    if program is None:
        return None
    where = str(source) if isinstance(source, str | Path) else listed([str(path) for path in own[:3]])
    if isinstance(source, list | tuple):
        refuse_same_file([path for _, path in files])
    _refuse_without_log([path for _, path in _named(source)], program, own)
    _refuse_others([path for _, path in files], program, own)
    reading = _Reading(program, where, replace(request, notes=(*request.notes, *_passed_over(source, own))))
    with reading.as_written(Path(where)):
        kept = set(program.chosen(own))
    return reading.evidence([each for each in files if each[1] in kept], named=isinstance(source, list | tuple))


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


def _refuse_without_log(paths: Sequence[Path], program: Program, own: list[Path]) -> None:
    """Each path that was named must have a log: without it a model were left out unseen."""
    for path in paths:
        if not path.exists():
            raise InputError("there is no such file.", str(path), "check the path.")
        if path.is_dir() and not any(path in log.parents for log in own):
            what = f"the folder has no log of {program.name}, and {own[0].name} is one."
            raise InputError(what, str(path), "name folders with logs only; all must be of one program.")
        if not path.is_dir() and path not in own:
            raise _no_log(path, program, own[0])


def _refuse_others(paths: Sequence[Path], program: Program, own: list[Path]) -> None:
    """A file beside logs that ends as they do may be one that is damaged: without it a model were left out unseen."""
    endings, logs = {path.suffix for path in own}, set(own)
    for path in paths:
        if path in logs:
            continue
        empty = path.suffix in endings and path.stat().st_size == 0
        if empty or (_ends(path, program.endings) and not program.is_companion(_opening(path))):
            raise _no_log(path, program, own[0])


def _no_log(path: Path, program: Program, one: Path) -> InputError:
    """Why a file is no log of the program that wrote another one."""
    if path.stat().st_size == 0:
        return InputError("the file is empty.", str(path), "copy it again, or take it out of the folder.")
    try:
        if _ends(path, JSON_LINES):
            next(iter(JsonLines(path)), None)
        elif _ends(path, JSON):
            json_value(path)
    except InputError as error:
        return error
    return InputError(
        f"this is no log of {program.name}, and {one.name} is one.",
        str(path),
        "give the file as the program wrote it, or take it away from the logs; all must be of one program.",
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
    found: dict[str, list[Path]] = {}
    unread: list[InputError] = []
    others: list[Path] = []
    for path in paths:
        try:
            name = _writer(path, START)
        except InputError as error:
            unread.append(error)
            continue
        others += [] if name else [path]
        if name:
            found.setdefault(name, []).append(path)
    known = [LOGS[name] for name in found]
    for path in others:
        if not known or any(_ends(path, each.endings) and not each.is_companion(_opening(path)) for each in known):
            name = _writer(path, MOST)
            if name:
                found.setdefault(name, []).append(path)
    order = {path: place for place, path in enumerate(paths)}
    found = {name: sorted(own, key=order.__getitem__) for name, own in found.items()}
    if found and unread:
        raise unread[0]
    if len(found) > 1:
        (first, one), (second, other) = list(found.items())[:2]
        raise InputError(
            f"there are logs of two programs: {LOGS[first].name} and {LOGS[second].name}.",
            f"{one[0]} and {other[0]}",
            "give the logs of one program.",
        )
    return next(((LOGS[name], own) for name, own in found.items()), (None, []))


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
        self.rows = GatheredRows()
        self.places, self.numbers = array("l"), array("q")  # the file of every row, and its number there
        self.measures: dict[Kind, dict[str, None]] = {}
        self.numbered: dict[Kind, int] = {}
        self.kinds = array("l")  # which of these a row is of
        self.odd: dict[tuple[str, int], tuple[Any, int, Outcome]] = {}  # the first value of a kind that is no number
        self.counted: set[str] = set()  # measures that have numbers
        self.known: dict[str, None] = {}  # what else the logs say of items
        self.files: dict[tuple[str, ...], dict[int, int]] = {}  # those of a model and its measures, numbered
        self.first: dict[tuple[str, ...], int] = {}  # the file of every value, where files name no task
        self.proofs: dict[tuple[str, str], Seen] = {}
        self.other_prompts = ""
        self.versions: list[str] = []  # of the program
        self.left_out: Counter[str] = Counter()
        self.repeated = request.replication == FILE  # several logs of a model are repeats

    def evidence(self, files: list[tuple[str, Path]], *, named: bool) -> Results:
        """Read all files, then the table of their outcomes; ``named``: ``learners`` may be names of the files."""
        paths = [path for _, path in files]
        logs = [replace(log, learner=name, model="") if name else log for log, name in self._logs(files, named)]
        if self.repeated:  # of one model, whatever their folders are called
            logs = [replace(log, learner=log.model or log.learner) for log in logs]
        logs, paths = self._of_task(logs, paths)
        if not self.repeated:
            _refuse_two_runs(logs, paths)
        _refuse_settings(logs, paths, self.request.dataset)
        _refuse_exchanged(logs, paths)
        _refuse_other_tasks(logs, self.where)
        self.versions = sorted({log.written_by for log in logs if log.written_by})
        for log in logs:
            self.left_out.update(log.left_out)
        tasks = list(dict.fromkeys(log.task for log in logs))
        for place, log in enumerate(logs):
            with self.as_written(paths[place]):
                self._gather(place, log, paths, several=len(tasks) > 1)
        table = self._table(paths, logs, several=len(tasks) > 1)
        for column in self.program.one_of:
            table = self._of_one_value(table, column, logs)
        if self.request.group is not None and GROUP not in table.columns:
            raise unknown(self.request.group, list(self.known), what="column", where=self.where)
        table, request = self._measured(table, logs, paths)
        found = evidence_from_table(table, request)
        if self.program.items and isinstance(found, Scores) and found.values[0].size == 1:
            raise InputError(
                "there is one value of every model, and nothing to tell chance by.",
                self.where,
                f"give the outcomes of items ({self.program.items}), or values of several tasks.",
            )
        return selected(by_task(found, self.request, default=len(tasks) > 1), self.request.learners)

    def _logs(self, files: list[tuple[str, Path]], named: bool) -> list[tuple[Log, str]]:
        """The logs with the names that the caller gives their models: of files one by one ``learners`` names them."""
        logs = []
        for _, path in files:
            with self.as_written(path):
                logs.append(self.program.read(path))
        asked = self.request.learners
        if named and asked is not None and len(asked) == len(logs) and not {log.learner for log in logs} & set(asked):
            self.request = replace(self.request, learners=None)
            return list(zip(logs, asked, strict=True))
        return [(log, name) for log, (name, _) in zip(logs, files, strict=True)]

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

    def _of_task(self, logs: list[Log], paths: list[Path]) -> tuple[list[Log], list[Path]]:
        """The logs of the task that is asked for, where they are of several."""
        wanted, tasks = self.request.dataset, list(dict.fromkeys(log.task for log in logs if log.task))
        if wanted is None or not tasks:
            return logs, paths
        if wanted not in tasks:
            raise unknown(wanted, tasks, what="task", where=self.where)
        self.request = replace(self.request, dataset=None)
        kept = [(log, path) for log, path in zip(logs, paths, strict=True) if log.task == wanted]
        learners = [log.learner for log, _ in kept]
        refuse_without_dataset([log.learner for log in logs], learners, wanted, self.request.learners, self.where)
        return [log for log, _ in kept], [path for _, path in kept]

    def _gather(self, place: int, log: Log, paths: Sequence[Path], *, several: bool) -> None:
        """Keep the few columns that count of every outcome."""
        group = self.request.group
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
                row["attempt"] = f"{paths[place]} {row.get('attempt', '')}"
            elif self.repeated:  # the first logs of all models are one replication, and so on
                own = self.files.setdefault((row["learner"], *each.values), {})
                row["replication"] = own.setdefault(place, len(own) + 1)
            parts = [str(each.words.get(name, NOTHING)) for name in self.program.one_of]
            kind = (place, row.get("dataset", log.task), *parts)
            self.kinds.append(self.numbered.setdefault(kind, len(self.numbered)))
            self.measures.setdefault(kind, {}).update(dict.fromkeys(each.values))
            self.known.update(dict.fromkeys(each.words))
            self.rows.add({**row, **{f"{VALUE}{name}": self._number(name, each, place) for name in each.values}})
            if not log.task and not self.repeated:
                self._check_once(row, each, place, paths)
            self.places.append(place)
            self.numbers.append(each.number)
            if each.proof or each.prompt:
                self._check_pair(row["learner"], log, each, place, paths)
        if len(self.places) == before:
            raise InputError("there are no outcomes.", str(paths[place]), "give the log of a whole evaluation.")
        if not any(own for kind, own in self.measures.items() if kind[0] == place):
            fix = "let the program score them, or leave this log out."
            raise InputError("no outcome has a value of any measure.", str(paths[place]), fix)

    def _check_once(self, row: Mapping[str, Any], each: Outcome, place: int, paths: Sequence[Path]) -> None:
        """A value that two files have is of two runs; a file may have other items, data sets or measures."""
        unit = tuple(str(row.get(name, "")) for name in ("learner", "dataset", "split", FILTER, "item"))
        for name in each.values:
            first = self.first.setdefault((name, *unit), place)
            if first != place:
                raise _two_runs(unit[0], unit[1], paths[first], paths[place])

    def _number(self, measure: str, outcome: Outcome, place: int) -> float | None:
        """A value of a measure; what is no number counts only if the measure is chosen."""
        value = outcome.values[measure]
        if isinstance(value, bool | int | float) and not np.isinf(float(value)):
            self.counted.add(measure)
            return float(value)
        if value is not None:
            self.odd.setdefault((measure, self.kinds[-1]), (value, place, outcome))
        return None

    def _refuse_odd(self, by_task: Mapping[str, str], logs: Sequence[Log], paths: Sequence[Path]) -> None:
        """Refuse the measure of a task that has something else than numbers."""
        kinds, used = list(self.numbered), set(self.kinds)
        for (measure, kind), (value, place, outcome) in self.odd.items():
            if kind not in used or by_task[kinds[kind][1]] != measure:
                continue
            item = f", item {outcome.item}" if outcome.item else ""
            raise InputError(
                f"{measure} is {glimpse(value)}, and no number.",
                f"{paths[place]}, {logs[place].unit} {outcome.number}{item}",
                "choose another measure (--measure), or mend the value.",
            )

    def _refuse_impossible(self, table: Table, values: Array, by_row: Array, logs: Sequence[Log]) -> None:
        """Refuse values that a measure cannot have, by its name or as the program says, each at its line."""
        for name in filter(None, dict.fromkeys(by_row.tolist())):
            rows = np.flatnonzero(by_row == name)
            _refuse_impossible(values[rows], name, table.rows(rows), rate=any(name in log.rates for log in logs))

    def _check_pair(self, learner: str, log: Log, each: Outcome, place: int, paths: Sequence[Path]) -> None:
        """The same item must be the same for all models; prompts may differ by their templates, which is said."""
        proof, prompt = (each.proof and hash(each.proof)), (each.prompt and hash(each.prompt))
        task = log.task or str(each.words.get("dataset", ""))
        first = self.proofs.setdefault((task, each.item), (proof, prompt, learner, place, each.number))
        if proof and first[0] and proof != first[0]:
            raise InputError(
                f"item {each.item}{f' of {log.task}' if log.task else ''} is one for {first[2]} and another for "
                f"{learner}.",
                f"{paths[first[3]]}, {log.unit} {first[4]}, and {paths[place]}, {log.unit} {each.number}",
                "run all models on the same items, in the same version of the task.",
            )
        if prompt and first[1] and prompt != first[1] and not self.other_prompts:
            self.other_prompts = f"{first[2]} and {learner} got different prompts for the same items"

    def _table(self, paths: Sequence[Path], logs: Sequence[Log], *, several: bool) -> Table:
        places, numbers = self.places, self.numbers
        digest = sha256("".join(log.sha256() for log in logs).encode()).hexdigest()
        table = self.rows.table(self.where, digest, lambda row: f"{logs[places[row]].unit} {numbers[row]}", RESULTS)
        if "item" not in table.columns:
            table = table.renamed({"task": "dataset"})
        elif not several or self.request.group is not None:
            table = table.without(["task"])
        return replace(table, source_of=lambda row: str(paths[places[row]]))

    def _of_one_value(self, table: Table, column: str, logs: Sequence[Log]) -> Table:
        """One kind of outcomes: how answers were taken from the model's words, say, must be chosen where it may be."""
        if column not in table.columns:
            return table
        part, said, kinds, names = PARTS + self.program.one_of.index(column), f"{column}=", np.asarray(self.kinds), []
        asked = [each.removeprefix(said) for each in self.request.filter or () if each.startswith(said)]
        tasks: dict[str, dict[str, dict[str, int]]] = {}  # a row of every value, by task and model
        numbers, rows = np.unique(kinds, return_index=True)
        every = list(self.numbered)
        for number, row in zip(numbers.tolist(), rows.tolist(), strict=True):
            place, task, name = every[number][0], every[number][1], every[number][part]
            names.append(name)
            tasks.setdefault(task, {}).setdefault(logs[place].learner, {}).setdefault(name, row)
        for name in asked:
            if name not in names:
                raise unknown(name, list(dict.fromkeys(names)), what=column, where=self.where)
        used = {task: _one_value(column, task, models, asked, table) for task, models in tasks.items()}
        others = {task: name for task, name in used.items() if asked and name not in asked}
        notes = [f"{task or 'the log'} has the {column} {name} alone" for task, name in others.items()]
        rest = tuple(each for each in self.request.filter or () if not each.startswith(said))
        self.request = replace(self.request, filter=rest or None, notes=(*self.request.notes, *notes))
        kept = np.array([each[1] in used and each[part] == used[each[1]] for each in every])[kinds]
        self.kinds = array("l", kinds[kept].tolist())
        return table.rows(np.flatnonzero(kept)).without([column])

    def _measured(self, table: Table, logs: Sequence[Log], paths: Sequence[Path]) -> tuple[Table, Request]:
        """The table with one column of values, and what is asked of it."""
        every = list(dict.fromkeys(name for own in self.measures.values() for name in own))
        kinds, kept = np.asarray(self.kinds), set(self.kinds)
        left = dict.fromkeys(name for kind, own in enumerate(self.measures.values()) if kind in kept for name in own)
        if not left:
            raise InputError("no measure has numbers.", str(paths[0]), "log a measure that is a number for every item.")
        chosen, by_task = self._chosen(list(left), paths, logs)
        self._refuse_odd(by_task, logs, paths)
        request, measure, larger = self.request, " or ".join(chosen), self._direction(chosen, logs, paths)
        if larger is not None and request.larger_is_better not in (None, larger):
            said = f"of {measure} {'larger' if larger else 'smaller'} is better."
            raise InputError(said, self.where, "leave the direction out.")
        if is_larger_better(measure) is None:
            request = replace(request, larger_is_better=request.larger_is_better if larger is None else larger)
        values, used = np.full(len(table), np.nan), np.zeros(len(table), dtype=bool)
        by_row = np.array([by_task.get(kind[1], "") for kind in self.numbered])[kinds]
        has = np.array([by_task.get(kind[1]) in own for kind, own in self.measures.items()])[kinds]
        for name in chosen:
            own = has & (by_row == name)
            values[own], used[own] = table.numbers(f"{VALUE}{name}")[own], True
        self._refuse_impossible(table, values, np.where(used, by_row, ""), logs)
        table = table.without(f"{VALUE}{name}" for name in every).with_columns({MEASURED: Numbers(values)})
        table = table.without(name for name in COSTS if name in table.columns and table.column(name).empty.all())
        costs = tuple(name for name in COSTS if name in table.columns)
        others = [name for name in left if name not in chosen and name in self.counted]
        notes = (*request.notes, *self._notes(others, len(paths)))
        request = replace(request, measure=measure, costs=costs, notes=notes, one_file_each=True)
        if self.other_prompts:
            request = replace(request, assumed=(*request.assumed, OTHER_PROMPTS))
        request = replace(request, group=None, replication=None if self.repeated else request.replication)
        return table.rows(np.flatnonzero(used)), request

    def _direction(self, chosen: list[str], logs: Sequence[Log], paths: Sequence[Path]) -> bool | None:
        """Whether larger is better, by the names or as the program says; None where neither does of one of them."""
        says = [(name, is_larger_better(name), "by its name") for name in chosen]
        for log, path in zip(logs, paths, strict=True):
            own = [each for each in log.directions if each.measure in chosen]
            asked = [each for each in own if each.of == self.request.dataset] or own
            says += [(name, larger, f"in {path}{f', {of}' if of else ''}") for name, larger, of in asked]
        first = {larger: f"for {name} {by}" for name, larger, by in reversed(says) if larger is not None}
        if len(first) > 1:
            raise InputError(
                f"larger is better {first[True]}, and smaller {first[False]}.",
                self.where,
                "judge what has one direction: a task (--dataset), or a measure (--measure); or mend the log.",
            )
        known = {name for name, larger, _ in says if larger is not None}
        return next(iter(first), None) if known >= set(chosen) else None

    def _notes(self, others: list[str], files: int) -> list[str]:
        """What to say of the reading."""
        known = [name for name in self.known if name not in ("learner", *WORDS, *columns_asked(self.request))]
        return [
            f"{counted(files, 'file')} read as {'a log' if files == 1 else 'logs'} of {self.program.name}",
            *([f"further measures: {listed(others)} (measure= chooses)"] if others else []),
            *([f"the logs also say {listed(known[:8])} of items (group= makes groups of one)"] if known else []),
            *([self.other_prompts] if self.other_prompts else []),
            *(f"left out: {counted(number, what)}" for what, number in self.left_out.items() if number),
            *([f"they are of several versions of the program: {listed(self.versions)}"] if self.versions[1:] else []),
        ]

    def _chosen(self, every: list[str], paths: Sequence[Path], logs: Sequence[Log]) -> tuple[list[str], dict[str, str]]:
        """All measures, and that of every task: one that all have, or the first asked for that all its models have.

        A model may have a file for every measure.
        """
        request, kept = self.request, set(self.kinds)
        files: dict[str, dict[str, Path]] = {}
        tasks: dict[str, dict[str, dict[str, None]]] = {}  # measures by task and model
        for kind, ((place, task, *_), own) in enumerate(self.measures.items()):
            if kind in kept:
                learner = logs[place].learner
                files.setdefault(task, {}).setdefault(learner, paths[place])
                tasks.setdefault(task, {}).setdefault(learner, {}).update(own)
        shared = {task: _common(models.values()) for task, models in tasks.items()}
        if request.measure is None:
            apart = next((task for task, own in shared.items() if not own), None)
            if apart is not None:
                raise _lacks(apart, tasks[apart], every, files[apart])
            common = _common(shared.values())
            if not common:
                raise _no_common(shared, self.where)
            odd = {name for name, kind in self.odd if kind in kept}
            common = [name for name in common if name in self.counted or name not in odd] or common[:1]
            main = {log.main for log in logs}
            told = len(main) == 1 and main <= set(common)
            one = next(iter(main)) if told else chosen_metric(common, request, self.where)
            return [one], dict.fromkeys(tasks, one)
        asked = [each.strip() for each in request.measure.split(",")]
        chosen = [chosen_metric(every, replace(request, measure=each), self.where) for each in asked]
        apart = next((task for task, own in shared.items() if not set(own) & set(chosen)), None)
        if apart is not None:
            raise _lacks(apart, tasks[apart], chosen, files[apart])
        by_task = {task: next(name for name in chosen if name in own) for task, own in shared.items()}
        return [name for name in dict.fromkeys(chosen) if name in by_task.values()], by_task


#: Values of a measure are under its name with this before it, until one is chosen: no column is taken for another.
VALUE = "value of "
#: A file, a task in it, and from PARTS on the words that part its outcomes, with what stands for one that is not there.
Kind = tuple[Any, ...]
PARTS, NOTHING = 2, "nothing"
#: Proof, prompt, learner, file and number of an item when it was first seen.
Seen = tuple[int | str, int | str, str, int, int]


def columns_asked(request: Request) -> list[str]:
    """Columns that the caller names."""
    filters = [each.partition("=")[0] for each in request.filter or ()]
    return [name for name in (request.group, *filters) if name]


def _refuse_two_runs(logs: Sequence[Log], paths: Sequence[Path]) -> None:
    """Two logs of one model and task are two runs: which one counts is for the user to say."""
    seen: dict[tuple[str, str], Path] = {}
    for log, path in zip(logs, paths, strict=True):
        model = log.model or log.learner
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
    names = [
        str(Path(each.parent.name, each.name)) if first.name == second.name else each.name for each in (first, second)
    ]
    return InputError(
        f"there are two logs of {learner}{f' on {task}' if task else ''}: {listed(names)}.",
        f"{first} and {second}",
        "keep one of them; or take them for repeats: --replication file; or compare the two by names: "
        "{'first': path, 'second': path}.",
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


def _lacks(
    task: str, models: Mapping[str, Mapping[str, None]], chosen: Sequence[str], files: Mapping[str, Path]
) -> InputError:
    """A task without the measures asked for, or a model that lacks the one that most have of it."""
    most = max(chosen, key=lambda name: sum(name in own for own in models.values()))
    learner, own = next((learner, own) for learner, own in models.items() if most not in own)
    if not any(most in each for each in models.values()):
        return InputError(
            f"{task or learner} has no {' or '.join(chosen)}, but {listed(list(own))}.",
            str(files[learner]),
            f"name a measure of every task: --measure {chosen[0]},{next(iter(own))}; a gate asks every "
            f"measure by itself, so give it one task: --dataset {task or learner}.",
        )
    shared = _common(models.values())
    other = f"choose one that all models have: --measure {shared[0]}; or " if shared else ""
    return InputError(
        f"{learner} has no {most}{f' on {task}' if task else ''}, but {listed(list(own))}; "
        f"{next(each for each in models if most in models[each])} has {most}.",
        str(files[learner]),
        f"{other}evaluate all models by one measure on a task, or leave {learner} out.",
    )


def _refuse_impossible(values: Array, measure: str, table: Table, *, rate: bool) -> None:
    """Refuse values of a measure that cannot be; ``rate``: what the program wrote is between 0 and 1."""
    refuse_impossible(values, measure, lambda where: table.where(row=where[0]))
    if rate:
        fix = "mend the value, or run what wrote it again."
        table.refuse(
            (values < 0) | (values > 1), lambda row: f"{measure} is {values[row]:g}, no rate from 0 to 1.", fix
        )


def _no_common(measures: Mapping[str, Sequence[str]], where: str) -> InputError:
    first, own = next(iter(measures.items()))
    apart = [(task, each) for task, each in measures.items() if not set(own) & set(each)]
    other, others = next(iter(apart), list(measures.items())[-1])
    return Unsaid(
        f"no measure is common to all tasks: {first} has {listed(own)}, {other} has {listed(others)}.",
        where,
        f"name one of each, --measure {own[0]},{others[0]}; or judge one task: --dataset {first}.",
        option="measure",
        choices=[f"{own[0]},{others[0]}"],
    )


def _one_value(
    column: str, task: str, models: Mapping[str, Mapping[str, int]], asked: Sequence[str], table: Table
) -> str:
    """The value of a column that is used of a task: its only one, or the one asked for, which all models must have."""
    named, option = task or "the log", "" if column == FILTER else f"{column}="
    rows: dict[str, int] = {}  # the first of every value
    for each in models.values():
        rows = {**each, **rows}
    names = list(dict.fromkeys(name for own in models.values() for name in own))
    if len(names) == 1:
        return names[0]
    wanted = [name for name in names if name in asked]
    common = [name for name in names if all(name in own for own in models.values())]
    if asked and not wanted:
        raise InputError(
            f"{named} has no outcomes of the {column} {listed(asked)}, but of {listed(names)}.",
            table.where(row=rows[names[0]]),
            f"name one of every task: --filter {option}{asked[0]} --filter {option}{names[0]}; or judge one task "
            "(--dataset).",
        )
    if len(wanted) == 1 and wanted[0] in common:
        return wanted[0]
    if len(wanted) == 1 or not common:
        one = (wanted or names)[0]
        learner, own = next((learner, own) for learner, own in models.items() if one not in own)
        other = f"choose one that all models have: --filter {option}{common[0]}; or " if common else ""
        raise InputError(
            f"{learner} has no outcomes of the {column} {one}{f' on {task}' if task else ''}, but of {listed([*own])}.",
            table.where(row=next(iter(own.values()))),
            f"{other}evaluate all models with the same {column}, or leave {learner} out.",
        )
    common.sort(key=lambda name: name != TEST)
    one = f"{option}{common[0]}"
    raise Unsaid(
        f"{named} has outcomes of {len(names)} {column}s: {listed(names)}.",
        table.where(row=rows[names[-1]]),
        f"choose one: --filter {one} (filter={one!r}).",
        option="filter",
        choices=[f"{option}{name}" for name in common],
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
