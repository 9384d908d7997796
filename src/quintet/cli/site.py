"""The command that writes the page as static files: `site`."""

from pathlib import Path
from typing import Annotated

import typer

from quintet.cli.common import WEB, Usage, require


def site(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write to.")],
    pyodide: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Take Pyodide from FOLDER (the unpacked npm package and msgspec's wheel) instead of downloading it.",
        ),
    ] = None,
    server: Annotated[
        str,
        typer.Option(metavar="URL", help="A Quintet server on which friends can play by link, such as https://HOST."),
    ] = "",
    documentation: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="QUINTET_DOCUMENTATION",
            help="Link to a copy of the documentation, absolute or relative to DIR.",
            show_envvar=False,
        ),
    ] = "",
) -> None:
    """Write the web page as static files that play without a server.

    Any static host can serve it, from any folder. To try it here: python -m http.server --directory DIR
    """
    require("the site", "web", *WEB)
    if server and not server.startswith(("http://", "https://")):
        raise Usage("--server must be the URL of a server, such as https://HOST")
    from quintet.site.build import write_site
    from quintet.site.pyodide import load_pyodide

    files = write_site(folder, load_pyodide(pyodide), server, documentation)
    size = sum(map(len, files.values()))
    print(f"Wrote {len(files)} files ({size / 1e6:.1f} MB) to {folder}.")
    print(f"Try it: python -m http.server --directory {folder}")
