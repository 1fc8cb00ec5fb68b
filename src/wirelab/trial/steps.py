"""The steps of a closed loop as its worker tells them: in order, in time, and none left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from wirelab.model.events import StepEnded
from wirelab.model.span import Span
from wirelab.trial.failure import TrialError


class Steps:
    """Steps that have ended, and the next one; none where no lane waits for its results."""

    def __init__(self, told: Sequence[str]) -> None:
        self.ended: dict[str, Span] = {}
        self._left = list(told)
        self._since_ns: int | None = None

    def begin(self, tick0_ns: int) -> None:
        """Nothing is done before tick 0."""
        self._since_ns = tick0_ns

    def hear(self, event: StepEnded, role: str, received_ns: int) -> None:
        """Take a step in; TrialError for one that cannot be."""
        wrong = self._wrong(event, received_ns)
        if wrong:
            raise TrialError("wrong-step", f"{role} said step {event.name}: {wrong}", role)
        self._left.remove(event.name)
        self._since_ns = event.end_ns
        self.ended[event.name] = (event.begin_ns, event.end_ns)

    def _wrong(self, event: StepEnded, received_ns: int) -> str:
        if not self._left:
            return "none is left"
        if event.name != self._left[0]:
            return f"the next one is {self._left[0]}"
        if event.begin_ns >= event.end_ns:
            return "it ends before it begins"
        if self._since_ns is None or event.begin_ns < self._since_ns:
            return "it begins before tick 0 or before the last one ended"
        if event.end_ns > received_ns:
            return "it ends after it was told"
        return ""

    def paused(self, pauses: Iterable[Span], lanes: Mapping[str, int]) -> dict[str, int]:
        """Time of each step that pauses took, ns: each keeps one of its lanes from its work."""
        found = dict.fromkeys(self.ended, 0)
        for begin_ns, end_ns in pauses:
            for name, (first_ns, last_ns) in self.ended.items():
                if first_ns <= begin_ns and end_ns <= last_ns:
                    found[name] += end_ns - begin_ns
        return {name: total // lanes[name] for name, total in found.items() if total}

    def check_all_ended(self, role: str, stopped: str) -> None:
        """TrialError when a step was not told of; ``stopped``: why the worker ended early."""
        if self._left:
            missing = ", ".join(self._left) + (f" ({stopped})" if stopped else "")
            raise TrialError("steps-missing", f"{role} was done without: {missing}", role)
