"""Pushing texts to an import endpoint, in a thread of its own that nobody waits for."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
import time
from collections import deque
from collections.abc import Callable

from wirelab.live.address import ListenAddress

KEPT = 120
"""Texts kept for a target that is away: two minutes of them."""

PATIENCE = 3.0
"""Seconds for each step of a push, and for the last push at the end of the run."""

PAUSE = 1.0
"""Seconds between a push that failed and the next."""

_MOST_REPLY = 4096


class Pusher:
    """Sends every text once, in order; what could not be sent is sent with the next ones.

    A target that refuses, stalls or answers with an error costs a warning and nothing else.
    """

    def __init__(self, target: ListenAddress, say: Callable[[str], None]) -> None:
        self.pushed = 0
        self.failed = 0
        self.cpu_ns = 0
        self._target = target
        self._say = say
        self._waiting: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self._offered = self._delivered = 0
        self._closing = self._hung_up = False
        self._changed = threading.Condition()
        self._connection: http.client.HTTPConnection | None = None
        self._thread = threading.Thread(target=self._work, name="live-push", daemon=True)
        self._thread.start()

    @property
    def undelivered(self) -> int:
        """Texts that never reached the target, or have not yet."""
        return self._offered - self._delivered

    def offer(self, text: bytes) -> None:
        """Hand over a text; returns at once."""
        with self._changed:
            self._offered += 1
            self._waiting.append((self._offered, text))
            self._changed.notify()

    def close(self) -> None:
        """Send what is left if the target takes it within ``PATIENCE``, and end."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(PATIENCE)
        if self._thread.is_alive():
            self._hang_up()
            self._thread.join(PATIENCE)

    def _work(self) -> None:
        while self._await_texts():
            with self._changed:
                batch, last = list(self._waiting), self._closing
            problem = self._post(b"".join(text for _, text in batch))
            self._settle(batch, problem)
            self.cpu_ns = time.thread_time_ns()
            if last or self._hung_up:
                return
            if problem:
                with self._changed:
                    self._changed.wait_for(lambda: self._closing, PAUSE)

    def _await_texts(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            return bool(self._waiting)

    def _settle(self, batch: list[tuple[int, bytes]], problem: str) -> None:
        if problem:
            self.failed += 1
            if self.failed == 1:
                self._say(
                    f"live metrics: {self._target.shown} {problem}; the run goes on, and so do "
                    "the attempts"
                )
            return
        self.pushed += 1
        self._delivered += len(batch)
        with self._changed:
            while self._waiting and self._waiting[0][0] <= batch[-1][0]:
                self._waiting.popleft()

    def _post(self, body: bytes) -> str:
        """Push once; what went wrong, or nothing. No proxy, no redirect, a fresh connection."""
        kind = http.client.HTTPSConnection if self._target.secure else http.client.HTTPConnection
        connection = kind(self._target.host, self._target.port, timeout=PATIENCE)
        self._connection = connection
        headers = {"Content-Type": "text/plain; version=0.0.4", "Connection": "close"}
        try:
            connection.request("POST", self._target.path, body, headers)
            reply = connection.getresponse()
            reply.read(_MOST_REPLY)
        except TimeoutError:
            return f"does not answer within {PATIENCE:g} s"
        except (OSError, http.client.HTTPException, ValueError) as error:
            return f"cannot be reached ({_in_short(error)})"
        finally:
            connection.close()
        if self._hung_up:
            return "does not finish its answer"
        if 200 <= reply.status < 300:
            return ""
        return f"answers {reply.status} {reply.reason}".rstrip()

    def _hang_up(self) -> None:
        """End a push whose answer drips on; each byte of it came in time."""
        self._hung_up = True
        connection = self._connection
        if connection is not None and connection.sock is not None:
            with contextlib.suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)


def _in_short(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
