"""A language for tests: every text in marks, accented, and a third longer, as other languages are."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from babel.messages.catalog import Catalog

import catalogues
from quintet import language

CODE = "de"
"""It takes the place of a real language."""
LONGER = 1 / 3
ACCENTED = str.maketrans("aeiounyAEIOUNY", "äëïöüñÿÄËÏÖÜÑŸ")


def pretend(text: str) -> str:
    """A text as it might be in another language, with the same names in braces and the same mark-up."""
    parts = re.split(r"(\{\w+\}|`[^`]*`)", text)
    accented = "".join(part if i % 2 else part.translate(ACCENTED) for i, part in enumerate(parts))
    more = "xö" * max(1, round(len(text) * LONGER / 2))
    spaced = " ".join(more[i : i + 8] for i in range(0, len(more), 8))
    return f"⟦{accented}{' ' if ' ' in text else ''}{spaced}⟧"


def pretend_catalogue() -> Catalog:
    """All texts of the code in this language."""
    made = Catalog(CODE)
    for message in catalogues.texts(catalogues.extract()):
        [*ids] = [message.id] if isinstance(message.id, str) else message.id
        made.add(
            message.id, pretend(ids[0]) if len(ids) == 1 else tuple(map(pretend, ids)), locations=message.locations
        )
    return made


@contextmanager
def pretending(folder: Path) -> Iterator[None]:
    """Meanwhile programs that are started speak this language: they find the package with other catalogues."""
    package = folder / "quintet"
    (package / "languages").mkdir(parents=True)
    for path in language.FOLDER.parent.iterdir():
        if path != language.FOLDER:
            (package / path.name).symlink_to(path)
    for path in language.FOLDER.iterdir():
        (package / "languages" / path.name).symlink_to(path)
    for path, data in catalogues.outputs(CODE, pretend_catalogue()).items():
        place = package / "languages" / path.name
        place.unlink()
        place.write_bytes(data)
    with patch.dict(os.environ, PYTHONPATH=os.pathsep.join([str(folder), *filter(None, sys.path)])):
        yield
