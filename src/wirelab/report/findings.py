"""What each gate is called, what it means when it speaks, and what helps.

The evidence of a finding is put into words by ``report.evidence``.
"""

from __future__ import annotations

from dataclasses import dataclass

from wirelab.words.translation import N_, Words


@dataclass(frozen=True)
class GateWording:
    """A gate in words: a title, what it means for the figures, and a remedy."""

    title: str
    meaning: str
    remedy: str


_UNKNOWN = GateWording(
    N_("a check spoke"),
    N_("A check of the method did not pass."),
    N_("See the evidence, and the page of this reason code in the documentation."),
)

_GATES = {
    "trial-failed": GateWording(
        N_("trials failed or are missing"),
        N_("Trials that failed are in no figure, so the others are not the whole story."),
        N_(
            "Read the trial's standard error in its folder, run `./wl conform` on the contender, "
            "and finish or repeat the run (`./wl run --resume`)."
        ),
    ),
    "wrong-answer": GateWording(
        N_("wrong answers"),
        N_("Answers were not what they had to be. Speed means nothing then: no figures."),
        N_("Correct the contender: compare its answers file with the suite's description."),
    ),
    "loss-or-error": GateWording(
        N_("failed or lost operations"),
        N_(
            "Some operations did not succeed or were never delivered, and failures may be faster "
            "or slower than answers."
        ),
        N_("Look up the statuses and the error events of the trials; repeat without the cause."),
    ),
    "duplicated": GateWording(
        N_("delivered more than once"),
        N_("Receivers got messages twice: other work was done than was asked for."),
        N_("Look for a second subscription of one connection, or a broker that sends again."),
    ),
    "reordered": GateWording(
        N_("delivered out of order"),
        N_("Receivers got messages of one sender in another order than they were sent."),
        N_("Send the messages of one sender through one queue, one after the other."),
    ),
    "less-traffic": GateWording(
        N_("less traffic than answers"),
        N_(
            "The answers carry more bytes than the host's loopback received meanwhile: some were "
            "given without having been sent. No figure of this cell is a result."
        ),
        N_(
            "Look for answers from a cache, and for a transport that does not use the loopback "
            "(shared memory, a call within the process)."
        ),
    ),
    "stood-still": GateWording(
        N_("stood still"),
        N_(
            "Nobody was answered for 100 ms or more although messages were sent: percentiles can "
            "hide it, users cannot overlook it."
        ),
        N_("Look at the pauses of the garbage collector and at what blocks the event loop."),
    ),
    "clock": GateWording(
        N_("impossible time stamps"),
        N_("Stamps contradict the schedule or the monotonic clock, so durations are unreliable."),
        N_("Take all stamps of the worker from CLOCK_MONOTONIC; on a virtual machine use tsc."),
    ),
    "rate-missed": GateWording(
        N_("not as many operations as scheduled"),
        N_("The load was another than planned; its figures do not describe the scenario."),
        N_("Give the contender more processor, or choose a slower period it can keep."),
    ),
    "late-start": GateWording(
        N_("operations started late"),
        N_("Service times flatter: what waited before its start shows only in response times."),
        N_(
            "Judge by response time; free the processor of the client, or look for what blocks "
            "its timer."
        ),
    ),
    "unstable": GateWording(
        N_("trials do not agree"),
        N_("The trials vary so much that their common figure would be a matter of luck."),
        N_("Quieten the machine (`./wl doctor`), lengthen the trials, or use the publish profile."),
    ),
    "order-bias": GateWording(
        N_("figures drift over the run"),
        N_("Later trials differ from earlier ones: the machine itself changed while it measured."),
        N_("Let the machine warm up or cool down, fix its clock speed, and repeat the run."),
    ),
    "not-steady": GateWording(
        N_("no steady state"),
        N_("The level of latency still changed late in the window: figures mix two states."),
        N_("Lengthen warm-up and trial, until the last level fills at least half of the window."),
    ),
    "too-few-samples": GateWording(
        N_("too few samples"),
        N_("A ranked percentile rests on too few independent samples and is not printed."),
        N_("Run more or longer trials: the publish profile gives 10 of 300 s."),
    ),
    "steal": GateWording(
        N_("processor time stolen"),
        N_("The hypervisor gave processor time to other guests; tails may be theirs."),
        N_("Use a dedicated machine or instance, or repeat at a quieter hour."),
    ),
    "noisy-neighbour": GateWording(
        N_("other programs were running"),
        N_("Other programs used the processor meanwhile, or the processor changed its speed."),
        N_("Stop other programs, fix the clock speed, and repeat (`./wl doctor` names them)."),
    ),
    "not-pinned": GateWording(
        N_("roles without processors of their own"),
        N_("A role could not be pinned, so client and server may have shared a processor."),
        N_("Allow pinning (sched_setaffinity) for this user or container, and repeat."),
    ),
    "resource-sanity": GateWording(
        N_("resource figures contradict each other"),
        N_("CPU or memory may belong to the wrong process: do not use these two."),
        N_("Start the worker directly, without a wrapper that leaves the process group."),
    ),
    "harness-cost": GateWording(
        N_("wirelab itself was not idle"),
        N_("The measuring program used more than 1 % of a core and may have disturbed."),
        N_("Use a machine with more cores, so that roles and core do not share one."),
    ),
    "generator-saturated": GateWording(
        N_("load generator saturated"),
        N_("The generator was at its limit: figures show it, not the contender."),
        N_("Lower the load, or give the generator more cores."),
    ),
    "generator-ceiling": GateWording(
        N_("near the ceiling of the set-up"),
        N_(
            "The figure is above half of what the rest of the set-up (the load generator, or the "
            "server) gives at most on this machine, so its own waiting may be part of the times."
        ),
        N_("Measure on a faster machine, or give the rest of the set-up more cores."),
    ),
    "fast-not-found": GateWording(
        N_("fast because nothing was found"),
        N_("Found ratio or bytes differ from what the data holds: cheap answers were timed."),
        N_("Load the data again, and check the keys the contender asks for."),
    ),
    "loop-failed": GateWording(
        N_("operations threw"),
        N_(
            "The library threw in some operations of this step: they have no figure. The others "
            "do, and count."
        ),
        N_("Read the error: the library may not support the data, or the contender misuses it."),
    ),
    "below-floor": GateWording(
        N_("faster than its floor"),
        N_(
            "A round took less than a yardstick of the same language that it cannot be faster "
            "than, such as copying bytes: the work was not done, or not all of it. No figure of "
            "this cell is a result."
        ),
        N_(
            "Look for what the compiler could remove, for results kept from an earlier round, and "
            "for a decoder that never rewinds."
        ),
    ),
    "never-settled": GateWording(
        N_("warm-up ended at its limit"),
        N_(
            "The last batches before measuring still differed: the code may have become faster "
            "(or slower) while it was measured."
        ),
        N_("Use the publish profile, whose warm-up lasts longer, and a quieter machine."),
    ),
    "not-repeating": GateWording(
        N_("instruction counts do not repeat"),
        N_(
            "The counts of the repeats differ by more than 0.1 %, so what a round executes depends "
            "on addresses, on time or on chance."
        ),
        N_("Read the spread beside the count; more rounds in the second process make it smaller."),
    ),
    "batch-outliers": GateWording(
        N_("many batches far from the others"),
        N_(
            "More than a tenth of the batches lie far from the rest, so the median describes a "
            "mixture of two speeds. None was left out."
        ),
        N_(
            "Quieten the machine (`./wl doctor`); look at garbage collections and at the speed of "
            "the processor."
        ),
    ),
    "no-load-held": GateWording(
        N_("no load held"),
        N_("Not even the lowest load held every bound, so there is no capacity to tell."),
        N_("Read why the lowest probe failed; lower the search's `lowest`, or widen the bound."),
    ),
    "at-least": GateWording(
        N_("the capacity is at least this"),
        N_(
            "Above what was verified it was not the contender that failed: the generator or the "
            "host was at its limit, or the highest load asked for held."
        ),
        N_("Give the generator more cores, quieten the machine, or raise the search's `highest`."),
    ),
    "search-unfinished": GateWording(
        N_("search not finished"),
        N_("The bracket between what held and what did not is wider than was asked for."),
        N_("Finish the run (`./wl run --resume`), or allow more probes in the profile."),
    ),
    "heap-kind": GateWording(
        N_("kind of heap figure"),
        N_("What the runtime means by heap."),
        N_("Compare heaps only between contenders of one runtime."),
    ),
}


def wording_of(gate: str) -> GateWording:
    """A gate in words; an unknown one in general words, its code still names it."""
    return _GATES.get(gate, _UNKNOWN)


def known_gates() -> list[str]:
    """The gates that have words of their own."""
    return list(_GATES)


def title_of(gate: str, words: Words) -> str:
    """Title with the reason code; an unknown gate by its code alone."""
    if gate not in _GATES:
        return gate.replace("-", " ")
    return words.gettext(_GATES[gate].title)
