"""Searches and probes in words: for tables, and as evidence of the gates on them."""

from __future__ import annotations

from wirelab.metrics import naming
from wirelab.model.capacity import Measured, Probe, Search
from wirelab.report.evidence_host import Evidence
from wirelab.report.evidence_load import signs_in_words
from wirelab.report.findings import title_of
from wirelab.words import numbers
from wirelab.words.failures import failure_words
from wirelab.words.translation import Words


def searched(evidence: Evidence, words: Words) -> list[str]:
    """A line a search: its bracket, and why it ends there."""
    found = [Search.model_validate({**one, "probes": []}) for one in evidence["searches"]]
    return [f"{bracket(one, words)}: {why(one, words)}" for one in found]


def bracket(found: Search, words: Words) -> str:
    """``1,232 held, 1,297 did not``; ``at least 1,232``; ``none held``."""
    _ = words.gettext
    failed = "" if found.failed is None else f"{found.failed:,}"
    if found.verified is None:
        return _("no load held, {failed} did not").format(failed=failed or "–")
    if found.is_at_least:
        return _("at least {verified}").format(verified=f"{found.verified:,}")
    return _("{verified} held, {failed} did not").format(
        verified=f"{found.verified:,}", failed=failed
    )


def why(found: Search, words: Words) -> str:
    """Why a search ended where it did."""
    _ = words.gettext
    said = [
        {
            "highest": _("the highest load asked for held"),
            "probes": _("no more probes were allowed, so the bracket is wider than asked"),
            "unfinished": _("the search was interrupted"),
        }.get(found.ending, "")
    ]
    if (probe := found.decisive) is not None:
        said.append(f"{probe.load:,}: {reason(probe, words)}")
    return "; ".join(part for part in said if part)


def reason(probe: Probe, words: Words) -> str:
    """Why a probe did not hold, and who else it may be due to; that it held where it did."""
    _ = words.gettext
    if probe.outcome == "held":
        return _("held")
    broken = probe.broken
    if broken is not None and broken.metric == probe.reason:
        said = [figure(broken, words)]
    elif probe.detail:
        said = [f"{failure_words(probe.reason, words)} ({probe.detail})"]
    else:
        said = [title_of(probe.reason, words)]
    if probe.outcome == "generator":
        signs = ", ".join(signs_in_words(probe.signs, words))
        limited = _("generator-limited")
        said.append(f"{limited} ({signs})" if signs else limited)
    elif probe.outcome == "host":
        said.append(_("the host was disturbed"))
    return "; ".join(said)


def figure(measured: Measured, words: Words) -> str:
    """``echo response time p99 212 ms (bound ≤ 100)``."""
    _ = words.gettext
    name = naming.title(measured.stand_in or measured.metric, words)
    if measured.value is None:
        value = _("not measured")
    else:
        value = f"{numbers.brief(measured.value, digits=4)} {measured.unit}".strip()
    return _("{metric} {value} (bound {sign} {limit})").format(
        metric=name, value=value, sign=measured.sign, limit=f"{measured.limit:g}"
    )
