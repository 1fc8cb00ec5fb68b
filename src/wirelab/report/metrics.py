"""What the dotted names of metrics are called in a report, and what they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wirelab.report.wording import N_, Words


@dataclass(frozen=True)
class Described:
    """A family of metrics: the short title, the column title, and the meaning."""

    pattern: re.Pattern[str]
    title: str
    column: str
    meaning: str


def _family(pattern: str, title: str, column: str, meaning: str) -> Described:
    return Described(re.compile(pattern), title, column, meaning)


_FAMILIES = (
    _family(
        r"(?P<op>[a-z0-9-]+)\.latency\.(?P<stat>[a-z0-9.]+)",
        N_("{op} latency {stat}"),
        "{stat}",
        N_(
            "Service time: from just before the call into the library until its decoded result "
            "is in the caller's hands."
        ),
    ),
    _family(
        r"(?P<op>[a-z0-9-]+)\.response\.(?P<stat>[a-z0-9.]+)",
        N_("{op} response time {stat}"),
        N_("response {stat}"),
        N_(
            "Response time: from the intended time of the tick until the decoded result. It "
            "contains the wait of a call that could not start on time."
        ),
    ),
    _family(
        r"tick\.drift\.(?P<stat>[a-z0-9.]+)",
        N_("tick drift {stat}"),
        N_("drift {stat}"),
        N_("Actual start of an operation minus its intended time; positive is late."),
    ),
    _family(
        r"(?P<op>[a-z0-9-]+)\.rate",
        N_("{op} throughput"),
        N_("{op} rate"),
        N_("Successful operations × items, divided by the scheduled window without warm-up."),
    ),
    _family(
        r"(?P<op>[a-z0-9-]+)\.attainment",
        N_("{op} attainment"),
        N_("{op} attained"),
        N_("Successful operations divided by those the schedule asked for in the window."),
    ),
    _family(
        r"(?P<op>[a-z0-9-]+)\.miss\.count",
        N_("{op} deadline misses"),
        N_("{op} misses"),
        N_(
            "Operations due in the window that did not succeed within their deadline, counted "
            "from the intended time; an operation that failed or never came is a miss."
        ),
    ),
    _family(
        r"(?P<op>[a-z0-9-]+)\.miss\.ratio",
        N_("{op} miss ratio"),
        N_("{op} miss ratio"),
        N_("Deadline misses divided by the operations due."),
    ),
    _family(
        r"(?P<op>[a-z0-9-]+)\.error\.count",
        N_("{op} errors"),
        N_("{op} errors"),
        N_("Operations in the window with another status than ok."),
    ),
    _family(
        r"(?P<op>[a-z0-9-]+)\.error\.ratio",
        N_("{op} error ratio"),
        N_("{op} error ratio"),
        N_("Failed operations divided by the operations done."),
    ),
    _family(
        r"(?P<op>[a-z0-9-]+)\.cv",
        N_("{op} cv between trials"),
        N_("cv ({op} mean)"),
        N_(
            "Coefficient of variation of the trials' mean service times: their standard "
            "deviation divided by their mean. Small: the trials agree."
        ),
    ),
    _family(
        r"cpu\.mean",
        N_("CPU mean"),
        N_("CPU mean"),
        N_(
            "CPU time of the whole process tree, measured from outside, divided by the window; "
            "100 % is one core."
        ),
    ),
    _family(
        r"cpu\.(?P<stat>[a-z0-9.]+)",
        N_("CPU {stat}"),
        N_("CPU {stat}"),
        N_(
            "Percentile of the CPU use between two readings (10 a second), measured from outside "
            "over the whole process tree; 100 % is one core."
        ),
    ),
    _family(
        r"rss\.start",
        N_("RSS start"),
        N_("RSS start"),
        N_("Resident memory of the whole process tree at the start of the measured window."),
    ),
    _family(
        r"rss\.max",
        N_("RSS max"),
        N_("RSS max"),
        N_("Largest resident memory of the whole process tree in the measured window."),
    ),
    _family(
        r"rss\.growth",
        N_("RSS growth"),
        N_("RSS growth"),
        N_("Resident memory at the end of the window minus that at its start."),
    ),
    _family(
        r"rss\.(?P<stat>[a-z0-9.]+)",
        N_("RSS {stat}"),
        N_("RSS {stat}"),
        N_("Resident memory of the whole process tree."),
    ),
    _family(
        r"heap\.max",
        N_("heap max"),
        N_("heap max"),
        N_(
            "Largest heap the runtime itself reported. Runtimes count differently, so heaps of "
            "different runtimes are not compared."
        ),
    ),
    _family(
        r"gc\.pause\.(?P<stat>[a-z0-9.]+)",
        N_("GC pause {stat}"),
        N_("GC pause {stat}"),
        N_("Garbage collector pauses the runtime reported over the measured window of a trial."),
    ),
    _family(
        r"gc\.count",
        N_("GC runs"),
        N_("GC runs"),
        N_("Garbage collections the runtime reported over the measured window of a trial."),
    ),
    _family(
        r"startup\.time",
        N_("start-up time"),
        N_("start-up"),
        N_(
            "From the start of the process until it is connected and ready, the checked "
            "operations before the measurement included."
        ),
    ),
    _family(
        r"switches\.voluntary\.rate",
        N_("voluntary context switches"),
        N_("voluntary switches"),
        N_("Times a second the process gave up its processor to wait."),
    ),
    _family(
        r"switches\.involuntary\.rate",
        N_("involuntary context switches"),
        N_("involuntary switches"),
        N_("Times a second the processor was taken from the process."),
    ),
    _family(
        r"scheduler\.delay",
        N_("scheduler delay"),
        N_("scheduler delay"),
        N_("Share of the window the process was runnable but waited for a processor."),
    ),
    _family(
        r"core\.cpu\.mean",
        N_("mean CPU of wirelab itself"),
        N_("wirelab CPU"),
        N_("CPU time of the measuring program during the window; 100 % is one core."),
    ),
    _family(
        r"(?P<op>[a-z0-9-]+)\.cpu\.(?P<stat>[a-z0-9.]+)",
        N_("{op} CPU {stat}"),
        N_("{op} CPU {stat}"),
        N_("CPU time of another role's process tree during the window; 100 % is one core."),
    ),
    _family(
        r"(?P<op>[a-z0-9-]+)\.rss\.(?P<stat>[a-z0-9.]+)",
        N_("{op} RSS {stat}"),
        N_("{op} RSS {stat}"),
        N_("Resident memory of another role's process tree."),
    ),
    _family(
        r"net\.loopback\.(?P<stat>[a-z0-9.]+)",
        N_("loopback traffic {stat}"),
        N_("loopback {stat}"),
        N_("Bytes a second over the host's loopback interface during the window, of all programs."),
    ),
    _family(
        r"fault\.error\.time",
        N_("time to the error"),
        N_("time to error"),
        N_("From the fault (or the call, where there is none) to the error the caller sees."),
    ),
    _family(
        r"fault\.recovery\.time",
        N_("recovery time"),
        N_("recovery"),
        N_("From the role being back to the first good answer."),
    ),
    _family(
        r"loss\.ratio",
        N_("loss"),
        N_("loss"),
        N_("Deliveries that never came, divided by those expected."),
    ),
)
_STATISTICS = {
    "mean": N_("mean"),
    "max": N_("max"),
    "min": N_("min"),
    "total": N_("total"),
}


def describe(name: str, words: Words) -> tuple[str, str]:
    """Title and meaning of a metric; an unknown one keeps its name and has no meaning."""
    for family in _FAMILIES:
        if match := family.pattern.fullmatch(name):
            fields = _fields(match, words)
            return words.gettext(family.title).format(**fields), words.gettext(family.meaning)
    return name, ""


def title(name: str, words: Words) -> str:
    """What a metric is called in a sentence or in the first column of a table."""
    return describe(name, words)[0]


def column_title(name: str, words: Words) -> str:
    """What a metric is called above a column, where the section has named the operation."""
    for family in _FAMILIES:
        if match := family.pattern.fullmatch(name):
            return words.gettext(family.column).format(**_fields(match, words))
    return name


def short_title(name: str, words: Words) -> str:
    """What a metric is called above a column of the first screen: ``read p50``."""
    parts = name.split(".")
    if len(parts) == 3 and parts[1] == "latency":
        return f"{words.gettext(parts[0])} {parts[2]}"
    return column_title(name, words)


def family_of(name: str) -> str:
    """Metrics of one family share their meaning: the name with operation and statistic out."""
    for family in _FAMILIES:
        if family.pattern.fullmatch(name):
            return family.pattern.pattern
    return name


def _fields(match: re.Match[str], words: Words) -> dict[str, str]:
    fields = {key: value or "" for key, value in match.groupdict().items()}
    if operation_or_role := fields.get("op"):
        # The suite's catalogue may have a word for it.
        fields["op"] = words.gettext(operation_or_role)
    if statistic := _STATISTICS.get(fields.get("stat", "")):
        fields["stat"] = words.gettext(statistic)
    return fields
