"""The trials of a run: made ready, with what a user is told of that, and carried out."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.catalog import ContenderEntry, SuiteEntry
from wirelab.cli.confining import tell
from wirelab.cli.places import ROOT
from wirelab.cli.shown import RunDisplay
from wirelab.garbage import loading
from wirelab.plan.selection import Selection
from wirelab.run.setups import TrialSetups
from wirelab.samples.run_folder import RunFolder


def made_ready(
    suite: SuiteEntry, contenders: Sequence[ContenderEntry], selection: Selection, shown: RunDisplay
) -> TrialSetups:
    """Build what the trials need, and say who cannot take part, why, and what would mend it."""
    say = shown.say
    setups = TrialSetups(suite, contenders, selection, ROOT, say, may_install=shown.may_install)
    tell(setups.confinement, setups.observation, say)
    for name, participant in setups.participants.items():
        if participant.unavailable:
            remedy = f"; to mend it: {participant.remedy}" if participant.remedy else ""
            say(f"{name} is unavailable: {participant.unavailable}{remedy}")
    for line in setups.memory_lines():
        say(line)
    return setups


def carried_out(
    folder: RunFolder, suite: SuiteEntry, setups: TrialSetups, shown: RunDisplay
) -> int:
    """Measure, analyse and report a run; returns its exit code."""
    # Loaded once there is something to measure: a mistake in an option is said before.
    with loading():
        from wirelab.cli.measuring import carry_out

    return carry_out(folder, suite, setups, shown)
