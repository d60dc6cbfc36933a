"""Logs of the LM Evaluation Harness: ``samples_TASK_DATE.jsonl`` of every item, ``results_DATE.json`` of every task.

The harness makes a folder for every model. Results say of every task its version, the direction of its measures, and
how many samples there are; without samples, their values are those of the tasks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from bestofk.core.endings import JSON_LINES
from bestofk.core.errors import InputError
from bestofk.core.phrases import listed
from bestofk.evidence.programs.log import Direction, Log, Opening, Outcome, Program, Setting
from bestofk.tables.files import kind_of
from bestofk.tables.json_files import JsonLines, json_content

_DATED = re.compile(r"(samples|results)_(?:(?P<task>.+)_)?(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+)\.jsonl?(?:\.gz)?")
_PLAIN = re.compile(r"samples_(?P<task>.+)\.jsonl(?:\.gz)?")

#: What of the results says more of the samples.
KEPT = ("n-samples", "versions", "higher_is_better", "model_name", "model_name_sanitized")
#: Settings of a task, and where the results have them. Samples show their prompts and which of them there are.
SETTINGS = {"version": "versions", "number of shots": "n-shot", "number of samples": "n-samples"}
#: What a sample has besides values of measures, which early versions do not name.
HASHES = ("doc_hash", "prompt_hash", "target_hash")
OF_ITEM = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", *HASHES}
_VALUE = re.compile(r"[^,]+,[^,]+")  # acc,none


def is_lm_eval(opening: Opening) -> bool:
    """Whether a file is one of samples, or one of results, by its keys."""
    if is_results(opening.path):
        values = [keys for keys in opening.keys if len(keys) == 3 and keys[0] == "results"]
        return any(_VALUE.fullmatch(keys[-1]) for keys in values)
    known = opening.path.name.startswith("samples_") or any(map(opening.has, ("arguments", "resps", "doc_hash")))
    return opening.has("doc_id") and known


def is_results(path: Path) -> bool:
    """Whether a file is one of results, which are JSON; samples are JSON Lines."""
    return kind_of(path) == ".json"


def chosen(paths: list[Path]) -> list[Path]:
    """Samples, where all models have them of all tasks: they say more than results."""
    samples = [path for path in paths if not is_results(path)]
    logged = {(path.resolve().parent, _task(path)) for path in samples}
    for path in paths if samples else ():
        tasks = _kept(path)["tasks"] if is_results(path) else {}
        lacking = [task for task in tasks if (path.resolve().parent, task) not in logged]
        if lacking:
            raise InputError(
                f"{path.resolve().parent.name} has results of {listed(lacking)} and no samples, which others have.",
                str(path),
                "evaluate it with --log_samples too; or give files of one kind: samples_*.jsonl, or results_*.json.",
            )
    return samples or paths


def read(path: Path) -> Log:
    """The samples of a task, or the values of all tasks."""
    return _results(path) if is_results(path) else _samples(path)


def _match(path: Path) -> re.Match[str] | None:
    return _DATED.fullmatch(path.name) or _PLAIN.fullmatch(path.name)


def _task(path: Path) -> str:
    """The task that the name of a file of samples says."""
    match = _match(path)
    return "" if match is None else match["task"] or ""


def _samples(path: Path) -> Log:
    match, task = _match(path), _task(path)
    learner = path.name.removesuffix(".gz").removesuffix(".jsonl") if match is None else path.resolve().parent.name
    beside = _beside(path, match)
    model = ""
    for results in [beside] if beside or match is None else map(_kept, sorted(path.parent.glob("results_*.json"))):
        model = str(results.get("model_name") or model)
        if results.get("model_name_sanitized") == learner:  # its folder has the name without slashes
            learner = model or learner
    lines = JsonLines(path)
    return Log(
        _outcomes(lines, path, beside.get("n-samples", {}).get(task, {}).get("effective")),
        lambda: lines.sha256,
        learner,
        task,
        tuple(_settings(beside, [task], {"version": "versions"})),
        directions=_directions(beside, [task]),
        model=model,
    )


def _outcomes(lines: JsonLines, path: Path, expected: int | None) -> Iterator[Outcome]:
    items = set()
    for number, line in lines:
        where = f"{path}, line {number}"
        item = line.get("doc_id")
        if item is None:
            raise InputError("the item is empty.", f"{where}, column doc_id", "give every line a doc_id.")
        named = line.get("metrics")
        names = (
            [str(each) for each in named] if isinstance(named, list) else [name for name in line if name not in OF_ITEM]
        )
        values = {name: line[name] for name in names if name in line}
        items.add(item)
        words = {"filter": line["filter"]} if "filter" in line else {}
        proof = f"{line.get('doc_hash', '')}{line.get('target_hash', '')}"
        yield Outcome(number, str(item), values, words=words, proof=proof, prompt=line.get("prompt_hash", ""))
    if expected is not None and len(items) < expected:
        raise InputError(
            f"the log has {len(items)} items, and its results are of {expected}.",
            str(path),
            "copy the whole file again: items of it are missing.",
        )


def _results(path: Path) -> Log:
    content, digest = json_content(path)
    tasks = _tasks(content)
    learner = content.get("model_name") or content.get("model_name_sanitized") or path.resolve().parent.name
    return Log(
        _values(tasks, content.get("task_hashes") or {}),
        lambda: digest,
        str(learner),
        settings=tuple(_settings(content, tasks, SETTINGS)),
        unit="task",
        directions=_directions(content, tasks),
    )


def _tasks(content: Mapping[str, Any]) -> dict[str, Any]:
    """Values by task, without those of groups of tasks."""
    groups = content.get("group_subtasks") or {}
    return {name: each for name, each in (content.get("results") or {}).items() if not groups.get(name)}


def _settings(results: Mapping[str, Any], tasks: Iterable[str], names: Mapping[str, str]) -> Iterator[Setting]:
    for name, key in names.items():
        told = results.get(key) or {}
        values = {task: told.get(task) for task in tasks}
        counts = {task: each.get("effective") if isinstance(each, Mapping) else each for task, each in values.items()}
        yield from (Setting(task, name, each) for task, each in counts.items() if each is not None)


def _directions(results: Mapping[str, Any], tasks: Iterable[str]) -> tuple[Direction, ...]:
    told = {task: (results.get("higher_is_better") or {}).get(task) or {} for task in tasks}
    said = [Direction(name, up, task) for task in told for name, up in told[task].items() if up is not None]
    odd = next((each for each in said if not isinstance(each.larger, bool)), None)
    if odd is not None:
        raise ValueError(f"higher_is_better of {odd.measure} is {odd.larger!r}")
    return tuple(said)


def _values(tasks: Mapping[str, Mapping[str, Any]], hashes: Mapping[str, str]) -> Iterator[Outcome]:
    for number, (task, each) in enumerate(tasks.items(), start=1):
        by_filter: dict[str, dict[str, Any]] = {}
        for key, value in each.items():
            name, _, kept = key.partition(",")
            if kept and not name.endswith("_stderr"):
                by_filter.setdefault(kept, {})[name] = value
        for kept, values in by_filter.items():
            yield Outcome(number, "", values, words={"dataset": task, "filter": kept}, prompt=hashes.get(task, ""))


def _beside(path: Path, match: re.Match[str] | None) -> Mapping[str, Any]:
    """The results that were written with the samples, where they are there."""
    if match is None or "date" not in match.re.groupindex:
        return {}
    results = path.with_name(f"results_{match['date']}.json")
    return _kept(results) if results.is_file() else {}


def _kept(results: Path) -> Mapping[str, Any]:
    return _content(results, results.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _content(path: Path, _changed: int) -> Mapping[str, Any]:
    found, _ = json_content(path)
    return {name: found.get(name) or {} for name in KEPT} | {"tasks": [*_tasks(found)]}


LM_EVAL = Program(
    "the LM Evaluation Harness",
    is_lm_eval,
    read,
    chosen,
    items="lm_eval --log_samples",
    one_of=("filter",),
    endings=(".json", *JSON_LINES),
)
