"""Stacks of the main thread, sampled by the processor time that the process uses."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from types import CodeType, FrameType

from wirelab_sdk.heap import bytes_in_use

PERIOD_S = 0.004
"""Processor time between two samples; kernels look at it 100 to 1000 times a second."""

DEEPEST = 100
"""Frames of a stack that are told, the innermost ones."""

Stack = tuple[str, ...]


class StackSampler:
    """Samples by the kernel's timer of processor time (``ITIMER_PROF``), which sends a signal.

    Python takes a signal between two instructions of its own: when a function is entered, a loop
    goes round, or a call into C returns. What a function did before is told as of the next such
    place. The time since the sample before belongs to each, so that a long call into C has all of
    its time. Of other threads the main thread's stack is told: how much that is, is recorded.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ns: dict[Stack, int] = {}
        self._samples: dict[Stack, int] = {}
        # Kept, so that no other code gets the number of one that is gone.
        self._names: dict[int, tuple[CodeType, str]] = {}
        self._began_ns = 0
        self._main_began_ns = 0
        self._last_ns = 0
        self._sampling = False

    def start(self) -> None:
        """Begin to sample; called by the main thread."""
        self._main_began_ns = time.thread_time_ns()
        self._began_ns = self._last_ns = time.process_time_ns()
        signal.signal(signal.SIGPROF, self._sample)
        # Calls of the system that a signal meets go on.
        signal.siginterrupt(signal.SIGPROF, False)
        signal.setitimer(signal.ITIMER_PROF, PERIOD_S, PERIOD_S)

    def stop(self) -> None:
        """Sample no more, and write the file, with how much of the heap is in use."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_IGN)
        ran = self._began_ns > 0  # it may have been told to stop before it was told to start
        used = {
            "process_ns": time.process_time_ns() - self._began_ns if ran else 0,
            "main_thread_ns": time.thread_time_ns() - self._main_began_ns if ran else 0,
            "heap_bytes": bytes_in_use(),
        }
        with self._path.open("w", encoding="utf-8") as file:
            file.write(json.dumps(used) + "\n")
            for stack, ns in self._ns.items():
                line = {"stack": stack, "ns": ns, "samples": self._samples[stack]}
                file.write(json.dumps(line) + "\n")

    def _sample(self, _number: int, frame: FrameType | None) -> None:
        # A signal may come while the sample before is taken: its time belongs to the next one.
        if self._sampling:
            return
        self._sampling = True
        try:
            self._add(frame)
        finally:
            self._sampling = False

    def _add(self, frame: FrameType | None) -> None:
        # Times of threads are summed on several processors: the sum may step back a little.
        now_ns = max(time.process_time_ns(), self._last_ns)
        names: list[str] = []
        while frame is not None and len(names) < DEEPEST:
            names.append(self._name(frame))
            frame = frame.f_back
        stack = tuple(reversed(names))
        self._ns[stack] = self._ns.get(stack, 0) + now_ns - self._last_ns
        self._samples[stack] = self._samples.get(stack, 0) + 1
        self._last_ns = now_ns

    def _name(self, frame: FrameType) -> str:
        known = self._names.get(id(frame.f_code))
        if known is None:
            code = frame.f_code
            module = frame.f_globals.get("__name__", "?")
            known = self._names[id(code)] = (code, f"{module}:{code.co_qualname}")
        return known[1]
