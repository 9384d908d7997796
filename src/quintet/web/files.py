"""How many files a program may have open: a socket is one."""


def allow_files(number: int) -> None:
    """Let this program, and those that it begins, open so many files, as far as the system lets it."""
    try:
        import resource
    except ModuleNotFoundError:
        return  # Windows has no such limit.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number if hard == resource.RLIM_INFINITY else min(number, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
