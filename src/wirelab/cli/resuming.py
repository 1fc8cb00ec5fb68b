"""``wl run --resume``: a run is finished as it was begun."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import typer

from wirelab.catalog import SuiteEntry
from wirelab.cli.carrying_out import carried_out, made_ready
from wirelab.cli.places import place_of, refuse_interpreter_of, refuse_other_interpreter
from wirelab.cli.shown import RunDisplay
from wirelab.cli.suites import suite_of
from wirelab.model.mistake import MistakeError
from wirelab.plan.selection import Selection
from wirelab.run.items import listing
from wirelab.run.retries import tried_again
from wirelab.run.unchanged import refuse_changed
from wirelab.samples.run_folder import RunFolder

_MAY_BE_SAID = frozenset(
    {
        *("resume", "folders", "contender", "python", "sandbox"),
        *("keep_packets", "install", "push", "metrics", "lang", "report"),
    }
)
"""Parameters of the command that say where parts of a run are, or how it is looked at."""


def refuse_kept(context: typer.Context) -> None:
    """Refuse every option that a run was begun with: to pass over one would measure something else
    than the user has asked for.
    """
    if said := ", ".join(_said(context)):
        raise typer.BadParameter(
            f"{said}: a run that is resumed keeps what it was begun with: leave that out, or begin "
            "a new run"
        )


def _said(context: typer.Context) -> Iterator[str]:
    """The options and words of the command line that a resumed run has no use for."""
    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if name in _MAY_BE_SAID or source is None or source.name != "COMMANDLINE":
            continue
        value = context.params[name]
        if parameter.param_type_name == "argument":
            yield from value
        else:
            yield (parameter.secondary_opts if value is False else parameter.opts)[0]


def _refuse_unmoved(elsewhere: Sequence[str], ran: Sequence[str], suite: SuiteEntry) -> None:
    """Refuse contenders that are named although the run has not got them, or all of them anyway."""
    for place in elsewhere:
        entry = suite.chosen_contenders([place])[0]
        if entry.name not in ran or os.sep not in place:
            raise MistakeError(
                f"--contender {place}: a run that is resumed goes on with the contenders that it "
                f"was begun with ({', '.join(ran)}); this option says where one of them was moved "
                "to: --contender PATH"
            )


def resume_run(
    path: Path,
    folders: Sequence[Path] | None,
    elsewhere: Sequence[str],
    python: str | None,
    shown: RunDisplay,
    *,
    keeps_packets: bool,
) -> int:
    """Finish the run at ``path``; ``elsewhere`` are contenders that were moved since it began.

    ``python`` is the run's interpreter, where it has to be named again.
    """
    folder = RunFolder(path)
    run = folder.read_run()
    suite = listing(suite_of(run, folder.path, folders), run.disclosure.own.items)
    if python is None:
        refuse_interpreter_of(folder.path, run.disclosure.own.python, "--python PATH")
    else:
        refuse_other_interpreter(run.disclosure.own.python, python)
    ran = [name for name, participant in run.participants.items() if not participant.unavailable]
    _refuse_unmoved(elsewhere, ran, suite)
    moved = {entry.name: entry for entry in suite.chosen_contenders(elsewhere) if elsewhere}
    rest = [place_of(name, run, folder.path) for name in ran if name not in moved]
    entries = [*moved.values(), *(suite.chosen_contenders(rest) if rest else [])]
    entries = list({entry.name: entry for entry in entries}.values())
    selection = replace(Selection.of(run), keeps_packets=keeps_packets)
    setups = made_ready(suite, entries, selection, shown)
    refuse_changed(run, suite.manifest, setups.participants, setups.code)
    if again := tried_again(folder, run):
        reasons = ", ".join(sorted({record.reason for record in again}))
        why = f"whose cause was the host or wirelab itself: {reasons}"
        shown.say(f"trying {len(again)} failed trials again, {why}")
    return carried_out(folder, suite, setups, shown)
