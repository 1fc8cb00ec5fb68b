"""``wl bench truth``: the accuracy of wirelab's figures, part by part."""

from __future__ import annotations

import math
import random
import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from wirelab.cli.bench import NOT_POSSIBLE
from wirelab.cli.places import ROOT, called, results
from wirelab.model.known_name import known_name
from wirelab.model.mistake import MistakeError

_USUAL = "publish"


def truth(  # noqa: PLR0917 - the options of a command line
    part: Annotated[str, typer.Argument(help="Part to measure; by default all are listed.")] = "",
    profile: Annotated[
        str, typer.Option(help="smoke (shows that everything works), quick or publish.")
    ] = _USUAL,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of runs and neighbour.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the latest attempt at this part.")
    ] = False,
    at_most: Annotated[
        float | None,
        typer.Option(
            "--at-most",
            metavar="MINUTES",
            min=0,
            help="Begin no piece that is expected to end after so many minutes; --resume goes on.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep rows and page here instead of in ./docs/reference."),
    ] = None,
) -> None:
    """Hold wirelab's figures to what is known, and write docs/reference/truth.md.

    Rows are kept as soon as a piece of a part is finished. Exits with 0 whatever they say.
    """
    from wirelab.bench import BenchError
    from wirelab.bench.truth import (
        PARTS,
        PROFILES,
        TruthPlaces,
        measure_part,
        part_of,
        write_page,
    )
    from wirelab.processes.interrupts import INTERRUPTED
    from wirelab.run.session import InterruptedRun

    console = Console()

    def say(line: str) -> None:
        console.print(line, markup=False, highlight=False, soft_wrap=True)

    known_name("profile", profile, PROFILES)
    chosen = part_of(part) if part else None
    if chosen is not None and profile == "smoke" and out is None:
        raise MistakeError("smoke shows that everything works, and makes no page: say --out DIR")
    kept = out or ROOT / "docs" / "reference"
    if chosen is None:
        for one in PARTS.values():
            say(f"{one.name:15} about {one.minutes(profile):4.0f} min  {one.title}")
    else:
        drawn = random.SystemRandom().getrandbits(31) if seed is None else seed
        where = TruthPlaces(ROOT, results() / f"truth-{chosen.name}", kept, profile, drawn, say)
        again = _going_on(part, profile, out)
        try:
            left = measure_part(
                chosen, where, resume=resume, at_most=math.inf if at_most is None else at_most
            )
        except InterruptedRun:
            say(f"interrupted; to go on: {again}")
            raise typer.Exit(INTERRUPTED) from None
        except BenchError as error:
            Console(stderr=True).print(
                f"wl bench truth: {error}", style="red", markup=False, soft_wrap=True
            )
            raise typer.Exit(NOT_POSSIBLE) from None
        if left:
            say(f"{left} pieces left; to go on: {again}")
    say(str(write_page(kept, PARTS.values())))


def _going_on(part: str, profile: str, out: Path | None) -> str:
    """The command that goes on with what is left of a part."""
    chosen = [] if profile == _USUAL else ["--profile", profile]
    places = [] if out is None else ["--out", str(out)]
    return shlex.join(
        [*shlex.split(called()), "bench", "truth", part, *chosen, *places, "--resume"]
    )
