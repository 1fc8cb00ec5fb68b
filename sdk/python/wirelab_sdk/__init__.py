"""Worker contract, version 2, for contenders in Python. Standard library only."""

from wirelab_sdk.answers import Answers
from wirelab_sdk.async_lanes import AsyncLanes
from wirelab_sdk.batch_spec import BatchPlan, Input
from wirelab_sdk.batch_worker import BatchWorker, described, run_batches
from wirelab_sdk.batches import Batches, Loop
from wirelab_sdk.calls import Action, Failure, ItemError, Outcome, Turn, explain
from wirelab_sdk.lane_schedule import LaneTurn, steps_of
from wirelab_sdk.listening import address_of, bound_socket
from wirelab_sdk.process import main
from wirelab_sdk.recorder import Recorder
from wirelab_sdk.runtime import RuntimeProbe
from wirelab_sdk.spec import Operation, Schedule, Spec, SpecError, Step
from wirelab_sdk.status import Status
from wirelab_sdk.threaded_lanes import ThreadedLanes
from wirelab_sdk.ticker import Ticker
from wirelab_sdk.worker import Tick, Worker

__all__ = [
    "Action",
    "Answers",
    "AsyncLanes",
    "BatchPlan",
    "BatchWorker",
    "Batches",
    "Failure",
    "Input",
    "ItemError",
    "LaneTurn",
    "Loop",
    "Operation",
    "Outcome",
    "Recorder",
    "RuntimeProbe",
    "Schedule",
    "Spec",
    "SpecError",
    "Status",
    "Step",
    "ThreadedLanes",
    "Tick",
    "Ticker",
    "Turn",
    "Worker",
    "address_of",
    "bound_socket",
    "described",
    "explain",
    "main",
    "run_batches",
    "steps_of",
]
