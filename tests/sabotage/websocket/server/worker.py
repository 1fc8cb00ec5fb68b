"""The role `server`: a whiteboard that misbehaves as `[tuning] sabotage` says."""

from __future__ import annotations

import json
import platform

from cheats import CHEATS, Foretells
from deviations import DEVIATIONS
from lax import LAX
from shortcuts import SHORTCUTS

from wirelab_sdk import Worker, main


async def serve(worker: Worker) -> None:
    """Serve until told to stop, and leave in ``sabotage.json`` what was done wrong."""
    sabotage = worker.spec.parameter("sabotage", "honest")
    whiteboard = {**DEVIATIONS, **CHEATS, **SHORTCUTS, **LAX}[sabotage]()
    if isinstance(whiteboard, Foretells):
        whiteboard.seed = worker.spec.seed
    address = await whiteboard.listen(worker.spec.listen)
    worker.ready(
        "asyncio",
        platform.python_version(),
        endpoint=f"ws://{address}/board",
        facts={"protocol": "json"},
    )
    await worker.stopped()
    whiteboard.close()
    report = worker.spec.paths.scratch / "sabotage.json"
    report.write_text(json.dumps(whiteboard.done), "utf-8")


if __name__ == "__main__":
    main(serve)
