"""The security headers of every answer."""

EMBED = "/embed"
"""The only page that pages of other sites may show in a frame: it changes nothing and needs no storage."""
HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        b"object-src 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
EMBED_HEADERS = [
    (name, value.replace(b"frame-ancestors 'none'", b"frame-ancestors *"))
    for name, value in HEADERS
    if name != b"x-frame-options"
]


def headers_of(path: str) -> list[tuple[bytes, bytes]]:
    """The headers of an answer to a request for this path."""
    return EMBED_HEADERS if path == EMBED else HEADERS
