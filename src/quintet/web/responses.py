"""Request bodies, responses, and the OpenAPI description of both, generated from the messages' own types."""

from typing import Any, TypeAlias, TypedDict, TypeVar, get_args, get_origin

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from quintet.language import tr
from quintet.web import messages
from quintet.web.api_error import ApiError
from quintet.web.limits import LARGEST_BODY

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object in an OpenAPI description, whose form is OpenAPI's."""
REFERENCE = "#/components/schemas/{name}"
MEANINGS = {
    400: "The request was aborted.",
    401: "A token is required: `Authorization: Bearer TOKEN`.",
    403: "The token is not valid for a seat at this table, or the request comes from a page of another site.",
    404: "Not found.",
    409: "The match does not allow this now.",
    413: "The body is too large.",
    415: "The body is not of the type `application/json`.",
    421: "The server does not answer to this host name.",
    422: "The request is invalid; the error says why.",
    429: "Too many requests.",
    503: "The server is busy, or the database is not responding.",
}
ALWAYS = (421, 422, 429, 503)
DEFAULT_CLASSES: dict[str, type[Response]] = {"application/json": JSONResponse, "text/plain": PlainTextResponse}
"""The response class that gives each media type in the description."""
SCHEMAS: dict[str, type] = {"Problem": messages.Problem}
"""The types in the description, by name."""

Body = TypeVar("Body")


class RouteOptions(TypedDict):
    """The keyword arguments that a route is declared with."""

    status_code: int
    responses: dict[int | str, JsonObject]
    openapi_extra: JsonObject
    response_class: type[Response]


class Json(Response):
    """A response as JSON."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """Structs and plain data; bytes are JSON already."""
        return content if isinstance(content, bytes) else msgspec.json.encode(content)


def bearer_token(request: Request) -> str:
    """The token in a request's `Authorization: Bearer TOKEN`; empty if there is none."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" else ""


async def read_bytes(request: Request) -> bytes:
    """A request's body, unless it is too large."""
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > LARGEST_BODY:
                raise ApiError(413, tr("The body of a request can have at most {most} bytes.", most=LARGEST_BODY))
    except ClientDisconnect:
        raise ApiError(400, tr("The request was aborted.")) from None
    return bytes(body)


async def read_body(request: Request, kind: type[Body]) -> Body:
    """A request's body, validated. Its type must be named: a page of another site cannot do that unnoticed."""
    body = await read_bytes(request)
    if body and request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise ApiError(415, tr("Send the body as JSON, with the header Content-Type: application/json."))
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ApiError(422, str(error)) from None


def schema_of(kind: type) -> JsonObject:
    """The schema of a type, as a reference to its name."""
    if kind is str:
        return {"type": "string"}
    if kind is bytes:
        return {"type": "string", "format": "binary"}
    if get_origin(kind) is list:
        return {"type": "array", "items": schema_of(get_args(kind)[0])}
    if get_origin(kind) is dict:
        return msgspec.json.schema(kind)
    SCHEMAS[kind.__name__] = kind
    return {"$ref": REFERENCE.format(name=kind.__name__)}


def description_of(kind: type) -> str:
    """What the description says about a response."""
    if get_origin(kind) in (list, dict):
        return "A list." if get_origin(kind) is list else "An object."
    if kind is bytes:
        return "A picture."
    return "Text." if kind is str else (kind.__doc__ or "").split("\n")[0]


def returns(
    kind: type, *errors: int, body: type | None = None, status: int = 200, media: str = "application/json"
) -> RouteOptions:
    """The options of a route: what it returns, its errors, its body."""
    responses: dict[int | str, JsonObject] = {
        status: {"description": description_of(kind), "content": {media: {"schema": schema_of(kind)}}}
    }
    if body is not None:
        errors = (*errors, 400, 403, 413, *(() if body is str else (415,)))
    for code in sorted({*errors, *ALWAYS}):
        problem = {"application/json": {"schema": schema_of(messages.Problem)}}
        responses[code] = {"description": MEANINGS[code], "content": problem}
    extra: JsonObject = {}
    if body is not None:
        form = "text/plain" if body is str else "application/json"
        extra["requestBody"] = {"required": True, "content": {form: {"schema": schema_of(body)}}}
    return {
        "status_code": status,
        "responses": responses,
        "openapi_extra": extra,
        "response_class": DEFAULT_CLASSES.get(media, Response),
    }


class Service(FastAPI):
    """A FastAPI application that describes the messages' own types."""

    def openapi(self) -> JsonObject:
        """The OpenAPI description."""
        if not self.openapi_schema:
            page = get_openapi(title=self.title, version=self.version, description=self.description, routes=self.routes)
            _, components = msgspec.json.schema_components(SCHEMAS.values(), ref_template=REFERENCE)
            token = {"type": "http", "scheme": "bearer", "description": "The token of a seat."}
            operator = {**token, "description": "The token of the server's operator."}
            page["components"] = {"schemas": components, "securitySchemes": {"seat": token, "operator": operator}}
            self.openapi_schema = page
        return self.openapi_schema
