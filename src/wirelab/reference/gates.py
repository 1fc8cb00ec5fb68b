"""The table of all gates, written from the catalogue; the prose around it is left as it is."""

from __future__ import annotations

from typing import Any

from wirelab.gates.catalogue import every_gate
from wirelab.gates.gate import Gate
from wirelab.model.result import Verdict
from wirelab.reference.page import FOLDER, rows

PAGE = FOLDER / "why-is-my-cell-invalid.md"

BEGIN = "<!-- Written by python -m wirelab.reference from src/wirelab/gates: begin -->\n"
END = "<!-- end -->\n"

_HEAD = (
    "check",
    "what it looks at",
    "when it speaks",
    "which figures",
    "against whom",
    "what helps",
)

_VERDICTS = {Verdict.VALID: "a remark", Verdict.WARN: "warn", Verdict.INVALID: "**invalid**"}


def table() -> str:
    """All gates in their order, a row each."""
    return rows(_HEAD, map(_row, every_gate()))


def _row(gate: Gate[Any]) -> tuple[str, ...]:
    spoken = [
        f"{name}: {gate.verdicts[verdict]}"
        for verdict, name in _VERDICTS.items()
        if verdict in gate.verdicts
    ]
    return (
        f"`{gate.code}`\n{gate.title}",
        gate.looks_at,
        "\n".join(spoken),
        gate.concerns.value,
        ", ".join(blame.value for blame in gate.blames) or "nobody",
        gate.remedy,
    )


def with_table(page: str) -> str:
    """The page with its table as the catalogue has it; raises ValueError where it has no place."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"no place for the table: {BEGIN.strip()} … {END.strip()}")
    return f"{before}{begin}{table()}{end}{after}"
