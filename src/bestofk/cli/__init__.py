"""The command: parse, call the verb, print. A command loads what it uses, and errors are shown here."""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from bestofk.cli.printing import bug_report, cannot_write, show_error, show_unwritten, unusable
from bestofk.core import special
from bestofk.core.errors import BestOfKError
from bestofk.core.escapes import without_escapes
from bestofk.core.names import unknown
from bestofk.core.passwords import remember
from bestofk.core.phrases import at_command
from bestofk.core.version import __version__

#: What verbs are for → verb → its file and function there, in the order of the help.
BY_USE = {
    "From results to a verdict": {
        "judge": "judge:judge",
        "compare": "judge:compare",
        "order": "judge:order",
        "rank": "judge:rank",
        "gate": "gate:gate",
        "report": "judge:report",
        "power": "power:power",
        "read": "read:read",
        "explain": "explain:explain",
    },
    "Experiments": {
        "plan": "plan:plan",
        "collect": "collect:collect",
        "store": "store:store",
        "data": "data:data",
    },
    "Papers, and what can be named": {
        "replicate": "replicate:replicate",
        "calibrate": "calibrate:calibrate",
        "list": "listing:listing",
    },
    "The command itself": {
        "doctor": "doctor:doctor",
        "completion": "completion:completion",
    },
}
#: Three lines for the end of a verb's help.
EXAMPLES = {
    "judge": ("results.csv", "models.csv --prior price", "runs.csv --measure accuracy --missing worst --json"),
    "compare": ("results.csv", "results.csv --control baseline", "results.csv --test wilcoxon --adjust bonferroni"),
    "order": ("results.csv", "results.csv --prior lda,tree,knn", "results.csv --method cliques"),
    "rank": ("results.csv", "battles.csv -o board.html", "logs/*.jsonl --measure acc -o board.csv"),
    "gate": (
        "new.csv --against old.csv --margin 0.01",
        "v2 --against v1 --results models.csv --margin 0.01 --fail-on worse",
        "new.jsonl --against old.jsonl --margin 0.02 --by-group -o gate.md -o gate.xml",
    ),
    "report": ("results.csv -o verdict.html", "results.csv -o verdict.tex", "results.csv --card -o card.png"),
    "power": ("pilot.csv", "--test wilcoxon --effect 0.5", "--test corrected-t --folds 10 --n 1"),
    "read": ("results.csv", "runs.csv --filter split=test --json", "paper.csv --transpose --convert long.csv"),
    "explain": ("K119", "wilcoxon", "preferred"),
    "plan": ("check plan.toml", "show plan.toml", "lock plan.toml"),
    "collect": (
        "plan.toml --into results.db",
        "plan.toml --into results.db --engine local:4",
        "plan.toml --into results.db --retry-failed",
    ),
    "store": ("info results.db", "export results.db results.csv", "merge all.db mine.db yours.db"),
    "data": ("list", "show iris", "fetch 61"),
    "replicate": ("bramer", "multitest", "curves"),
    "calibrate": ("curves --effort 0.02", "curves curves.csv", "curves --questions type-i --workers 2"),
    "list": ("", "pairwise", "learners --json"),
    "doctor": ("", "--json", "--json > doctor.json"),
    "completion": ("bash", "zsh", "fish"),
}
#: The exit code of a bug, as sysexits.h has it for software.
BUG = 70
COMMANDS = {verb: place for verbs in BY_USE.values() for verb, place in verbs.items()}


class _Commands(click.Group):
    """A group that imports a command when it is asked for; errors come in three lines, or in JSON.

    Whatever else a command raises is a bug: it ends with 70, and its traceback is in a file.
    """

    def list_commands(self, context: click.Context) -> list[str]:
        """The verbs, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Import a verb."""
        if name not in COMMANDS:
            return None
        module, function = COMMANDS[name].split(":")
        command: click.Command = getattr(import_module(f"bestofk.cli.{module}"), function)
        lines = "\n".join(f"  bestofk {name} {words}".rstrip() for words in EXAMPLES[name])
        command.epilog = f"\b\nExamples:\n{lines}"
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a verb; an unknown one is answered with the nearest."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise unknown(args[0], COMMANDS, what="command", where="bestofk, on the command line")
        return super().resolve_command(context, args)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs by use, each with its whole first sentence."""
        for use, verbs in BY_USE.items():
            found = ((verb, self.get_command(context, verb)) for verb in verbs)
            with formatter.section(use):
                formatter.write_dl([(verb, command.get_short_help_str(1_000)) for verb, command in found if command])

    def main(self, args: Sequence[str] | None = None, **settings: Any) -> Any:  # type: ignore[override]
        """Run a command and end the process with its code."""
        gc.set_threshold(100_000)  # a command is short, and most of what it makes it keeps
        special.alone = True
        asked = list(sys.argv[1:] if args is None else args)
        remember(*asked)
        settings |= {"obj": asked, "standalone_mode": False}  # commands tell how to go on
        before, as_usual = at_command.set(True), warnings.formatwarning
        warnings.formatwarning = lambda message, *about, **more: f"{without_escapes(str(message))}\n"
        try:
            code = self._code(asked, settings)
        except OSError as error:
            show_unwritten(error)
            code = 2
        finally:
            at_command.reset(before)
            warnings.formatwarning = as_usual
        sys.exit(code if isinstance(code, int) else 0)

    def _code(self, asked: list[str], settings: dict[str, Any]) -> Any:
        """Run a command, and show its error; what it raises now is that nothing can be shown."""
        try:
            return super().main(asked, **settings)
        except getattr(click.exceptions, "NoArgsIsHelpError", ()) as error:  # since click 8.2: its message is the help
            error.show()
            return 2
        except (BestOfKError, click.ClickException) as error:
            parts = error.to_dict() if isinstance(error, BestOfKError) else _three_parts(error)
            show_error(parts, as_json="--json" in asked)
            return 2
        except click.exceptions.Abort:
            return 130
        except Exception as error:
            if cannot_write(error):
                raise
            if isinstance(error, OSError) and error.filename is not None:
                show_error(unusable(error), as_json="--json" in asked)
                return 2
            show_error(bug_report(error, asked), as_json="--json" in asked)
            return BUG


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
    """Which of my K models or learning algorithms is best, in what order do the others follow,
    and how sure may I be?"""
