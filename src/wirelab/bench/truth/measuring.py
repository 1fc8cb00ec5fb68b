"""Measuring a part: piece by piece, each kept as soon as it is finished."""

from __future__ import annotations

import datetime
import math
import time
from dataclasses import replace

import wirelab
from wirelab.bench.truth import agreement, alike, alike_simulated, coverage, known, power, rows
from wirelab.bench.truth.part import MeasuredPiece, TruthPart, TruthPlaces
from wirelab.bench.truth.rows import Entry, RowOrigin
from wirelab.doctor.machine import facts
from wirelab.model.known_name import known_name
from wirelab.run.revision import revision

PARTS: dict[str, TruthPart] = {
    part.name: part
    for part in (
        known.PART,
        alike_simulated.PART,
        alike.PART,
        power.PART,
        agreement.PART,
        coverage.PART,
    )
}
"""In the order of the page."""


def part_of(name: str) -> TruthPart:
    """The part of that name; UnknownNameError for another one."""
    return PARTS[known_name("part", name, PARTS)]


def measure_part(
    part: TruthPart, where: TruthPlaces, *, resume: bool, at_most: float = math.inf
) -> int:
    """Measure what is left of a part, and keep the rows of each piece; how many are left then.

    ``resume`` goes on with the latest attempt, in its order and with its seed. No piece is begun
    that is expected to end after ``at_most`` minutes. Raises InterruptedRun after Ctrl-C, and
    BenchError for what cannot be measured.
    """
    pieces = part.pieces(where.profile)
    done = rows.read(where.kept, part.name).finished_of_the_last(where.profile) if resume else []
    begun = done[0].made.begun if done else _now()
    commit = revision(where.repository)
    if done:
        where = replace(where, seed=done[0].made.seed)
    finished = {entry.piece for entry in done}
    left = [piece for piece in pieces if piece.name not in finished]
    where.say(_announced(part, left, len(pieces)))
    began = time.monotonic()
    for number, piece in enumerate(left, start=1):
        if (time.monotonic() - began) / 60 + piece.minutes > at_most:
            return len(left) - number + 1
        where.say(f"[{number}/{len(left)}] {piece.name}, about {_minutes(piece.minutes)}")
        _measure(piece, part, where, begun, commit)
    return 0


def _measure(
    piece: MeasuredPiece, part: TruthPart, where: TruthPlaces, begun: str, commit: str
) -> None:
    began = time.monotonic()
    found = piece.measure(where)
    made = _made(where, begun, commit, (time.monotonic() - began) / 60)
    kept = rows.read(where.kept, part.name)
    rows.write(where.kept, kept.with_entry(Entry(piece=piece.name, made=made, rows=found)))


def _announced(part: TruthPart, left: list[MeasuredPiece], pieces: int) -> str:
    minutes = _minutes(sum(piece.minutes for piece in left))
    quiet = "" if part.is_simulated else "; let the machine do nothing else meanwhile"
    return f"{part.title}: {len(left)} of {pieces} pieces, about {minutes}{quiet}"


def _minutes(minutes: float) -> str:
    return f"{minutes:.0f} min" if minutes >= 1 else "less than a minute"


def _made(where: TruthPlaces, begun: str, commit: str, minutes: float) -> RowOrigin:
    host = facts()
    return RowOrigin(
        date=begun[:10],
        commit=commit,
        wirelab=wirelab.__version__,
        processor=str(host["cpu"]),
        virtualisation=str(host["virtualisation"] or ""),
        kernel=str(host["kernel"]),
        cores=int(str(host["cpus"])),
        profile=where.profile,
        seed=where.seed,
        begun=begun,
        minutes=round(minutes, 2),
    )


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
