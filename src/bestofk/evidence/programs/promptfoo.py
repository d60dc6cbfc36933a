"""Results of promptfoo, as JSON or JSON Lines: every provider with every prompt is a learner, every test an item.

What promptfoo repeats (``--repeat``) has numbers of its own: tests with the same variables and assertions are one item.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from bestofk.core.endings import JSON_LINES
from bestofk.core.errors import InputError
from bestofk.evidence.layouts.layout import Layout
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.programs.log import (
    DOLLARS,
    SECONDS,
    TOKENS,
    Direction,
    Log,
    Opening,
    Outcome,
    Program,
    words_of,
)
from bestofk.tables.files import kind_of
from bestofk.tables.json_files import JsonLines, json_content
from bestofk.tables.table import Table

PASS, SCORE = "pass", "score"
#: Scores by other names are what the user's assertions make of them.
UP = (Direction(PASS, True), Direction(SCORE, True))
ERROR = 2  # the reason of a failure that says nothing about the answer
#: Columns that its CSV has once for every provider and prompt, and what to give instead.
OF_CSV = frozenset({"Status", "Score", "Grader Reason"})
INSTEAD = "give promptfoo's JSON in place of its CSV: promptfoo export eval ID -o results.json."
LONGEST = 40  # characters of a prompt that names a learner
System = tuple[int | str, str]


def is_promptfoo(opening: Opening) -> bool:
    """Whether the first object has promptfoo's keys."""
    return opening.has_all("promptIdx") or opening.has_all("evalId", "results")


def read(path: Path) -> Log:
    """The results of all providers and prompts."""
    if kind_of(path) != ".json":
        lines = JsonLines(path)
        names = _names(lines)
        return _log(_outcomes(lines, names), names, lambda: lines.sha256)
    content, digest = json_content(path)
    results = content["results"]["results"]
    rows = list(enumerate(results, start=1))
    names = _names(rows)
    return _log(tuple(_outcomes(rows, names)), names, lambda: digest, unit="result")


def _log(
    outcomes: Iterable[Outcome], names: Mapping[System, str], sha256: Callable[[], str], unit: str = "line"
) -> Log:
    """The log of one learner is called as it; else outcomes name theirs."""
    own = tuple(names.values())
    learner, several = (own[0], ()) if len(own) == 1 else ("", own)
    return Log(outcomes, sha256, learner, unit=unit, main=PASS, directions=UP, rates=(PASS,), learners=several)


def _outcomes(rows: Iterable[tuple[int, Mapping[str, Any]]], names: Mapping[System, str]) -> Iterator[Outcome]:
    items: dict[str, str] = {}
    times: dict[tuple[str, str], int] = {}
    for number, row in rows:
        failed = row.get("failureReason") == ERROR
        values = {PASS: row.get("success"), SCORE: row.get("score"), **(row.get("namedScores") or {})}
        values = dict.fromkeys(values) if failed else values
        test = row.get("testCase") or {}
        same = json.dumps([row.get("vars"), test.get("assert"), test.get("description")], sort_keys=True)
        index = row.get("testIdx")  # which early versions do not write
        item = items.setdefault(same, str(len(items) if index is None else index))
        learner = names[_system(row)]
        attempt = times[learner, item] = times.get((learner, item), 0) + 1
        took = row.get("latencyMs")
        costs = {
            DOLLARS: None if failed else row.get("cost"),
            TOKENS: None if failed else (row.get("tokenUsage") or {}).get("total"),
            SECONDS: None if failed or took is None else took / 1000,
        }
        words = {**words_of(test.get("metadata")), "attempt": attempt}
        words |= {"learner": learner} if len(names) > 1 else {}
        yield Outcome(number, item, values, costs, words, same)


def _system(row: Mapping[str, Any]) -> System:
    """What was tested: promptfoo numbers providers with prompts, whatever they are called."""
    return row.get("promptIdx", _prompt(row)), _provider(row)


def _names(rows: Iterable[tuple[int, Mapping[str, Any]]]) -> dict[System, str]:
    """Systems by provider, with the prompt where there are several; of one name by what else differs, or by number."""
    first: dict[System, Mapping[str, Any]] = {}
    for _, row in rows:
        first.setdefault(_system(row), row)
    prompts = list(dict.fromkeys(map(_prompt, first.values())))
    names = {each: each[1] for each in first}
    if len(prompts) > 1:
        names = {each: f"{each[1]}: {_shown(_prompt(row), prompts)}" for each, row in first.items()}
    for name in {name for name in names.values() if [*names.values()].count(name) > 1}:
        same = [each for each in names if names[each] == name]
        ids = {each: _id(first[each]) for each in same}
        differ = len({*ids.values()}) == len(same)
        names |= {each: f"{name} ({ids[each] if differ else f'promptIdx {each[0]}'})" for each in same}
    return names


def _id(row: Mapping[str, Any]) -> str:
    provider = row.get("provider") or {}
    return provider if isinstance(provider, str) else str(provider.get("id"))


def _provider(row: Mapping[str, Any]) -> str:
    provider = row.get("provider") or {}
    return provider if isinstance(provider, str) else str(provider.get("label") or provider.get("id"))


def _prompt(row: Mapping[str, Any]) -> str:
    prompt = row.get("prompt") or {}
    return " ".join(str(prompt.get("label") or prompt.get("raw") or "").split())


def _shown(prompt: str, prompts: list[str]) -> str:
    return prompt if len(prompt) <= LONGEST else f"prompt {prompts.index(prompt) + 1}"


def _refuse_csv(table: Table, _: Request) -> NoReturn:
    raise InputError("this is promptfoo's CSV.", table.source, INSTEAD)


CSV = Layout(OF_CSV.issubset, _refuse_csv)
PROMPTFOO = Program("promptfoo", is_promptfoo, read, endings=(".json", *JSON_LINES))
