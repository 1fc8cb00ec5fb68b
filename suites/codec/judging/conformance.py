"""Reading what others wrote, and what nobody should have written: facts for a table, no faults.

What a library accepts is its own decision, so nothing here makes a contender wrong, except that it
cannot read what a contender of its own format has written from a correct value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .pools import difference, pool
from .shown import shown

Json = Mapping[str, Any]


def remarks_of(step: str, answers: Iterable[Json]) -> dict[str, Any]:
    """``read``: by encoder, how many instances came over and what went wrong first;
    ``truncate``: which shorter inputs were accepted; ``reject``: by vector, what came of it."""
    read: dict[str, dict[str, Any]] = {}
    told: dict[str, Any] = {}
    rejected: dict[str, Any] = {}
    for answer in answers:
        name = answer["operation"]
        if name == "read":
            row = read.setdefault(answer["from"], {"same": 0, "of": 0, "first": ""})
            row["of"] += 1
            problem = _problem(step, answer)
            row["same"] += not problem
            row["first"] = row["first"] or problem
        elif name == "truncate":
            told["truncate"] = dict(answer.get("answer", {"error": answer.get("error")}))
        elif name == "reject":
            rejected[answer["vector"]] = _outcome(answer)
    if read:
        told["read"] = read
    if rejected:
        told["reject"] = rejected
    return told


def unread(remarks: Json) -> list[str]:
    """Encoders of the own format that could not be read."""
    return [
        f"read from {encoder}: {row['first']}"
        for encoder, row in remarks.get("read", {}).items()
        if row["first"]
    ]


def _problem(step: str, answer: Json) -> str:
    if "error" in answer:
        return f"{answer['error']['class']}: {answer['error']['message']}"
    return difference(answer["answer"]["value"], pool(step)[answer["tick"]])


def _outcome(answer: Json) -> dict[str, Any]:
    kept = {k: answer[k] for k in ("allocated_bytes",) if k in answer}
    if "error" in answer:
        return {"outcome": "rejected", "as": answer["error"]["class"], **kept}
    words = shown(answer["vector"], answer["answer"]["value"])
    return {"outcome": "accepted", "shown": words, **kept}
