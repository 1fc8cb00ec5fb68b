"""Events of the contract on the descriptor that was standard output."""

from __future__ import annotations

import json
import os
import platform
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from wirelab_sdk.answers import Answers
from wirelab_sdk.spec import CONTRACT

ERRORS_PER_CLASS = 100
"""The contract wants no more of one class; a lost server would fill the core's disk."""

# Half of the contract's 64 KiB a line: escaped control characters take six bytes each.
_LONGEST_TEXT = 5000


class EventStream:
    """One JSON object a line, in one write each."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._errors: Counter[str] = Counter()

    @classmethod
    def take_standard_output(cls) -> EventStream:
        """Keep standard output for events; everything else that is printed goes to stderr.

        A library or a child that prints would otherwise break the stream and fail the trial.
        """
        stream = cls(os.dup(1))
        os.set_inheritable(stream._fd, False)
        os.dup2(2, 1)
        return stream

    def emit(self, event: str, **fields: Any) -> None:
        """Write one event; fields that are None are left out."""
        line = {"event": event, **{key: v for key, v in fields.items() if v is not None}}
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except BrokenPipeError:
            return  # the core has gone; the end of standard input says so and ends this worker

    def ready(
        self,
        library: str,
        version: str,
        *,
        endpoint: str | None = None,
        facts: Mapping[str, Any] | None = None,
        capabilities: Sequence[str] = (),
    ) -> None:
        """Write ``ready``, with this interpreter as the runtime."""
        self.emit(
            "ready",
            contract=CONTRACT,
            monotonic_ns=time.monotonic_ns(),
            library={"name": library, "version": version},
            runtime={
                "name": platform.python_implementation(),
                "version": platform.python_version(),
            },
            endpoint=endpoint,
            facts=dict(facts or {}),
            capabilities=list(capabilities),
        )

    def done(self, records: int, answers: Answers, batches: int | None = None) -> None:
        """Write ``done``; the files are complete."""
        self.emit(
            "done",
            records=records,
            answers=answers.count,
            checksum=answers.checksum,
            batches=batches,
        )

    def error(self, class_name: str, status: str, message: str, **fields: Any) -> None:
        """Write an ``error`` event unless enough of its class have been written."""
        key = f"{fields.get('scope')}/{class_name}/{status}"
        self._errors[key] += 1
        if self._errors[key] > ERRORS_PER_CLASS:
            return
        self.emit(
            "error",
            **{"class": class_name[:_LONGEST_TEXT]},
            status=status[:_LONGEST_TEXT],
            message=message[:_LONGEST_TEXT],
            **fields,
        )
