"""Families of metrics: what dotted names are called in a report, and what they mean.

The first pattern that fits a whole name counts, so special names stand before general ones.
"""

from __future__ import annotations

from wirelab.metrics.batch_families import BATCHES
from wirelab.metrics.closed_families import CLOSED
from wirelab.metrics.family import Family, family
from wirelab.metrics.resource_families import RESOURCES
from wirelab.words.translation import N_

_OPERATIONS: tuple[Family, ...] = (
    family(
        r"(?P<op>[a-z0-9-]+)\.latency\.(?P<stat>[a-z0-9.]+)",
        N_("{op} latency {stat}"),
        "{stat}",
        N_(
            "Service time: from just before the call into the library until its decoded result "
            "is in the caller's hands."
        ),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.response\.(?P<stat>[a-z0-9.]+)",
        N_("{op} response time {stat}"),
        N_("response {stat}"),
        N_(
            "Response time: from the intended time of the tick until the decoded result. It "
            "contains the wait of a call that could not start on time."
        ),
    ),
    family(
        r"tick\.drift\.(?P<stat>[a-z0-9.]+)",
        N_("tick drift {stat}"),
        N_("drift {stat}"),
        N_("Actual start of an operation minus its intended time; positive is late."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.rate",
        N_("{op} throughput"),
        N_("{op} rate"),
        N_(
            "Successful operations × items, divided by the scheduled window without warm-up; in a "
            "closed loop by the time that its steps took."
        ),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.attainment",
        N_("{op} attainment"),
        N_("{op} attained"),
        N_("Successful operations divided by those the schedule asked for in the window."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.miss\.count",
        N_("{op} deadline misses"),
        N_("{op} misses"),
        N_(
            "Operations due in the window that did not succeed within their deadline, counted "
            "from the intended time; an operation that failed or never came is a miss."
        ),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.miss\.ratio",
        N_("{op} miss ratio"),
        N_("{op} miss ratio"),
        N_("Deadline misses divided by the operations due."),
    ),
    family(
        r"capacity\.verified",
        N_("capacity verified"),
        N_("held"),
        N_("The highest load that held every bound of the scenario; a mean over the searches."),
    ),
    family(
        r"capacity\.failed",
        N_("capacity failed"),
        N_("did not hold"),
        N_("The lowest load above it that did not; the capacity lies between the two."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.disconnected\.count",
        N_("{op} disconnected"),
        N_("disconnected"),
        N_("Operations that failed because their connection was lost."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.error\.count",
        N_("{op} errors"),
        N_("{op} errors"),
        N_("Operations in the window with another status than ok."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.error\.ratio",
        N_("{op} error ratio"),
        N_("{op} error ratio"),
        N_("Failed operations divided by the operations done."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.expected\.count",
        N_("{op} expected"),
        N_("expected"),
        N_("Deliveries owed: members of the group when a message was sent, the sender left out."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.received\.count",
        N_("{op} received"),
        N_("received"),
        N_("First copies that came, whenever they came."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.loss\.count",
        N_("{op} lost"),
        N_("lost"),
        N_("Expected and never received, counted exactly by sequence numbers."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.loss\.ratio",
        N_("{op} loss"),
        N_("loss"),
        N_("Expected and never received, divided by expected. Users who are joining are no loss."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.duplicate\.count",
        N_("{op} duplicates"),
        N_("duplicates"),
        N_("Further copies of what had been received."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.reorder\.count",
        N_("{op} out of order"),
        N_("out of order"),
        N_("First copies that came after a later message of the same sender."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.wrong\.count",
        N_("{op} wrong"),
        N_("wrong"),
        N_("Deliveries of the wrong group, of unknown messages, or with changed content."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.drop\.count",
        N_("{op}: dropped afterwards"),
        N_("dropped"),
        N_("Connections that ended without being asked to."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.traffic",
        N_("{op} traffic"),
        N_("traffic"),
        N_("Payload the clients received each second; frames and headers are not counted."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.traffic\.max",
        N_("{op} traffic, busiest second"),
        N_("traffic, busiest second"),
        N_("Payload the clients received in the second in which they received most."),
    ),
    family(
        r"generator\.per\.cpu",
        N_("received per CPU second of the generator"),
        N_("received / generator CPU s"),
        N_("Messages the load generator received for each second of CPU it used."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.per\.cpu",
        N_("{op} per CPU second"),
        N_("{op} / CPU s"),
        N_(
            "Deliveries for each second of CPU of the contender and of the programs it needs "
            "beside it."
        ),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.cv",
        N_("{op} cv between trials"),
        N_("cv ({op} mean)"),
        N_(
            "Coefficient of variation of the trials' mean service times: their standard "
            "deviation divided by their mean. Small: the trials agree."
        ),
    ),
    family(
        r"fault\.error\.time",
        N_("time to the error"),
        N_("time to error"),
        N_("From the fault (or the call, where there is none) to the error the caller sees."),
    ),
    family(
        r"fault\.block\.time",
        N_("longest block"),
        N_("longest block"),
        N_("The longest call since the fault, from its start to its end, whatever came of it."),
    ),
    family(
        r"fault\.late\.count",
        N_("late ticks"),
        N_("late ticks"),
        N_(
            "Ticks since the fault whose operation ended after its deadline, or, without one, "
            "after it was due again."
        ),
    ),
    family(
        r"fault\.outage\.time",
        N_("outage"),
        N_("outage"),
        N_("From the fault to the first operation that succeeded on time."),
    ),
)

FAMILIES = (*CLOSED, *_OPERATIONS, *RESOURCES, *BATCHES)
