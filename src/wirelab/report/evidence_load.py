"""Evidence about deliveries and about the load generator, in words."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.metrics import naming
from wirelab.report.evidence_host import Evidence, percent, plain_number
from wirelab.words import numbers
from wirelab.words.translation import N_, Words


def counted(evidence: Evidence, words: Words) -> list[str]:
    """How many of how many."""
    return [
        words.gettext("{operation}: {count} of {received} received").format(
            operation=name, count=f"{of['count']:,}", received=f"{of['received']:,}"
        )
        for name, of in evidence["operations"].items()
    ]


def stood_still(evidence: Evidence, words: Words) -> list[str]:
    """Number and length of the pauses of each trial."""
    return [
        words.gettext(
            "{trial}: pauses {n}, longest {longest}, {total} of {seconds} s in all"
        ).format(
            trial=trial,
            n=of["pauses"],
            longest=numbers.milliseconds(of["longest_ms"]),
            total=numbers.milliseconds(of["total_ms"]),
            seconds=numbers.brief(of["seconds"], digits=3),
        )
        for trial, of in evidence["trials"].items()
    ]


def less_traffic(evidence: Evidence, words: Words) -> list[str]:
    """What was answered, and what came at all."""
    return [
        words.gettext("{trial}: payload {payload}, received on the loopback {received}").format(
            trial=trial,
            payload=numbers.size(of["payload"]),
            received=numbers.size(of["received"]),
        )
        for trial, of in evidence["trials"].items()
    ]


def fast_not_found(evidence: Evidence, words: Words) -> list[str]:
    """How many sizes were other ones, and what they sum up to."""
    return [
        words.gettext(
            "{operation}: {unlike} of {compared} sizes differ, {recorded} in all instead of "
            "{expected}"
        ).format(operation=name, **{key: f"{value:,}" for key, value in of.items()})
        for name, of in evidence["operations"].items()
    ]


_SATURATED = {
    "cpu_share": N_("its CPU was {value} of what it can use"),
    "delay_share": N_("it waited for a processor {value} of the time"),
    "lag_p99_ms": N_("p99 of its send lag was {value}"),
}


def generator_saturated(evidence: Evidence, words: Words) -> list[str]:
    """The signs that spoke, trial by trial."""
    return [
        f"{trial}: {', '.join(signs_in_words(signs, words))}"
        for trial, signs in evidence["trials"].items()
    ]


def signs_in_words(signs: Mapping[str, float], words: Words) -> list[str]:
    """What shows that a generator was at its limit, sign by sign."""
    return [
        words.gettext(_SATURATED[sign]).format(
            value=numbers.milliseconds(value) if sign.endswith("_ms") else percent(value, 3)
        )
        if sign in _SATURATED
        else f"{sign.replace('_', ' ')} {plain_number(value)}"
        for sign, value in signs.items()
    ]


def generator_ceiling(evidence: Evidence, words: Words) -> list[str]:
    """How near the figure came to what the rest of the set-up gives at most."""
    if evidence["ceiling"] is None:
        return [words.gettext("the ceiling was not measured in this run")]
    return [
        words.gettext("{metric} {value} is {share} of the set-up's ceiling of {ceiling}").format(
            metric=naming.title(evidence["metric"], words),
            value=numbers.brief(evidence["value"], digits=3),
            share=percent(evidence["share"]),
            ceiling=numbers.brief(evidence["ceiling"], digits=3),
        )
    ]
