"""``wl bench``: the harness measures itself."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from wirelab.cli.installing import InstallOption, permission
from wirelab.cli.places import ROOT, results
from wirelab.model.known_name import known_name
from wirelab.processes.interrupts import INTERRUPTED

NOT_POSSIBLE = 1


def bench(  # noqa: PLR0917 - the options of a command line
    benchmarks: Annotated[
        list[str] | None,
        typer.Argument(
            help="recorder, batches, probe, ticks, echo, engine, monitor, witness, sandbox, "
            "http, analysis; by default all."
        ),
    ] = None,
    only: Annotated[list[str] | None, typer.Option(help="The same, as an option.")] = None,
    profile: Annotated[str, typer.Option(help="smoke, quick or publish.")] = "quick",
    seed: Annotated[int | None, typer.Option(help="Seed of the order of trials.")] = None,
    install: InstallOption = False,
    output: Annotated[
        Path | None, typer.Option("--json", metavar="PATH", help="Write the figures here as well.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Write the page here instead of beside the trials."),
    ] = None,
) -> None:
    """Measure wirelab itself: recorder, batches, probe, ticks, echo, engine, monitor, witness,
    sandbox, http, analysis.

    Exits with 0 whatever the figures are: they depend on the machine, and are no test.
    """
    from wirelab.bench import (
        BENCHMARKS,
        PAGE,
        PROFILES,
        Bench,
        BenchError,
        measure_harness,
        print_findings,
        write_page,
    )
    from wirelab.run.session import InterruptedRun

    console = Console()
    named = [*(benchmarks or []), *(only or [])]
    asked = Bench(
        names=[known_name("benchmark", name, BENCHMARKS) for name in named or BENCHMARKS],
        profile=known_name("profile", profile, PROFILES),
        seed=random.SystemRandom().getrandbits(31) if seed is None else seed,
        repository=ROOT,
        results=results(),
        may_install=permission(install=install),
    )
    try:
        findings = measure_harness(asked, console)
    except InterruptedRun:
        console.print("interrupted: no figures", style="yellow")
        raise typer.Exit(INTERRUPTED) from None
    except BenchError as error:
        Console(stderr=True).print(f"wl bench: {error}", style="red", markup=False, soft_wrap=True)
        raise typer.Exit(NOT_POSSIBLE) from None
    print_findings(findings, console)
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(findings.model_dump_json(indent=1) + "\n", "utf-8")
        console.print(str(output), markup=False, highlight=False, soft_wrap=True)
    if page := html or (Path(findings.run) / PAGE if findings.run is not None else None):
        write_page(findings, page)
        console.print(str(page), markup=False, highlight=False, soft_wrap=True)
