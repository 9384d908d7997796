"""Run every integration in an environment of its own: `python integrations/run_all.py [NAME ...]`.

An integration is a folder here with a `run.py`, a script that names its packages and its Python version in its header
(PEP 723). `uv` installs them in its cache. A script that fails exits with an error.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent


def run_all(folder: Path, names: list[str]) -> int:
    """Run the scripts in the folders of these names, or all; returns how many failed."""
    found = {script.parent.name: script for script in sorted(folder.glob("*/run.py"))}
    for name in names:
        if name not in found:
            raise SystemExit(f"run_all.py: no integration called {name!r}. There are {', '.join(found)}.")
    results = {name: run(script) for name, script in found.items() if not names or name in names}
    print("\n".join(f"{'ok' if works else 'FAILED':7}{name}" for name, works in results.items()))
    return list(results.values()).count(False)


def run(script: Path) -> bool:
    """Run a script in its environment; returns whether it succeeded."""
    print(f"== {script.parent.name}", flush=True)
    begun = time.monotonic()
    # uv does not read pip's settings, such as a folder of wheels.
    wheels = {"UV_FIND_LINKS": os.environ["PIP_FIND_LINKS"]} if "PIP_FIND_LINKS" in os.environ else {}
    uv = Path(sys.executable).with_name("uv")
    works = (
        subprocess.run([uv if uv.exists() else "uv", "run", "--script", script], env=wheels | os.environ).returncode
        == 0
    )
    print(f"{time.monotonic() - begun:.0f} seconds\n", flush=True)
    return works


if __name__ == "__main__":
    sys.exit(run_all(HERE, sys.argv[1:]) > 0)
