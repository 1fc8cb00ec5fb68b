"""Problems of a manifest in plain words, from what the models refused."""

from __future__ import annotations

import datetime
import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from wirelab.manifest.expected import RULES, Expected
from wirelab.manifest.problems import Key
from wirelab.model.load import LOADS

_LONGEST_SHOWN = 40

_TAG = "type"
"""The key of a load that says which keys it has beside it."""

_RENAMED = {
    "by": "provider",
    "beside": "colocated_with",
    "fills": "provided_by",
    "programs": "services",
}
"""Keys that manifests had until these took their place."""

_OF_TAGS = ("union_tag_not_found", "union_tag_invalid")
_TYPES = ", ".join(json.dumps(name) for name in LOADS)


def refusals(error: ValidationError, data: Mapping[str, Any], expected: Expected) -> dict[Key, str]:
    """Collect the refusals: one message for each key, in the order the models met them."""
    messages: dict[Key, str] = {}
    for detail in error.errors(include_url=False):
        key = _key(detail, data)
        if detail["type"] not in ("extra_forbidden", "missing"):
            while key and not expected.at(key):
                key = key[:-1]
        messages.setdefault(key, _message(detail, key, data, expected))
    return messages


def _key(detail: ErrorDetails, data: Any) -> Key:
    """The path in the file: the models add names of their own where a value may be of many kinds.

    Those are left out; a key that is missing is not.
    """
    key: Key = ()
    for at, part in enumerate(detail["loc"], start=1):
        if _has(data, part):
            data = data[part]
            key = (*key, part)
        elif at == len(detail["loc"]) and detail["type"] == "missing":
            key = (*key, part)
    return (*key, _TAG) if detail["type"] in _OF_TAGS else key


def _has(data: Any, part: str | int) -> bool:
    if isinstance(data, list):
        return isinstance(part, int) and part < len(data)
    return isinstance(data, Mapping) and part in data


def _message(detail: ErrorDetails, key: Key, data: Any, expected: Expected) -> str:
    if detail["type"] == "extra_forbidden":
        return _unknown(str(key[-1]), expected.keys(key[:-1]))
    if detail["type"] == "union_tag_not_found":
        return f"missing, expected one of {_TYPES}"
    if detail["type"] == "union_tag_invalid":
        return f"expected one of {_TYPES}, found {_found(_value(data, key))}"
    if detail["type"] == "missing":
        return f"missing, expected {expected.at(key)}"
    if detail["loc"] and detail["loc"][-1] == "[key]":
        rule = detail["ctx"]
        if "pattern" in rule:
            return f"expected {RULES[rule['pattern']]}"
        return f"expected a name of at most {rule['max_length']} characters"
    wanted = expected.at(key)
    if detail["type"] == "greater_than" and "above" not in wanted:
        wanted += f", above {detail['ctx']['gt']}"
    if detail["type"] == "value_error" and "such as" not in wanted:
        return str(detail.get("ctx", {}).get("error", detail["msg"]))
    return f"expected {wanted}, found {_found(_value(data, key))}"


def _unknown(name: str, known: Sequence[str]) -> str:
    if _RENAMED.get(name) in known:
        return f'"{name}" is called "{_RENAMED[name]}" now'
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f'unknown key, did you mean "{near[0]}"?'
    return f"unknown key, known here: {', '.join(known)}"


def _value(data: Any, key: Key) -> Any:
    for part in key:
        data = data[part]
    return data


def _found(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            # Python refuses to print numbers of more than 4300 digits.
            return f"the number {value}" if abs(value) < 10**30 else "a very large number"
        case float():
            return f"the number {value}"
        case str():
            cut = value if len(value) <= _LONGEST_SHOWN else f"{value[:_LONGEST_SHOWN]}…"
            return f"the text {json.dumps(cut, ensure_ascii=False)}" if value else "an empty text"
        case list():
            return "a list" if value else "an empty list"
        case datetime.date() | datetime.time():
            return "a date or time"
    return "a table"
