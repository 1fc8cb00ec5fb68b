"""The core's end of a trial's namespaces."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from wirelab.processes.readiness import is_readable
from wirelab.sandbox import holder

ENTER = "nsenter"
"""A program of util-linux that starts another one in the namespaces of a process."""

_HOLDER = f"from {holder.__name__} import main; main()"
"""Not ``-m``, which takes longer to start; it is imported here so that it is compiled."""

_MADE_WITHIN_S = 60.0
_ENDS_WITHIN_S = 10.0

Network = Literal["own", "host"]


class Namespaces:
    """Namespaces that the roles of one trial share; raises OSError where this machine refuses them.

    ``own``: a network with nothing but its loopback; ``host``: that of the machine.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self._holder = subprocess.Popen(
            [sys.executable, "-S", "-P", "-c", _HOLDER, network],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            if refused := self._refusal():
                raise OSError(None, refused)
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """A process that is in them."""
        return self._holder.pid

    def entered(self, command: Sequence[str]) -> list[str]:
        """``command``, run in the namespaces."""
        network = ["--net"] if self.network == "own" else []
        into = ["--user", "--preserve-credentials", "--mount", "--ipc", *network]
        return [ENTER, "--target", str(self.pid), *into, "--", *command]

    def close(self) -> None:
        """Let go of them; they end with the last process in them."""
        assert self._holder.stdin is not None
        assert self._holder.stdout is not None
        with contextlib.suppress(OSError):
            self._holder.stdin.close()
        try:
            self._holder.wait(_ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._holder.kill()
            self._holder.wait()
        self._holder.stdout.close()

    def _refusal(self) -> str:
        assert self._holder.stdout is not None
        stream = self._holder.stdout
        if not is_readable(stream, _MADE_WITHIN_S):
            return "no namespaces were made"
        said = stream.readline().decode(errors="replace").strip() or "their holder has ended"
        return "" if said == holder.READY else said
