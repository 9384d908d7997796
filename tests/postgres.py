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


def why_not() -> str | None:
    """Why no PostgreSQL can run here, if so."""
    if not find_program("initdb") or not find_program("postgres"):
        return "PostgreSQL is not installed (Debian: apt install postgresql)"
    if os.geteuid() == 0 and USER not in {user.pw_name for user in pwd.getpwall()}:
        return f"PostgreSQL does not run as root, and there is no user {USER}"
    return None


@contextmanager
def running_postgres(*options: str) -> Iterator[str]:
    """The URL of a new, empty database for as long as it runs; skips where PostgreSQL cannot run."""
    if reason := why_not():
        pytest.skip(reason)
    initdb, server = str(find_program("initdb")), str(find_program("postgres"))
    folder = Path(tempfile.mkdtemp(prefix="quintet-pg-"))
    as_user: list[str] = []
    if os.geteuid() == 0:
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
        yield f"postgresql://{USER}@/{USER}?host={folder}"
    finally:
        process.terminate()
        process.communicate(timeout=30)
        log.close()
        shutil.rmtree(folder)
