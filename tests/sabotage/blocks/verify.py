"""Recomputes the values of the loopback suite, by the same rules as a real suite's verifier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

MEASURE_SEQUENCE = 1_000_000
PREFLIGHT_SEQUENCE = 900_000


def verify(
    spec: Mapping[str, Any], facts: Mapping[str, Any], answers: Iterable[Mapping[str, Any]]
) -> list[str]:
    """Findings in plain language; none when every answer is right."""
    kept = list(answers)
    findings = []
    given = {(answer["phase"], answer["operation"], answer["tick"]) for answer in kept}
    for operation, count in spec["verify"]["preflight"].items():
        for index in range(count):
            if ("preflight", operation, index) not in given:
                findings.append(f"preflight {operation} {index}: no answer")
    for answer in kept:
        name = f"{answer['phase']} {answer['operation']} {answer['tick']}"
        if answer["operation"] == "write":
            findings += _check_write(name, answer)
        else:
            findings += _check_read(name, spec, facts, answer)
    return findings[:20]


def _check_write(name: str, answer: Mapping[str, Any]) -> list[str]:
    base = MEASURE_SEQUENCE if answer["phase"] == "measure" else PREFLIGHT_SEQUENCE
    said, wanted = answer["answer"]["sequence"], base + answer["tick"]
    return [] if said == wanted else [f"{name}: the server took write {said}, not {wanted}"]


def _check_read(
    name: str, spec: Mapping[str, Any], facts: Mapping[str, Any], answer: Mapping[str, Any]
) -> list[str]:
    values: Sequence[Any] = answer["answer"]["values"]
    count, stride = spec["parameters"]["tags"], spec["parameters"]["write_every"]
    if len(values) != count:
        return [f"{name}: {len(values)} values, expected {count}"]
    first = (answer["start_ns"] - facts["epoch_ns"]) // facts["generation_ns"]
    last = (answer["end_ns"] - facts["epoch_ns"]) // facts["generation_ns"]
    generations = range(first, last + 1)
    fixed = [tag for tag in range(count) if tag % stride]
    if not any(_all_of(values, fixed, generation) for generation in generations):
        return [f"{name}: values are not those of generation {first} to {last}"]
    written = [tag for tag in range(count) if not tag % stride]
    possible = [*_last_writes(spec, answer), *generations]
    if not any(_all_of(values, written, source) for source in possible):
        return [f"{name}: written tags are not those of the last write"]
    return []


def _last_writes(spec: Mapping[str, Any], answer: Mapping[str, Any]) -> list[int]:
    """The writes that a read may show: its own tick's, or the one before."""
    preflight = spec["verify"]["preflight"].get("write", 0)
    before = [PREFLIGHT_SEQUENCE + index for index in range(preflight)]
    if answer["phase"] == "measure" and "write" in spec["operations"]:
        every = spec["operations"]["write"]["every"]
        tick = answer["tick"]
        before += [MEASURE_SEQUENCE + t for t in range(0, tick + 1, every)]
        return before[-2:] if tick % every == 0 else before[-1:]
    return before


def _all_of(values: Sequence[Any], tags: Sequence[int], generation: int) -> bool:
    return all(
        type(values[tag]) is int and values[tag] == (tag * 7919 + generation * 104729) % 2**31
        for tag in tags
    )
