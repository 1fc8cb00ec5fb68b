"""Metrics of operations on the wire, as its witness saw them."""

from __future__ import annotations

from wirelab.metrics import told
from wirelab.metrics.definition import Definition
from wirelab.metrics.pattern import OF_DURATIONS, KeyPattern
from wirelab.model.metrics import Disturbed
from wirelab.words.translation import N_

WIRE: tuple[Definition, ...] = (
    Definition(
        key=KeyPattern.of("{op}.wire.before.{stat}", OF_DURATIONS),
        unit="ms",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.WITNESSED,
        title=N_("{op} caller to wire {stat}"),
        column=N_("caller to wire {stat}"),
        meaning=N_(
            "From the start of an operation to the departure of its request; where it waits for an "
            "answer, to the departure of the answer."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.wire.server.{stat}", OF_DURATIONS),
        unit="ms",
        disturbed=Disturbed.TIME,
        told=told.WITNESSED,
        title=N_("{op} wire to wire {stat}"),
        column=N_("wire to wire {stat}"),
        meaning=N_(
            "From the departure of the request to the arrival of the whole answer: the server and "
            "the network. An answer also waits here for a client that empties its socket too "
            "slowly."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.wire.after.{stat}", OF_DURATIONS),
        unit="ms",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.WITNESSED,
        title=N_("{op} wire to caller {stat}"),
        column=N_("wire to caller {stat}"),
        meaning=N_("From the arrival of the whole answer to the end of the operation."),
    ),
    Definition(
        key=KeyPattern.of("{op}.wire.bytes"),
        unit="B",
        better="lower",
        disturbed=Disturbed.NOTHING,
        told=told.WITNESSED,
        title=N_("{op} bytes on the wire"),
        column=N_("bytes each"),
        meaning=N_(
            "Bytes of the messages of request and answer; a mean over the operations. Headers of "
            "packets are not counted."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.wire.packets"),
        unit="count",
        better="lower",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.WITNESSED,
        title=N_("{op} packets"),
        column=N_("packets each"),
        meaning=N_(
            "Packets that carried request and answer; a mean over the operations. On the loopback "
            "a packet may have 64 KiB."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.wire.matched"),
        unit="%",
        better="higher",
        disturbed=Disturbed.COUNT,
        told=told.WITNESSED,
        title=N_("{op} matched with packets"),
        column=N_("matched"),
        meaning=N_(
            "Good operations whose request and whole answer were on the wire between their start "
            "and their end, divided by all good ones."
        ),
    ),
    Definition(
        key=KeyPattern.of("wire.traffic"),
        unit="kB/s",
        better="lower",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.FOLLOWED,
        title=N_("traffic between the roles"),
        column=N_("traffic"),
        meaning=N_(
            "Bytes a second to the servers of a trial and from them, whatever they are for, with "
            "the headers of packets."
        ),
    ),
    Definition(
        key=KeyPattern.of("wire.packets"),
        unit="packet/s",
        better="lower",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.FOLLOWED,
        title=N_("packets between the roles"),
        column=N_("packets"),
        meaning=N_(
            "Packets a second to the servers of a trial and from them, whatever they are for, "
            "acknowledgements among them."
        ),
    ),
    Definition(
        key=KeyPattern.of("wire.connections"),
        unit="count",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.FOLLOWED,
        title=N_("connections between the roles"),
        column=N_("connections"),
        meaning=N_("Connections to the servers of a trial that had a packet in its window."),
    ),
    Definition(
        key=KeyPattern.of("wire.connection.least"),
        unit="kB/s",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.FOLLOWED,
        title=N_("traffic of the idlest connection"),
        column=N_("idlest connection"),
        meaning=N_("Bytes a second of the connection that had fewest, with headers of packets."),
    ),
    Definition(
        key=KeyPattern.of("wire.connection.median"),
        unit="kB/s",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.FOLLOWED,
        title=N_("traffic of the median connection"),
        column=N_("median connection"),
        meaning=N_("Bytes a second of the median connection, with headers of packets."),
    ),
    Definition(
        key=KeyPattern.of("wire.connection.most"),
        unit="kB/s",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.FOLLOWED,
        title=N_("traffic of the busiest connection"),
        column=N_("busiest connection"),
        meaning=N_("Bytes a second of the connection that had most, with headers of packets."),
    ),
)
