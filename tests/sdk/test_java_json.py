"""The JSON of the Java SDK, which is its own: read and refused as Python does."""

from __future__ import annotations

import base64
import json
import math
import random
import subprocess
from typing import Any

import pytest
from scripted_worker import compile_worker

pytestmark = pytest.mark.needs("javac")


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs the scripted worker."""
    return compile_worker("java", tmp_path_factory.mktemp("classes"))


DOCUMENTS = r"""
{"a": [1, -2.5e3, true, null, "x\u00e9\ud83d\ude00"], "b": {"c": ""}, "d": false}
[0, -0, -0.0, 1E5, 1e-9, 0.1, 9223372036854775807, -9223372036854775808, 1e308]
{"é": "😀 \" \\ \/ \b\f\n\r\t", "": [[], {}, [{}]]}
""".encode().split(b"\n")[1:-1]
EDGES = rb"""
[1e999] | [9223372036854775808] | {"a":1,"a":2} | NaN | -Infinity | [01] | [1,] || [1.] | "\ud800"
| "\x" | "\u12" | "\U0041" | {1: 2} | 1 2 | nul | "a | [ | {"a" | +1 | .5 | 1e | - | 'a' | [ ]]
"""[1:-1].split(b"|")
UNTYPED = [b"\xef\xbb\xbf1", b"\xff", b'"\xc3("', b'"\x7f"', b'"\x01"', b" \t\r\n1\n", b"\xc2\xa01"]
TELLING = b'{}[]",:0123456789.eE+-\\u tfn\xc3\x01'


def rewritten(java: list[str], texts: list[bytes]) -> list[str | None]:
    """Each text as the SDK reads and writes it; None where it refuses."""
    sent = b"".join(base64.b64encode(text) + b"\n" for text in texts)
    process = subprocess.run([*java, "json"], input=sent, capture_output=True, check=True)
    lines = process.stdout.split()
    return [None if line == b"refused" else base64.b64decode(line).decode() for line in lines]


def strictly(text: bytes) -> Any:
    """Python's reading, as strict as the SDK's; raises ValueError."""

    def within(holds: bool, value: Any) -> Any:
        if not holds:
            raise ValueError(value)
        return value

    return json.loads(
        text.decode("utf-8"),
        parse_constant=lambda name: within(False, name),
        parse_int=lambda n: within(-(2**63) <= int(n) < 2**63, -0.0 if n == "-0" else int(n)),
        parse_float=lambda text: within(math.isfinite(float(text)), float(text)),
        object_pairs_hook=lambda pairs: within(len(dict(pairs)) == len(pairs), dict(pairs)),
    )


def test_json_is_read_and_refused_as_python_does(java: list[str]) -> None:
    rng = random.Random(4711)
    texts = [*DOCUMENTS, *EDGES, *UNTYPED]
    for _ in range(6000):
        damaged = bytearray(rng.choice(DOCUMENTS))
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(damaged))
            damaged[at : at + rng.randint(0, 2)] = rng.choices(TELLING)
        texts.append(bytes(damaged))
    # Numbers at the edges of double, where a shortest form is hard to find.
    numbers = (math.ldexp(rng.random(), rng.randint(-1074, 1024)) for _ in range(2000))
    texts += [repr(number).encode() for number in numbers]
    assert len(texts) > 8000
    for text, written in zip(texts, rewritten(java, texts), strict=True):
        try:
            expected = strictly(text)
        except ValueError:
            assert written is None, f"{text!r} was read as {written}"
            continue
        assert written is not None, f"{text!r} was refused"
        assert repr(json.loads(written)) == repr(expected), text
