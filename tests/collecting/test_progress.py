"""What a run says while it goes on: at a terminal of 80 columns, and in a pipe."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest

import bestofk as bk
from bestofk.collecting.engines import engine_of
from bestofk.collecting.run import collect
from bestofk.collecting.run.progress import LINE_EVERY, Progress
from collecting_plans import plan_file
from collecting_toys import setting_of
from makers import command
from terminal import ANSI, Terminal, on_terminal


class Clock:
    """A clock that is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def begun(total: int, *batches: tuple[float, int]) -> Progress:
    """Work began after 5 s; then so many folds were finished so many seconds later."""
    clock = Clock()
    progress = Progress(total, stream=io.StringIO(), clock=clock)
    clock.now += 5
    progress.add(0, 0, 0)
    for seconds, folds in batches:
        clock.now += seconds
        progress.add(1, folds, 0)
    return progress


def seconds_of(text: str) -> float:
    units = {"s": 1, "min": 60, "h": 3600}
    return sum(float(number.replace(",", "")) * units[unit] for number, unit in re.findall(r"([\d,]+) (\w+)", text))


@pytest.mark.parametrize(
    ("total", "batches"),
    [
        (100, [(2, 10)]),
        (650, [(3, 1), (1, 3), (7, 64)]),
        (1000, [(900, 1)]),
        (20, [(9000, 1)]),
        (1_000_000, [(4, 52_000)]),
        (1_000_000, [(4000, 5_000)]),
        (50, [(10, 50)]),
    ],
)
def test_what_is_left_at_the_rate_shown_takes_the_time_shown(total, batches):
    progress = begun(total, *batches)
    found = re.search(r"([\d.,]+) folds/(s|min|h) · (.*) left$", progress.line())
    assert found is not None
    rate = float(found[1].replace(",", "")) / {"s": 1, "min": 60, "h": 3600}[found[2]]
    left = total - sum(folds for _, folds in batches)
    rounding = 0.5 if left / rate < 3600 else 30.0
    assert seconds_of(found[3]) == pytest.approx(left / rate, abs=rounding + 1e-6)
    assert rate == pytest.approx((total - left) / sum(seconds for seconds, _ in batches), rel=0.005)
    assert len(progress.line()) <= 80


def test_no_rate_is_told_before_one_is_known():
    assert "starting" in Progress(100, stream=io.StringIO()).line()
    assert "0 of 100 folds" in begun(100).line()
    assert begun(100, (0.1, 5)).line() == "5 of 100 folds"


def test_the_start_of_workers_does_not_slow_the_rate():
    assert "10 folds/s" in begun(100, (2, 20)).line()
    clock = Clock()
    progress = Progress(100, stream=io.StringIO(), clock=clock)
    clock.now += 4
    progress.add(1, 20, 0, seconds=2.5)  # the first cell is done before anybody told that it began
    assert "8 folds/s" in progress.line()
    progress = Progress(100, stream=io.StringIO(), clock=clock)
    clock.now += 4
    progress.add(8, 20, 0, seconds=20.0)  # several at once
    assert "5 folds/s" in progress.line()


@pytest.mark.parametrize(
    ("learner", "folds", "compiled", "told"),
    [
        ("c45", "3-fold", True, True),
        ("c45", "3-fold", False, False),
        ("nn", "3-fold", True, False),
        ("nn", "10x10", True, True),
    ],
)
def test_loops_that_may_be_compiled_are_told(learner, folds, compiled, told, monkeypatch):
    monkeypatch.setattr(collect, "compiled_wanted", lambda: compiled)
    setting = replace(setting_of(bk.Plan(["max", learner], ["iris"], folds=folds)), sharing="auto")
    starting, first = collect._steps(setting, engine_of("local:3"))
    assert starting == "starting 3 workers"
    assert ("compiling" in first) == told


def test_a_pipe_gets_a_line_at_once_and_one_now_and_then():
    stream, clock = io.StringIO(), Clock()
    with Progress(100, stream=stream, clock=clock) as progress:
        progress.steps = ("starting 2 workers", "at work on the first")
        assert len(stream.getvalue().splitlines()) == 1
        progress.add(1, 10, 0)
        assert len(stream.getvalue().splitlines()) == 1
        clock.now += LINE_EVERY + 1
        progress.add(1, 10, 3)
        progress.add(1, 10, 0)
    _, line = stream.getvalue().splitlines()
    assert line.startswith("20 of 100 folds · 3 failed · ")
    assert line.endswith(" left")
    assert "\r" not in stream.getvalue()


def test_a_terminal_gets_a_bar_and_nothing_where_none_is_wanted():
    stream = Terminal()
    with Progress(100, stream=stream) as progress:
        progress.add(2, 60, 1)
        progress._bar.refresh()
    assert "60 of 100 folds · 1 failed" in ANSI.sub("", stream.getvalue())
    silent = Terminal()
    with Progress(100, shown=False, stream=silent) as progress:
        progress.add(1, 100, 0)
    assert silent.getvalue() == ""


@pytest.mark.slow
def test_a_terminal_of_80_columns_sees_what_is_done_and_the_next_command(tmp_path):
    plan = plan_file(tmp_path)
    written = on_terminal(tmp_path, "collect", plan.name, "--into", "r.db", "--engine", "local:1")
    lines = [line.strip() for line in re.split(r"[\r\n]+", written) if line.strip()]
    assert "starting 1 worker" in " ".join(lines)
    assert max(map(len, lines)) <= 80
    assert lines[0] == "reading plan.toml"
    assert lines[-1].endswith("bestofk judge r.db")


def test_a_pipe_sees_no_carriage_return(tmp_path):
    done = command("collect", plan_file(tmp_path), "--into", tmp_path / "r.db", "--engine", "serial")
    assert "\r" not in done.stdout + done.stderr
    assert done.stderr.splitlines()[-1].endswith(f"bestofk judge {tmp_path / 'r.db'}")
    assert len(done.stdout.splitlines()) == 1
