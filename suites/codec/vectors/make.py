"""Writes ``negative.json``: inputs that a decoder should survive, and mostly refuse.

``python make.py`` in this folder gives the same file again. A vector has a name, a format, the
step whose decoder reads it, its bytes as hex, and ``expect``: "reject" where accepting it would be
a fault of any decoder, "either" where formats or libraries differ with good reason. The mutated
golden encodings are a small fuzz test that runs the same in every language.
"""

from __future__ import annotations

import json
import random
import struct
from pathlib import Path

HUGE = 0x7FFFFFFF
MUTANTS = 40
T1_NAMES = ("c", "uc", "i16", "u16", "i32", "u32", "i64", "u64", "f", "d")
ABOVE_DOUBLE = 2**53 + 1

Vector = dict[str, str]


def vector(name: str, form: str, step: str, content: bytes, expect: str = "reject") -> Vector:
    """One entry of the file."""
    return {"name": name, "format": form, "step": step, "hex": content.hex(), "expect": expect}


def golden(form: str) -> dict[str, bytes]:
    """Golden encodings of a format by step, from ``golden.txt``."""
    found = {}
    for line in Path(__file__).with_name("golden.txt").read_text("utf-8").splitlines():
        kind, shape, _, _, content = line.split(" ", 4)
        if kind == form:
            found[shape.removesuffix("sorted").removesuffix("src")] = content
    return {
        step: content.encode() if form == "json" else bytes.fromhex(content)
        for step, content in found.items()
    }


def cgd() -> list[Vector]:
    """Counts and lengths nobody should allocate from, strings that end wrongly."""

    def i32(*values: int) -> bytes:
        return struct.pack(f"<{len(values)}i", *values)

    whole = golden("cgd")
    return [
        vector("huge-count", "cgd", "T3", i32(HUGE)),
        vector("huge-count-some-data", "cgd", "T3", i32(HUGE, 1, 2, 3)),
        vector("huge-count", "cgd", "T4", i32(HUGE)),
        vector("huge-count", "cgd", "T5", i32(HUGE)),
        vector("huge-count", "cgd", "telemetry", i32(HUGE)),
        vector("huge-length", "cgd", "T2", i32(HUGE)),
        vector("huge-length", "cgd", "T4", i32(1, HUGE)),
        vector("count-below-null", "cgd", "T3", i32(-2)),
        vector("null", "cgd", "T3", i32(-1)),
        vector("null-string", "cgd", "T4", i32(1, -1)),
        vector("length-zero", "cgd", "T4", i32(1, 0)),
        vector("missing-terminator", "cgd", "T4", i32(1, 3) + "abc".encode("utf-16-le")),
        vector("lone-surrogate", "cgd", "T4", i32(1, 2) + b"\x00\xd8\x00\x00", "either"),
        vector("reversed-surrogates", "cgd", "T4", i32(1, 3) + b"\x3d\xde\x3d\xd8\0\0", "either"),
        vector("trailing-byte", "cgd", "T3", whole["T3"] + b"\0", "either"),
        vector("empty", "cgd", "T1", b""),
    ]


def protobuf() -> list[Vector]:
    """Varints and lengths that run over, text that is none."""
    whole = golden("pb")
    return [
        vector("packed-length-beyond-end", "protobuf", "T3", bytes.fromhex("0a7f01")),
        vector("huge-length", "protobuf", "T4", bytes.fromhex("0affffffff07")),
        vector("varint-of-11-bytes", "protobuf", "T3", bytes.fromhex("0a0b" + "ff" * 10 + "01")),
        vector("invalid-utf-8", "protobuf", "T4", bytes.fromhex("0a02c328"), "either"),
        vector("surrogate-in-utf-8", "protobuf", "T4", bytes.fromhex("0a03eda080"), "either"),
        vector("field-number-zero", "protobuf", "T1", bytes.fromhex("0001")),
        vector("unknown-field", "protobuf", "T3", whole["T3"] + bytes.fromhex("f80101"), "either"),
        vector(
            "above-2^53", "protobuf", "T1", bytes.fromhex("4081808080808080") + b"\x10", "either"
        ),
        vector("trailing-tag", "protobuf", "T3", whole["T3"] + b"\x0a"),
        vector("group-without-end", "protobuf", "T3", bytes.fromhex("0b")),
    ]


