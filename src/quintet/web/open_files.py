"""The limit of open files: each socket is one."""

MANY = 1 << 20
"""The limit where the system has none."""


def raise_file_limit(number: int) -> None:
    """Let this process and its children open that many files, as far as the system allows."""
    try:
        import resource
    except ModuleNotFoundError:
        return  # Windows has no such limit.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number if hard == resource.RLIM_INFINITY else min(number, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def file_limit() -> int:
    """The number of files that this process may have open."""
    try:
        import resource
    except ModuleNotFoundError:
        return MANY
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MANY if soft == resource.RLIM_INFINITY else soft
