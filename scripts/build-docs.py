"""Build the documentation as a site: `python scripts/build-docs.py [--play URL]`. It needs the extra `docs`.

`docs/` is written to be read on GitHub too, so it stays as it is. What the site has beyond it is made here, in
build/docs-source: live boards, the API reference, and pages of the files beside `docs/`. Zensical makes build/docs of
that, and fails if a link leads nowhere.
"""

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from doc_api import api_reference  # noqa: E402
from doc_boards import Boards  # noqa: E402

SOURCE, SITE = ROOT / "build/docs-source", ROOT / "build/docs"
PAGE = ROOT / "src/quintet/web/page"
BESIDE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "reporting.md",
    "Caddyfile": "files/Caddyfile.txt",
    "Containerfile": "files/Containerfile.txt",
    "compose.yaml": "files/compose.yaml",
    "examples/random_bot.py": "files/random_bot.py",
}
"""Files outside `docs/` that its pages link to, and where they are on the site."""

PLAY_BUTTON = '\n\n<p><a href="app/" class="md-button md-button--primary">Play in the browser</a></p>\n\n'


def main() -> None:
    """Prepare the pages and build the site."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--play", default="app/", help="Address of the playable page, relative to the site or absolute."
    )
    play = parser.parse_args().play.rstrip("/") + "/"
    prepare(play)
    copy = ROOT / "build/zensical.toml"
    copy.write_text((ROOT / "zensical.toml").read_text().replace('"build/', '"'))
    shutil.rmtree(SITE, ignore_errors=True)
    subprocess.run(
        ["zensical", "build", "--strict", "--clean", "--config-file", str(copy)], cwd=copy.parent, check=True
    )
    for page in SITE.rglob("*.html"):
        page.write_text(lead_to_play(page.read_text(), play, "../" * (len(page.relative_to(SITE).parts) - 1)))
    print(f"The site is in {SITE.relative_to(ROOT)}; {play} is the playable page.")


def prepare(play: str) -> None:
    """Write the pages as Zensical reads them."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", SOURCE)
    for name, there in BESIDE.items():
        (SOURCE / there).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, SOURCE / there)
    (SOURCE / "api.md").write_text(api_reference())
    for page in sorted(SOURCE.rglob("*.md")):
        text = relink(page.read_text(), page.relative_to(SOURCE))
        page.write_text(Boards(page.relative_to(SOURCE), play, SOURCE / "site/boards").make_live(text))
        if page == SOURCE / "README.md":
            page.write_text(page.read_text().replace("\n\n", PLAY_BUTTON, 1))
        if page.name == "README.md":
            page.rename(page.with_name("index.md"))
    site = SOURCE / "site"
    site.mkdir(exist_ok=True)
    shutil.copy(PAGE / "icon.svg", site)
    for script in scripts("board.js"):
        (site / "js" / script).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PAGE / "js" / script, site / "js" / script)
    shutil.copy(ROOT / "scripts/doc_boards.js", site / "boards.js")
    shutil.copy(ROOT / "scripts/doc_site.css", site / "site.css")
    colours = re.search(r":root \{.*?\n\}", (PAGE / "css/base.css").read_text(), re.DOTALL)
    assert colours
    # The themes of the site choose between light and dark, and only boards take the page's own text colour.
    (site / "boards.css").write_text(
        colours[0].replace("color-scheme: light dark;", "") + "\n" + (PAGE / "css/board.css").read_text()
    )


def lead_to_play(html: str, play: str, up: str) -> str:
    """A page of the site with its links to the playable page, seen from its own folder."""
    return html.replace('href="app/"', f'href="{play if "//" in play else up + play}"')


def relink(text: str, page: Path) -> str:
    """The links of a page, to where the files are on the site."""
    up = "../" * len(page.parts[:-1])
    for name, there in BESIDE.items():
        text = re.sub(rf"\]\((?:\.\./)+{re.escape(name)}(#[^)]*)?\)", rf"]({up}{there}\1)", text)
        text = re.sub(rf"\]\({re.escape(name)}(#[^)]*)?\)", rf"]({up}{there}\1)", text)
    if str(page) in BESIDE.values():
        text = text.replace("](docs/", "](")
    return re.sub(r"(\]\([^)\s:]*)README\.md", r"\1index.md", text)


def scripts(first: str) -> Iterator[str]:
    """A script of the page and all that it imports."""
    found, left = {first}, [first]
    while left:
        script = left.pop()
        yield script
        for name in re.findall(r'^import .*?from "(\.{1,2}/[^"]+)"', (PAGE / "js" / script).read_text(), re.MULTILINE):
            other = (PAGE / "js" / script).parent.joinpath(name).resolve().relative_to(PAGE / "js").as_posix()
            if other not in found:
                found.add(other)
                left.append(other)


if __name__ == "__main__":
    main()