def json_texts() -> list[Vector]:
    """Texts that the grammar forbids, and texts that it leaves open."""

    def numbers(**other: str) -> bytes:
        fields = {name: other.get(name, "1") for name in T1_NAMES}
        return ("{" + ",".join(f'"{k}":{v}' for k, v in fields.items()) + "}").encode()

    return [
        vector("invalid-utf-8", "json", "T4", b'["\xc3\x28"]', "either"),
        vector("lone-surrogate-escape", "json", "T4", b'["\\ud800"]', "either"),
        vector("above-2^53", "json", "T1", numbers(u64=str(ABOVE_DOUBLE)), "either"),
        vector("above-2^64", "json", "T1", numbers(u64=str(2**64)), "either"),
        vector("integer-too-large", "json", "T3", b"[2147483648]", "either"),
        vector("fraction-for-integer", "json", "T3", b"[1.5]", "either"),
        vector("string-for-integer", "json", "T3", b'["1"]', "either"),
        vector("double-overflow", "json", "T1", numbers(d="1e400"), "either"),
        vector("nan", "json", "T1", numbers(d="NaN"), "either"),
        vector("missing-field", "json", "T1", b'{"c":1}', "either"),
        vector("duplicate-key", "json", "T5", b'{"a":[1],"a":[2]}', "either"),
        vector("trailing-comma", "json", "T3", b"[1,2,]", "either"),
        vector("trailing-text", "json", "T3", b"[1] 2", "either"),
        vector("deep-nesting", "json", "T3", b"[" * 20000),
        vector("control-character", "json", "T4", b'["a\x01b"]', "either"),
        vector("empty", "json", "T3", b""),
    ]


def msgpack() -> list[Vector]:
    """Counts beyond the input, text that is none, integers beyond a double."""

    def named(value: bytes) -> bytes:
        fields = (bytes([0xA0 + len(n)]) + n.encode() for n in T1_NAMES)
        values = (value if n == "u64" else b"\x01" for n in T1_NAMES)
        return b"\x8a" + b"".join(k + v for k, v in zip(fields, values, strict=True))

    return [
        vector("huge-count", "msgpack", "T3", bytes.fromhex("ddffffffff")),
        vector("huge-count", "msgpack", "T4", bytes.fromhex("ddffffffff")),
        vector("huge-count", "msgpack", "T5", bytes.fromhex("dfffffffff")),
        vector("huge-length", "msgpack", "T4", bytes.fromhex("91dbffffffff")),
        vector("invalid-utf-8", "msgpack", "T4", bytes.fromhex("91a2c328"), "either"),
        vector(
            "above-2^53",
            "msgpack",
            "T1",
            named(b"\xcf" + struct.pack(">Q", ABOVE_DOUBLE)),
            "either",
        ),
        vector("never-used-c1", "msgpack", "T3", bytes.fromhex("91c1")),
        vector("trailing-byte", "msgpack", "T3", bytes.fromhex("910100"), "either"),
        vector("empty", "msgpack", "T3", b""),
    ]


def cbor() -> list[Vector]:
    """The same in CBOR, and its indefinite lengths, which are allowed."""

    def named(value: bytes) -> bytes:
        fields = (bytes([0x60 + len(n)]) + n.encode() for n in T1_NAMES)
        values = (value if n == "u64" else b"\x01" for n in T1_NAMES)
        return b"\xaa" + b"".join(k + v for k, v in zip(fields, values, strict=True))

    return [
        vector("huge-count", "cbor", "T3", bytes.fromhex("9b7fffffffffffffff")),
        vector("huge-count", "cbor", "T4", bytes.fromhex("9affffffff")),
        vector("huge-count", "cbor", "T5", bytes.fromhex("bb7fffffffffffffff")),
        vector("huge-length", "cbor", "T4", bytes.fromhex("817b7fffffffffffffff")),
        vector("invalid-utf-8", "cbor", "T4", bytes.fromhex("8162c328"), "either"),
        vector(
            "above-2^53", "cbor", "T1", named(b"\x1b" + struct.pack(">Q", ABOVE_DOUBLE)), "either"
        ),
        vector("indefinite-length", "cbor", "T3", bytes.fromhex("9f0102ff"), "either"),
        vector("break-alone", "cbor", "T3", bytes.fromhex("ff")),
        vector("reserved-length", "cbor", "T3", bytes.fromhex("9c")),
        vector("empty", "cbor", "T3", b""),
    ]


def mutants(form: str, short: str) -> list[Vector]:
    """Golden encodings with bytes changed, taken out, put in or doubled."""
    chance = random.Random(f"wirelab codec {form}")
    found = []
    for number in range(MUTANTS):
        step, whole = chance.choice(sorted(golden(short).items()))
        content = bytearray(whole)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(content))
            change = chance.choice(("change", "remove", "insert", "double"))
            if change == "change":
                content[at] = chance.randrange(256)
            elif change == "remove" and len(content) > 1:
                del content[at]
            elif change == "insert":
                content.insert(at, chance.choice((0, 0x7F, 0x80, 0xFF)))
            else:
                content[at:at] = content[at : at + chance.randint(1, 8)]
        found.append(vector(f"mutant-{number:02d}", form, step, bytes(content), "either"))
    return found


def main() -> None:
    """Write the file, a vector a line."""
    vectors = [*cgd(), *protobuf(), *json_texts(), *msgpack(), *cbor()]
    for form, short in (("cgd", "cgd"), ("protobuf", "pb"), ("json", "json")):
        vectors += mutants(form, short)
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in vectors)
    Path(__file__).with_name("negative.json").write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    main()
