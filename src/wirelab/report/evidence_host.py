"""Evidence about the machine, the clock and the resources, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from wirelab.words import numbers
from wirelab.words.translation import N_, Words

Evidence = Mapping[str, Any]


def percent(share: float, digits: int = 2) -> str:
    """A share of one as percent."""
    return f"{numbers.brief(share * 100, digits=digits)} %"


def plain_number(value: Any) -> str:
    """A value of evidence that has no wording of its own."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else numbers.brief(value, digits=3)


_STAMPS = {
    "backwards": N_("ends before it starts"),
    "early": N_("starts before it was due"),
    "outside": N_("lies outside its trial"),
    "off_schedule": N_("intended at no tick"),
    "past_step": N_("ends after its step"),
    "unknown_operations": N_("operation the scenario does not have"),
    "ready_off_by_ns": N_("the worker's clock at ready is off by (ns)"),
    "ready": N_("time of ready"),
}


def clock(evidence: Evidence, words: Words) -> list[str]:
    """Stamps that cannot be right, or a coarse clock."""
    _ = words.gettext
    if "sources" in evidence:
        return [_("coarse clock source: {name}").format(name=", ".join(evidence["sources"]))]
    return [
        f"{trial}: "
        + ", ".join(
            f"{_(_STAMPS[key]) if key in _STAMPS else key} {plain_number(value)}"
            for key, value in wrong.items()
        )
        for trial, wrong in evidence.items()
    ]


def steal(evidence: Evidence, words: Words) -> list[str]:
    """Processor time the hypervisor gave to others."""
    _ = words.gettext
    if "not_recorded" in evidence:
        unknown = len(evidence["not_recorded"])
        return [_("steal time was not recorded (trials: {n})").format(n=unknown)]
    return [
        _("up to {share} of the processor time (trials: {n})").format(
            share=percent(evidence["worst"]), n=len(evidence["steal"])
        )
    ]


_SIGNS = {
    "foreign_cores": N_("other programs used up to {worst} of a core (trials: {n})"),
    "pressure": N_("tasks waited for a processor up to {worst} of the time (trials: {n})"),
    "canary_change": N_("a fixed loop took up to {worst} longer or shorter (trials: {n})"),
}


def noisy_neighbour(evidence: Evidence, words: Words) -> list[str]:
    """The worst of each sign, with the number of trials that show it."""
    lines = []
    for sign, template in _SIGNS.items():
        seen = [abs(of[sign]) for of in evidence["trials"].values() if sign in of]
        if seen:
            said = words.gettext(template)
            lines.append(said.format(worst=percent(max(seen)), n=len(seen)))
    return lines


def not_pinned(evidence: Evidence, words: Words) -> list[str]:
    """The reason for each role, with the number of trials."""
    reasons = Counter(
        f"{role}: {why}"
        for refused in evidence["refused"].values()
        for role, why in refused.items()
    )
    template = words.gettext("{reason} (trials: {n})")
    return [template.format(reason=reason, n=count) for reason, count in reasons.items()]


def harness_cost(evidence: Evidence, words: Words) -> list[str]:
    """What wirelab itself used."""
    return [
        words.gettext("up to {share} of a core (trials: {n})").format(
            share=percent(evidence["worst"]), n=len(evidence["cores"])
        )
    ]


def resource_sanity(evidence: Evidence, words: Words) -> list[str]:
    """Figures of resources that contradict each other."""
    _ = words.gettext
    lines = []
    for trial, wrong in evidence["trials"].items():
        said = []
        if "rss_max_mb" in wrong:
            said.append(
                _("RSS {rss} MB is below the heap of {heap} MB").format(
                    rss=numbers.brief(wrong["rss_max_mb"], digits=3),
                    heap=numbers.brief(wrong["heap_max_mb"], digits=3),
                )
            )
        if "cpu_cores" in wrong:
            said.append(
                _("CPU of {cores} cores on {cpus} processors").format(
                    cores=numbers.brief(wrong["cpu_cores"]), cpus=wrong["cpus"]
                )
            )
        if "probe" in wrong:
            said.append(_("the probe saw no process"))
        said += [
            _("the socket of the {role} belongs to another process").format(
                role=key.removesuffix(".socket")
            )
            for key in wrong
            if key.endswith(".socket")
        ]
        lines.append(f"{trial}: {', '.join(said)}")
    return lines
