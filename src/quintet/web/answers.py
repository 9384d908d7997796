"""Bodies in, answers out, and what the OpenAPI page says about both: all from the messages' own types."""

from typing import Any, TypeVar

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from quintet.web import messages
from quintet.web.limits import LARGEST_BODY
from quintet.web.refusal import Refused

REFERENCE = "#/components/schemas/{name}"
MEANINGS = {
    401: "A secret is needed: `Authorization: Bearer TOKEN`.",
    403: "The secret is of no seat here.",
    404: "There is no such thing.",
    409: "The match does not allow it now.",
    413: "The body is too large.",
    422: "The request cannot be understood; the line says why.",
    429: "Too many requests.",
    503: "Too busy, or the store does not answer.",
}
ALWAYS = (422, 429, 503)
PLAIN: dict[str, type[Response]] = {"application/json": JSONResponse, "text/plain": PlainTextResponse}
"""What the description takes an answer for that it is told nothing else about."""
KINDS: dict[str, type] = {"Problem": messages.Problem}
"""The types that the page describes, by name."""

Body = TypeVar("Body")


class Json(Response):
    """An answer as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Structs and plain data alike; text and bytes are JSON already."""
        if isinstance(content, str | bytes):
            return content.encode() if isinstance(content, str) else content
        return msgspec.json.encode(content)


async def read_bytes(request: Request) -> bytes:
    """A request's body, if it is not too large."""
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > LARGEST_BODY:
                raise Refused(413, f"A request has at most {LARGEST_BODY} bytes.")
    except ClientDisconnect:
        raise Refused(400, "The request was broken off.") from None
    return bytes(body)


async def read_body(request: Request, kind: type[Body]) -> Body:
    """A request's body, checked."""
    try:
        return msgspec.json.decode(await read_bytes(request) or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused(422, str(error)) from None


def reference(kind: Any) -> dict[str, Any]:
    """A type as the page names it."""
    if getattr(kind, "__origin__", None) is list:
        return {"type": "array", "items": reference(kind.__args__[0])}
    KINDS[kind.__name__] = kind
    return {"$ref": REFERENCE.format(name=kind.__name__)}


def said(
    kind: Any, *errors: int, body: type | None = None, status: int = 200, media: str = "application/json"
) -> dict[str, Any]:
    """What a route is declared with: its answer, its errors, its body."""
    schema = reference(kind) if kind is not str else {"type": "string"}
    responses: dict[int | str, Any] = {
        status: {
            "description": (kind.__doc__ or "").split("\n")[0] if kind is not str else "Text.",
            "content": {media: {"schema": schema}},
        }
    }
    if body is not None:
        errors = (*errors, 400, 413)
    for code in sorted({*errors, *ALWAYS}):
        problem = {"application/json": {"schema": reference(messages.Problem)}}
        responses[code] = {"description": MEANINGS.get(code, "The request was broken off."), "content": problem}
    extra: dict[str, Any] = {}
    if body is str:
        extra["requestBody"] = {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}
    elif body is not None:
        extra["requestBody"] = {"required": True, "content": {"application/json": {"schema": reference(body)}}}
    return {
        "status_code": status,
        "responses": responses,
        "openapi_extra": extra,
        "response_class": PLAIN.get(media, Response),
    }


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI page's data."""
    if not app.openapi_schema:
        page = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        _, components = msgspec.json.schema_components(KINDS.values(), ref_template=REFERENCE)
        page["components"] = {
            "schemas": components,
            "securitySchemes": {"seat": {"type": "http", "scheme": "bearer", "description": "The secret of a seat."}},
        }
        app.openapi_schema = page
    return app.openapi_schema
