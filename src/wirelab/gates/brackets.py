"""Searches for a capacity: as evidence of the gates on them, and in words, also for tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import field_serializer

from wirelab.gates.signs import signs_in_words
from wirelab.metrics.naming import Naming
from wirelab.model.capacity import Ending, Limit, Measured, Probe, Search
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.failures import failure_words
from wirelab.words.translation import Words


class Bracket(Strict):
    """Ends of a search's bracket, and the probe at its upper one."""

    ending: Ending
    verified: int | None
    failed: int | None
    limited_by: Limit
    probes: int
    decisive: Probe | None

    @field_serializer("decisive")
    def _whole(self, probe: Probe | None) -> dict[str, Any] | None:
        return probe.model_dump(mode="json") if probe else None


class Brackets(Strict):
    """Searches that a gate has something to say of."""

    searches: list[Bracket]


def brackets_of(searches: Iterable[Search]) -> Brackets:
    """The brackets of these searches, their probes left out."""
    return Brackets(
        searches=[
            Bracket(
                ending=search.ending,
                verified=search.verified,
                failed=search.failed,
                limited_by=search.limited_by,
                probes=len(search.probes),
                decisive=search.decisive,
            )
            for search in searches
        ]
    )


def brackets_in_words(evidence: Brackets, words: Words) -> list[str]:
    """A line a search: its bracket, and why it ends there."""
    return [f"{_ends(one, words)}: {why(one, words)}" for one in evidence.searches]


def _ends(found: Bracket, words: Words) -> str:
    """``1,232 held, 1,297 did not``; ``at least 1,232``; ``none held``."""
    _ = words.gettext
    failed = "" if found.failed is None else f"{found.failed:,}"
    if found.verified is None:
        return _("no load held, {failed} did not").format(failed=failed or "–")
    if found.failed is None or found.limited_by in ("generator", "host"):
        return _("at least {verified}").format(verified=f"{found.verified:,}")
    return _("{verified} held, {failed} did not").format(
        verified=f"{found.verified:,}", failed=failed
    )


def why(found: Search | Bracket, words: Words) -> str:
    """Say why a search ended where it did."""
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
    """Say why a probe did not hold, and who else it may be due to; or that it held."""
    # A probe may have failed at any gate, and the catalogue of them all has those that use this.
    from wirelab.gates.wording import title_of

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
    name = Naming(words).title(measured.stand_in or measured.metric)
    if measured.value is None:
        value = _("not measured")
    else:
        value = f"{numbers.brief(measured.value, digits=4)} {measured.unit}".strip()
    return _("{metric} {value} (bound {sign} {limit})").format(
        metric=name, value=value, sign=measured.sign, limit=f"{measured.limit:g}"
    )
