"""Names of metrics in a report, and their meaning."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from wirelab.metrics.catalogue import CORE, Catalogue
from wirelab.metrics.definition import Named
from wirelab.model.units import Text
from wirelab.words.translation import N_, Words

_STATISTICS = {"mean": N_("mean"), "max": N_("max"), "total": N_("total")}


@dataclass(frozen=True)
class Naming:
    """Names of metrics in one language. ``roles`` are those of the run."""

    words: Words
    catalogue: Catalogue = CORE
    roles: Collection[str] = ()

    def title(self, key: str) -> str:
        """The name of a metric in a sentence or in the first column of a table; an unknown one
        keeps its key."""
        named = self._named(key)
        return self._filled(named.definition.title, named) if named else key

    def column_title(self, key: str) -> str:
        """The name of a metric above a column, where the section has named the operation."""
        named = self._named(key)
        return self._filled(named.definition.column, named) if named else key

    def short_title(self, key: str) -> str:
        """The name of a metric above a column of the first screen: ``read p50``."""
        parts = key.split(".")
        if len(parts) == 3 and parts[1] == "latency":
            return f"{self.words.called(parts[0])} {self._statistic(parts[2])}"
        if len(parts) == 3 and parts[1] == "response":
            return f"{self.words.called(parts[0])} {self.column_title(key)}"
        return self.column_title(key)

    def meaning(self, key: str) -> str:
        """The meaning of a metric; empty for an unknown one."""
        named = self._named(key)
        return self._said(named.definition.meaning) if named else ""

    def pattern_of(self, key: str) -> str:
        """The pattern of a key: metrics of one pattern share their meaning."""
        named = self._named(key)
        return str(named.definition.key) if named else key

    def _named(self, key: str) -> Named | None:
        return self.catalogue.named(key, self.roles)

    def _filled(self, text: str | Text, named: Named) -> str:
        if isinstance(text, Text):
            return text.of(self.words.language)
        return self.words.gettext(text).format(
            # The suite's catalogue may have a word for it.
            op=self.words.called(named.subject) if named.subject else "",
            kind=self.words.called(named.kind) if named.kind else "",
            stat=self._statistic(named.level),
        )

    def _statistic(self, level: str) -> str:
        found = _STATISTICS.get(level)
        return self.words.gettext(found) if found else level

    def _said(self, text: str | Text) -> str:
        return text.of(self.words.language) if isinstance(text, Text) else self.words.gettext(text)
