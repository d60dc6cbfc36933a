"""A PostgreSQL of one's own for the tests: a throwaway cluster on loopback, gone with the tests that asked for it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

PASSWORD = "s3cret/&word"
QUOTED = "s3cret%2F%26word"


@dataclass(frozen=True)
class Server:
    """A running server: ``url`` is that of its owner; further databases by ``database``."""

    port: int
    user: str
    folder: Path

    @property
    def url(self) -> str:
        return self.at("postgres")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        where = ("-D", self.folder / "data", "-l", self.folder / "log")
        _run("pg_ctl", *where, "-w", "-t", "60", "-o", _options(self), "start")

    def stop(self) -> None:
        """End it as a crash would, running or not."""
        _run("pg_ctl", "-D", self.folder / "data", "-w", "-m", "immediate", "stop", check=False)

    def at(self, database: str, *, user: str | None = None, password: str = QUOTED) -> str:
        return f"postgresql://{user or self.user}:{password}@127.0.0.1:{self.port}/{database}"

    def database(self, name: str) -> str:
        """Make an empty database and return its URL."""
        import psycopg

        with closing(psycopg.connect(self.url, autocommit=True)) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            connection.execute(f'CREATE DATABASE "{name}"')
        return self.at(name)


def why_not() -> str | None:
    """Why there can be no server here, or None when there can."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    if _programs() is None:
        return "PostgreSQL is not installed: no initdb in /usr/lib/postgresql/*/bin or on the path"
    if os.geteuid() == 0 and (shutil.which("runuser") is None or not _has_user("postgres")):
        return "PostgreSQL does not run as root, and there is no user postgres (or no runuser) to run it as"
    return None


@contextmanager
def running_server() -> Iterator[Server]:
    """Start a server with a password on a free port of 127.0.0.1; the test is skipped where there can be none."""
    reason = why_not()
    if reason:
        print(f"skipped: {reason}", file=sys.stderr)
        pytest.skip(reason)
    with tempfile.TemporaryDirectory(prefix="bestofk-pg-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        server = Server(_free_port(), "owner", folder)
        _initialise(server)
        try:
            server.start()
            yield server
        finally:
            server.stop()


def _initialise(server: Server) -> None:
    secret = server.folder / "password"
    secret.write_text(PASSWORD)
    secret.chmod(0o644)
    _run(
        *("initdb", "-D", server.folder / "data", "-U", server.user, "--pwfile", secret),
        *("-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync"),
    )


def _options(server: Server) -> str:
    return f"-p {server.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={server.folder}"


def _run(program: str, *arguments: object, check: bool = True) -> None:
    folder = _programs()
    assert folder is not None
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    command = [*as_user, str(folder / program), *map(str, arguments)]
    # Files rather than pipes: the server inherits them and would keep a pipe open for ever.
    with tempfile.TemporaryFile("w+") as output:
        answer = subprocess.run(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, cwd="/", timeout=120)
        output.seek(0)
        assert not check or answer.returncode == 0, output.read()


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


def _has_user(name: str) -> bool:
    import pwd

    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
