"""The failure of a build's command, in words: what it said last, what may have been refused."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from pathlib import Path

from wirelab.build.sandboxes import WITHOUT
from wirelab.build.unavailable import Unavailable

_TAIL_LINES = 12

_NO_NETWORK = re.compile(
    "|".join(
        (
            "Temporary failure in name resolution",
            "Temporary failure resolving",
            "Could not resolve host",
            "Couldn't resolve host",
            "Name or service not known",
            "Network is unreachable",
            "No route to host",
            "Failed to establish a new connection",
            "Unknown host",
            "UnknownHostException",
            "EAI_AGAIN",
            "ENOTFOUND",
            "ENETUNREACH",
            "ECONNREFUSED",
            r"dial tcp.*(?:lookup|connect|timeout)",
            "spurious network error",
            "Could not connect to",
        )
    )
)
"""Messages of pip, Maven, npm, cargo, Go and apt-get when they cannot reach their registry."""

_OUTSIDE = re.compile(r"Read-only file system|EROFS|ReadOnlyFileSystemException")

_VERB = re.compile(r"[a-z][a-z-]*")


def name_of(command: Sequence[str]) -> str:
    """The program and the first word that says what it does: ``cargo build``."""
    words = [word for word in command[1:] if _VERB.fullmatch(word)]
    return " ".join([Path(command[0]).name, *words[:1]])


def failure(command: Sequence[str], status: int, said: str, log: Path) -> Unavailable:
    """The failure of a command that had the network."""
    if _NO_NETWORK.search(said):
        reason = f"no network: {name_of(command)} could not reach its registry"
        return Unavailable(reason, "connect to the network, then run again", log)
    reason = f"{name_of(command)} failed with {_ended(status)}:\n{_tail(said)}"
    return Unavailable(reason, f"cat {log}", log)


def failure_within(command: Sequence[str], status: int, said: str, log: Path) -> Unavailable:
    """The failure of a command in a sandbox; what that may have refused is said, because the tools
    themselves cannot know.
    """
    reason, remedy = f"{name_of(command)} failed with {_ended(status)}", f"cat {log}"
    refused = ""
    if _NO_NETWORK.search(said):
        refused = " in the sandbox of builds, which has no network: packages are fetched before"
    elif _OUTSIDE.search(said):
        refused = " in the sandbox of builds, which writes to its own folders alone"
    if refused:
        remedy += f"; where you trust this code with all your rights, say {WITHOUT}"
    return Unavailable(f"{reason}{refused}:\n{_tail(said)}", remedy, log)


def _tail(said: str) -> str:
    return "\n".join(said.rstrip().splitlines()[-_TAIL_LINES:])


def _ended(status: int) -> str:
    if status < 0:
        return f"signal {signal.Signals(-status).name}"
    return f"exit code {status}"
