"""The check of a release finds the Pythons of the machine, and says at the end what it tried."""

import pytest

from . import check


def test_a_python_of_pyenv_is_taken_before_one_is_downloaded(tmp_path, monkeypatch):
    def run(*words, **_):
        asked.append("install" in words)
        raise check.Failed("pyenv: python3.12: command not found")

    asked: list[bool] = []
    for version in ("3.11.7", "3.12.9", "3.12.10"):
        (tmp_path / "versions" / version / "bin").mkdir(parents=True)
        (tmp_path / "versions" / version / "bin" / "python").touch()
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setattr(check, "run", run)
    assert check.python_of("3.12") == str(tmp_path / "versions" / "3.12.10" / "bin" / "python")
    assert asked == [False]
    with pytest.raises(check.Failed):
        check.python_of("3.14")
    assert asked[-1]


def test_the_end_says_what_was_tried_and_what_not(monkeypatch):
    monkeypatch.setattr(check, "TOLD", {})
    assert check.summary() == "tried  nothing\nnot to be had  nothing"
    check.tell("build", "a wheel")
    for what, how in {
        "3.11, core": "works",
        "3.11, ray": "skipped: late",
        "3.12, core": "FAILED: 1",
        "3.14": "skipped: no",
    }.items():
        check.tell(f"Python {what}", how)
    assert (
        check.summary() == "tried  Python 3.11: core; Python 3.12: core\nnot to be had  Python 3.11: ray; Python 3.14"
    )
