"""The machine of a run, as far as it was disclosed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wirelab.model.disclosure import Accounts
from wirelab.report.context import Context
from wirelab.report.document import Definitions, Details, Text, plain, text
from wirelab.words import numbers
from wirelab.words.translation import N_

_LABELS = {
    "kernel": N_("kernel"),
    "architecture": N_("architecture"),
    "distribution": N_("distribution"),
    "cpu": N_("processor"),
    "cpus": N_("usable logical processors"),
    "cores": N_("cores"),
    "smt": N_("simultaneous multithreading"),
    "governors": N_("frequency governors"),
    "turbo": N_("turbo"),
    "memory_bytes": N_("memory"),
    "swap_bytes": N_("swap"),
    "virtualisation": N_("virtualisation"),
    "container": N_("container"),
    "cgroup_version": N_("cgroup version"),
    "cpu_quota": N_("processor quota"),
    "psi": N_("pressure figures (PSI)"),
    "clock_source": N_("clock source"),
    "timer_slack_ns": N_("timer slack"),
    "timer_late_ns": N_("how late a timer ends a wait"),
    "canary_ns": N_("fixed loop"),
    "canary_fastest_ns": N_("fixed loop, fastest tenth on such machines"),
    "canary_spread": N_("spread of the fixed loop"),
    "steal_ratio": N_("steal"),
    "open_files": N_("open files of a process (soft and hard limit)"),
    "toolchains": N_("toolchains"),
    "kept_from_workers": N_("variables that workers did not inherit"),
    "inherited_on_request": N_("variables that workers inherited on request"),
    "not_foreign": N_("process below which nothing counted as foreign demand"),
}

_VALUES = (N_("virtual machine"), N_("none"))
"""Values that are words and no names."""


def one_line(context: Context) -> str:
    """Processor, memory and system in one line."""
    _ = context.words.gettext
    host = context.result.disclosure.host
    parts = []
    if "cpu" in host:
        parts.append(str(host["cpu"]))
    if "cpus" in host:
        parts.append(_("{n} logical processors").format(n=host["cpus"]))
    if isinstance(memory := host.get("memory_bytes"), int | float):
        parts.append(numbers.size(memory))
    if "distribution" in host:
        parts.append(str(host["distribution"]))
    if "kernel" in host:
        parts.append(_("kernel {version}").format(version=host["kernel"]))
    return ", ".join(parts) if parts else _("not recorded")


def details(context: Context) -> Details:
    """The full disclosure of the run, to be opened."""
    _ = context.words.gettext
    disclosure = context.result.disclosure
    items: list[tuple[str, Text]] = [
        (_("run"), text("`{run}`", run=context.result.run)),
        (_("started"), plain(disclosure.started_at)),
        (_("command line"), text("`{line}`", line=" ".join(disclosure.command_line))),
        (_("wirelab"), plain(disclosure.wirelab)),
        (_("git revision"), text("`{revision}`", revision=disclosure.git_revision or "–")),
        (_("seed of the order"), plain(str(disclosure.seed))),
        (
            _("load before (1, 5, 15 min)"),
            plain(", ".join(f"{load:.2f}" for load in disclosure.load_before)),
        ),
    ]
    if context.result.file_systems:
        items.append((_("file system that roles wrote to"), plain(_file_systems(context))))
    items.append((_("sandbox of the roles"), plain(_sandbox(context))))
    if disclosure.unconfined_builds is not None:
        said = _of_builds(context, disclosure.unconfined_builds)
        items.append((_("sandbox of the builds"), plain(said)))
    if (secret := _secret(context)) is not None:
        items.append((_("secret of a trial"), plain(secret)))
    if disclosure.accounts is not None:
        items.extend(_accounts(context, disclosure.accounts))
    for key, value in disclosure.host.items():
        label = _(_LABELS[key]) if key in _LABELS else key
        items.append((label, plain(_shown(context, key, value))))
    return Details(_("Full disclosure of the machine and the run"), (Definitions(tuple(items)),))


def _accounts(context: Context, accounts: Accounts) -> Iterator[tuple[str, Text]]:
    """Sources of the roles' processor time, and the limits of each role."""
    _ = context.words.gettext
    seen = _("/proc: processes that lived for less than 100 ms may be missing ({reason})")
    source = accounts.processor or seen.format(reason=accounts.reason)
    yield _("account of processor time"), plain(source)
    memory, processes = accounts.memory_bytes, accounts.processes
    of_memory = numbers.size(memory) if memory is not None else _("not limited")
    of_processes = f"{processes:,}" if processes is not None else _("not limited")
    yield _("memory of a role at most"), plain(of_memory)
    yield _("processes and threads of a role at most"), plain(of_processes)


def _file_systems(context: Context) -> str:
    """Names of them, with what is to be known of a sync there."""
    _ = context.words.gettext
    without = _("{type} (a sync waits for no disk there)")
    return ", ".join(
        without.format(type=one.type) if one.syncs_nothing else one.type
        for one in context.result.file_systems
    )


def _sandbox(context: Context) -> str:
    """The sandbox of the roles, or the reason why there was none."""
    _ = context.words.gettext
    disclosure = context.result.disclosure
    if disclosure.sandbox is None:
        return _("not recorded")
    if disclosure.sandbox and disclosure.granted:
        said = _("{program}; the suite lets its roles see {folders} beside its own folder")
        return said.format(program=disclosure.sandbox, folders=", ".join(disclosure.granted))
    if disclosure.sandbox:
        return disclosure.sandbox
    if disclosure.unconfined is None:
        return _("none: the roles ran with all the rights of the user")
    if disclosure.unconfined:
        said = _(
            "none, because none could be started ({reason}): "
            "the roles ran with all the rights of the user"
        )
        return said.format(reason=disclosure.unconfined)
    return _("none, as asked for (--no-sandbox): the roles ran with all the rights of the user")


def _of_builds(context: Context, unconfined: Mapping[str, str]) -> str:
    """Describe the sandbox of the compilers, or name what was compiled without."""
    _ = context.words.gettext
    if not unconfined:
        return _("each was compiled in one, without a network")
    said = _("none for {builds}: code of their packages ran with all the rights of the user")
    named = (f"{name} ({reason})" for name, reason in unconfined.items())
    return said.format(builds=", ".join(named))


def _secret(context: Context) -> str | None:
    """Whether a contender may know what it is to answer or to pass on; None where nothing depends
    on a secret.
    """
    _ = context.words.gettext
    if context.result.disclosure.unforeseen:
        if context.result.disclosure.sandbox:
            return _(
                "what is sent depends on random bytes that are drawn for each trial and that no "
                "server is given"
            )
        return _(
            "none: without a sandbox a server may read the random bytes that what is sent depends "
            "on in the memory of the sender"
        )
    if not context.result.disclosure.keyed:
        return None
    if context.result.disclosure.sandbox:
        return _(
            "the values of the suite's server depend on random bytes that are drawn for each trial "
            "and that no client is given"
        )
    return _(
        "none: without a sandbox a client may read the random bytes that the values of the suite's "
        "server depend on in the memory of the server"
    )


def _shown(context: Context, key: str, value: Any) -> str:
    _ = context.words.gettext
    if value is None or value in ("", [], {}):
        return "–"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_shown(context, key, one)}" for name, one in value.items())
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    if not isinstance(value, int | float):
        return _(value) if value in _VALUES else str(value)
    if key.endswith("_bytes"):
        return numbers.size(value)
    if key.endswith("_ns"):
        return numbers.duration(value)
    if key.endswith(("_ratio", "_spread")):
        return f"{value * 100:g} %"
    return f"{value:,}"
