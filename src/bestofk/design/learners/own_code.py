"""The code of the user's own classes and functions, in one hash: changed, it is another learner."""

from __future__ import annotations

import ast
import csv
import hashlib
import inspect
import json
import sys
import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import resolve_name
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple


def code_of(part: Any) -> dict[str, str]:
    """The hash of what a class or function consists of, where any of it is the user's own; else nothing.

    Counted are the whole modules of a class, of its base classes and of a function, and every module that those import
    and that is the user's own. Of a script's or notebook's own code, what is reached by name is counted, not all of it.
    Installed packages, and Python itself, are told by their names.
    """
    if _module(part).partition(".")[0] == "bestofk":
        return _own_text(part)
    found: dict[str, str] = {}
    for each in inspect.getmro(part) if isinstance(part, type) else (part,):
        name = _module(each)
        if name == "__main__":
            from bestofk.design.learners.script_code import typed_code

            found |= typed_code(each)
        elif is_own(name):
            found |= own_modules(name)
    if not found:
        return {}
    return {"code": hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()[:16]}


def _module(part: Any) -> str:
    return str(getattr(part, "__module__", None) or "")


def _own_text(part: Any) -> dict[str, str]:
    """Of a class of bestofk, its own text alone, and only where bestofk itself is worked on."""
    try:
        file = inspect.getsourcefile(part)
        if file is None or "site-packages" in file or file.startswith((sys.prefix, sys.base_prefix)):
            return {}
        return {"code": hashlib.sha256(inspect.getsource(part).encode()).hexdigest()[:16]}
    except (OSError, TypeError):
        return {}


INSTALLED = ("site-packages", "dist-packages")


class _Source(NamedTuple):
    """What a file says: its hash, and the names that it imports (level, module, names; level 0 is absolute)."""

    digest: str
    imports: tuple[tuple[int, str, tuple[str, ...]], ...]


def own_modules(name: str) -> dict[str, str]:
    """Hashes of the texts of a module and of all that it imports, however deep, as far as they are the user's own."""
    found: dict[str, str] = {}
    waiting = [name]
    while waiting:
        for module, spec in _with_packages(waiting.pop()):
            if module in found or not is_own(module, spec):
                continue
            source = _source_of(spec)
            found[module] = source.digest
            waiting += _named_in(source, module, spec.submodule_search_locations is not None)
    return found


def is_own(name: str, spec: ModuleSpec | None = None) -> bool:
    """Whether a module is the user's: no part of Python, of bestofk or of an installed package."""
    spec = spec or (_spec_of(name) if name else None)
    top = name.partition(".")[0]
    if spec is None or top == "bestofk" or top in sys.builtin_module_names:
        return False
    places = [spec.origin] if spec.has_location and spec.origin else list(spec.submodule_search_locations or ())
    if spec.origin in ("built-in", "frozen") or not places:
        return False
    return not _is_installed(places[0], name.count("."))


def imports_in(tree: ast.AST) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """What a piece of code imports, wherever in it that stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((0, each.name, ()) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or "", tuple(each.name for each in node.names)


@lru_cache(maxsize=4096)
def _is_installed(place: str, depth: int) -> bool:
    file = Path(place).resolve()
    if any(part in INSTALLED for part in file.parts):
        return True
    import sysconfig  # which a reading of results does not need

    paths = sysconfig.get_paths()
    if any(file.is_relative_to(Path(paths[key]).resolve()) for key in ("stdlib", "platstdlib")):
        return True
    folders = file.parents[: depth + (2 if file.stem == "__init__" else 1)]
    return any(_put_there(folder, file.relative_to(folder).as_posix()) for folder in folders)


def _put_there(folder: Path, path: str) -> bool:
    """Whether pip has put a file, or a folder with files, into a folder (``pip install --target``)."""
    return any(listed is None or path in listed for listed in _lists(folder))


@lru_cache(maxsize=256)
def _lists(folder: Path) -> list[frozenset[str] | None]:
    """Files and folders of each package that pip has put into a folder, which it signs; None where it lists none."""
    found: list[frozenset[str] | None] = []
    for signed in folder.glob("*.dist-info/INSTALLER"):
        record = signed.with_name("RECORD")
        if not record.is_file():
            found.append(None)
            continue
        with record.open(encoding="utf-8", newline="") as lines:
            paths = [PurePosixPath(line[0]) for line in csv.reader(lines) if line]
        found.append(frozenset(str(each) for path in paths for each in (path, *path.parents)))
    return found


def _with_packages(name: str) -> Iterator[tuple[str, ModuleSpec]]:
    """A module and the packages around it, whose __init__ runs first; nothing where the outermost is not own."""
    parts = name.split(".")
    path: Sequence[str] | None = None
    for end in range(1, len(parts) + 1):
        part = ".".join(parts[:end])
        spec = _spec_of(part, path)
        if spec is None or (end == 1 and not is_own(part, spec)):
            return
        yield part, spec
        path = spec.submodule_search_locations
        if path is None:
            return


def _spec_of(name: str, path: Sequence[str] | None = None) -> ModuleSpec | None:
    """Where a module is, without importing it or anything else."""
    loaded = getattr(sys.modules.get(name), "__spec__", None)
    if loaded is not None:
        return loaded if isinstance(loaded, ModuleSpec) else None
    if path is None and "." in name:
        outer = _spec_of(name.rpartition(".")[0])
        path = None if outer is None else outer.submodule_search_locations
        if path is None:
            return None
    try:
        return PathFinder.find_spec(name, path)
    except (ImportError, OSError, ValueError):
        return None


def _source_of(spec: ModuleSpec) -> _Source:
    """The text of a module; one without (a folder, or compiled) counts by its name alone."""
    file = Path(spec.origin) if spec.has_location and spec.origin else None
    if file is None or file.suffix not in (".py", ".pyw") or not file.is_file():
        return _Source("", ())
    about = file.stat()
    return _read(file, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=4096)
def _read(file: Path, changed: int, size: int) -> _Source:
    data = file.read_bytes().replace(b"\r\n", b"\n")  # a checkout on another system is the same code
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of backslashes in strings: told when the module was imported
            imports = tuple(imports_in(ast.parse(data)))
    except (SyntaxError, ValueError):
        imports = ()
    return _Source(hashlib.sha256(data).hexdigest(), imports)


def _named_in(source: _Source, module: str, package: bool) -> Iterator[str]:
    """Full names of what a module imports; ``from a import b`` may mean the module a.b."""
    around = module if package else module.rpartition(".")[0]
    for level, name, parts in source.imports:
        try:
            full = resolve_name("." * level + name, around) if level else name
        except ImportError:
            continue
        yield full
        yield from (f"{full}.{part}" for part in parts if part != "*")
