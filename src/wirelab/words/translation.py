"""Texts of the report in its languages: gettext catalogues read from ``.po`` files.

English is what stands in the code. A suite brings a catalogue of its own, looked at first.
Only ``.po`` files are kept: Babel reads them at run time, so nothing has to be compiled. They are
written by hand; a test names every text that has no translation, and every translation left over.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

LANGUAGES = ("en", "ko")
LOCALE = Path(__file__).parent / "locale"


class UnknownLanguageError(Exception):
    """A language no report is written in."""


def N_(message: str) -> str:  # noqa: N802 - the name gettext tools look for
    """Mark a text for the catalogue where it is not yet shown."""
    return message


def read_catalogue(path: Path) -> Catalog:
    """The catalogue in a ``.po`` file, which is read again only where it has changed."""
    stat = path.stat()
    return _read(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=16)
def _read(path: Path, _modified_ns: int, _size: int) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


class Words:
    """Texts in one language."""

    def __init__(self, language: str, catalogues: Sequence[Catalog] = ()) -> None:
        self.language = language
        self._catalogues = catalogues

    def gettext(self, message: str) -> str:
        """``message`` in the language; itself where there is no translation."""
        for catalogue in self._catalogues:
            found = catalogue.get(message)
            if found is not None and found.string and not found.fuzzy:
                return str(found.string)
        return message

    def called(self, name: str) -> str:
        """A name of a manifest in words: its translation, or the name with its words apart."""
        found = self.gettext(name)
        return found if found != name else name.replace("_", " ")

    def ngettext(self, singular: str, plural: str, count: int) -> str:
        """The form for ``count``; Korean has one for all."""
        for catalogue in self._catalogues:
            found = catalogue.get(singular)
            if found is not None and found.string and not found.fuzzy:
                forms = (found.string,) if isinstance(found.string, str) else found.string
                return str(forms[-1] if count != 1 and forms[-1] else forms[0])
        return singular if count == 1 else plural


def words(language: str, suite_locale: Path | None = None) -> Words:
    """Texts in ``language``; raises UnknownLanguageError for one that is not written."""
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise UnknownLanguageError(f"no report is written in {language!r}; languages: {known}")
    if language == "en":
        return Words(language)
    folders = [folder for folder in (suite_locale, LOCALE) if folder is not None]
    files = [folder / f"{language}.po" for folder in folders]
    return Words(language, [read_catalogue(file) for file in files if file.is_file()])
