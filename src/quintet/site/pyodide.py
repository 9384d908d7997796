"""Pyodide, Python for browsers, and the wheel of msgspec for it: downloaded once, or taken from a folder."""

import hashlib
import io
import json
import tarfile
import urllib.request
from pathlib import Path
from typing import NamedTuple

from quintet.errors import QuintetError
from quintet.files import whole_file

VERSION = "314.0.7"
PACKAGE = f"https://registry.npmjs.org/pyodide/-/pyodide-{VERSION}.tgz"
PACKAGE_HASH = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
WHEEL_NAME = "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
WHEEL = (
    "https://files.pythonhosted.org/packages/75/5d/c0e6bdb81a87f6bd56a663a330c271af7670490c80d8d635d9fa21ad1adf/"
    + WHEEL_NAME
)
WHEEL_HASH = "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022"
PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""What a browser needs of the npm package, besides the list of packages, of which it needs none."""
LOCK = "pyodide-lock.json"
SECONDS = 60.0
"""How long a server may take to answer."""


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
    package, wheel = fetch(PACKAGE, PACKAGE_HASH), fetch(WHEEL, WHEEL_HASH)
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        found = {name: archive.extractfile(f"package/{name}") for name in (*PARTS, LOCK, "package.json")}
        files = {name: file.read() for name, file in found.items() if file}
    for name, data in {WHEEL_NAME: wheel, **files}.items():
        with whole_file(folder / name) as file:
            file.write(data)


def fetch(url: str, digest: str) -> bytes:
    """A file from the network, if it is the one that is expected."""
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as response:
            data: bytes = response.read()
    except OSError as error:
        raise NoPyodide(f"cannot download {url}: {error}. Without a network, give a copy with --pyodide") from None
    if hashlib.sha256(data).hexdigest() != digest:
        raise NoPyodide(f"{url} is not the file that was expected. Give a copy that you trust with --pyodide")
    return data
