"""Figures of the harness in words, for the terminal and the page."""

from __future__ import annotations

from wirelab.bench.figure import BenchFigure, BenchVerdict, Findings

_DIGITS = 3


def summary(findings: Findings) -> str:
    """The number of targets that are met, and those that are not."""
    judged = [figure for figure in findings.figures if figure.target is not None]
    if not judged:
        return "no figure here has a target"
    parts = []
    for verdict in (BenchVerdict.MISSED, BenchVerdict.UNDECIDED, BenchVerdict.NOT_MEASURED):
        of_it = [figure.what for figure in judged if figure.verdict is verdict]
        if of_it:
            parts.append(f"{verdict.value}: {'; '.join(of_it)}")
    met = sum(figure.verdict is BenchVerdict.MET for figure in judged)
    return ". ".join([f"{met} of {len(judged)} targets met", *parts])


def reasons(findings: Findings) -> dict[str, list[str]]:
    """By reason: the figures that there are none of."""
    reasons: dict[str, list[str]] = {}
    for figure in findings.figures:
        if figure.why_not:
            reasons.setdefault(figure.why_not, []).append(figure.name)
    return reasons


def conditions(findings: Findings) -> list[str]:
    """The machine that was measured on, the profile and the seed."""
    host = findings.host
    known = [
        f"{host.get('cpus', '?')} processors",
        str(host.get("cpu", "")),
        str(host.get("virtualisation", "")),
        f"Linux {host.get('kernel', '?')}",
        f"clock {host.get('clock_source', '?')}",
        f"load before {findings.load_before[0]:.2f}",
        f"profile {findings.profile}",
        f"seed {findings.seed}",
    ]
    return [part for part in known if part]


def measured(figure: BenchFigure) -> str:
    """Its value with its unit."""
    if figure.value is None:
        return "none"
    return f"{number(figure.value)} {figure.unit}"


def interval(figure: BenchFigure) -> str:
    """Its 95 % interval; empty without one."""
    if figure.interval is None:
        return ""
    return " – ".join(number(end) for end in figure.interval)


def target(figure: BenchFigure) -> str:
    """The bound of it; empty without one."""
    if figure.target is None:
        return ""
    if figure.least is not None:
        return f"{number(figure.least)} – {number(figure.target)} {figure.unit}"
    sign = ">=" if figure.better == "higher" else "<="
    return f"{sign} {number(figure.target)} {figure.unit}"


def number(value: float) -> str:
    """Three significant digits, never in powers of ten."""
    if abs(value) >= 10 ** (_DIGITS - 1):
        return f"{value:,.0f}"
    return f"{value:.{_DIGITS}g}"
