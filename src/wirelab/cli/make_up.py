"""``--make-up``: the time for which trials that were lost to the host are run again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from wirelab.cli.amounts import nanoseconds
from wirelab.plan.make_up import LOST
from wirelab.samples.run_folder import RunFolder
from wirelab.words.numbers import about, percent

MakeUpOption = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="Run trials again that other programs disturbed, for at most so long; 0: never. "
        "By default half of the planned time.",
    ),
]


def make_up_ns(text: str | None) -> int | None:
    """The time that was asked for; None where nothing was said."""
    if text is None or text.strip() == "0":
        return None if text is None else 0
    return nanoseconds("--make-up", text)


def announce_make_up(folder: RunFolder, say: Callable[[str], None]) -> None:
    """Say how much longer a run may take where the host takes trials; nothing where it may not."""
    run = folder.read_run()
    if run.make_up is None:
        return
    most = about(run.make_up.at_most_ns / 1e9)
    within = " (within the time of --until)" if run.until is not None else ""
    say(
        f"up to {most} more{within} for trials that are run again, because other programs "
        f"disturbed more than {percent(LOST)} of their time"
    )
