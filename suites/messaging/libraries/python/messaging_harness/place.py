"""Things that all users of a worker share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from messaging_harness.deliveries import Deliveries
from messaging_harness.messages import Messages
from messaging_harness.transport import Transport
from wirelab_sdk import Worker

_SECOND = 1_000_000_000
_EVERYBODY = 1 << 31


@dataclass
class WorkerSetup:
    """Things that all users of a worker share."""

    worker: Worker
    transport: Transport
    messages: Messages
    deliveries: Deliveries

    @cached_property
    def limit_s(self) -> float:
        """Seconds after which an operation is given up."""
        return self.worker.spec.limits.operation_ns / _SECOND

    @cached_property
    def stamped(self) -> bool:
        """Whether what answers is ours and says when it did."""
        return any(said.get("stamps") for said in self.worker.spec.facts.values())

    @cached_property
    def broadcasts(self) -> bool:
        """Whether lanes tell everybody instead of asking."""
        return "send" in self.worker.spec.operations

    @cached_property
    def promises(self) -> bool:
        """Whether it is tried what a connection promises: nobody dies here, or takes its time."""
        spec = self.worker.spec
        dies, rests = spec.parameter("client_dies_ms", 0), spec.parameter("slow_consumer_ms", 0)
        everybody = self.receivers == _EVERYBODY
        return self.broadcasts and everybody and not dies and not rests

    @cached_property
    def receivers(self) -> int:
        """Number of users, from the first one, for whom broadcasts are."""
        return self.worker.spec.parameter("receivers", _EVERYBODY)

    @cached_property
    def streams(self) -> bool:
        """Whether a tick has messages that do not wait for each other."""
        return self.worker.spec.parameter("messages", 0) > 0
