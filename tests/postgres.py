"""A PostgreSQL of one's own: in a scratch folder, reached by a socket in it, gone in the end."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

USER = "postgres"
"""PostgreSQL refuses to run as root; Debian makes this user for it."""


def find_program(name: str) -> str | None:
    """One of PostgreSQL's programs, which Debian keeps out of the path."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return shutil.which(name) or next((str(path / name) for path in folders if (path / name).exists()), None)


@contextmanager
def running_postgres(*options: str) -> Iterator[str]:
    """The URL of a new, empty database for as long as it runs; skips where PostgreSQL is not installed."""
    initdb, server = find_program("initdb"), find_program("postgres")
    if not initdb or not server:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="quintet-pg-"))
    as_user: list[str] = []
    if os.geteuid() == 0:
        try:
            pwd.getpwnam(USER)
        except KeyError:
            pytest.skip(f"PostgreSQL does not run as root, and there is no user {USER}")
        shutil.chown(folder, USER, USER)
        as_user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    data = folder / "data"
    make = [initdb, "--no-sync", "--auth=trust", "--encoding=UTF8", f"--username={USER}", str(data)]
    subprocess.run([*as_user, *make], check=True, capture_output=True, cwd=folder)
    settings = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}", *options]
    log = (folder / "log").open("w")
    process = subprocess.Popen(
        [*as_user, server, "-D", str(data), *settings], stderr=subprocess.PIPE, stdout=log, text=True, cwd=folder
    )
    try:
        assert process.stderr
        for line in process.stderr:
            if "ready to accept connections" in line:
                break
        else:
            pytest.fail("PostgreSQL did not start")
        yield f"postgresql+psycopg://{USER}@/{USER}?host={folder}"
    finally:
        process.terminate()
        process.communicate(timeout=30)
        log.close()
        shutil.rmtree(folder)
