"""Stacks that a worker sampled of itself, made times by module and by function.

A JSON object a line: first the processor time that was used meanwhile, ``process_ns`` and of it
``main_thread_ns``, and what of the heap is in use at the end (``heap_bytes``, where it is known);
then each stack that was found, outermost frame first, with how often it was and
the processor time that stands for: ``{"stack": ["module:function", …], "samples": 3, "ns": 12}``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from wirelab.model.stacks import SampledPlace, SampledStacks
from wirelab.samples import foreign_json, regular_file
from wirelab.words.printable import printable

STACKS = "stacks.jsonl"
"""Name of the file, in the scratch folder of its role."""

MOST_BYTES = 64 << 20
"""Most bytes of such a file: five times that of an hour of a busy client here."""

MOST_PLACES = 300
"""Modules, and functions, that are kept: those with the most time of their own."""

_LONGEST_LINE = 64 * 1024
_LONGEST_NAME = 300
_MOST_NS = 10**15
"""Eleven days of a processor."""


class NoStacksError(ValueError):
    """A role left no stacks, or a file that says something else."""


def collect(scratch: Path) -> SampledStacks:
    """Times by module and function of what a role left; raises NoStacksError."""
    path = scratch / STACKS
    try:
        with regular_file.opened(path, MOST_BYTES) as file:
            return _told_by(iter(lambda: file.readline(_LONGEST_LINE), b""))
    except FileNotFoundError:
        raise NoStacksError(f"no {STACKS} was left in {scratch.name}") from None
    except regular_file.UnsafeFileError as error:
        raise NoStacksError(str(error)) from None
    except ValueError as error:
        raise NoStacksError(f"{STACKS}: {error}") from None


def together(parts: Sequence[SampledStacks]) -> SampledStacks:
    """Stacks of several processes as one; the heap is that of the largest."""
    heaps = [part.heap_bytes for part in parts if part.heap_bytes is not None]
    return SampledStacks(
        samples=sum(part.samples for part in parts),
        sampled_ns=sum(part.sampled_ns for part in parts),
        process_ns=sum(part.process_ns for part in parts),
        main_thread_ns=sum(part.main_thread_ns for part in parts),
        heap_bytes=max(heaps) if len(heaps) == len(parts) else None,
        modules=_summed(part.modules for part in parts),
        functions=_summed(part.functions for part in parts),
    )


def _summed(parts: Iterable[Sequence[SampledPlace]]) -> list[SampledPlace]:
    own: Counter[str] = Counter()
    within: Counter[str] = Counter()
    for places in parts:
        for place in places:
            own[place.name] += place.own_ns
            within[place.name] += place.within_ns
    return _places(own, within)


def _places(own: Counter[str], within: Counter[str]) -> list[SampledPlace]:
    order = sorted(within, key=lambda name: (-own[name], -within[name], name))
    return [
        SampledPlace(name=name, own_ns=own[name], within_ns=within[name])
        for name in order[:MOST_PLACES]
    ]


def _told_by(lines: Iterable[bytes]) -> SampledStacks:
    read = map(_parsed, lines)
    used = next(read, None)
    if used is None:
        raise ValueError("it is empty")
    of_modules, of_functions = _Times(), _Times()
    samples = sampled_ns = 0
    for line in read:
        stack, ns = _stack(line), _whole(line, "ns")
        samples += _whole(line, "samples")
        sampled_ns += ns
        of_functions.add(stack, ns)
        of_modules.add([name.partition(":")[0] for name in stack], ns)
    return SampledStacks(
        samples=samples,
        sampled_ns=sampled_ns,
        process_ns=_whole(used, "process_ns"),
        main_thread_ns=_whole(used, "main_thread_ns"),
        heap_bytes=None if used.get("heap_bytes") is None else _whole(used, "heap_bytes"),
        modules=_places(of_modules.own, of_modules.within),
        functions=_places(of_functions.own, of_functions.within),
    )


class _Times:
    """Time of each place: of its own, and with it anywhere on the stack."""

    def __init__(self) -> None:
        self.own: Counter[str] = Counter()
        self.within: Counter[str] = Counter()

    def add(self, stack: Sequence[str], ns: int) -> None:
        """Count one stack, outermost place first."""
        self.own[stack[-1]] += ns
        for name in set(stack):
            self.within[name] += ns


def _parsed(line: bytes) -> dict[str, Any]:
    found = foreign_json.parsed(line)
    if not isinstance(found, dict):
        raise ValueError("a line is no JSON object")
    return found


def _stack(line: dict[str, Any]) -> list[str]:
    stack = line.get("stack")
    if not isinstance(stack, list) or not stack or not all(isinstance(one, str) for one in stack):
        raise ValueError("a line has no stack of names")
    return [printable(name)[:_LONGEST_NAME] or "?" for name in stack]


def _whole(line: dict[str, Any], key: str) -> int:
    found = line.get(key)
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= _MOST_NS:
        raise ValueError(f"{key} is no number of nanoseconds, samples or bytes")
    return found
