"""Writes the site: the page, our package, Pyodide, answers, icons, and what makes it work without a network.

Everything but the page itself, the manifest and the service worker lies in a folder named after the version, a hash of
all files. So a browser that has one version never reads a file of another.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from quintet.drawing.canvas import Canvas, box, mask_of
from quintet.drawing.png import png
from quintet.errors import QuintetError
from quintet.files import whole_file
from quintet.site.answers import all_answers
from quintet.site.pyodide import Pyodide
from quintet.web import pages

HERE = Path(__file__).parent
PACKAGE = HERE.parent
SCRIPTS = HERE / "page"
"""The scripts of the site that are not the page's own: its workers."""
LEFT_OUT = ("bench", "cli", "envs", "llm", "suites", "terminal", "text", "store/migrations", "site/page", "web/page")
"""Parts of the package that a browser does not need."""
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; base-uri 'none'; "
    "form-action 'self'; object-src 'none'"
)
LIST = "files.json"
"""What a folder with a site in it has: the site's files with their hashes."""
MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive: the same files make the same archive."""

Files = dict[str, bytes]
"""Files by their paths in the site."""


class NotASite(QuintetError):
    """A folder with something else in it."""


def write_site(folder: Path, pyodide: Pyodide, server: str = "", documentation: str = "") -> Files:
    """Write the site into a folder, which is empty, new, or has an older site in it; gives its files."""
    old = old_files(folder)
    files = make_site(pyodide, server, documentation)
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        with whole_file(folder / path) as file:
            file.write(data)
    for path in old - files.keys():
        (folder / path).unlink(missing_ok=True)
        for above in (folder / path).parents:
            if above == folder or any(above.iterdir()):
                break
            above.rmdir()
    return files


def old_files(folder: Path) -> set[str]:
    """The files of the site that is in a folder."""
    if not folder.exists() or not any(folder.iterdir()):
        return set()
    try:
        paths = {str(path) for path in json.loads((folder / LIST).read_bytes())}
    except (OSError, ValueError):
        raise NotASite(f"{folder} is not empty, and has no site in it: choose another folder") from None
    return {path for path in paths if not Path(path).is_absolute() and ".." not in Path(path).parts}


def make_site(pyodide: Pyodide, server: str = "", documentation: str = "") -> Files:
    """All files of the site."""
    own = {
        **{f"static/{path}": data for path, data in page_files()},
        **{f"answers/{name}": data for name, data in all_answers().items()},
        **{f"icons/{name}": data for name, data in icons().items()},
        "python-worker.js": script(SCRIPTS / "python-worker.js"),
        "quintet.zip": archive(pyodide.wheel),
    }
    python = f"pyodide-{pyodide.version}"
    index = (pages.FOLDER / "index.html").read_text("utf-8")
    digest = sha256(json.dumps([index, server, documentation, python, hashes(own), hashes(pyodide.files)]).encode())
    version = f"v-{digest.hexdigest()[:16]}"
    files = {f"{version}/{path}": data for path, data in own.items()}
    files |= {f"{python}/{name}": data for name, data in pyodide.files.items()}
    files["index.html"] = make_index(index, version, python, server, documentation).encode()
    files["manifest.webmanifest"] = json.dumps(manifest(version)).encode()
    listed = json.dumps(hashes(files), separators=(",", ":"))
    worker = script(SCRIPTS / "service-worker.js").decode()
    files["service-worker.js"] = worker.replace("{version}", version).replace('"{files}"', listed).encode()
    files[LIST] = json.dumps(hashes(files), indent=1).encode()
    return files


def hashes(files: Files) -> dict[str, str]:
    """The hash of each file."""
    return {path: sha256(data).hexdigest() for path, data in sorted(files.items())}


def script(path: Path) -> bytes:
    """A script as browsers need it."""
    return pages.compact(path.read_text("utf-8")).encode()


def page_files() -> Iterator[tuple[str, bytes]]:
    """The files of the page, apart from the page itself."""
    for path in sorted(pages.FOLDER.rglob("*")):
        name = path.relative_to(pages.FOLDER).as_posix()
        if path.is_file() and name != "index.html":
            yield name, script(path) if path.suffix == ".js" else path.read_bytes()


def make_index(index: str, version: str, python: str, server: str, documentation: str) -> str:
    """The page of a site: the server's, with addresses that work in any folder, and the site's settings."""
    settings = json.dumps({"version": version, "pyodide": f"{python}/", "server": server.rstrip("/")})
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"  <meta name=\"quintet-site\" content='{settings}'>\n"
        '  <meta name="theme-color" content="#25231e">\n'
        '  <link rel="manifest" href="manifest.webmanifest">\n'
        f'  <link rel="apple-touch-icon" href="{version}/icons/192.png">\n'
        f'  <link rel="stylesheet" href="/static/css/site.css">\n'
        '  <link rel="modulepreload" href="/static/js/local/service.js">\n  <link rel="icon"'
    )
    index = index.replace('<link rel="icon"', head, 1)
    index = index.replace(' <a href="/docs">API</a>', "")  # It is the server's.
    index = pages.with_documentation(index, documentation)
    index = re.sub(r'(href|src)="/static/', rf'\1="{version}/static/', index)
    return re.sub(r'href="/([^"/][^"]*)?"', lambda found: f'href="./{"?at=/" + found[1] if found[1] else ""}"', index)


def manifest(version: str) -> dict[str, object]:
    """What a phone needs to install the site."""
    icon = {"type": "image/png"}
    return {
        "name": "Quintet",
        "short_name": "Quintet",
        "description": "Five small strategy games for two players.",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#25231e",
        "theme_color": "#25231e",
        "icons": [
            {**icon, "src": f"{version}/icons/192.png", "sizes": "192x192"},
            {**icon, "src": f"{version}/icons/512.png", "sizes": "512x512"},
            {**icon, "src": f"{version}/icons/maskable.png", "sizes": "512x512", "purpose": "maskable"},
        ],
    }


def icons() -> Files:
    """The icon in the sizes that phones ask for; in the maskable one all marks lie in the middle."""
    return {"192.png": icon(192, 1), "512.png": icon(512, 1), "maskable.png": icon(512, 0.7)}


def icon(side: int, share: float) -> bytes:
    """Five squares, as on the page, within a share of the picture."""
    unit = side * share / 32
    square, canvas = mask_of(box(3.5 * unit, 2 * unit), round(8 * unit)), Canvas(side, side)
    for across, down, colour in ((-1, -1, "one"), (1, -1, "two"), (0, 0, "ink"), (-1, 1, "two"), (1, 1, "one")):
        left, top = (round(side / 2 + way * 7.5 * unit - square.width / 2) for way in (across, down))
        canvas.paint(square, colour, left, top)
    return png(canvas, dark=True)


def archive(wheel: bytes) -> bytes:
    """Our package and msgspec, as Pyodide unpacks them."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for path, data in sorted({**own_modules(), **wheel_files(wheel)}.items()):
            info = zipfile.ZipInfo(path, MOMENT)
            info.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(info, data)
    return packed.getvalue()


def own_modules() -> Files:
    """The modules of our package that run in a browser, their data, and what they say in other languages."""
    found = {}
    for path in (*PACKAGE.rglob("*.py"), *PACKAGE.glob("data/*.json"), *PACKAGE.glob("languages/*.mo")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(tuple(f"{part}/" for part in LEFT_OUT)):
            found[f"quintet/{name}"] = path.read_bytes()
    return found


def wheel_files(wheel: bytes) -> Files:
    """The files of a wheel."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as opened:
        return {name: opened.read(name) for name in opened.namelist() if not name.endswith(("/", ".pyi"))}
