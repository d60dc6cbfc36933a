"""The command: one file per verb; parse, call the verb, print."""

from __future__ import annotations

import click

from bestofk import __version__
from bestofk.cli.judge import judge
from bestofk.cli.listing import listing


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="bestofk")
def main() -> None:
    """Which of my K learning algorithms is best, in what order do the others follow, and how sure may I be?"""


main.add_command(judge)
main.add_command(listing)
