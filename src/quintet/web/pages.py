"""The page's files, and a plain page about the API, generated from its OpenAPI description."""

import os
import re
from html import escape
from pathlib import Path

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from quintet.language import tr
from quintet.web.api_error import ApiError
from quintet.web.headers import EMBED
from quintet.web.previews import preview_tags
from quintet.web.responses import JsonObject

FOLDER = Path(__file__).parent / "page"
ROUTES = (
    "new",
    "match",
    "learn",
    "explore",
    "review",
    "puzzles",
    "daily",
    "rules",
    "history",
    "ladder",
    "progress",
    "tournament",
    "baseline",
)
"""The first words of the addresses that the page's script shows."""
TAGS = "<!-- preview -->"
"""Where the tags for the preview of an address stand in the page."""
DOCUMENTATION = '<a href="/documentation" data-tr>Documentation</a>'
"""The link to the documentation in the page, which is sent only where there is a copy of it."""
FRESH = {"cache-control": "no-cache"}
"""Check each time whether a file has changed: a short answer, and never an old script with a new server."""

NEEDLESS = re.compile(
    r"""
    (`(?:[^`\\]|\\.)*` | "(?:[^"\\\n]|\\.)*")  # A text stays as it is.
    | /\*\*(?:(?!\*/)[\s\S])*\*/[ \t]*         # What types are.
    | (?:^|[ \t])[ \t]*//.*$                  # Other comments.
    | ^[ \t]+                                 # The indentation.
    """,
    re.MULTILINE | re.VERBOSE,
)
"""What browsers do not need of a script, or a text in it. A test checks that every script means the same without."""
SENT: dict[Path, tuple[str, str]] = {}
"""The scripts as they were sent last, with their etags."""

router = APIRouter(include_in_schema=False)


def compact(script: str) -> str:
    """A script as browsers need it: a third of the page's scripts is for readers. Every line keeps its number."""
    return NEEDLESS.sub(lambda found: found[1] or "\n" * found[0].count("\n"), script)


def read_script(path: Path, etag: str) -> str:
    """A script as it is sent; it is read again only if its etag, made of its time and size, has changed."""
    if SENT.get(path, ("", ""))[0] != etag:
        SENT[path] = etag, compact(path.read_text("utf-8"))
    return SENT[path][1]


class Files(StaticFiles):
    """The page's files, each checked every time but sent only if it has changed."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file with its headers."""
        response = await super().get_response(path, scope)
        if isinstance(response, FileResponse) and path.endswith(".js"):
            headers = {name: response.headers[name] for name in ("etag", "last-modified")}
            script = read_script(Path(response.path), headers["etag"])
            response = Response(script, 200, headers, response.media_type)
        response.headers.update(FRESH)
        return response


def page(status: int = 200, tags: str = "") -> Response:
    """The page, whatever it shows, with tags for the preview of its address."""
    found = with_documentation(read_page("index.html"), os.environ.get("QUINTET_DOCUMENTATION", ""))
    return HTMLResponse(found.replace(TAGS, tags), status, FRESH)


def with_documentation(index: str, address: str) -> str:
    """The page with a link to the documentation at an address; without it if there is none."""
    link = DOCUMENTATION.replace("/documentation", escape(address)) if address else ""
    return index.replace(DOCUMENTATION, link)


def read_page(name: str) -> str:
    """The text of a page."""
    try:
        return (FOLDER / name).read_text("utf-8")
    except OSError:
        raise ApiError(404, tr("The page is not installed.")) from None


async def index(request: Request) -> Response:
    """The page at one of its own addresses."""
    return page(200, await preview_tags(request))


@router.get(EMBED)
async def embed(theme: str = "") -> Response:
    """A board for pages of other sites."""
    chosen = f' data-theme="{theme}"' if theme in ("light", "dark") else ""
    return HTMLResponse(read_page("embed.html").replace(" data-theme", chosen), headers=FRESH)


router.add_api_route("/", index)
for word in ROUTES:
    router.add_api_route(f"/{word}", index)
    router.add_api_route(f"/{word}/{{rest:path}}", index)


@router.get("/favicon.ico")
async def icon() -> Response:
    """The icon that browsers ask for with anything that is not a page, such as a record."""
    return FileResponse(FOLDER / "icon.svg", headers=FRESH)


@router.get("/docs")
async def docs(request: Request) -> HTMLResponse:
    """The API, for people."""
    return HTMLResponse(api_page(request.app.openapi()))


def api_page(description: JsonObject) -> str:
    """An OpenAPI description as HTML that needs no script."""
    parts = ["<h2>Routes</h2>"]
    for path, methods in description["paths"].items():
        for method, route in methods.items():
            parts.append(f"<section><h3><code>{method.upper()} {escape(path)}</code></h3>")
            parts.append(f"<p>{escape(route.get('description', ''))}</p>")
            if "requestBody" in route:
                [(media, body)] = route["requestBody"]["content"].items()
                parts.append(f"<p>Body: {escape(media)} {type_link(body.get('schema', {}))}</p>")
            fields = [
                f"<li><code>{escape(one['name'])}</code> {escape(one.get('description', ''))}</li>"
                for one in route.get("parameters", [])
            ]
            parts.append(f"<ul>{''.join(fields)}</ul>" if fields else "")
            for status, answer in route["responses"].items():
                content: JsonObject = next(iter(answer.get("content", {}).values()), {})
                shown = type_link(content.get("schema", {}))
                parts.append(f"<p><b>{status}</b> {escape(answer['description'])} {shown}</p>")
            parts.append("</section>")
    parts.append("<h2>Types</h2>")
    for name, schema in description["components"]["schemas"].items():
        parts.append(
            f'<section id="{escape(name)}"><h3>{escape(name)}</h3><p>{escape(schema.get("description", ""))}</p><ul>'
        )
        for field, kind in schema.get("properties", {}).items():
            about = escape(kind.get("description", ""))
            parts.append(f"<li><code>{escape(field)}</code> {type_link(kind)} {about}</li>")
        parts.append("</ul></section>")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Quintet: API</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="/static/css/base.css"></head><body><main class="routes"><h1>API</h1>'
        '<p class="lead">The web page uses this API. Machine-readable description: '
        '<a href="/openapi.json">openapi.json</a>. <a href="/">Back to the games</a></p>'
        f"{''.join(parts)}</main></body></html>"
    )


def type_link(schema: JsonObject) -> str:
    """A type in a few words, with a link where it has a name."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "items" in schema and isinstance(schema["items"], dict):
        return f"list of {type_link(schema['items'])}"
    if "anyOf" in schema:
        return " or ".join(type_link(one) for one in schema["anyOf"])
    return escape(str(schema.get("type", "")))
