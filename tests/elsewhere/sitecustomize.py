"""With this folder on the path, Quintet sees what it would see on Windows: no POSIX modules, signals and functions.

Only Quintet sees it. The standard library and other packages, which have code for each system, see this system.
"""

import builtins
import importlib.util
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

ABSENT = {"curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty", "uvloop"}
SIGNALS = {"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM"}
POSIX_NAMES = """
chown fchmod fchown fdatasync fork forkpty getegid geteuid getgid getgroups getloadavg getpgid getpgrp getpriority
getsid getuid killpg lchown lockf memfd_create mkfifo mknod nice openpty pidfd_open pipe2 posix_fallocate posix_spawn
pread pwrite register_at_fork sched_getaffinity sched_setaffinity sendfile set_blocking setegid seteuid setgid
setgroups setpgid setpriority setsid setuid statvfs sync sysconf tcgetpgrp ttyname uname wait wait3 wait4 waitid
O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK WNOHANG
"""
ABSENT_NAMES = {
    "os": set(POSIX_NAMES.split()),
    "signal": {
        *(
            name
            for name in dir(signal)
            if name.startswith("SIG") and not name.startswith("SIG_") and name not in SIGNALS
        ),
        *("ITIMER_REAL", "SIG_BLOCK", "SIG_SETMASK", "SIG_UNBLOCK", "alarm", "getitimer", "pause", "pthread_kill"),
        *("pthread_sigmask", "setitimer", "siginterrupt", "sigpending", "sigtimedwait", "sigwait", "sigwaitinfo"),
    },
    "socket": {"AF_UNIX", "SO_REUSEPORT", "send_fds", "recv_fds"},
    "sys": set[str](),
}
CHANGED = {("os", "name"): "nt", ("sys", "platform"): "win32"}


class Seen(ModuleType):
    """A module as it is on Windows."""

    def __init__(self, real: ModuleType) -> None:
        """What is not absent or changed is that of the real module."""
        self.__dict__["real"] = real

    def __getattr__(self, name: str) -> object:
        """A name, if it is there."""
        real = self.__dict__["real"]
        if name in ABSENT_NAMES[real.__name__]:
            raise AttributeError(f"module {real.__name__!r} has no attribute {name!r} on Windows")
        return CHANGED.get((real.__name__, name)) or getattr(real, name)

    def __setattr__(self, name: str, value: object) -> None:
        """Set it in the real module."""
        setattr(self.__dict__["real"], name, value)


seen = {module.__name__: Seen(module) for module in (os, signal, socket, sys)}
usual, find_spec = builtins.__import__, importlib.util.find_spec


def import_as_on_windows(
    name: str,
    globals: Mapping[str, object] | None = None,
    locals: Mapping[str, object] | None = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> ModuleType:
    """Import a module, for Quintet as on Windows."""
    ours = str((globals or {}).get("__package__") or "").split(".")[0] == "quintet"
    if ours and name in ABSENT:
        raise ModuleNotFoundError(f"No module named {name!r} on Windows", name=name)
    return seen[name] if ours and name in seen else usual(name, globals, locals, fromlist, level)


def find_spec_as_on_windows(name: str, package: str | None = None) -> ModuleSpec | None:
    """Where a module is, if it is there."""
    return None if name in ABSENT else find_spec(name, package)


builtins.__import__ = import_as_on_windows
importlib.util.find_spec = find_spec_as_on_windows
