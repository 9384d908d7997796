"""The ids of matches, and names as they are stored."""

import hashlib
import secrets
from collections.abc import Iterator
from itertools import count

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""The characters of ids: none that look alike."""
PRIVATE_ID = 6
"""Characters of the id of a private match: it is typed, and nobody else is asked for it."""
ONLINE_ID = 16
"""Characters of the id of an online match, 79 random bits: it is the link, which cannot be guessed."""


def one_line(name: str) -> str:
    """A name as one line that every database and every record can hold."""
    return " ".join(name.encode(errors="replace").decode().replace("\0", " ").split())


def random_ids(length: int) -> Iterator[str]:
    """Random ids."""
    while True:
        yield "".join(secrets.choice(ALPHABET) for _ in range(length))


def derived_ids(text: str, length: int) -> Iterator[str]:
    """Ids derived from a text, always the same."""
    digests = (hashlib.sha256(f"{attempt} {text}".encode(errors="replace")).digest() for attempt in count())
    return ("".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:length]) for digest in digests)
