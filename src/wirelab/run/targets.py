"""Servers of the user's own in the place of services of a suite (``--target``).

A server takes the place of one service, in scenarios that the suite says it can serve. Who talks to
another service, or to none, is left out by name: its figures would not be of the user's server.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from wirelab.catalog import ContenderEntry, SuiteEntry
from wirelab.conform.environment import login
from wirelab.model.contender import Contender
from wirelab.model.known_name import known_name
from wirelab.model.mistake import MistakeError
from wirelab.model.own import Own
from wirelab.model.participant import Barred
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Service, Suite
from wirelab.model.units import Text
from wirelab.trial.spec import OwnTarget

LOGIN = "login"
"""Capability of a contender that takes user and password from the endpoint it is given."""

_MOST_PORTS = 1 << 16
_TARGET = re.compile(
    r"(?:(?P<program>[^=:/]+)=)?(?:(?P<scheme>[\w.+-]+)://)?"
    r"(?P<host>[^:/=]+|\[[^\]]+\]):(?P<port>\d+)(?P<path>/.*)?"
)


class TargetError(MistakeError):
    """A target that is none, or that the suite cannot be measured against."""


@dataclass(frozen=True)
class Target:
    """A server as the user named it; ``program`` is empty where it was left open."""

    program: str
    address: str
    """HOST:PORT, and the path of its endpoint where it has one."""
    scheme: str = ""

    @classmethod
    def of(cls, text: str) -> Target:
        """``[SERVICE=][SCHEME://]HOST:PORT[/PATH]``; TargetError for anything else."""
        if "@" in text:
            # What is written here is kept with the results: it is not repeated either.
            raise TargetError(
                "--target takes no user and no password, only HOST:PORT: they come from the "
                "environment"
            )
        found = _TARGET.fullmatch(text)
        if found is None or not 0 < int(found["port"]) < _MOST_PORTS:
            raise TargetError(
                f"--target {text!r}: expected HOST:PORT, such as 127.0.0.1:3000, or "
                "SERVICE=HOST:PORT"
            )
        address = f"{found['host']}:{found['port']}{found['path'] or ''}"
        return cls(found["program"] or "", address, found["scheme"] or "")


@dataclass(frozen=True)
class TargetedServices:
    """The programs that are replaced, and the scenarios in which they can be."""

    targets: dict[str, str]
    """HOST:PORT by program."""
    scenarios: list[str]
    left_out: dict[str, str]
    """Scenarios that were not asked for by name: why they are not measured."""
    unverified: dict[str, str]
    """Scenarios whose answers nobody can verify: why."""

    def lines(self) -> list[str]:
        """Facts for the user before anything is measured."""
        left_out = [f"scenario {n} is left out: {why}" for n, why in self.left_out.items()]
        return [*left_out, *(f"answers of {n}: {why}" for n, why in self.unverified.items())]


def aim(
    suite: SuiteEntry,
    contenders: Sequence[ContenderEntry],
    scenarios: Sequence[str],
    asked: Sequence[Target],
    named: Collection[str] = (),
    *,
    listed: bool = False,
) -> TargetedServices:
    """Plan the measurement against the servers that were ``asked`` for.

    Scenarios that the user ``named`` are refused, and not left out, where a server cannot serve
    them; so is a program that cannot be replaced, or a server that nobody would talk to.
    ``listed``: the user has listed what is to be read there.
    """
    manifest = suite.manifest
    talked_to = _talked_to(manifest, [entry.manifest for entry in contenders], scenarios)
    targets: dict[str, str] = {}
    for target in asked:
        program = target.program or _only(manifest, talked_to, target)
        _check_replaceable(manifest, program)
        _check_form(target, _stand_in(manifest, program))
        if targets.setdefault(program, target.address) != target.address:
            raise TargetError(f"--target names two servers for {program}; one run measures one")
    left_out = {name: reason for name in scenarios if (reason := _refusal(manifest, name, targets))}
    for name in named:
        if name in left_out:
            raise TargetError(f"scenario {name} cannot be measured: {left_out[name]}")
    kept = [name for name in scenarios if name not in left_out]
    reached = _talked_to(manifest, [entry.manifest for entry in contenders], kept)
    for program in targets:
        if program not in reached:
            raise TargetError(_nobody(manifest, program, contenders, kept))
    _check_listed(manifest, kept, listed=listed)
    reasons = {name: manifest.scenarios[name].unverified for name in kept}
    return TargetedServices(
        targets, kept, left_out, {n: why.en for n, why in reasons.items() if why}
    )


def beside(contender: Contender, suite: Suite, targets: Collection[str]) -> str:
    """The reason why a contender has no part in a run against ``targets``; empty: it has."""
    if not targets:
        return ""
    names = contender.scenarios or list(suite.scenarios)
    its = _programs(contender, [suite.scenarios[name] for name in names])
    if aimed := its & set(targets):
        refusals = (
            _cannot_log_in(contender, program) or _cannot_take(contender, suite, program)
            for program in sorted(aimed)
        )
        return next(filter(None, refusals), "")
    who = f"it talks to {_listed(its)} of this suite" if its else "it talks to a server of its own"
    return f"{who}, and this run measures your server for {_listed(targets)}"


def barred(
    contender: Contender, suite: Suite, scenarios: Iterable[str], targets: Collection[str]
) -> dict[str, Barred]:
    """Scenarios in which a contender would talk to none of ``targets``."""
    if not targets:
        return {}
    names = _listed(targets)
    reason = Text(
        en=f"there it does not talk to your server for {names}",
        ko=f"이 시나리오에서는 사용자의 {names} 서버와 통신하지 않습니다",
    )
    return {
        name: Barred(reason=reason)
        for name in scenarios
        if name in (contender.scenarios or [name])
        and not _programs(contender, [suite.scenarios[name]]) & set(targets)
    }


def told(service: str, own: Own) -> OwnTarget:
    """The server in the place of ``service``, as its stand-in is told of it."""
    address, slash, path = own.targets[service].partition("/")
    return OwnTarget(service, address, slash + path, own.items, own.fill)


def _cannot_log_in(contender: Contender, program: str) -> str:
    """The reason why a contender cannot give the environment's login for a program's server."""
    _, variable = login(program)
    if not os.environ.get(variable) or LOGIN in contender.capabilities:
        return ""
    return f"{variable} is set, and it is not written to log in to a server of your own"


def _cannot_take(contender: Contender, suite: Suite, program: str) -> str:
    """The capability without which a contender can be asked for nothing that a server serves."""
    lacking = [
        sorted(set(suite.scenarios[name].needs) - set(contender.capabilities))
        for name in _stand_in(suite, program).scenarios
        if name in (contender.scenarios or [name])
    ]
    if not lacking or not all(lacking):
        return ""
    return f"its worker does not declare the capability {lacking[0][0]}, which your server needs"


def _programs(contender: Contender, scenarios: Iterable[Scenario]) -> set[str]:
    """Programs that fill roles in the contender's trials of ``scenarios``."""
    return {
        role.service
        for scenario in scenarios
        for role in contender.cast(scenario.roles).values()
        if role.service
    }


def _talked_to(suite: Suite, contenders: Sequence[Contender], scenarios: Iterable[str]) -> set[str]:
    """Programs that the contenders talk to in ``scenarios``; references come along unasked."""
    wanted = list(scenarios)
    chosen = [one for one in contenders if not one.reference] or contenders
    return {
        program
        for one in chosen
        for program in _programs(
            one, [suite.scenarios[n] for n in wanted if n in (one.scenarios or wanted)]
        )
    }


def _only(suite: Suite, talked_to: Collection[str], target: Target) -> str:
    """The only program that the chosen contenders talk to; of several, the only one that a server
    of the user's own can replace."""
    replaceable = [name for name in talked_to if suite.services[name].target]
    asked = replaceable or talked_to
    if len(asked) == 1:
        return next(iter(asked))
    if asked:
        ways = " or ".join(f"--target {name}={target.address}" for name in sorted(asked))
        raise TargetError(
            f"--target {target.address} does not name the service that it replaces: the chosen "
            f"contenders talk to {_listed(asked)}; say {ways}"
        )
    raise TargetError(
        f"no chosen contender talks to a service of suite {suite.suite}: there is nothing that "
        "--target could replace"
    )


def _check_replaceable(suite: Suite, program: str) -> None:
    known = {name for name in suite.services if not _stands_in(suite, name)}
    known_name("service", program, known, f"suite {suite.suite}")
    if not suite.services[program].target:
        able = [name for name in known if suite.services[name].target]
        others = f" (here only {_listed(able)})" if able else ""
        raise TargetError(
            f"{program} of suite {suite.suite} cannot be replaced by a server of your own{others}: "
            "leave --target out, or its figures would be those of wirelab's own server"
        )


def _check_form(target: Target, stand_in: Service) -> None:
    """Raise where a server is named in another form than its stand-in takes."""
    _, slash, _ = target.address.partition("/")
    if target.scheme not in ("", stand_in.scheme) or (slash and not stand_in.scheme):
        wanted = f"{stand_in.scheme}://HOST:PORT/PATH or HOST:PORT" * bool(stand_in.scheme)
        raise TargetError(f"--target {target.address}: expected {wanted or 'HOST:PORT'}")


def _check_listed(suite: Suite, scenarios: Iterable[str], *, listed: bool) -> None:
    """Raise where a list of items is missing, or nobody would read one."""
    items = {s.operations[s.listed].item for n in scenarios if (s := suite.scenarios[n]).listed}
    if items and not listed:
        raise TargetError(
            f"say what is to be read at your server: --items FILE, with a {items.pop()} on each "
            "line"
        )
    if listed and not items:
        raise TargetError(
            f"--items: nothing that is measured of suite {suite.suite} takes a list of items"
        )


def _stands_in(suite: Suite, name: str) -> bool:
    return any(program.target == name for program in suite.services.values())


def _refusal(suite: Suite, scenario: str, targets: Collection[str]) -> str:
    """The reason why a scenario cannot be measured against servers of the user; empty: it can."""
    if suite.scenarios[scenario].listed and not targets:
        return "it reads a server of your own: --target HOST:PORT --items FILE"
    for program in targets:
        stand_in = _stand_in(suite, program)
        if scenario not in stand_in.scenarios:
            return stand_in.refuses or (
                f"it needs wirelab's own {program}, which it sets up, delays, stops or loads"
            )
    return ""


def _stand_in(suite: Suite, program: str) -> Service:
    return suite.services[suite.services[program].target]


def _nobody(
    suite: Suite, program: str, contenders: Iterable[ContenderEntry], kept: Sequence[str]
) -> str:
    if not kept:
        able = _listed(_stand_in(suite, program).scenarios)
        return f"no chosen scenario can be measured against a server of your own; these can: {able}"
    names = _listed(entry.name for entry in contenders if not entry.manifest.reference)
    return f"no chosen contender talks to {program}: {names}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
