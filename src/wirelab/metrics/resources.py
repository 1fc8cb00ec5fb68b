"""Metrics of resources: of the contender, of what stands beside it, of the host."""

from __future__ import annotations

from wirelab.metrics import told
from wirelab.metrics.definition import Definition, Extent
from wirelab.metrics.pattern import MAXIMUM, KeyPattern
from wirelab.model.metrics import Disturbed
from wirelab.words.translation import N_

RESOURCES: tuple[Definition, ...] = (
    Definition(
        key=KeyPattern.of("total.cpu.mean"),
        unit="%",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.TOGETHER,
        title=N_("CPU mean with the programs beside it"),
        column=N_("CPU together"),
        meaning=N_(
            "CPU of the contender and of the programs it needs beside it; 100 % is one core."
        ),
    ),
    Definition(
        key=KeyPattern.of("total.rss.max"),
        unit="MB",
        better="lower",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.UPPER_BOUND,
        told=told.TOGETHER,
        title=N_("RSS max with the programs beside it"),
        column=N_("RSS together"),
        meaning=N_("Memory of the contender and of the programs it needs beside it."),
    ),
    Definition(
        key=KeyPattern.of("cpu.mean"),
        unit="%",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.PROCESSES,
        title=N_("CPU mean"),
        column=N_("CPU mean"),
        meaning=N_(
            "CPU time of the whole process tree, measured from outside, divided by the window; "
            "100 % is one core."
        ),
    ),
    Definition(
        key=KeyPattern.of("cpu.max"),
        unit="%",
        better="lower",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.TIME,
        told=told.PROCESSES,
        title=N_("CPU max"),
        column=N_("CPU max"),
        meaning=N_("CPU use of the process tree in its busiest second; 100 % is one core."),
    ),
    Definition(
        key=KeyPattern.of("cpu.{stat}", ("p95",)),
        unit="%",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.PROCESSES,
        title=N_("CPU {stat}"),
        column=N_("CPU {stat}"),
        meaning=N_(
            "Percentile of the CPU use between two readings (10 a second), measured from outside "
            "over the whole process tree; 100 % is one core."
        ),
    ),
    Definition(
        key=KeyPattern.of("rss.start"),
        unit="MB",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.PROCESSES,
        title=N_("RSS start"),
        column=N_("RSS start"),
        meaning=N_(
            "Resident memory of the whole process tree at the start of the measured window."
        ),
    ),
    Definition(
        key=KeyPattern.of("rss.max"),
        unit="MB",
        better="lower",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.UPPER_BOUND,
        told=told.PROCESSES,
        title=N_("RSS max"),
        column=N_("RSS max"),
        meaning=N_("Largest resident memory of the whole process tree in the measured window."),
    ),
    Definition(
        key=KeyPattern.of("rss.growth"),
        unit="MB",
        better="lower",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.UPPER_BOUND,
        told=told.PROCESSES,
        title=N_("RSS growth"),
        column=N_("RSS growth"),
        meaning=N_("Resident memory at the end of the window minus that at its start."),
    ),
    Definition(
        key=KeyPattern.of("heap.max"),
        unit="MB",
        better="lower",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.UPPER_BOUND,
        told=told.PROCESSES,
        title=N_("heap max"),
        column=N_("heap max"),
        meaning=N_(
            "Largest heap the runtime itself reported. Runtimes count differently, so heaps of "
            "different runtimes are not compared."
        ),
    ),
    Definition(
        key=KeyPattern.of("heap.allocated.rate"),
        unit="MB/s",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.PROCESSES,
        title=N_("heap allocated a second"),
        column=N_("allocated"),
        meaning=N_(
            "Bytes a second that all threads of the runtime allocated on its heap, as it says, "
            "over the measured window."
        ),
    ),
    Definition(
        key=KeyPattern.of("gc.pause.{stat}", ("total",)),
        unit="ms",
        better="lower",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.TIME,
        told=told.PROCESSES,
        title=N_("GC pause {stat}"),
        column=N_("GC pause {stat}"),
        meaning=N_(
            "Garbage collector pauses the runtime reported over the measured window of a trial."
        ),
    ),
    Definition(
        key=KeyPattern.of("gc.count"),
        unit="count",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.NOTHING,
        told=told.PROCESSES,
        title=N_("GC runs"),
        column=N_("GC runs"),
        meaning=N_("Garbage collections the runtime reported over the measured window of a trial."),
    ),
    Definition(
        key=KeyPattern.of("startup.time"),
        unit="ms",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.PROCESSES,
        title=N_("start-up time"),
        column=N_("start-up"),
        meaning=N_(
            "From the start of the process until it is connected and ready, the checked "
            "operations before the measurement included."
        ),
    ),
    Definition(
        key=KeyPattern.of("switches.voluntary.rate"),
        unit="1/s",
        disturbed=Disturbed.TIME,
        told=told.PROCESSES,
        title=N_("voluntary context switches"),
        column=N_("voluntary switches"),
        meaning=N_("Times a second the process gave up its processor to wait."),
    ),
    Definition(
        key=KeyPattern.of("switches.involuntary.rate"),
        unit="1/s",
        disturbed=Disturbed.TIME,
        told=told.PROCESSES,
        title=N_("involuntary context switches"),
        column=N_("involuntary switches"),
        meaning=N_("Times a second the processor was taken from the process."),
    ),
    Definition(
        key=KeyPattern.of("scheduler.delay"),
        unit="%",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.PROCESSES,
        title=N_("scheduler delay"),
        column=N_("scheduler delay"),
        meaning=N_("Share of the window the process was runnable but waited for a processor."),
    ),
    Definition(
        key=KeyPattern.of("core.cpu.mean"),
        unit="%",
        disturbed=Disturbed.TIME,
        told=told.PROCESSES,
        title=N_("mean CPU of wirelab itself"),
        column=N_("wirelab CPU"),
        meaning=N_("CPU time of the measuring program during the window; 100 % is one core."),
    ),
    Definition(
        key=KeyPattern.of("{role}.cpu.{stat}", ("mean",)),
        unit="%",
        disturbed=Disturbed.TIME,
        told=told.BESIDE,
        title=N_("{op} CPU {stat}"),
        column=N_("{op} CPU {stat}"),
        meaning=N_("CPU time of another role's process tree during the window; 100 % is one core."),
    ),
    Definition(
        key=KeyPattern.of("{role}.rss.{stat}", (MAXIMUM,)),
        unit="MB",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.BESIDE,
        title=N_("{op} RSS {stat}"),
        column=N_("{op} RSS {stat}"),
        meaning=N_("Resident memory of another role's process tree."),
    ),
    Definition(
        key=KeyPattern.of("net.loopback.{stat}", ("rx", "tx")),
        unit="MB/s",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.PROCESSES,
        title=N_("loopback traffic {stat}"),
        column=N_("loopback {stat}"),
        meaning=N_(
            "Bytes a second over the trial's loopback interface during the window; without a "
            "sandbox over that of the host, with what other programs send there."
        ),
    ),
)
