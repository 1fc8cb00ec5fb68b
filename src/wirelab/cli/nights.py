"""A run that takes longer than a night: said before it begins, with what of it fits one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from wirelab.model.measure import CHECK, Measure
from wirelab.model.planned import PlannedTrial
from wirelab.model.scenario import Scenario
from wirelab.plan.load import planned_load, seconds_with_starts
from wirelab.samples.run_folder import RunFolder
from wirelab.words.numbers import about

NIGHT_S = 10 * 3600
"""From an evening to the next morning."""


def announce_nights(folder: RunFolder, say: Callable[[str], None]) -> None:
    """Say what is left of a run, where that is longer than a night; nothing where it is not."""
    run = folder.read_run()
    left = [trial for trial in run.plan if not (folder.trial(trial.id) / "trial.json").exists()]
    for line in told(left, run.scenarios, run.profile):
        say(line)


def told(
    plan: Sequence[PlannedTrial], scenarios: Mapping[str, Scenario], profile: str
) -> list[str]:
    """Tell how long the trials take, by scenario, and which profiles of the longest fit a night."""
    names = dict.fromkeys(trial.scenario for trial in plan)
    parts = {name: [trial for trial in plan if trial.scenario == name] for name in names}
    took = {name: seconds_with_starts(trials) for name, trials in parts.items()}
    if sum(took.values()) <= NIGHT_S:
        return []
    longest = max(took, key=lambda name: took[name])
    each = ", ".join(f"{name} {about(took[name])}" for name in sorted(took, key=lambda n: -took[n]))
    lines = [f"about {about(sum(took.values()))}, longer than a night: {each}"]
    shorter = _shorter(parts[longest], scenarios[longest], profile)
    if shorter:
        fits = "; ".join(f"--profile {name}, {about(length)}" for name, length in shorter.items())
        lines.append(f"of {longest} a night has time for: {fits}")
    lines.append("Ctrl-C keeps every finished trial; what it then says goes on the next night")
    return lines


def _shorter(trials: Sequence[PlannedTrial], scenario: Scenario, profile: str) -> dict[str, float]:
    """Other profiles of a scenario that fit a night with the same contenders, longest first."""
    cells = list({trial.cell: trial for trial in trials}.values())
    found = {
        name: _seconds_with(cells, scenario, measure)
        for name, measure in scenario.profiles.items()
        if name not in (CHECK, profile)
    }
    fitting = {name: length for name, length in found.items() if length <= NIGHT_S}
    return dict(sorted(fitting.items(), key=lambda item: -item[1]))


def _seconds_with(cells: Sequence[PlannedTrial], scenario: Scenario, measure: Measure) -> float:
    own = {**scenario.parameters, **measure.parameters}
    planned = [
        cell.model_copy(
            update={"load": planned_load(scenario, measure, {**cell.parameters, **own})}
        )
        for cell in cells
    ]
    return measure.trials * seconds_with_starts(planned)
