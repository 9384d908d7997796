"""The service's messages as TypeScript declarations, from their own schemas, for the type checker of the page."""

from typing import Any

import msgspec

from quintet.web import (
    baseline_routes,
    match_routes,
    operator,
    progress_routes,
    responses,
    study_routes,
    tournament_routes,
)
from quintet.web.socket_messages import Move, Rematch, Resign, Undo

SOCKET = (Move, Resign, Undo, Rematch)
"""What the page sends over a socket; everything else is described by the routes."""
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def declarations() -> str:
    """All messages in the namespace `Api`."""
    # Importing them registers the messages of their routes.
    routes = (match_routes, study_routes, operator, progress_routes, tournament_routes, baseline_routes)
    assert all(one.router for one in routes)
    _, schemas = msgspec.json.schema_components([*responses.SCHEMAS.values(), *SOCKET], ref_template="{name}")
    types = [f"  type {name} = {type_of(schema)};" for name, schema in sorted(schemas.items())]
    return "\n".join(["declare namespace Api {", *types, "}", ""])


def type_of(schema: dict[str, Any]) -> str:
    """A JSON schema as a TypeScript type."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "anyOf" in schema:
        return " | ".join(type_of(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(msgspec.json.encode(value).decode() for value in schema["enum"])
    match schema.get("type"):
        case "object":
            return object_type(schema)
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(type_of(item) for item in schema['prefixItems'])}]"
        case "array":
            return f"Array<{type_of(schema.get('items') or {})}>"
        case str(kind):
            return PLAIN[kind]
    return "unknown"


def object_type(schema: dict[str, Any]) -> str:
    """A struct, or a dictionary of values of one type."""
    if "properties" not in schema:
        return f"Record<string, {type_of(schema.get('additionalProperties') or {})}>"
    required = schema.get("required", ())
    fields = [
        f'"{name}"{"" if name in required else "?"}: {type_of(kind)}' for name, kind in schema["properties"].items()
    ]
    return f"{{ {'; '.join(fields)} }}"
