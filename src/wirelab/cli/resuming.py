"""``wl run --resume``: a run is finished as it was begun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from wirelab.cli.carrying_out import carried_out, made_ready
from wirelab.cli.places import place_of, refuse_interpreter_of, refuse_other_interpreter
from wirelab.cli.shown import RunDisplay
from wirelab.cli.suites import suite_of
from wirelab.plan.selection import Selection
from wirelab.run.cannot import CannotRunError
from wirelab.run.items import listing
from wirelab.run.retries import tried_again
from wirelab.samples.run_folder import RunFolder


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
    moved = {entry.name: entry for entry in suite.chosen_contenders(elsewhere) if elsewhere}
    rest = [place_of(name, run, folder.path) for name in ran if name not in moved]
    entries = [*moved.values(), *(suite.chosen_contenders(rest) if rest else [])]
    entries = list({entry.name: entry for entry in entries}.values())
    selection = replace(Selection.of(run), keeps_packets=keeps_packets)
    setups = made_ready(suite, entries, selection, shown)
    for name in ran:
        if setups.participants[name].folder_hash != run.participants[name].folder_hash:
            raise CannotRunError(
                f"{name} has changed since this run began, so that its further trials could not be "
                "compared with the earlier ones: begin a new run"
            )
    if again := tried_again(folder, run):
        reasons = ", ".join(sorted({record.reason for record in again}))
        why = f"whose cause was the host or wirelab itself: {reasons}"
        shown.say(f"trying {len(again)} failed trials again, {why}")
    return carried_out(folder, suite, setups, shown)
