"""`quintet` as a user runs it, in a process of its own, without the time that Python takes to load it each time.

One process has loaded the program and runs no command itself: for each command it makes a copy of itself, which then
has the files, the folder and the environment of that command. `python commands.py SOCKET` is that process.
"""

import atexit
import gc
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile

from patience import WAIT
from quintet.__main__ import main

PROGRAM = str(Path(sys.executable).with_name("quintet"))
LARGEST = 1 << 20
"""Bytes of a request."""
LOADED = ("quintet.cli", "typer._adapters")
"""What every command loads before it begins; the second is loaded late by the first."""


def quintet(
    *arguments: str, input: str = "", env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run a command without a terminal; give what it said."""
    environment = dict(os.environ if env is None else env)
    server, loaded_with = loaded_program()
    if seen_while_loading(environment) != loaded_with:
        words = [PROGRAM, *arguments]
        return subprocess.run(
            words, input=input, capture_output=True, text=True, env=environment, cwd=cwd, timeout=WAIT
        )
    request = json.dumps([arguments, environment, str(cwd or Path.cwd())]).encode()
    with TemporaryFile() as typed, TemporaryFile() as said, TemporaryFile() as errors:
        typed.write(input.encode())
        typed.seek(0)
        socket.send_fds(server, [request], [typed.fileno(), said.fileno(), errors.fileno()])
        status = int(server.recv(100))
        said.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(arguments, status, said.read().decode(), errors.read().decode())


def seen_while_loading(environment: Mapping[str, str]) -> dict[str, str]:
    """The part of the environment that matters before a command begins."""
    return {name: text for name, text in environment.items() if name.startswith(("PYTHON", "LC_", "LANG", "TZ"))}


@cache
def loaded_program() -> tuple[socket.socket, dict[str, str]]:
    """The process that has loaded the program, as long as this one lives, and the environment that it saw."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        words = [sys.executable, __file__, str(theirs.fileno())]
        process = subprocess.Popen(words, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
    ours.settimeout(WAIT)
    atexit.register(process.wait)
    atexit.register(ours.close)  # This comes first, and ends it.
    return ours, seen_while_loading(os.environ)


def serve(server: socket.socket) -> None:
    """Make a copy for each request. Returns in the copies only."""
    while True:
        request, files, _, _ = socket.recv_fds(server, LARGEST, 3)
        if not request:
            os._exit(0)
        copy = os.fork()
        if copy == 0:
            break
        for file in files:
            os.close(file)
        server.send(str(os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])).encode())
    server.close()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    arguments, environment, folder = json.loads(request)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = [PROGRAM, *arguments]


if __name__ == "__main__":
    for module in LOADED:
        import_module(module)
    gc.collect()
    gc.freeze()
    serve(socket.socket(fileno=int(sys.argv[1])))
    main()
