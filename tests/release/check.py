"""Build what is released, install it into empty environments and try it there: ``make release-check``.

Every Python of the classifiers that can be had, with the core alone and with each extra; the oldest one also with the
oldest packages that are allowed. ``--quick`` takes this Python and the core. Ends with 1 when something fails; what
cannot be had is skipped, with the reason. The last lines say what was tried and what was not to be had.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = re.search(r'"(.+)"', (ROOT / "src/bestofk/core/version.py").read_text(encoding="utf-8").splitlines()[-1])[1]
PYTHONS = [line.split()[-1] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
EXTRAS = [extra for extra in PROJECT["optional-dependencies"] if extra != "all"]
#: Extras whose packages come to a new Python late.
LATE = ("ray",)
#: What works, failed and was skipped so far.
TOLD: dict[str, list[str]] = {}
UV = [sys.executable, "-m", "uv"]


class Failed(Exception):
    """A step that did not end well, with the last lines that it wrote."""


def run(*words: object, folder: Path = ROOT, seconds: float = 900) -> str:
    """Run a program and return what it prints."""
    line = [str(word) for word in words]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "BESTOFK"))}
    try:
        found = subprocess.run(line, cwd=folder, env=clean, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Failed(f"no end after {seconds:.0f} s") from None
    if found.returncode:
        raise Failed("\n".join((found.stdout + found.stderr).strip().splitlines()[-12:]))
    return found.stdout


def build() -> Path:
    """The sdist, and the wheel made of it; both checked."""
    for old in DIST.glob("bestofk-*"):
        old.unlink()
    run(sys.executable, "-m", "build", "--outdir", DIST)
    wheel, sdist = DIST / f"bestofk-{VERSION}-py3-none-any.whl", DIST / f"bestofk-{VERSION}.tar.gz"
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    inside = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in inside}
    if tops != {"bestofk", f"bestofk-{VERSION}.dist-info", f"bestofk-{VERSION}.data"}:
        raise Failed(f"the wheel has {', '.join(sorted(tops))}; without .data, run make man")
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    lacking = {
        "tests/release/smoke.py",
        "examples/plan.toml",
        "docs/reference/advice.md",
        "CITATION.cff",
        "LICENSE",
    } - names
    if lacking:
        raise Failed(f"the sdist lacks {', '.join(sorted(lacking))}")
    return wheel


def python_of(version: str) -> str:
    """Where a Python is: on the path, among pyenv's (whose commands start none but the chosen ones), or installed."""
    try:
        return run(*UV, "python", "find", "--no-python-downloads", version).strip()
    except Failed:
        pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
        if found := [*pyenv.glob(f"versions/{version}.*/bin/python")]:
            return str(max(found, key=lambda path: [int(number) for number in re.findall(r"\d+", path.parts[-3])]))
        run(*UV, "python", "install", "--no-bin", version, seconds=300)
        return run(*UV, "python", "find", version).strip()


def try_out(wheel: Path, extra: str = "", python: str = "", resolution: str = "highest") -> None:
    """The smoke test in an empty environment; ``python`` is that of uv, without it this one is used, by pip."""
    with TemporaryDirectory(prefix="bestofk-release-") as name:
        folder = Path(name)
        environment = folder / "environment"
        asked = f"{wheel}[{extra}]" if extra else wheel
        if python:
            run(*UV, "venv", "--quiet", "--python", python, environment)
            run(*UV, "pip", "install", "--quiet", "--python", environment, "--resolution", resolution, asked)
        else:
            run(sys.executable, "-m", "venv", "--without-pip", environment)
            run(sys.executable, "-m", "pip", "--python", environment, "install", "--quiet", asked)
        smoke = shutil.copy(ROOT / "tests" / "release" / "smoke.py", folder)
        words = (environment / "bin" / "python", "-I", smoke, ROOT / "examples", VERSION, *([extra] if extra else []))
        run(*words, folder=folder)


def tell(what: str, how: str) -> None:
    """One line of the answer, at once."""
    TOLD.setdefault(how.partition(":")[0], []).append(what)
    first, *more = how.splitlines()
    print(f"{what:<24} {first}", *more, sep="\n    ", flush=True)


def attempt(what: str, step: Callable[..., object], *arguments: object, may_lack: bool = False) -> bool:
    """Take a step and tell how it went."""
    try:
        step(*arguments)
    except Failed as error:
        tell(what, f"{'skipped' if may_lack else 'FAILED'}: {error}")
        return may_lack
    tell(what, "works")
    return True


def every_python(wheel: Path) -> bool:
    """Each Python that can be had, the core and the extras; and the wheel run without installing it."""
    well = attempt("uvx", run, *UV, "tool", "run", "--from", wheel, "bestofk", "judge", "examples/classifiers.csv")
    for version in PYTHONS:
        try:
            python = python_of(version)
        except Failed as error:
            tell(f"Python {version}", f"skipped: {str(error).splitlines()[-1].strip()}")
            continue
        if version == PYTHONS[0]:
            well &= attempt(f"Python {version}, oldest", try_out, wheel, "", python, "lowest")
        for extra in ("", *EXTRAS):
            step = f"Python {version}, {extra or 'core'}"
            well &= attempt(step, try_out, wheel, extra, python, may_lack=extra in LATE)
    return well


def summary() -> str:
    """What was tried on which Python, and what was not to be had, a line each."""
    said = []
    for begin, kinds in {"tried": ("works", "FAILED"), "not to be had": ("skipped",)}.items():
        parts: dict[str, list[str]] = {}
        for name in (name for kind in kinds for name in TOLD.get(kind, []) if name.startswith("Python")):
            python, _, part = name.partition(", ")
            parts.setdefault(python, []).extend([part] if part else [])
        each = "; ".join(f"{python}: {', '.join(found)}" if found else python for python, found in parts.items())
        said.append(f"{begin}  {each or 'nothing'}")
    return "\n".join(said)


def main() -> int:
    """Build, check, try; the exit code."""
    try:
        wheel = build()
    except Failed as error:
        tell("build", f"FAILED: {error}")
        return 1
    tell("build", ", ".join(sorted(file.name for file in DIST.glob(f"bestofk-{VERSION}*"))))
    quick = sys.argv[1:] == ["--quick"]
    if quick:
        return 0 if attempt("this Python, core", try_out, wheel) else 1
    well = every_python(wheel)
    print(summary())
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
