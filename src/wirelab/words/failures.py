"""Reasons why trials failed or are in no figure, in words."""

from __future__ import annotations

from wirelab.words.translation import N_, Words

_REASONS = {
    "session-warm-up": N_("session warm-up, left out by plan"),
    "lost-to-the-host": N_("lost to the host, and repeated"),
    "not-run": N_("not run"),
    "interrupted": N_("interrupted"),
    "no-samples": N_("no samples were kept"),
    "unreadable": N_("what it left cannot be read"),
    "no-steps": N_("did not say when its steps began and ended"),
    "never-ready": N_("was not ready in time"),
    "not-started": N_("could not be started"),
    "exited": N_("ended before its time"),
    "exit-code": N_("ended with an error"),
    "ignored-stop": N_("did not end when told to stop"),
    "out-of-memory": N_("needed more memory than it may have"),
    "too-many-processes": N_("started more processes than it may have"),
    "left-children": N_("left processes behind"),
    "garbage-output": N_("wrote something that is no event"),
    "flooded-output": N_("wrote too much output"),
    "wrote-too-much": N_("wrote too much to disk"),
    "wrong-contract": N_("speaks another version of the contract"),
    "wrong-answer": N_("gave wrong answers before the measurement"),
    "sample-file": N_("its sample file cannot be read"),
    "no-count": N_("left no count of what it executed or called"),
    "no-stacks": N_("left no stacks of its processor time"),
    "not-reached": N_("its requests did not reach the server that was named"),
    "wrong-step": N_("reported a step that cannot be"),
    "steps-missing": N_("did not report every step"),
    "rewritten-records": N_("changed or invented what it had recorded"),
    "unpublished-records": N_("answered without writing first what it had recorded"),
    "record-count": N_("reports another number of records than it wrote"),
    "more-than-turns": N_("recorded more operations than it had turns"),
    "harness-failed": N_("wirelab failed at what it said or left"),
    "answer-count": N_("reports another number of answers than it wrote"),
    "answer-checksum": N_("its answers do not have the checksum it reports"),
    "broken-answers": N_("its answers file cannot be read"),
    "rules-failed": N_("the suite's verifier gave no verdict on it"),
    "cannot-restart": N_("could not be restarted"),
    "disk": N_("the disk refused to write"),
    "disk-full": N_("the disk was full"),
    "host": N_("the machine refused something"),
    "late-fault": N_("a fault came too late, because the machine was busy"),
}


def failure_words(reason: str, words: Words) -> str:
    """A reason code in words; an unknown one as it is."""
    known = _REASONS.get(reason)
    return words.gettext(known) if known else reason.replace("-", " ")


def why_in_words(why: str, words: Words) -> str:
    """``reason: detail`` of a trial in no figure, its reason in words and its detail kept."""
    reason, separator, detail = why.partition(": ")
    if not separator:
        return failure_words(why, words)
    return f"{failure_words(reason, words)} ({detail})"
