"""``wl neighbour``: make this machine busy in known bursts."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

import typer

from wirelab.cli.amounts import AmountError, nanoseconds, share
from wirelab.processes.interrupts import INTERRUPTED
from wirelab.processes.neighbour import Bursts, BusyNeighbour


def neighbour(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="Gets a line of JSON for each burst.")],
    duty: Annotated[
        str, typer.Option(metavar="SHARE", help="Share of its time that each process is busy.")
    ] = "30%",
    during: Annotated[
        str, typer.Option("--for", metavar="TIME", help="It ends by itself after so long.")
    ] = "60s",
    processes: Annotated[
        int,
        typer.Option(
            min=0, max=256, help="Number of processes; by default one for each processor."
        ),
    ] = 0,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the bursts.")] = None,
) -> None:
    """Take the processors in seeded bursts, to see what a busy machine does to a run.

    Bursts and pauses are exponential, bursts of 500 ms on average. All of it ends after its time,
    with Ctrl-C, and when this command is killed.
    """
    seed = random.SystemRandom().getrandbits(31) if seed is None else seed
    try:
        bursts = Bursts(share("--duty", duty), seed, nanoseconds("--for", during) / 1e9)
    except ValueError as error:
        raise AmountError(f"--for {during}: {error}") from None
    log.parent.mkdir(parents=True, exist_ok=True)
    with BusyNeighbour(bursts, log, processes) as started:
        typer.echo(f"{len(started.pids)} processes, busy {duty} of {during}, seed {seed}: {log}")
        try:
            started.wait()
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
