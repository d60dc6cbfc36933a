"""Logs of OpenAI's evals: a first line with the specification, an event per line, and a final report among them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from bestofk.core.endings import JSON_LINES
from bestofk.core.errors import InputError, glimpse
from bestofk.evidence.programs.log import Log, Opening, Outcome, Program
from bestofk.tables.json_files import JsonLines

CORRECT = "correct"
#: So much may the mean in a report be rounded.
ROUNDED = 1e-3
#: What the final report and every event have.
REPORT, EVENT = ("final_report", "run_id"), ("run_id", "event_id", "sample_id", "type")
#: Events that hold what was said, and no outcome.
SAID = frozenset({"sampling", "raw_sample", "function_call", "error"})


def is_openai_evals(opening: Opening) -> bool:
    """Whether the first line is a specification, or a report or event whose specification is missing."""
    return opening.has("spec", "completion_fns") or any(all(map(opening.has, each)) for each in (REPORT, EVENT))


def read(path: Path) -> Log:
    """The events with outcomes."""
    lines = JsonLines(path)
    number, first = next(iter(lines))
    spec = first.get("spec")
    if not isinstance(spec, dict):
        raise InputError(
            "the first line is no specification (spec), which names the model.",
            f"{path}, line {number}",
            "give the log from its first line on, as it was written.",
        )
    names = spec.get("completion_fns") or [path.name]
    task = str(spec.get("eval_name") or spec.get("base_eval") or "")
    return Log(
        _outcomes(lines, path), lambda: lines.sha256, ", ".join(map(str, names)), task, main=CORRECT, rates=(CORRECT,)
    )


def _outcomes(lines: JsonLines, path: Path) -> Iterator[Outcome]:
    """Samples, each with the values of all its events."""
    attempts: dict[str, list[Outcome]] = {}
    right: list[float] = []
    report = None
    for number, line in lines:
        report = line.get("final_report", report)
        if "sample_id" not in line or line.get("type") in SAID:
            continue
        item, data = str(line["sample_id"]), line.get("data") or {}
        found = {name: each for name, each in data.items() if isinstance(each, bool | int | float)}
        if line.get("type") == "match" and CORRECT in data:
            if CORRECT not in found:
                raise InputError(
                    f"{CORRECT} is {glimpse(data[CORRECT])}, neither true nor false.",
                    f"{path}, line {number}",
                    "mend the value, or run the eval again.",
                )
            right.append(float(data[CORRECT]))
        if not found:
            continue
        own = attempts.setdefault(item, [])
        if not own or found.keys() & own[-1].values.keys():  # a measure that comes again is of another attempt
            own.append(Outcome(number, item, {}, words={"attempt": len(own) + 1}))
        last = own[-1]
        proof = last.proof or str(data.get("expected", ""))
        own[-1] = last._replace(values={**last.values, **found}, proof=proof)
    if report is None:
        raise InputError("there is no final report: the run has not ended.", str(path), "run it again, to its end.")
    said = report.get("accuracy")
    if right and said is not None and abs(fmean(right) - said) > ROUNDED:
        raise InputError(
            f"the final report says accuracy {said:.4g}, and {len(right)} events with outcomes say {fmean(right):.4g}.",
            str(path),
            "give the whole log: it may be cut off.",
        )
    for own in attempts.values():
        yield from own


OPENAI_EVALS = Program("OpenAI's evals", is_openai_evals, read, endings=JSON_LINES)
