"""``--set KEY=VALUE``: only parameters that there are, with values they can have."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

from wirelab.catalog import ContenderEntry, SuiteEntry
from wirelab.model.mistake import MistakeError
from wirelab.model.parameters import OF_THE_CORE, TARGET, Parameter
from wirelab.model.units import Scalar


class SettingError(MistakeError):
    """A setting that would change nothing, or that no worker could read."""


def settings_of(
    texts: Sequence[str],
    suite: SuiteEntry,
    contenders: Sequence[ContenderEntry],
    scenarios: Sequence[str],
    profile: str,
) -> dict[str, Scalar]:
    """The values of ``texts`` (KEY=VALUE) by name; SettingError says what is wrong with one."""
    known = parameters_of(suite, contenders)
    settings: dict[str, Scalar] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise SettingError(f"--set {text}: expected KEY=VALUE, such as users=10")
        settings[name] = _value(name, value, known, suite)
        if places := _overridden(name, suite, scenarios, profile):
            raise SettingError(
                f"--set {text} would change nothing: each step of {', '.join(places)} "
                f"sets {name} itself"
            )
    return settings


def parameters_of(suite: SuiteEntry, contenders: Iterable[ContenderEntry]) -> dict[str, Parameter]:
    """The parameters that a run of ``contenders`` reads, by name."""
    common = suite.manifest.parameters
    own = {name for entry in contenders for name in entry.manifest.own_parameters}
    known: dict[str, Parameter] = {
        n: p for n, p in common.items() if p.by == "scenario" or n in own
    }
    for entry in contenders:
        known.update(entry.manifest.parameters)
    return known


def _value(name: str, text: str, known: Mapping[str, Parameter], suite: SuiteEntry) -> Scalar:
    if name == TARGET:
        raise SettingError("--set target=...: use --target, which also says so in the report")
    parameter = known.get(name)
    if name in OF_THE_CORE or parameter is None:
        raise SettingError(_unknown(name, known, suite))
    if parameter.fixed:
        raise SettingError(
            f"--set {name}=...: this parameter describes what is fixed ({parameter.meaning})"
        )
    try:
        return parameter.read(text)
    except ValueError:
        raise SettingError(
            f"--set {name}={text}: expected {parameter.expected} ({parameter.meaning})"
        ) from None


def _unknown(name: str, known: Mapping[str, Parameter], suite: SuiteEntry) -> str:
    settable = [n for n, parameter in known.items() if not parameter.fixed]
    said = f'no parameter "{name}" in suite {suite.name}'
    if having := [n for n, c in suite.contenders.items() if name in c.manifest.own_parameters]:
        said += f" for these contenders; {', '.join(having)} would read it"
    elif near := difflib.get_close_matches(name.lower(), settable, n=1, cutoff=0.5):
        said += f"; nearest: {near[0]}"
    return f"{said}\nthere are: {', '.join(sorted(settable)) or 'none'}"


def _overridden(name: str, suite: SuiteEntry, scenarios: Sequence[str], profile: str) -> list[str]:
    """``scenarios`` when every step of all of them says the parameter itself."""
    for scenario in (suite.manifest.scenarios[s] for s in scenarios):
        steps = scenario.profiles[profile].steps or list(scenario.steps)
        if not steps or any(name not in scenario.steps[step].parameters for step in steps):
            return []
    return list(scenarios)
