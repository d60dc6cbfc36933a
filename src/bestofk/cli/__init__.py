"""The command: one file per verb; parse, call the verb, print."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from bestofk.cli.calibrate import calibrate
from bestofk.cli.collect import collect
from bestofk.cli.compare import compare
from bestofk.cli.data import data
from bestofk.cli.errors import show_error
from bestofk.cli.judge import judge
from bestofk.cli.listing import listing
from bestofk.cli.order import order
from bestofk.cli.plan import plan
from bestofk.cli.power import power
from bestofk.cli.replicate import replicate
from bestofk.cli.report import report
from bestofk.cli.store import store
from bestofk.core.version import __version__


class _Commands(click.Group):
    """A group whose usage errors come in three lines, or in JSON, like every other error."""

    def main(self, args: Sequence[str] | None = None, **settings: Any) -> Any:  # type: ignore[override]
        """Run a command and end the process with its code."""
        asked = list(sys.argv[1:] if args is None else args)
        settings["standalone_mode"] = False
        try:
            code = super().main(asked, **settings)
        except click.ClickException as error:
            show_error(_three_parts(error), as_json="--json" in asked)
            sys.exit(2)
        except click.exceptions.Abort:
            sys.exit(130)
        sys.exit(code if isinstance(code, int) else 0)


def _three_parts(error: click.ClickException) -> dict[str, str]:
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "bestofk"
    return {
        "wrong": error.format_message(),
        "where": f"{command}, on the command line",
        "fix": f"see {command} --help.",
    }


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="bestofk")
def main() -> None:
    """Which of my K learning algorithms is best, in what order do the others follow, and how sure may I be?"""


for command in (calibrate, collect, judge, compare, order, report, plan, store, data, listing, power, replicate):
    main.add_command(command)
