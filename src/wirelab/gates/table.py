"""The table of all gates in ``docs/why-is-my-cell-invalid.md``, written from the catalogue.

``python -m wirelab.gates.table`` writes it anew; the prose around it is left as it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wirelab.gates.catalogue import every_gate
from wirelab.gates.gate import Gate
from wirelab.model.result import Verdict

PAGE = Path(__file__).resolve().parents[3] / "docs" / "why-is-my-cell-invalid.md"

BEGIN = "<!-- Written by python -m wirelab.gates.table from src/wirelab/gates: begin -->\n"
END = "<!-- end -->\n"

_HEAD = """\
| check | what it looks at | when it speaks | which figures | against whom | what helps |
|---|---|---|---|---|---|
"""

_VERDICTS = {Verdict.VALID: "a remark", Verdict.WARN: "warn", Verdict.INVALID: "**invalid**"}


def table() -> str:
    """All gates in their order, a row each."""
    return _HEAD + "".join(map(_row, every_gate()))


def _row(gate: Gate[Any]) -> str:
    spoken = [
        f"{name}: {gate.verdicts[verdict]}"
        for verdict, name in _VERDICTS.items()
        if verdict in gate.verdicts
    ]
    against = ", ".join(blame.value for blame in gate.blames) or "nobody"
    cells = (
        f"`{gate.code}`<br>{gate.title}",
        gate.looks_at,
        "<br>".join(spoken),
        gate.concerns.value,
        against,
        gate.remedy,
    )
    return f"| {' | '.join(cells)} |\n"


def with_table(page: str) -> str:
    """The page with its table as the catalogue has it; raises ValueError where it has no place."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"no place for the table: {BEGIN.strip()} … {END.strip()}")
    return f"{before}{begin}{table()}{end}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")
