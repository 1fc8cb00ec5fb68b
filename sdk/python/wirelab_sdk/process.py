"""The process of a worker: its spec, its event loop, its exit code."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import traceback
from collections.abc import Awaitable, Callable
from contextlib import suppress

from wirelab_sdk.events import EventStream
from wirelab_sdk.spec import Spec, SpecError
from wirelab_sdk.worker import Worker


def main(
    role: Callable[[Worker], Awaitable[None]],
    *,
    loop_factory: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop,
    log_level: int = logging.WARNING,
) -> None:
    """Perform ``role`` as the core asks, and exit; logging goes to standard error.

    Exit codes: 0 after ``done``; 1 when the role failed; 2 when the spec cannot be used.
    """
    logging.basicConfig(stream=sys.stderr, level=log_level)
    try:
        spec = Spec.from_environment()
    except SpecError as error:
        sys.exit(_unusable(error))
    events = EventStream.take_standard_output()
    loop = loop_factory()
    asyncio.set_event_loop(loop)
    code = loop.run_until_complete(_live(spec, events, role))
    # Everything that matters is written. What the library may still have running (executor
    # threads, tasks that swallow their cancellation) must neither delay nor change the exit.
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # a library may have closed it
            stream.flush()
    os._exit(code)


async def _live(spec: Spec, events: EventStream, role: Callable[[Worker], Awaitable[None]]) -> int:
    try:
        await Worker(spec, events, asyncio.get_running_loop()).perform(role)
    except Exception as error:
        traceback.print_exc()
        events.error(type(error).__name__, "", str(error), scope="fatal")
        return 1
    return 0


def _unusable(error: SpecError) -> int:
    print(f"wirelab_sdk: {error}", file=sys.stderr)
    return 2
