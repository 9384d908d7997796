"""A language for tests: every text in marks, accented, and as long as it is in any language, or a third longer."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unicodedata import east_asian_width
from unittest.mock import patch

from babel.messages.catalog import Catalog

import catalogues
from quintet import language

CODE = "de"
"""It takes the place of a real language."""
LONGER = 4 / 3
LONG_WORD = 8
ACCENTED = str.maketrans("aeiounyAEIOUNY", "äëïöüñÿÄËÏÖÜÑŸ")


def pretend(text: str, translations: Sequence[str] = ()) -> str:
    """A text as it might be in another language, with the same names in braces and the same mark-up."""
    parts = re.split(r"(\{\w+\}|`[^`]*`)", text)
    accented = "".join(part if i % 2 else part.translate(ACCENTED) for i, part in enumerate(parts))
    missing = max(round(len(text) * LONGER), *map(width, translations), 0) - len(text)
    word = max([LONG_WORD, *(len(word) for one in translations for word in one.split() if width(word) == len(word))])
    more = "xö" * -(-missing // 2)
    return f"⟦{accented}{' '.join(more[i : i + word] for i in range(0, len(more), word))}⟧"


def width(text: str) -> int:
    """How wide a text is, in letters."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def pretend_catalogue() -> Catalog:
    """All texts of the code in this language."""
    made = Catalog(CODE)
    real = [catalogues.read(code) for code in catalogues.translated()]
    for message in catalogues.texts(catalogues.extract()):
        found = [catalogues.forms(entry) for one in real if (entry := one.get(message.id))]
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        forms = [pretend(id, [one for forms in found for one in forms]) for id in ids]
        made.add(message.id, forms[0] if len(forms) == 1 else tuple(forms), locations=message.locations)
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
