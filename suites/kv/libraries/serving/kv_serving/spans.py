"""Spans of a request's time, told to the client by the header ``Server-Timing``."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

# https://www.w3.org/TR/server-timing/: durations are in milliseconds.
_NS_IN_MS = 1e6


class RequestSpans:
    """Spans of one request, in nanoseconds."""

    def __init__(self, begun_ns: int) -> None:
        self._begun_ns = begun_ns
        self.spans: dict[str, int] = {}
        self.answered_by = ""
        """The client that answered, where several share a process: the name of its own time."""

    @contextmanager
    def span(self, name: str) -> Iterator[None]:
        """Account the time inside to ``name``."""
        begun = time.monotonic_ns()
        yield
        self.spans[name] = time.monotonic_ns() - begun

    def add(self, spans: Mapping[str, int]) -> None:
        """Spans that were measured elsewhere; those that did not happen are left out."""
        self.spans.update({name: ns for name, ns in spans.items() if ns})

    def end(self) -> None:
        """The response is ready."""
        self.spans["total"] = time.monotonic_ns() - self._begun_ns
        if self.answered_by:
            self.spans[self.answered_by] = self.spans["total"]

    @property
    def is_told(self) -> bool:
        """Whether the response has them."""
        return True

    def header(self) -> str:
        """The value of ``Server-Timing``."""
        return ", ".join(f"{name};dur={ns / _NS_IN_MS:.6f}" for name, ns in self.spans.items())


class UntimedTimeline(RequestSpans):
    """Timeline of an application that looks at no clock and tells nothing: the difference is the
    cost of telling.
    """

    @contextmanager
    def span(self, name: str) -> Iterator[None]:  # noqa: ARG002
        """Account nothing."""
        yield

    def add(self, spans: Mapping[str, int]) -> None:
        """Not kept."""

    def end(self) -> None:
        """Not noted."""

    @property
    def is_told(self) -> bool:
        """Never."""
        return False
