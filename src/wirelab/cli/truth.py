"""``wl bench truth``: how well wirelab measures, part by part."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from wirelab.cli.bench import NOT_POSSIBLE
from wirelab.cli.places import ROOT, called, results
from wirelab.model.known_name import known_name
from wirelab.model.mistake import MistakeError


def truth(
    part: Annotated[str, typer.Argument(help="What to measure; without, the parts are told.")] = "",
    profile: Annotated[
        str, typer.Option(help="smoke (shows that everything works), quick or publish.")
    ] = "publish",
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of runs and neighbour.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the latest attempt at this part.")
    ] = False,
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
        try:
            measure_part(chosen, where, resume=resume)
        except InterruptedRun:
            say(f"interrupted; to go on: {called()} bench truth {part} --resume")
            raise typer.Exit(INTERRUPTED) from None
        except BenchError as error:
            Console(stderr=True).print(
                f"wl bench truth: {error}", style="red", markup=False, soft_wrap=True
            )
            raise typer.Exit(NOT_POSSIBLE) from None
    say(str(write_page(kept, PARTS.values())))
