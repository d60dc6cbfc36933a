"""``bestofk doctor``: what is installed, whether it works, and where bestofk looks."""

from __future__ import annotations

import os
import platform
import sys
import warnings
from dataclasses import asdict
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import click

from bestofk.cli.options import AS_JSON
from bestofk.cli.printing import NO_COLOR, Waiting, say, show_json, show_table, terminal_width
from bestofk.core.compiled import CHOICE, compiled_wanted
from bestofk.core.errors import InputError, message_of
from bestofk.core.extras import EXTRA_OF
from bestofk.core.frozen import frozen
from bestofk.core.version import __version__

#: Packages without which bestofk does nothing.
CORE = ("numpy", "scipy", "scikit-learn")
#: What extras are for.
USES = {
    "fast": "compiled loops",
    "plots": "figures in files",
    "tables": "Parquet, XLSX, frames",
    "postgresql": "store postgresql://",
    "dask": "engine tcp://",
    "ray": "engine ray",
    "inspect": "logs of Inspect",
}


@frozen(kw_only=True)
class Part:
    """A part of the installation: works, is missing (and is not needed), or is faulty; packages by version."""

    name: str
    use: str
    state: str
    packages: dict[str, str]
    said: str


@click.command()
@AS_JSON
@click.pass_context
def doctor(context: click.Context, as_json: bool) -> None:
    """Show versions, extras, stores, engines and settings, and whether they work.

    Ends with 1 when something that is there does not work; an extra that is missing is no fault.
    """
    with Waiting("importing the extras"):
        parts = _parts()
    faulty = [part.name for part in parts if part.state == "faulty"]
    about = {"bestofk": __version__, "python": platform.python_version(), "platform": platform.platform()}
    about |= {"path": str(Path(__file__).parents[1]), "executable": sys.executable}
    if as_json:
        show_json({**about, "works": not faulty, "parts": [asdict(part) for part in parts]})
    else:
        _show(about, parts, faulty)
    context.exit(1 if faulty else 0)


def _show(about: dict[str, str], parts: list[Part], faulty: list[str]) -> None:
    from bestofk.reporting.tables import PlainTable

    found = f"faulty: {', '.join(faulty)}" if faulty else "what is installed works"
    say(f"bestofk {about['bestofk']}, Python {about['python']}: {found}.\n{about['path']}\n")
    rows = tuple((part.name, part.use, part.said) for part in parts)
    show_table(PlainTable(("part", "for", "state"), rows, frozenset()))


def _parts() -> list[Part]:
    """Every part, in the order of the answer."""
    extras: dict[str, list[str]] = {}
    for package, extra in EXTRA_OF.items():
        extras.setdefault(extra, []).append(package)
    return [
        _of_packages("core", "everything", list(CORE)),
        _install(),
        *(_of_packages(extra, USES.get(extra, ""), packages, extra) for extra, packages in extras.items()),
        _works("kernels", "inner loops", _kernels()),
        _sqlite(),
        _data(),
        _works("terminal", "", f"{terminal_width()} columns, {'colour' if _colour() else 'no colour'}"),
    ]


def _works(name: str, use: str, said: str) -> Part:
    return Part(name=name, use=use, state="works", packages={}, said=said)


def _of_packages(name: str, use: str, packages: list[str], extra: str = "") -> Part:
    """Import packages: all there, some missing, or one that is there and cannot be imported."""
    versions: dict[str, str] = {}
    faults: list[str] = []
    for package in packages:
        try:
            with warnings.catch_warnings(action="ignore"):
                import_module("sklearn" if package == "scikit-learn" else package)
            versions[package] = metadata.version(package)
        except Exception as error:
            if not (isinstance(error, ModuleNotFoundError) and error.name == package):
                faults.append(f"{package} does not import: {' '.join(message_of(error).split())[:200]}")
    said = [f"{package} {version}" for package, version in versions.items()]
    missing = len(versions) + len(faults) < len(packages)
    if missing:
        said.append(f'missing: pip install "bestofk[{extra}]"' if extra else "missing")
    state = "faulty" if faults or (missing and not extra) else "missing" if missing else "works"
    return Part(name=name, use=use, state=state, packages=versions, said=", ".join([*said, *faults]))


def _install() -> Part:
    """Whether the installed package is the source that runs: entry points and metadata are those of the install."""
    try:
        installed = metadata.version("bestofk")
    except metadata.PackageNotFoundError:
        return Part(name="install", use="plug-ins", state="missing", packages={}, said="not installed, run from source")
    same = installed == __version__
    said = installed if same else f"{installed} is installed, {__version__} runs: install it again"
    packages = {"bestofk": installed}
    return Part(name="install", use="plug-ins", state="works" if same else "faulty", packages=packages, said=said)


def _sqlite() -> Part:
    """Python's own SQLite, which one built without its headers lacks."""
    try:
        from sqlite3 import sqlite_version
    except ImportError as error:
        return Part(name="sqlite", use="stores in files", state="faulty", packages={}, said=message_of(error))
    return _works("sqlite", "stores in files", f"SQLite {sqlite_version}")


def _kernels() -> str:
    compiled = "numba" if compiled_wanted() else "numpy"
    return f"{compiled} ({CHOICE}={os.environ[CHOICE]})" if CHOICE in os.environ else compiled


def _data() -> Part:
    """The folder of data sets, which may have been moved away."""
    from bestofk.design.datasets.files import VARIABLE, data_folder, names_in

    said: dict[str, Any] = {"name": "data", "use": VARIABLE, "packages": {}}
    try:
        folder = data_folder()
    except InputError as error:
        return Part(state="faulty", said=error.wrong, **said)
    if folder is None:
        return Part(state="missing", said="not set", **said)
    return Part(state="works", said=f"{folder}, {len(names_in(folder))} data sets", **said)


def _colour() -> bool:
    return sys.stdout.isatty() and NO_COLOR not in os.environ
