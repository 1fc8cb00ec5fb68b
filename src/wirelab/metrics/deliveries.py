"""Metrics of exact counts: what was owed and came, and what it took to bring it.

A worker may count beside the samples of any operation of a load.
"""

from __future__ import annotations

from wirelab.metrics import told
from wirelab.metrics.definition import Definition, Extent
from wirelab.metrics.pattern import KeyPattern
from wirelab.metrics.units import TIMES
from wirelab.model.metrics import Disturbed
from wirelab.words.translation import N_

DELIVERIES: tuple[Definition, ...] = (
    Definition(
        key=KeyPattern.of("{op}.expected.count"),
        unit="count",
        extent=Extent.SUM,
        disturbed=Disturbed.NOTHING,
        told=told.LOADS,
        title=N_("{op} expected"),
        column=N_("expected"),
        meaning=N_(
            "Deliveries owed: members of the group when a message was sent, the sender left out."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.received.count"),
        unit="count",
        extent=Extent.SUM,
        disturbed=Disturbed.COUNT,
        told=told.LOADS,
        title=N_("{op} received"),
        column=N_("received"),
        meaning=N_("First copies that came, whenever they came."),
    ),
    Definition(
        key=KeyPattern.of("{op}.loss.count"),
        unit="count",
        better="lower",
        extent=Extent.SUM,
        disturbed=Disturbed.COUNT,
        told=told.DELIVERED,
        title=N_("{op} lost"),
        column=N_("lost"),
        meaning=N_("Expected and never received, counted exactly by sequence numbers."),
    ),
    Definition(
        key=KeyPattern.of("{op}.loss.ratio"),
        unit="%",
        better="lower",
        disturbed=Disturbed.COUNT,
        told=told.DELIVERED,
        title=N_("{op} loss"),
        column=N_("loss"),
        meaning=N_(
            "Expected and never received, divided by expected. Users who are joining are no loss."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.shed.count"),
        unit="count",
        extent=Extent.SUM,
        disturbed=Disturbed.NOTHING,
        told=told.DELIVERED,
        title=N_("{op} left out on purpose"),
        column=N_("left out"),
        meaning=N_(
            "Expected, and left out by the server, which told whom it was owed to. What it did not "
            "tell is lost."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.shed.ratio"),
        unit="%",
        disturbed=Disturbed.NOTHING,
        told=told.DELIVERED,
        title=N_("{op}: share left out on purpose"),
        column=N_("left out, share"),
        meaning=N_("Left out by the server, which said so, divided by expected."),
    ),
    Definition(
        key=KeyPattern.of("{op}.duplicate.count"),
        unit="count",
        better="lower",
        extent=Extent.SUM,
        disturbed=Disturbed.COUNT,
        told=told.LOADS,
        title=N_("{op} duplicates"),
        column=N_("duplicates"),
        meaning=N_("Further copies of what had been received."),
    ),
    Definition(
        key=KeyPattern.of("{op}.redelivered.count"),
        unit="count",
        extent=Extent.SUM,
        disturbed=Disturbed.COUNT,
        told=told.DELIVERED,
        title=N_("{op} redelivered"),
        column=N_("redelivered"),
        meaning=N_("Received as sent again: the broker said that another user may have had them."),
    ),
    Definition(
        key=KeyPattern.of("{op}.evenness"),
        unit="ratio",
        better="higher",
        disturbed=Disturbed.COUNT,
        told=told.DELIVERED,
        title=N_("{op}: evenness of users"),
        column=N_("evenness"),
        meaning=N_(
            "Jain's index of how many of them each user got, where users compete: 1 when all got "
            "as many, 1/n when one of n got everything."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.reorder.count"),
        unit="count",
        better="lower",
        extent=Extent.SUM,
        disturbed=Disturbed.COUNT,
        told=told.LOADS,
        title=N_("{op} out of order"),
        column=N_("out of order"),
        meaning=N_("First copies that came after a later message of the same sender."),
    ),
    Definition(
        key=KeyPattern.of("{op}.wrong.count"),
        unit="count",
        better="lower",
        extent=Extent.SUM,
        disturbed=Disturbed.COUNT,
        told=told.LOADS,
        title=N_("{op} wrong"),
        column=N_("wrong"),
        meaning=N_("Deliveries of the wrong group, of unknown messages, or with changed content."),
    ),
    Definition(
        key=KeyPattern.of("{op}.drop.count"),
        unit="count",
        better="lower",
        extent=Extent.SUM,
        disturbed=Disturbed.COUNT,
        told=told.LOADS,
        title=N_("{op}: dropped afterwards"),
        column=N_("dropped"),
        meaning=N_("Connections that ended without being asked to."),
    ),
    Definition(
        key=KeyPattern.of("{op}.silent.count"),
        unit="count",
        extent=Extent.SUM,
        disturbed=Disturbed.NOTHING,
        told=told.LOADS,
        title=N_("{op}: silent afterwards"),
        column=N_("silent users"),
        meaning=N_(
            "Users who, once the load had settled, read nothing more, answered nothing and did not "
            "hang up. Nothing is owed to them."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.ended.count"),
        unit="count",
        extent=Extent.SUM,
        disturbed=Disturbed.COUNT,
        told=told.LOADS,
        title=N_("{op}: silent and ended"),
        column=N_("silent, ended"),
        meaning=N_("Silent users whose connection was ended from the other side."),
    ),
    Definition(
        key=KeyPattern.of("{op}.ended.after"),
        unit="s",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.TIME,
        told=told.LOADS,
        title=N_("{op}: silence until the end"),
        column=N_("silence until the end"),
        meaning=N_(
            "Mean time from the beginning of the silence until a connection was ended, of those "
            "that were."
        ),
    ),
    *(
        Definition(
            key=KeyPattern.of(f"{{op}}.{key}.count"),
            unit="count",
            extent=Extent.SUM,
            disturbed=Disturbed.COUNT,
            told=told.LOADS,
            title=title,
            column=column,
            meaning=meaning,
        )
        for key, title, column, meaning in (
            (
                "ping.quoted",
                N_("{op}: pings answered with what they said"),
                N_("pings quoted"),
                N_("Users whose ping was answered with what it said, after the load."),
            ),
            (
                "ping.misquoted",
                N_("{op}: pings answered with something else"),
                N_("pings misquoted"),
                N_("Users whose ping was answered with something else, after the load."),
            ),
            (
                "invalid.named",
                N_("{op}: invalid text, connection ended by its code"),
                N_("invalid text: ended by its code"),
                N_(
                    "Users who sent text that is none, after the load, and whose connection was "
                    "ended by the code that the protocol has for that."
                ),
            ),
            (
                "invalid.ended",
                N_("{op}: invalid text, connection ended otherwise"),
                N_("invalid text: ended otherwise"),
                N_(
                    "Users who sent text that is none, after the load, and whose connection was "
                    "ended by another code or without any."
                ),
            ),
            (
                "invalid.kept",
                N_("{op}: invalid text, connection kept"),
                N_("invalid text: kept"),
                N_(
                    "Users who sent text that is none, after the load, and whose connection was "
                    "not ended."
                ),
            ),
            (
                "invalid.spread",
                N_("{op}: invalid text, passed on"),
                N_("invalid text: passed on"),
                N_(
                    "Users who sent text that is none, after the load, and whose text reached "
                    "others, as it was or with a character in its place."
                ),
            ),
        )
    ),
    Definition(
        key=KeyPattern.of("{op}.traffic"),
        unit="MB/s",
        disturbed=Disturbed.TIME,
        told=told.DELIVERED,
        title=N_("{op} traffic"),
        column=N_("traffic"),
        meaning=N_("Payload the clients received each second; frames and headers are not counted."),
    ),
    Definition(
        key=KeyPattern.of("{op}.traffic.max"),
        unit="MB/s",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.TIME,
        told=told.DELIVERED,
        title=N_("{op} traffic, busiest second"),
        column=N_("traffic, busiest second"),
        meaning=N_("Payload the clients received in the second in which they received most."),
    ),
    Definition(
        key=KeyPattern.of("{op}.wire.ratio"),
        unit=TIMES,
        better="lower",
        disturbed=Disturbed.NOTHING,
        told=told.DELIVERED,
        title=N_("{op}: bytes on the wire for each byte of payload"),
        column=N_("wire : payload"),
        meaning=N_(
            "Bytes that the clients read from their sockets, divided by the payload of the first "
            "copies in them. Below 1 where messages are compressed; frames, headers and whatever "
            "else the protocol says are counted."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.network.in"),
        unit="MB/s",
        disturbed=Disturbed.TIME,
        told=told.DELIVERED,
        title=N_("{op}: network into the server"),
        column=N_("network in"),
        meaning=N_(
            "Bytes that the sockets of the clients took each second: what came in at the server, "
            "frames and headers of the protocol included, headers of TCP not."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.network.out"),
        unit="MB/s",
        disturbed=Disturbed.TIME,
        told=told.DELIVERED,
        title=N_("{op}: network out of the server"),
        column=N_("network out"),
        meaning=N_(
            "Bytes that the clients read from their sockets each second: what went out of the "
            "server, counted likewise."
        ),
    ),
    Definition(
        key=KeyPattern.of("{role}.per.cpu"),
        unit="{item}/CPU-s",
        better="higher",
        disturbed=Disturbed.TIME,
        told=told.GENERATOR,
        title=N_("received per CPU second of the generator"),
        column=N_("received / generator CPU s"),
        meaning=N_("Messages the load generator received for each second of CPU it used."),
    ),
    Definition(
        key=KeyPattern.of("{op}.per.cpu"),
        unit="{item}/CPU-s",
        better="higher",
        disturbed=Disturbed.TIME,
        told=told.DELIVERED,
        title=N_("{op} per CPU second"),
        column=N_("{op} / CPU s"),
        meaning=N_(
            "Deliveries for each second of CPU of the contender and of the programs it needs "
            "beside it."
        ),
    ),
)
