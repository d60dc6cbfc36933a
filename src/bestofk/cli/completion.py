"""``bestofk completion``: a script by which a shell completes verbs, options, names and files."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from bestofk.cli.options import AS_JSON
from bestofk.cli.printing import say, show_json

FISH = "~/.config/fish/completions"


class _Fish(FishComplete):
    """A line of fish's answers has a kind, a comma and the rest, which may have commas of its own."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split --max 1 ","')


#: Shell → how its script is made, and the line that a user types once.
SHELLS = {
    "bash": (BashComplete, """echo 'eval "$(bestofk completion bash)"' >> ~/.bashrc"""),
    "zsh": (ZshComplete, """echo 'eval "$(bestofk completion zsh)"' >> ~/.zshrc    (below compinit)"""),
    "fish": (_Fish, f"mkdir -p {FISH} && bestofk completion fish > {FISH}/bestofk.fish"),
}


@click.command()
@click.argument("shell", type=click.Choice(list(SHELLS)))
@AS_JSON
@click.pass_context
def completion(context: click.Context, shell: str, as_json: bool) -> None:
    """Print a script that completes verbs, options, names and files in SHELL; its last line says where to put it."""
    kind, place = SHELLS[shell]
    script = kind(context.find_root().command, {}, "bestofk", "_BESTOFK_COMPLETE").source().strip()
    if as_json:
        show_json({"shell": shell, "script": script, "place": place})
    else:
        say(f"{script}\n\n# once: {place}")
