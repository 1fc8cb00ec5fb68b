"""The page ``truth.md``: every part with its table, as far as it was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from wirelab.bench.truth import rows
from wirelab.bench.truth.part import TruthPart
from wirelab.bench.truth.rows import Entry, RowOrigin
from wirelab.bench.truth.tables import table
from wirelab.samples.replacing import replacing

PAGE = "truth.md"

_OPENING = """\
# How well does wirelab measure?

What is known beforehand is found again, what is equal is not told apart, what differs is. Each
part is measured by itself:

    ./wl bench truth                  the parts, what each takes, and this page written anew
    ./wl bench truth PART             measures a part; --resume goes on after an interruption,
                                      --at-most MINUTES stops in time between two pieces

Rows are data, in `truth/PART.json` beside this page. Parts may come from different days and
machines; below each stands where it was measured. Let the machine do nothing else while a part is
measured, but for what the part itself adds."""

_NOTHING = "Not measured yet: `./wl bench truth {name}`."
_MACHINE = ("date", "commit", "processor", "kernel", "cores", "profile", "seed", "minutes")


def write_page(out: Path, parts: Iterable[TruthPart]) -> Path:
    """Render the page from the rows below ``out``; where it is."""
    lines = [_OPENING]
    for part in parts:
        entries = rows.read(out, part.name).entries
        lines += ["", f"## {part.title} (`{part.name}`)", part.told, "", *_found(part, entries)]
    path = out / PAGE
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        file.write(("\n".join(lines) + "\n").encode())
    return path


def _found(part: TruthPart, entries: Sequence[Entry]) -> list[str]:
    if not entries:
        return [_NOTHING.format(name=part.name)]
    return [*part.table(entries), "", *_measured_on(entries)]


def _measured_on(entries: Sequence[Entry]) -> list[str]:
    """Once of all rows of one attempt on one machine."""
    together: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        together.setdefault(_conditions(entry.made), []).append(entry)
    lines = [
        [*conditions, f"{sum(one.made.minutes for one in own):.0f}"]
        for conditions, own in together.items()
    ]
    return table(_MACHINE, lines)


def _conditions(made: RowOrigin) -> tuple[str, ...]:
    virtual = f" ({made.virtualisation})" if made.virtualisation else ""
    return (
        *(made.date, made.commit or f"wirelab {made.wirelab}", made.processor + virtual),
        *(f"Linux {made.kernel}", str(made.cores), made.profile, str(made.seed)),
    )
