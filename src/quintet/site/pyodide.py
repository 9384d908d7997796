"""Pyodide, Python for browsers, and the wheel of msgspec for it: downloaded once, or taken from a folder."""

import hashlib
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from quintet.errors import QuintetError
from quintet.files import whole_file
from quintet.safe_text import quote

VERSION = "314.0.7"
PACKAGE = f"pyodide-{VERSION}.tgz"
PACKAGE_HASH = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
WHEEL_NAME = "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
WHEEL_HASH = "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022"
NPM = ["npm", "pack", "--silent", f"pyodide@{VERSION}"]
PIP = [
    *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"),
    *("--only-binary=:all:", "--platform=pyemscripten_2026_0_wasm32", "--python-version=3.14", "--implementation=cp"),
    *("--abi=cp314", "msgspec==0.22.0"),
]
PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""What a browser needs of the npm package, besides the list of packages, of which it needs none."""
LOCK = "pyodide-lock.json"
SECONDS = 300.0
"""How long a download may take."""


class NoPyodide(QuintetError):
    """Pyodide that cannot be had."""

    status = 1


class Pyodide(NamedTuple):
    """What the site needs of Pyodide."""

    version: str
    files: dict[str, bytes]
    """By their names."""
    wheel: bytes
    """The wheel of msgspec."""


def load_pyodide(folder: Path | None) -> Pyodide:
    """Pyodide in a folder: the unpacked npm package, with the wheel in it. Without one, it is downloaded once."""
    if folder is None:
        folder = cache_folder()
        if not (folder / "package.json").is_file():
            download(folder)
    try:
        version = str(json.loads((folder / "package.json").read_bytes())["version"])
        lock = json.loads((folder / LOCK).read_bytes())
        files = {name: (folder / name).read_bytes() for name in PARTS}
        wheels = sorted(folder.glob("msgspec-*wasm32.whl"))
        if not wheels:
            raise NoPyodide(f"{folder} has no wheel of msgspec for Pyodide: put {WHEEL_NAME} there")
        files[LOCK] = json.dumps({**lock, "packages": {}}).encode()
        return Pyodide(version, files, wheels[-1].read_bytes())
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NoPyodide(f"{folder} is not the unpacked npm package pyodide: {error}") from None


def cache_folder() -> Path:
    """Where downloads are saved."""
    from platformdirs import user_cache_path

    return user_cache_path("quintet") / f"pyodide-{VERSION}"


def download(folder: Path) -> None:
    """Download Pyodide and the wheel into a folder. Its `package.json` is written last: then everything is there."""
    package, wheel = fetch(NPM, PACKAGE, PACKAGE_HASH), fetch(PIP, WHEEL_NAME, WHEEL_HASH)
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        found = {name: archive.extractfile(f"package/{name}") for name in (*PARTS, LOCK, "package.json")}
        files = {name: file.read() for name, file in found.items() if file}
    for name, data in {WHEEL_NAME: wheel, **files}.items():
        with whole_file(folder / name) as file:
            file.write(data)


def fetch(command: list[str], name: str, digest: str) -> bytes:
    """The file that a command downloads into its folder, if it is the one that is expected."""
    with TemporaryDirectory(prefix="quintet-") as folder:
        try:
            subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=SECONDS)
            data = (Path(folder) / name).read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            said = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
            why = said[-1] if said else "no reason was given"
            text = f"cannot download {name} with {Path(command[0]).name}: {quote(why)}"
            raise NoPyodide(f"{text}. Without it or a network, give a copy with --pyodide") from None
    if hashlib.sha256(data).hexdigest() != digest:
        raise NoPyodide(f"{name} is not the file that was expected. Give a copy that you trust with --pyodide")
    return data
