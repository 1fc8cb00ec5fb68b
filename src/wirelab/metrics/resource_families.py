"""Families of metrics of resources: of the contender, of what stands beside it, of the host."""

from __future__ import annotations

from wirelab.metrics.family import Family, family
from wirelab.words.translation import N_

RESOURCES: tuple[Family, ...] = (
    family(
        r"total\.cpu\.mean",
        N_("CPU mean with the programs beside it"),
        N_("CPU together"),
        N_("CPU of the contender and of the programs it needs beside it; 100 % is one core."),
    ),
    family(
        r"total\.rss\.max",
        N_("RSS max with the programs beside it"),
        N_("RSS together"),
        N_("Memory of the contender and of the programs it needs beside it."),
    ),
    family(
        r"cpu\.mean",
        N_("CPU mean"),
        N_("CPU mean"),
        N_(
            "CPU time of the whole process tree, measured from outside, divided by the window; "
            "100 % is one core."
        ),
    ),
    family(
        r"cpu\.max",
        N_("CPU max"),
        N_("CPU max"),
        N_("CPU use of the process tree in its busiest second; 100 % is one core."),
    ),
    family(
        r"cpu\.(?P<stat>[a-z0-9.]+)",
        N_("CPU {stat}"),
        N_("CPU {stat}"),
        N_(
            "Percentile of the CPU use between two readings (10 a second), measured from outside "
            "over the whole process tree; 100 % is one core."
        ),
    ),
    family(
        r"rss\.start",
        N_("RSS start"),
        N_("RSS start"),
        N_("Resident memory of the whole process tree at the start of the measured window."),
    ),
    family(
        r"rss\.max",
        N_("RSS max"),
        N_("RSS max"),
        N_("Largest resident memory of the whole process tree in the measured window."),
    ),
    family(
        r"rss\.growth",
        N_("RSS growth"),
        N_("RSS growth"),
        N_("Resident memory at the end of the window minus that at its start."),
    ),
    family(
        r"rss\.(?P<stat>[a-z0-9.]+)",
        N_("RSS {stat}"),
        N_("RSS {stat}"),
        N_("Resident memory of the whole process tree."),
    ),
    family(
        r"heap\.max",
        N_("heap max"),
        N_("heap max"),
        N_(
            "Largest heap the runtime itself reported. Runtimes count differently, so heaps of "
            "different runtimes are not compared."
        ),
    ),
    family(
        r"gc\.pause\.(?P<stat>[a-z0-9.]+)",
        N_("GC pause {stat}"),
        N_("GC pause {stat}"),
        N_("Garbage collector pauses the runtime reported over the measured window of a trial."),
    ),
    family(
        r"gc\.count",
        N_("GC runs"),
        N_("GC runs"),
        N_("Garbage collections the runtime reported over the measured window of a trial."),
    ),
    family(
        r"startup\.time",
        N_("start-up time"),
        N_("start-up"),
        N_(
            "From the start of the process until it is connected and ready, the checked "
            "operations before the measurement included."
        ),
    ),
    family(
        r"switches\.voluntary\.rate",
        N_("voluntary context switches"),
        N_("voluntary switches"),
        N_("Times a second the process gave up its processor to wait."),
    ),
    family(
        r"switches\.involuntary\.rate",
        N_("involuntary context switches"),
        N_("involuntary switches"),
        N_("Times a second the processor was taken from the process."),
    ),
    family(
        r"scheduler\.delay",
        N_("scheduler delay"),
        N_("scheduler delay"),
        N_("Share of the window the process was runnable but waited for a processor."),
    ),
    family(
        r"core\.cpu\.mean",
        N_("mean CPU of wirelab itself"),
        N_("wirelab CPU"),
        N_("CPU time of the measuring program during the window; 100 % is one core."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.cpu\.(?P<stat>[a-z0-9.]+)",
        N_("{op} CPU {stat}"),
        N_("{op} CPU {stat}"),
        N_("CPU time of another role's process tree during the window; 100 % is one core."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.rss\.(?P<stat>[a-z0-9.]+)",
        N_("{op} RSS {stat}"),
        N_("{op} RSS {stat}"),
        N_("Resident memory of another role's process tree."),
    ),
    family(
        r"net\.loopback\.(?P<stat>[a-z0-9.]+)",
        N_("loopback traffic {stat}"),
        N_("loopback {stat}"),
        N_("Bytes a second over the host's loopback interface during the window, of all programs."),
    ),
)
