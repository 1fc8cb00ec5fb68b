"""``wl run``: measure, analyse, report."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from wirelab.catalog import ContenderEntry, SuiteEntry
from wirelab.cli.accounts import (
    CgroupsOption,
    RoleMemoryOption,
    RoleProcessesOption,
    asked_accounts,
)
from wirelab.cli.carrying_out import carried_out, made_ready
from wirelab.cli.confining import KeepPacketsOption, SandboxOption, refuse_other, wish_of
from wirelab.cli.everything import suites_asked_for
from wirelab.cli.exit_codes import ALL_WELL, DISK_FULL, MISTAKE
from wirelab.cli.installing import InstallOption, permission
from wirelab.cli.make_up import MakeUpOption, make_up_ns
from wirelab.cli.places import ROOT, interpreter_place, results, usable
from wirelab.cli.report import Language
from wirelab.cli.resuming import refuse_kept, resume_run
from wirelab.cli.screen import screen
from wirelab.cli.shown import RunDisplay, live_metrics, say
from wirelab.cli.suites import SuitesOption, known_suites
from wirelab.cli.until import AskedUntil, AtMostOption, BaselineOption, UntilOption, among
from wirelab.cli.wanted_reports import ReportOption, WantedReports
from wirelab.model.own import Own
from wirelab.plan.order import has_part
from wirelab.plan.selection import Selection
from wirelab.processes.interrupts import INTERRUPTED
from wirelab.report.published import read_published
from wirelab.run.cannot import CannotRunError
from wirelab.run.items import items_of, listing
from wirelab.run.selection import begin
from wirelab.run.settings import settings_of
from wirelab.run.targets import Target, aim
from wirelab.samples.run_folder import RunFolder
from wirelab.samples.run_lock import held

_Chosen = tuple[SuiteEntry, Sequence[ContenderEntry], Selection]
"""A suite with those of its contenders that take part, and how they are measured."""


def run(  # noqa: PLR0917 - the options of a command line
    context: typer.Context,
    suites: Annotated[list[str] | None, typer.Argument(help="Suites; see ./wl list.")] = None,
    folders: SuitesOption = None,
    scenario: Annotated[list[str] | None, typer.Option(help="Only these scenarios.")] = None,
    contender: Annotated[
        list[str] | None, typer.Option(help="Only these contenders; for one of your own its path.")
    ] = None,
    profile: Annotated[
        str, typer.Option(help="smoke, quick or publish; check is for wirelab's own tests.")
    ] = "quick",
    until: UntilOption = None,
    at_most: AtMostOption = None,
    baseline: BaselineOption = None,
    make_up: MakeUpOption = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Set a parameter; ./wl list SUITE and ./wl show CONTENDER name them.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Put the run here instead of ./results.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Measure every suite; takes hours.")] = False,
    seed: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=0, help="Seed of the order of trials.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Finish the run in this folder, as it was begun."),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", min=1, help="Included trials of each load, instead of the profile's."
        ),
    ] = None,
    generator: Annotated[
        list[str] | None,
        typer.Option(help="Measure with this load generator as well, such as k6."),
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SERVICE=]HOST:PORT",
            help="Measure against this server of your own, in place of the suite's SERVICE.",
        ),
    ] = None,
    items: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Read these items at that server (OPC UA: a NodeId a line)."
        ),
    ] = None,
    fill: Annotated[
        bool,
        typer.Option(help="Let wirelab write its records to that server, and remove them after."),
    ] = False,
    python: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Run Python contenders on this interpreter."),
    ] = None,
    sandbox: SandboxOption = None,
    cgroups: CgroupsOption = None,
    role_memory: RoleMemoryOption = None,
    role_processes: RoleProcessesOption = None,
    keep_packets: KeepPacketsOption = False,
    install: InstallOption = False,
    push: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Push live metrics here, to VictoriaMetrics' import."),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            metavar="[HOST:]PORT", help="Serve live metrics at /metrics while the run lasts."
        ),
    ] = None,
    lang: Annotated[
        Language, typer.Option(metavar="en|ko", help="Language of the summary.")
    ] = Language.EN,
    report: ReportOption = None,
) -> None:
    """Measure suites, and write a result and reports of each.

    Exit code 0: all trials went well and a cell is valid; 2: a mistake in what was asked; 3: the
    disk is full; 4: trials failed; 5: no cell is valid; 130: interrupted. Of several, the highest:
    a suite that cannot run is passed over, and an interruption or a full disk ends all of it.
    Resuming tries those failed trials again whose cause was the host or wirelab itself.
    """
    reports = WantedReports.of(report)
    with live_metrics(push, metrics, console := screen()) as live:
        shown = RunDisplay(console, lang, live, permission(install=install), reports)
        if resume is not None:
            refuse_kept(context)
            refuse_other(sandbox, RunFolder(resume).read_run())
            with held(resume.absolute()):
                moved = contender or []
                own = (folders, moved, python)
                raise typer.Exit(resume_run(resume, *own, shown, keeps_packets=keep_packets))
        known = known_suites(folders, suites)
        seed = random.SystemRandom().getrandbits(31) if seed is None else seed
        rule = AskedUntil.of(until, at_most, baseline)
        if rule is not None and trials is not None:
            raise typer.BadParameter("say --until or --trials, not both")
        asked = [Target.of(text) for text in target or []]
        if fill and not asked:
            raise typer.BadParameter(
                "--fill writes to a server of your own: say which, --target [SERVICE=]HOST:PORT"
            )
        listed = items_of(items)
        accounts = asked_accounts(role_memory, role_processes, groups=cgroups)
        chosen: list[_Chosen] = []
        for name in suites_asked_for(known, suites or [], profile, every=every):
            entry = listing(known.suite(name), listed)
            read_published(entry.folder / "published.toml")  # a mistake is said before the hours
            contenders = entry.chosen_contenders(contender or [])
            scenarios = entry.chosen_scenarios(scenario or [], profile, own=bool(asked))
            named = scenario or []
            aimed = aim(entry, contenders, scenarios, asked, named, listed=bool(listed))
            for line in aimed.lines():
                say(console, line)
            taking_part = _taking_part(entry, contenders, aimed.scenarios)
            left_out = [one for one in contenders if one not in taking_part]
            if contender and left_out:
                said = _without_part(entry, left_out, aimed.scenarios)
                if not taking_part:
                    raise typer.BadParameter(f"--contender: {said}")
                say(console, f"left out: {said}")
            contenders = taking_part or contenders
            selection = Selection(
                scenarios=aimed.scenarios,
                profile=profile,
                settings=settings_of(setting or [], entry, contenders, aimed.scenarios, profile),
                seed=seed,
                generators=generator or [],
                trials=trials,
                until=rule.of_suite(entry, contenders, aimed.scenarios) if rule else None,
                own=Own(
                    targets=aimed.targets,
                    items=listed,
                    fill=fill,
                    python=interpreter_place(python or ""),
                ),
                make_up_ns=make_up_ns(make_up),
                sandbox=wish_of(sandbox),
                accounts=accounts,
                keeps_packets=keep_packets,
            )
            chosen.append((entry, contenders, selection))
        place = usable(results(out))
        code = _measure_all(chosen, place, shown, rule=rule)
    raise typer.Exit(code)


def _taking_part(
    suite: SuiteEntry, contenders: Sequence[ContenderEntry], scenarios: Sequence[str]
) -> list[ContenderEntry]:
    """The contenders that some of the scenarios are for: nobody waits for builds of the others. A
    report of counted instructions says why somebody has none.
    """
    chosen = {name: suite.manifest.scenarios[name] for name in scenarios}
    return [
        one
        for one in contenders
        if any(
            own.counts_instructions or has_part(one.manifest, n, own) for n, own in chosen.items()
        )
    ]


def _without_part(
    suite: SuiteEntry, contenders: Sequence[ContenderEntry], scenarios: Sequence[str]
) -> str:
    """Contenders that were asked for by name and have no trial in what was asked for with them."""
    needed = {need for name in scenarios for need in suite.manifest.scenarios[name].needs}
    named = []
    for one in contenders:
        lacking = ", ".join(sorted(needed - {*one.manifest.capabilities}))
        named.append(f"{one.name} (does not declare {lacking})" if lacking else one.name)
    shown = " and ".join(f"./wl show {one.name}" for one in contenders)
    several = len(contenders) > 1
    tells, where = ("tell", "where they have one") if several else ("tells", "where it has one")
    return f"{'; '.join(named)}: no part in {', '.join(scenarios)}; {shown} {tells} {where}"


def _measure_all(
    chosen: Sequence[_Chosen], place: Path, shown: RunDisplay, *, rule: AskedUntil | None
) -> int:
    """Measure suites one after the other; returns the highest of their exit codes.

    An interruption and a full disk end all of it. A suite that cannot run here is said and passed
    over: the others may take a night, at whose end they are to be there.
    """
    highest = ALL_WELL
    for one in chosen:
        try:
            code = _begin(*one, place, shown, rule=rule)
        except CannotRunError as error:
            if len(chosen) == 1:
                raise
            code = MISTAKE
            shown.say(f"{one[0].name} is not measured: {error}")
        highest = max(highest, code)
        if code in (INTERRUPTED, DISK_FULL):
            break
    return highest


def _begin(
    suite: SuiteEntry,
    contenders: Sequence[ContenderEntry],
    selection: Selection,
    place: Path,
    shown: RunDisplay,
    *,
    rule: AskedUntil | None,
) -> int:
    setups = made_ready(suite, contenders, selection, shown)
    if not setups.available:
        reasons = {one.unavailable: None for one in setups.participants.values()}
        why = "; ".join(reasons)
        raise CannotRunError(f"no contender of {suite.name} can run on this machine: {why}")
    if rule is not None and selection.until is not None:
        until = among(selection.until, rule, setups)
        for name in selection.until.figures.keys() - until.figures.keys():
            shown.say(f"{name}: no two contenders that are ranked together can run; no block added")
        setups.selection = replace(selection, until=until)
    folder = begin(setups, place, ROOT)
    with held(folder.path):
        return carried_out(folder, suite, setups, shown)
