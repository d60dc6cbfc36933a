"""Completion in real shells, by the keys that a user presses."""

import json
import os
import pty
import shutil
import sys
from pathlib import Path

import click
import pytest

import bestofk
from bestofk.cli import main
from makers import EXAMPLES, command

#: How a shell is started without the user's own settings.
SHELLS = {"bash": ["--norc", "--noprofile"], "zsh": ["-f"], "fish": ["--no-config"]}
#: What is typed before: without zsh's own system of completion there is nothing to complete by.
BEFORE = {"zsh": "autoload -U compinit && compinit -u -D\n"}


def typed(shell, keys, folder):
    """Press keys in an interactive shell, until it ends."""
    program = folder / "bestofk"
    program.write_text(f"#!{sys.executable}\nfrom bestofk.cli import main\n\nmain()\n")
    program.chmod(0o755)
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(folder)
        source = Path(bestofk.__file__).parents[1]
        os.environ |= {"PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": str(source), "TERM": "xterm"}
        os.environ |= {"HOME": str(folder), "LC_ALL": "C.UTF-8"}
        os.execvp(shell, [shell, *SHELLS[shell], "-i"])
    os.write(fd, keys.encode())
    try:
        while os.read(fd, 65536):
            pass
    except OSError:  # how Linux tells that the other side has gone
        pass
    os.close(fd)
    os.waitpid(pid, 0)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_verbs_options_values_and_files(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(command("completion", shell).output)
    (tmp_path / "results.csv").write_text((EXAMPLES / "five_by_two.csv").read_text())
    keys = "expl\twilc\t--js\t> explained", "compa\tresu\t--adjust bonf\t--js\t> compared", "lis\tomn\t> listed"
    lines = "".join(f"bestofk {line}\n" for line in keys)
    typed(shell, f"{BEFORE.get(shell, '')}. ./script\n{lines}exit\n", tmp_path)
    assert json.loads((tmp_path / "explained").read_text())["name"] == "wilcoxon"
    assert json.loads((tmp_path / "compared").read_text())["adjust"] == "bonferroni"
    assert "friedman" in (tmp_path / "listed").read_text()


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_shows_whole_descriptions(tmp_path):
    """Put where the last line says, in a home without any settings."""
    line = json.loads(command("completion", "fish", "--json").output)["place"]
    shown = ". ~/.config/fish/completions/bestofk.fish\ncomplete --do-complete 'bestofk ' > shown"
    typed("fish", f"{line}\n{shown}\nexit\n", tmp_path)
    told = dict(each.split("\t") for each in (tmp_path / "shown").read_text().splitlines())
    context = click.Context(main)
    assert told == {name: main.get_command(context, name).get_short_help_str() for name in main.list_commands(context)}
    assert any("," in each for each in told.values())


@pytest.mark.parametrize("shell", SHELLS)
def test_the_last_line_says_where_to_put_the_script(shell):
    *script, last = command("completion", shell).output.splitlines()
    told = json.loads(command("completion", shell, "--json").output)
    assert last.startswith("# ")
    assert told["place"] in last
    assert "\n".join(script).strip() == told["script"]


def test_an_unknown_shell_is_refused_with_those_that_are_known():
    answer = command("completion", "tcsh")
    assert answer.exit_code == 2
    assert all(shell in answer.output for shell in SHELLS)
