"""The version and the name that packages are installed by, for the build, `quintet --version` and every report."""

__version__ = "0.2.0"

DISTRIBUTION = "quintet-games"
"""What the package is called where packages are installed from; another package has the shorter name."""


def missing(extra: str, module: str) -> str:
    """What to install where a module of an extra is missing; the end of a sentence."""
    install = f"pip install '{DISTRIBUTION}[{extra}]', or in a clone: pip install -e '.[{extra}]'"
    return f"needs the extra {extra} ({module} is missing): {install}"
