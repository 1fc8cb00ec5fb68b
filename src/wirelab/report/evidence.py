"""The evidence of findings in words: the figures a verdict rests on.

Every gate has a formatter of its own; evidence it does not expect, and gates it does not know,
are listed key by key, so that nothing a gate found is ever left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from wirelab.metrics import naming
from wirelab.model.result import Finding
from wirelab.report import evidence_batches, evidence_capacity, evidence_host, evidence_load
from wirelab.report.evidence_host import Evidence, percent, plain_number
from wirelab.words import numbers
from wirelab.words.failures import failure_words
from wirelab.words.translation import Words

Formatter = Callable[[Evidence, Words], list[str]]


def evidence_lines(finding: Finding, words: Words) -> list[str]:
    """The evidence of a finding, a sentence or figure a line."""
    formatter = _FORMATTERS.get(finding.gate)
    if formatter is not None:
        try:
            if lines := formatter(finding.evidence, words):
                return lines
        except (KeyError, TypeError, AttributeError, ValueError):
            # A result of another version: say what is there rather than nothing.
            pass
    return _listed(finding.evidence)


def _trial_failed(evidence: Evidence, words: Words) -> list[str]:
    lines = [
        f"{trial}: {failure_words(why['reason'], words)} ({why['detail']})"
        if why["detail"]
        else f"{trial}: {failure_words(why['reason'], words)}"
        for trial, why in evidence["failed"].items()
    ]
    if evidence["missing"]:
        missing = ", ".join(evidence["missing"])
        lines.append(words.gettext("not run or interrupted: {trials}").format(trials=missing))
    if lines:
        lines.append(words.gettext("trials left to count: {n}").format(n=evidence["counted"]))
    return lines


def _wrong_answer(evidence: Evidence, words: Words) -> list[str]:
    _ = words.gettext
    lines = [
        _("{count} wrong of {verified} answers checked in full").format(
            count=evidence["count"], verified=evidence["verified"]
        )
    ]
    if evidence["own_checks"]:
        lines.append(
            _("{count} answers the worker itself found wrong").format(count=evidence["own_checks"])
        )
    return lines + [str(found) for found in evidence["findings"]]


def _loss_or_error(evidence: Evidence, words: Words) -> list[str]:
    _ = words.gettext
    lines = []
    for name, found in evidence["operations"].items():
        lost = found.get("lost", 0)
        if found["failed"] > lost:
            statuses = ", ".join(f"{of} {count:,}" for of, count in found["statuses"].items())
            lines.append(
                _("{operation}: {failed} of {sent} failed ({share}): {statuses}").format(
                    operation=name,
                    failed=f"{found['failed']:,}",
                    sent=f"{found['sent']:,}",
                    share=percent(found["failed"] / found["sent"]),
                    statuses=statuses,
                )
            )
        if lost:
            lines.append(
                _("{operation}: {lost} of {expected} never came ({share})").format(
                    operation=name,
                    lost=f"{lost:,}",
                    expected=f"{found['expected']:,}",
                    share=percent(lost / found["expected"]),
                )
            )
    if lines:
        lines.append(_("allowed: {bound}").format(bound=percent(evidence["bound"])))
    return lines


def _rate_missed(evidence: Evidence, words: Words) -> list[str]:
    return [
        words.gettext("{trial}: {operation} {sent} of {scheduled} scheduled").format(
            trial=trial,
            operation=name,
            sent=f"{counts['sent']:,}",
            scheduled=f"{counts['scheduled']:,}",
        )
        for trial, operations in evidence["trials"].items()
        for name, counts in operations.items()
    ]


def _late_start(evidence: Evidence, words: Words) -> list[str]:
    _, ngettext = words.gettext, words.ngettext
    lines = []
    for name, of in evidence["operations"].items():
        line = _(
            "{operation}: p99 of the lateness {p99} ms is {share} of the service time's "
            "{percentile} ({service} ms); latest {latest} ms"
        ).format(
            operation=name,
            p99=numbers.brief(of["p99_ms"]),
            share=percent(of["share"]),
            percentile=of["percentile"],
            service=numbers.brief(of["service_ms"]),
            latest=numbers.brief(of["max_ms"]),
        )
        if of["stalls"]:
            stalls = of["stalls"]
            line += "; " + ngettext(
                "{n} stall over 100 ms", "{n} stalls over 100 ms", stalls
            ).format(n=stalls)
        lines.append(line)
    return lines


def _unstable(evidence: Evidence, words: Words) -> list[str]:
    means = ", ".join(numbers.brief(mean, digits=3) for mean in evidence["means_ms"].values())
    return [
        words.gettext(
            "cv of the trials' mean {operation} latency {cv}, allowed below {bound}; means {means} "
            "ms; reruns {reruns}"
        ).format(
            operation=evidence["operation"],
            cv=percent(evidence["cv"], 3),
            bound=percent(evidence["bound"]),
            means=means,
            reruns=evidence["reruns"],
        )
    ]


def _order_bias(evidence: Evidence, words: Words) -> list[str]:
    return [
        words.gettext(
            "means of {trials} trials against their place in the run: Kendall's tau {tau}, "
            "p = {p}; the first is {first} of its cell's mean, the last {last}"
        ).format(
            trials=evidence["trials"],
            tau=numbers.brief(evidence["tau"]),
            p=numbers.brief(evidence["p"], digits=1),
            first=percent(evidence["first"], 3),
            last=percent(evidence["last"], 3),
        )
    ]


def _not_steady(evidence: Evidence, words: Words) -> list[str]:
    return [
        words.gettext(
            "{trial}: the last level of {operation} held for {steady} of {seconds} s; levels "
            "{levels} ms"
        ).format(
            trial=trial,
            operation=evidence["operation"],
            steady=of["steady_seconds"],
            seconds=of["seconds"],
            levels=" → ".join(numbers.brief(level) for level in of["levels_ms"]),
        )
        for trial, of in evidence["trials"].items()
    ]


def _too_few(evidence: Evidence, words: Words) -> list[str]:
    return [
        words.gettext("{metric}: {has} effective samples of {needs} needed").format(
            metric=naming.title(name, words),
            has=f"{int(of['has']):,}",
            needs=f"{int(of['needs']):,}",
        )
        for name, of in evidence["metrics"].items()
    ]


def _heap_kind(evidence: Evidence, _words: Words) -> list[str]:
    return [", ".join(evidence["kinds"])]


_FORMATTERS: dict[str, Formatter] = {
    "trial-failed": _trial_failed,
    "wrong-answer": _wrong_answer,
    "loss-or-error": _loss_or_error,
    "clock": evidence_host.clock,
    "rate-missed": _rate_missed,
    "late-start": _late_start,
    "no-load-held": evidence_capacity.searched,
    "at-least": evidence_capacity.searched,
    "search-unfinished": evidence_capacity.searched,
    "unstable": _unstable,
    "order-bias": _order_bias,
    "not-steady": _not_steady,
    "too-few-samples": _too_few,
    "steal": evidence_host.steal,
    "noisy-neighbour": evidence_host.noisy_neighbour,
    "not-pinned": evidence_host.not_pinned,
    "harness-cost": evidence_host.harness_cost,
    "resource-sanity": evidence_host.resource_sanity,
    "duplicated": evidence_load.counted,
    "reordered": evidence_load.counted,
    "less-traffic": evidence_load.less_traffic,
    "fast-not-found": evidence_load.fast_not_found,
    "stood-still": evidence_load.stood_still,
    "generator-saturated": evidence_load.generator_saturated,
    "generator-ceiling": evidence_load.generator_ceiling,
    "loop-failed": evidence_batches.loop_failed,
    "below-floor": evidence_batches.below_floor,
    "never-settled": evidence_batches.never_settled,
    "batch-outliers": evidence_batches.batch_outliers,
    "not-repeating": evidence_batches.not_repeating,
    "heap-kind": _heap_kind,
}


def _listed(evidence: Evidence, prefix: str = "") -> list[str]:
    """Evidence key by key: what an unknown gate found is still said."""
    lines = []
    for key, value in evidence.items():
        name = f"{prefix}{key.replace('_', ' ')}"
        if isinstance(value, Mapping):
            lines += _listed(value, f"{name}: ")
        elif isinstance(value, Sequence) and not isinstance(value, str):
            lines.append(f"{name}: {', '.join(plain_number(item) for item in value)}")
        else:
            lines.append(f"{name}: {plain_number(value)}")
    return lines
