"""The security headers of every answer."""

EMBED = "/embed"
"""The only page that pages of other sites may show in a frame: it changes nothing and needs no cookies."""
POLICY = (
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors {}; "
    "object-src 'none'"
)
ALWAYS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
HEADERS = [
    (b"content-security-policy", POLICY.format("'none'").encode()),
    (b"x-frame-options", b"DENY"),
    *ALWAYS,
]
EMBED_HEADERS = [(b"content-security-policy", POLICY.format("*").encode()), *ALWAYS]


def headers_of(path: str) -> list[tuple[bytes, bytes]]:
    """The headers of an answer to a request for this path."""
    return EMBED_HEADERS if path == EMBED else HEADERS
