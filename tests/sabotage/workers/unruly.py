"""Workers that live or talk wrongly, each the honest worker with one step replaced."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from reference import Reference

SLEEPER = [sys.executable, "-c", "import time; time.sleep(300)"]


# ------------------------------------------------------------------------------- its life
class NeverReady(Reference):
    """Connects and then says nothing."""

    def say_ready(self, **_fields: Any) -> None:
        time.sleep(300)


class Hangs(Reference):
    """Stops in the middle of its schedule, deaf to everything."""

    def ticks(self, start_ns: int) -> Iterator[tuple[int, int]]:
        yield from itertools.islice(super().ticks(start_ns), 5)
        time.sleep(300)


class ExitsWithError(Reference):
    """Dies in the middle of its schedule with words on standard error."""

    def ticks(self, start_ns: int) -> Iterator[tuple[int, int]]:
        yield from itertools.islice(super().ticks(start_ns), 5)
        print("the frobnicator is out of beans", file=sys.stderr)
        sys.exit(3)


class ExitsEarly(Reference):
    """Leaves with 0 and without ``done`` in the middle of its schedule."""

    def ticks(self, start_ns: int) -> Iterator[tuple[int, int]]:
        yield from itertools.islice(super().ticks(start_ns), 5)
        sys.exit(0)


class FailsAfterDone(Reference):
    """Says ``done`` and then exits with 4."""

    def finish(self) -> None:
        super().finish()
        sys.exit(4)


class IgnoresStop(Reference):
    """Goes on when told to stop, and has no end of its own."""

    def command(self, timeout_s: float | None) -> dict[str, Any] | None:
        command = super().command(0 if timeout_s == 0 else timeout_s)
        if command is not None and command["command"] == "stop":
            time.sleep(300)
        return command

    def finish(self) -> None:
        super().finish()
        time.sleep(300)


class LeavesChild(Reference):
    """Leaves a child running in its process group."""

    def finish(self) -> None:
        subprocess.Popen(SLEEPER, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        super().finish()


class LeavesGrandchild(Reference):
    """Leaves a grandchild in a session of its own."""

    environment: dict[str, str] | None = None

    def finish(self) -> None:
        if os.fork() == 0:
            subprocess.Popen(
                SLEEPER,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env=self.environment,
            )
            os._exit(0)
        os.wait()
        super().finish()


class ClearsEnvironment(LeavesGrandchild):
    """Leaves a grandchild in a session of its own, which has forgotten its trial."""

    environment: dict[str, str] | None = {}  # noqa: RUF012


# ---------------------------------------------------------------------------- what it says
class SpeaksVersion1(Reference):
    """Says that it speaks the contract before this one."""

    contract = 1


class Garbage(Reference):
    """Prints what is no event."""

    def say_ready(self, **fields: Any) -> None:
        print("Loading driver v2.3 ... ok", flush=True)
        super().say_ready(**fields)


class LongLine(Reference):
    """Prints a line of a megabyte."""

    def say_ready(self, **fields: Any) -> None:
        super().say_ready(**fields)
        print("x" * 1_000_000, flush=True)


class Floods(Reference):
    """Prints events without end while it measures."""

    def ticks(self, start_ns: int) -> Iterator[tuple[int, int]]:
        words = "y" * 60_000
        for tick in super().ticks(start_ns):
            for _ in range(30):
                self.emit("error", **{"class": "Flood"}, status="", message=words, scope="call")
            yield tick
