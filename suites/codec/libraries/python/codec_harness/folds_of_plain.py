"""The folds that both forms of natives share: lists and dictionaries of strings and integers.

None of them takes the remainder: integers of Python do not overflow, and the loops do it once.
Plain loops with an adding weight are what CPython 3.11 runs fastest on lists this short;
``sum(map(mul, …))`` costs more to set up than it saves.
"""

from __future__ import annotations

from collections.abc import Iterable


def of_string(text: str) -> int:
    """``S`` of the suite, in code points."""
    return len(text) + 31 * ord(text[0]) + 17 * ord(text[-1]) if text else 0


def of_strings(texts: Iterable[str]) -> int:
    """Strings weighted 1, 3, 5, …"""
    total, weight = 0, 1
    for text in texts:
        if text:
            total += weight * (len(text) + 31 * ord(text[0]) + 17 * ord(text[-1]))
        weight += 2
    return total


def of_eight_strings(texts: tuple[str, str, str, str, str, str, str, str]) -> int:
    """Eight strings weighted 1, 3, … 15: the same written out, which takes a quarter less time."""
    a, b, c, d, e, f, g, h = texts
    if not (a and b and c and d and e and f and g and h):
        return of_strings(texts)
    lengths = len(a) + 3 * len(b) + 5 * len(c) + 7 * len(d)
    lengths += 9 * len(e) + 11 * len(f) + 13 * len(g) + 15 * len(h)
    firsts = ord(a[0]) + 3 * ord(b[0]) + 5 * ord(c[0]) + 7 * ord(d[0])
    firsts += 9 * ord(e[0]) + 11 * ord(f[0]) + 13 * ord(g[0]) + 15 * ord(h[0])
    lasts = ord(a[-1]) + 3 * ord(b[-1]) + 5 * ord(c[-1]) + 7 * ord(d[-1])
    lasts += 9 * ord(e[-1]) + 11 * ord(f[-1]) + 13 * ord(g[-1]) + 15 * ord(h[-1])
    return lengths + 31 * firsts + 17 * lasts


def of_t3(value: list[int]) -> int:
    """A list of integers."""
    total, weight = 101 * len(value), 1
    for number in value:
        total += weight * number
        weight += 2
    return total


def of_t4(value: list[str]) -> int:
    """A list of strings."""
    return 101 * len(value) + of_strings(value)


def of_t5(value: dict[str, list[int]]) -> int:
    """A dictionary of lists of integers."""
    total = 101 * len(value)
    for key, numbers in value.items():
        if key:
            total += 3 * (len(key) + 31 * ord(key[0]) + 17 * ord(key[-1]))
        weight = 5
        for number in numbers:
            total += weight * number
            weight += 10
    return total
