"""A line of a worker's standard output, and the event that it must be."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from wirelab.model.events import MAX_LINE, MAX_OUTPUT, Event, event_of
from wirelab.samples import foreign_json
from wirelab.trial.failure import TrialError
from wirelab.words.printable import all_printable


def event_in(line: bytes, total: int, role: str) -> tuple[Any, Event]:
    """The line decoded, and the event as it may be shown; TrialError where it is none.

    ``total`` is how much ``role`` has written, this line included.
    """
    if len(line) > MAX_LINE or total > MAX_OUTPUT:
        raise TrialError(
            "flooded-output",
            f"wrote a line over {MAX_LINE} bytes or more than {MAX_OUTPUT} bytes in all "
            "to standard output",
            role,
        )
    try:
        decoded = foreign_json.parsed(line)
        event = event_of.validate_python(_shown(decoded))
    except ValueError as error:
        problem = _in_short(error)
        shown = line[:120].decode(errors="replace").rstrip()
        raise TrialError(
            "garbage-output", f"standard output is no event ({problem}): {shown!r}", role
        ) from None
    return decoded, event


def _shown(decoded: Any) -> Any:
    """An event as it may be shown; what it tells other workers is theirs to read as it is."""
    shown = all_printable(decoded)
    if isinstance(decoded, dict) and "facts" in decoded:
        return {**shown, "facts": decoded["facts"]}
    return shown


def _in_short(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return f"{where}: {first['msg']}" if where else first["msg"]
    return str(error)
