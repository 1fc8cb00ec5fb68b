"""Interrupts of the core: every signal that asks it to end is a KeyboardInterrupt, or waits."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

INTERRUPTED = 130
"""Exit code of a command that an interrupt has ended: 128 and SIGINT, as shells have it."""

_ASKING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """SIGTERM and SIGHUP end a run as Ctrl-C does: children ended, records kept.

    The KeyboardInterrupt says by its number which it was (``number_of``). One that is ignored, as
    ``nohup`` has it, stays so.
    """

    def interrupt(number: int, _: object) -> None:
        raise KeyboardInterrupt(number)

    heard = [one for one in _ASKING[1:] if signal.getsignal(one) is not signal.SIG_IGN]
    with _handled(heard, interrupt):
        yield


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let what ends processes end them: an interrupt that comes meanwhile is raised afterwards."""
    heard: list[int] = []
    try:
        with _handled(_ASKING, lambda number, _: heard.append(number)):
            yield
    finally:
        if heard:
            raise KeyboardInterrupt(heard[0])


def number_of(interrupt: KeyboardInterrupt) -> signal.Signals:
    """The signal that was heard; Python's own KeyboardInterrupt, of Ctrl-C, does not say."""
    return signal.Signals(interrupt.args[0] if interrupt.args else signal.SIGINT)


@contextmanager
def _handled(
    numbers: Sequence[signal.Signals], handler: Callable[[int, Any], object]
) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is interrupted, and may say how
        return
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)
