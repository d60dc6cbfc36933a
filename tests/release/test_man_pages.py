"""Manual pages, made from the help."""

import re
import runpy
import shutil
import subprocess

import click
import pytest

from bestofk.cli import COMMANDS, main
from makers import ROOT

PAGES = runpy.run_path(str(ROOT / "docs" / "man_pages.py"))["pages"]()


def test_every_verb_has_a_page_that_the_first_one_names():
    assert set(PAGES) == {"bestofk.1", *(f"bestofk-{verb}.1" for verb in COMMANDS)}
    first = PAGES["bestofk.1"].replace("\\-", "-")
    assert all(f"bestofk-{verb}(1)" in first for verb in COMMANDS)


@pytest.mark.parametrize("verb", COMMANDS)
def test_a_page_has_every_option(verb):
    command = main.get_command(click.Context(main), verb)
    under = list(command.commands.values()) if isinstance(command, click.Group) else [command]
    text = PAGES[f"bestofk-{verb}.1"].replace("\\-", "-")
    options = [param for each in under for param in each.params if isinstance(param, click.Option) and not param.hidden]
    assert all(flag in text for option in options for flag in option.opts)


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
@pytest.mark.parametrize("name", ["bestofk.1", "bestofk-judge.1", "bestofk-store.1"])
def test_a_page_is_set_without_a_warning(name):
    line = ["groff", "-man", "-K", "utf8", "-T", "utf8", "-ww"]
    found = subprocess.run(line, input=PAGES[name], capture_output=True, text=True, check=True)
    assert found.stderr == ""
    assert "SYNOPSIS" in re.sub(".\b", "", found.stdout)
