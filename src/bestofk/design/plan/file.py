"""Plans in TOML files: unknown keys are refused with their path and a near name, nothing in a file is executed."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bestofk.core.errors import InputError, message_of
from bestofk.design.learners import learner_of
from bestofk.design.plan.plan import (
    MEASURED_COSTS,
    OPTIONS,
    SIMPLE_FIRST,
    SOURCES,
    Plan,
    dataset_of_entry,
    naming_place,
    refuse_unknown,
    settled,
)
from bestofk.tables.text_files import first_bytes

if TYPE_CHECKING:
    from bestofk.design.learners.learner import Learner

#: Settings of the file: their types, a list being one of names, and the same in words.
SETTINGS: dict[str, tuple[tuple[type, ...], str]] = {
    "folds": ((str,), "text, such as 5x2"),
    "seed": ((int,), "a whole number"),
    "measures": ((list,), "a list of names"),
    "prior": ((list, str), f"a list of learners, or {', '.join((*MEASURED_COSTS, SIMPLE_FIRST))}"),
    "keep_predictions": ((bool,), "true or false"),
}
#: Keys of the file and of its tables.
KEYS = ("learners", "datasets", *SETTINGS)
LEARNER_KEYS = ("learner", "factory", "params")
#: Bytes of the largest plan: more comes of a file that is none, or that has no end.
MOST_BYTES = 10_000_000


def read_plan(path: str | Path, *, allow_code: bool = False) -> Plan:
    """Read a plan from TOML; ``allow_code`` lets learners come from ``module:factory``."""
    file = Path(path)
    data = _loaded(file)
    refuse_unknown(data, KEYS, str(file))
    for key in ("learners", "datasets"):
        if key not in data:
            raise InputError(f"the plan has no {key}.", str(file), f"add {key} = [...]: names, or a table of {key}.")
    learners = _entries(data.pop("learners"), f"{file}, learners", "learner", LEARNER_KEYS)
    datasets = _entries(data.pop("datasets"), f"{file}, datasets", "dataset", (*SOURCES, *OPTIONS))
    _refuse_wrong_types(data, str(file))
    with _naming_keys(file):
        settled(**data)
    made = {
        name: _learner(name, entry, f"{file}, learners.{name}", allow_code, file.parent)
        for name, entry in learners.items()
    }
    opened = {
        name: dataset_of_entry(entry, name, where=f"{file}, datasets.{name}", folder=file.parent)
        for name, entry in datasets.items()
    }
    with _naming_keys(file):
        return Plan(made, opened, **data)


@contextmanager
def _naming_keys(file: Path) -> Iterator[None]:
    """Let an error of the plan say in which file and at which key it is."""
    try:
        yield
    except InputError as error:
        place = error.where.removeprefix("plan, ").replace("argument ", "key ")
        raise type(error)(error.wrong, f"{file}, {place}", error.fix) from None


def _loaded(file: Path) -> dict[str, Any]:
    try:
        text = first_bytes(file, MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            wrong = f"the file has more than {MOST_BYTES // 1_000_000} MB, which no plan has."
            raise InputError(wrong, str(file), "name the TOML file of a plan.")
        if long := re.search(rb"\w{1001}", text):
            line = text[: long.start()].count(b"\n") + 1
            wrong = "a word or number has more than 1,000 characters, which none of a plan has."
            raise InputError(wrong, f"{file}, line {line}", "mend that line.")
        return tomllib.loads(text.decode("utf-8-sig"))
    except FileNotFoundError:
        raise InputError("there is no such file.", str(file), "check the path.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the plan cannot be read: {error}.", str(file), "give a TOML file in UTF-8.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"the plan is not TOML: {error}.", str(file), "mend that line.") from None


def _entries(value: Any, where: str, kind: str, keys: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """A list of names, or a table of names and settings, as a table."""
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        repeated = [name for name in value if value.count(name) > 1]
        if repeated:
            raise InputError(f"{repeated[0]} is named twice.", where, "name each once.")
        return {name: {kind: name} for name in value}
    if isinstance(value, dict) and all(isinstance(entry, dict) for entry in value.values()):
        for name, entry in value.items():
            refuse_unknown(entry, keys, f"{where}.{name}")
        return {name: dict(entry) for name, entry in value.items()}
    if isinstance(value, dict):
        raise _no_table(value, where, kind)
    raise InputError(f"{kind}s is {value!r}.", where, f"give a list of names, or a table of {kind}s.")


def _refuse_wrong_types(data: dict[str, Any], where: str) -> None:
    for key, value in data.items():
        types, words = SETTINGS[key]
        named = not isinstance(value, list) or all(isinstance(name, str) for name in value)
        if type(value) not in types or not named:  # true is a whole number to Python, and none to TOML
            raise InputError(f"{key} is {value!r}.", f"{where}, key {key}", f"give {words}.")


def _no_table(value: dict[str, Any], where: str, kind: str) -> InputError:
    """The entry that is no table, and the one that was most likely meant."""
    name, entry = next((name, entry) for name, entry in value.items() if not isinstance(entry, dict))
    return InputError(f"{name} is {entry!r}.", f"{where}.{name}", f'give a table: "{name}" = {{ {kind} = "…" }}.')


def _learner(name: str, entry: dict[str, Any], where: str, allow_code: bool, folder: Path) -> Learner:
    params = entry.get("params", {})
    if not isinstance(params, dict):
        raise InputError(f"params is {params!r}.", where, "give a table: params = { max_depth = 3 }.")
    if "factory" not in entry:
        with naming_place(where):
            return learner_of(entry.get("learner", name), name=name, params=params)
    if "learner" in entry:
        raise InputError("both learner and factory are given.", where, "keep one of them.")
    with _importable(folder):
        factory = _factory(entry["factory"], where, allow_code)
        try:
            made = factory(**params)
        except Exception as error:
            raise InputError(
                f"{entry['factory']} failed: {type(error).__name__}: {message_of(error)}.",
                where,
                "mend the function or its params.",
            ) from None
    return learner_of(made, name=name)


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """Let modules that stand beside the plan be imported, as Python lets those beside a script.

    The folder stays on the path, last: worker processes are given the path, and import the learner's module by name.
    """
    place = str(folder.resolve())
    known = place in sys.path
    sys.path.insert(0, place)
    try:
        yield
    finally:
        sys.path.remove(place)
        if not known:
            sys.path.append(place)


def _factory(spec: Any, where: str, allow_code: bool) -> Any:
    if not isinstance(spec, str) or not re.fullmatch(r"[\w.]+:[\w.]+", spec):
        raise InputError(f"factory is {spec!r}.", where, "write module:function.")
    if not allow_code:
        raise InputError(
            f"the plan wants to run {spec}, and nothing in a plan is run unless you say so.",
            where,
            "add --allow-code if you trust the plan and the module.",
        )
    module, _, name = spec.partition(":")
    try:
        found = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise InputError(f"{spec} cannot be found: {error}.", where, "check the module and the name.") from None
    if not callable(found):
        raise InputError(f"{spec} is not a function.", where, "name a function that returns an estimator.")
    return found
