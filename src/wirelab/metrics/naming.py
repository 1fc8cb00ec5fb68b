"""What the dotted names of metrics are called in a report, and what they mean."""

from __future__ import annotations

import re

from wirelab.metrics.families import FAMILIES
from wirelab.words.translation import N_, Words

_STATISTICS = {
    "mean": N_("mean"),
    "max": N_("max"),
    "min": N_("min"),
    "total": N_("total"),
}


def describe(name: str, words: Words) -> tuple[str, str]:
    """Title and meaning of a metric; an unknown one keeps its name and has no meaning."""
    for family in FAMILIES:
        if match := family.pattern.fullmatch(name):
            fields = _fields(match, words)
            return words.gettext(family.title).format(**fields), words.gettext(family.meaning)
    return name, ""


def title(name: str, words: Words) -> str:
    """What a metric is called in a sentence or in the first column of a table."""
    return describe(name, words)[0]


def column_title(name: str, words: Words) -> str:
    """What a metric is called above a column, where the section has named the operation."""
    for family in FAMILIES:
        if match := family.pattern.fullmatch(name):
            return words.gettext(family.column).format(**_fields(match, words))
    return name


def short_title(name: str, words: Words) -> str:
    """What a metric is called above a column of the first screen: ``read p50``."""
    parts = name.split(".")
    if len(parts) == 3 and parts[1] == "latency":
        return f"{words.gettext(parts[0])} {parts[2]}"
    if len(parts) == 3 and parts[1] == "response":
        return f"{words.gettext(parts[0])} {column_title(name, words)}"
    return column_title(name, words)


def family_of(name: str) -> str:
    """Metrics of one family share their meaning: the name with operation and statistic out."""
    for family in FAMILIES:
        if family.pattern.fullmatch(name):
            return family.pattern.pattern
    return name


def _fields(match: re.Match[str], words: Words) -> dict[str, str]:
    fields = {key: value or "" for key, value in match.groupdict().items()}
    if operation_or_role := fields.get("op"):
        # The suite's catalogue may have a word for it.
        fields["op"] = words.gettext(operation_or_role)
    if statistic := _STATISTICS.get(fields.get("stat", "")):
        fields["stat"] = words.gettext(statistic)
    return fields
