"""Try an installed Quintet, on any system: `python scripts/try-install.py PROGRAM [EXTRA]...`.

The program is `quintet`, or where it is installed, such as `.venv/bin/quintet`. The extra `web` is tried if named,
which needs the network: the site is written with Pyodide.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import Request, urlopen

SECONDS = 120


def main(program: str, *extras: str) -> None:
    """Try everything, or stop at what fails."""
    found = shutil.which(program)
    assert found, f"{program} is not installed"
    quintet = str(Path(found).absolute())
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        version = run(quintet, folder, "--version").strip()
        print(f"quintet {version}: {quintet}")
        games = [line.split()[0] for line in run(quintet, folder, "games").splitlines()]
        assert len(games) == 5, games
        for game in games:
            said = run(quintet, folder, "play", game, "--p1", "level:3", "--p2", "perfect", "--seed", "1")
            print(f"  {said.strip().splitlines()[-1]}")
        assert "wins in 5" in run(quintet, folder, "solve", "gridlock", "--size", "3x3")
        assert "greedy" in run(
            quintet, folder, *["arena", "--players", "random,greedy", "--game", "gridlock", "--games", "4"]
        )
        assert run(quintet, folder, "show", "isolation", "--svg", "-").lstrip().startswith("<svg")
        if "web" in extras:
            serve(quintet, folder)
            print(f"  {run(quintet, folder, 'site', 'site').splitlines()[0]}")
            assert (Path(folder) / "site/index.html").is_file()


def run(quintet: str, folder: str, *words: str) -> str:
    """What a command prints."""
    done = subprocess.run([quintet, *words], capture_output=True, text=True, cwd=folder, timeout=SECONDS)
    assert done.returncode == 0 and not done.stderr, f"{' '.join(words)}: {done.returncode}\n{done.stderr}"
    return done.stdout


def serve(quintet: str, folder: str) -> None:
    """Start the server, fetch the page, and let two engines play."""
    words = [quintet, "serve", "--port", "0", "--database", f"sqlite:///{Path(folder).as_posix()}/matches.db"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        found = next(url for line in process.stdout if (url := re.search(r"http://\S+:\d+", line)))
        with urlopen(f"{found[0]}/", timeout=SECONDS) as page:
            assert b"Quintet" in page.read()
        body = json.dumps({"game": "gridlock", "size": "2x2", "seats": {"1": "greedy", "2": "greedy"}, "take": []})
        request = Request(f"{found[0]}/api/matches", body.encode(), {"Content-Type": "application/json"})
        with urlopen(request, timeout=SECONDS) as answer:
            assert answer.status == 201
        print(f"  the server answers at {found[0]}")
    finally:
        process.terminate()
        process.wait(SECONDS)


if __name__ == "__main__":
    arguments: Sequence[str] = sys.argv[1:]
    main(*arguments)
