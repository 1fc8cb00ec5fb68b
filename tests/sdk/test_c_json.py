"""The C SDK's JSON reader and writer, against Python's."""

from __future__ import annotations

import json
import random
import subprocess
import zlib
from pathlib import Path

import pytest
from c_programs import PROBE, compile_c


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_c(PROBE, tmp_path_factory.mktemp("c") / "probe", "-std=c11")


def ask(probe: Path, mode: str, *arguments: str) -> bytes:
    return subprocess.run([probe, mode, *arguments], stdout=subprocess.PIPE, check=True).stdout


def is_json(text: bytes) -> bool:
    """Whether ``text`` is JSON, NaN and lone surrogates not being so."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        json.dumps(json.loads(text.decode(), parse_constant=refuse), ensure_ascii=False).encode()
    except ValueError:
        return False
    return True


SAMPLES = [
    b'{"a": [1, -2.5e+10, true, false, null], "b": {"c": "\\u00e9\\n\\ud83d\\ude00 \\/"}, "": 0}',
    b'[[],{},[[0]],"",-0,0.1,1E5,"\xed\x95\x9c\xea\xb8\x80"]',
    b'  "alone"  ',
    b"12",
]
ODD = [
    b"", b" ", b"[1,]", b'{"a":1,}', b"[1 2]", b'{"a" 1}', b"{1:2}", b"01", b"-", b"+1", b".5",
    b"1.", b"1e", b"1e+", b"nul", b"nulls", b"NaN", b"Infinity", b'"\\x"', b'"\\u12g4"', b"'a'",
    b'"\\ud800"', b'"\\ud800\\u0041"', b'"\\udc00"', b'"tab\tinside"', b'"\xff"', b'"\xc0\x80"',
    b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"', b"[]]", b"{}{}", b'"open', b'"open\\"', b"\x00",
    b"\xef\xbb\xbf{}", b'{"a":"\x7f"}', b'["\\u0000"]',
]  # fmt: skip


def test_reader_takes_exactly_json(probe: Path, tmp_path: Path) -> None:
    chance = random.Random(4711)
    texts = SAMPLES + ODD
    for _ in range(3000):
        text = bytearray(chance.choice(SAMPLES))
        for _ in range(chance.randint(1, 3)):
            text[chance.randrange(len(text))] = chance.choice(b'{}[],:"\\0189-+.eEuatrfn \x80\xe9')
        texts.append(bytes(text))
    lines = tmp_path / "lines"
    lines.write_bytes(b"".join(text + b"\n" for text in texts))
    verdicts = ask(probe, "lines", str(lines)).decode()
    expected = ["1" if is_json(text) else "0" for text in texts]
    assert len(verdicts) == len(texts)
    differing = [t for t, v, e in zip(texts, verdicts, expected, strict=True) if v != e]
    assert differing == []
    assert "1" in expected[len(SAMPLES + ODD) :]


def test_reader_refuses_every_beginning(probe: Path, tmp_path: Path) -> None:
    # A beginning of the last sample, a number, is a number too.
    told = []
    for number, sample in enumerate(SAMPLES[:-1]):
        whole = tmp_path / str(number)
        whole.write_bytes(sample.strip())
        told.append(ask(probe, "beginnings", str(whole)))
    assert told == [b"0", b"0", b"0"]


def test_reader_limits_depth(probe: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    lines.write_bytes(b"[" * 60 + b"]" * 60 + b"\n" + b"[" * 90 + b"]" * 90 + b"\n")
    assert ask(probe, "lines", str(lines)) == b"10"


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a", "int 1"),
        ("b.c", 'string x"y é 😀'),
        ("b.c.d", "absent"),
        ("b.least", "int -9223372036854775808"),
        ("b.most", "int 9223372036854775807"),
        ("b.over", "other"),
        ("b.under", "other"),
        ("b.real", "other"),
        ("b.power", "other"),
        ("b.nul", "other"),
        ("b.long", "other"),
        ("list", "0 1 2 3"),
        ("empty", "0"),
        ("object", "0 1 2"),
        ("escaped", "int 5"),
        ("missing", "absent"),
        ("b.missing", "absent"),
        ("yes", "other"),
    ],
)
def test_reader_finds_by_path(probe: Path, tmp_path: Path, path: str, found: str) -> None:
    text = (
        '{"z":{"a":9},"a":1,"b":{"c":"x\\"y \\u00e9 \\ud83d\\ude00",'
        '"least":-9223372036854775808,"most":9223372036854775807,'
        '"over":9223372036854775808,"under":-9223372036854775809,'
        '"real":1.0,"power":1e3,"nul":"a\\u0000b","long":"' + "y" * 64 + '"},'
        '"list":[ 7 , "x" , {} ],"empty":[ ],"object":{"p":1,"q":[2]},"esc\\u0061ped":5,"yes":true}'
    )
    document = tmp_path / "document"
    document.write_text(text)
    assert ask(probe, "find", str(document), path).decode() == found


def test_reader_says_where_it_is_wrong(probe: Path, tmp_path: Path) -> None:
    document = tmp_path / "document"
    document.write_bytes(b'{"a": 1, "b": x}')
    assert ask(probe, "find", str(document), "a") == b"wrong at 14"


def test_writer_escapes(probe: Path, tmp_path: Path) -> None:
    text = "".join(map(chr, range(1, 128))) + 'é한😀"\\'
    (tmp_path / "good").write_text(text, newline="")
    assert json.loads(ask(probe, "quote", str(tmp_path / "good"))) == text
    (tmp_path / "bad").write_bytes(b"a\xff\xe9b\xed\xa0\x80c\xf0\x9f\x98")
    quoted = json.loads(ask(probe, "quote", str(tmp_path / "bad")))
    assert quoted.replace("�", "") == "abc"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("0.1", "0.1"),
        ("2147483.647", "2147483.647"),
        ("-0.0", "-0"),
        ("1e22", "1e+22"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("5e-324", "5e-324"),
        ("nan", "null"),
        ("inf", "null"),
    ],
)
def test_writer_doubles_read_back(probe: Path, text: str, written: str) -> None:
    assert ask(probe, "double", text).decode() == written
    if written != "null":
        assert float(written) == float(text)


def test_checksum_is_crc32(probe: Path, tmp_path: Path) -> None:
    content = random.Random(1).randbytes(10_000)
    (tmp_path / "content").write_bytes(content)
    assert ask(probe, "crc", str(tmp_path / "content")).decode() == f"{zlib.crc32(content):08x}"
