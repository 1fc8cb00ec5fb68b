"""Original places in a manifest of what reading has put somewhere else."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.manifest.problems import Findings, Key


class Origins:
    """Keys of a suite in full, with the keys of the file that they come from."""

    def __init__(self) -> None:
        self._of: dict[Key, tuple[Key, str]] = {}

    def note(self, key: Key, written: Key, about: str) -> None:
        """``key`` comes from ``written``; ``about`` tells it from others that do."""
        self._of[key] = (written, about)

    def of(self, key: Key) -> tuple[Key, str]:
        """The key in the file, and what tells it from others that come from there."""
        for length in range(len(key), 0, -1):
            if key[:length] in self._of:
                written, about = self._of[key[:length]]
                return (*written, *key[length:]), about
        return key, ""

    def told(self, found: Findings) -> Iterator[tuple[Key, str]]:
        """The findings by the keys of the file, each of them once."""
        plain: dict[tuple[Key, str], None] = {}
        for key, message in found:
            written, about = self.of(key)
            if (written, message) not in plain:
                plain[(written, message)] = None
                yield written, f"{message} ({about})" if about else message
