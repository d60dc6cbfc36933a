"""Run a case in this process and tell the facts of its answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main

from . import inputs
from .facts import facts

TESTS = Path(__file__).parent.parent
KEPT = Path(__file__).parent / "kept"


def places(folder: Path) -> dict[str, str]:
    """What stands in braces in a case; the made files and what is written are in the folder."""
    return {
        "examples": str(TESTS.parent / "examples"),
        "peers": str(TESTS / "peers"),
        "exports": str(TESTS / "golden" / "curve_exports"),
        "made": str(inputs.write(folder / "made")),
        "written": str(folder / "written.json"),
        "store": str(folder / "store.db"),
    }


def collect(where: Mapping[str, str]) -> None:
    """Fill the store of the cases."""
    plan = f"{where['made']}/plan.toml"
    done = CliRunner().invoke(main, ["collect", plan, "--into", where["store"], "--engine", "serial"])
    assert done.exit_code == 0, done.output


def answer(command: str, where: Mapping[str, str]) -> dict[str, Any]:
    """The exit code of a command and the facts of what it says and writes."""
    written = Path(where["written"])
    written.unlink(missing_ok=True)
    words = [word.format(**where) for word in command.split()]
    with _errors() as errors:
        done = CliRunner().invoke(main, words if "-" in words else [*words, "--json"], catch_exceptions=False)
    timed = "{store}" in command
    found = {"exit": done.exit_code, "answer": facts(json.loads(done.stdout), timed=timed)}
    if done.exit_code == 2:
        found = {"exit": 2, "error": errors[-1] if errors else "usage", **found["answer"]}
        if not errors:
            found["names"] = found["names"][:1]  # the suggestions after it are click's
    if written.exists():
        found["written"] = facts(json.loads(written.read_text(encoding="utf-8")), timed=timed)
    return {"command": command, **found}


@contextmanager
def _errors() -> Iterator[list[str]]:
    """The classes of the errors that are shown, of those in core; the document does not say them."""
    shown: list[str] = []
    plain = bk.BestOfKError.to_dict

    def noted(error: bk.BestOfKError) -> dict[str, str]:
        kind = next(each for each in type(error).__mro__ if each.__module__ == bk.BestOfKError.__module__)
        shown.append(kind.__name__)
        return plain(error)

    with mock.patch.object(bk.BestOfKError, "to_dict", noted):
        yield shown
