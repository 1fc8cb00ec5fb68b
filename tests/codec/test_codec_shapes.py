"""Pools and vectors are as their scripts write them, and begin as the study does."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from wirelab.suite_parts import load_part

SUITE = Path(__file__).parents[2] / "suites" / "codec"


def script(folder: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"make_{folder}", SUITE / folder / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pool(name: str, shape: str = "") -> list[Any]:
    content = json.loads((SUITE / "shapes" / f"{name}.json").read_text("utf-8"))
    assert content["shape"] == (shape or name)
    return list(content["pool"])


SHAPES = {"T1", "T2", "T3", "T4", "T5", "telemetry", "chat"}


def test_the_pools_are_what_their_script_makes() -> None:
    pools = script("shapes").POOLS
    assert {path.stem for path in (SUITE / "shapes").glob("*.json")} == set(pools) == SHAPES
    for shape, instances in pools.items():
        assert pool(shape) == instances


def differences(one: Any, other: Any) -> int:
    """Fields that two values have differently; one that is there once counts as one."""
    if type(one) is not type(other):
        return 1
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        return sum(differences(one[key], other[key]) for key in one)
    if isinstance(one, list):
        pairs = zip(one, other, strict=False)
        return abs(len(one) - len(other)) + sum(differences(a, b) for a, b in pairs)
    return int(one != other)


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_a_twin_is_its_instance_but_for_one_field(shape: str) -> None:
    made = script("shapes")
    twins = pool(f"twins/{shape}", shape)
    instances = pool(shape)
    assert twins == made.twins(shape, instances)
    assert [differences(*both) for both in zip(instances, twins, strict=True)] == [1] * len(twins)
    lengths = [len(json.dumps(one)) for one in (*instances, *twins)]
    equal = sum(a == b for a, b in zip(lengths, lengths[len(twins) :], strict=False))
    assert equal >= 0.6 * len(twins)
    folds = load_part("codec_under_test", SUITE / "judging" / "folds.py")
    for strings in ("utf-8", "utf-16", "code-point"):
        ours = zip(folds.of_pool(shape, strings), folds.of_twins(shape, strings), strict=True)
        assert all(one != other for one, other in ours), strings


@pytest.mark.parametrize("shape", ["T1", "T2", "T3", "T4", "T5"])
def test_the_first_instance_is_the_sources(shape: str) -> None:
    rows = [line.split(" ", 4) for line in (SUITE / "vectors/golden.txt").read_text().splitlines()]
    (text,) = [row[4] for row in rows if row[:2] == ["json", shape]]
    assert json.dumps(pool(shape)[0], ensure_ascii=False, separators=(",", ":")) == text


def test_sizes_are_those_of_what_users_send() -> None:
    assert [len(one["points"]) for one in pool("telemetry")] == [1000] * 4
    sizes = [len(json.dumps(one, ensure_ascii=False).encode()) for one in pool("chat")]
    assert min(sizes) > 800
    assert max(sizes) < 1400


def test_every_number_is_exact_in_every_language() -> None:
    def numbers(value: Any) -> Iterator[int | float]:
        if isinstance(value, dict | list):
            for one in value.values() if isinstance(value, dict) else value:
                yield from numbers(one)
        elif isinstance(value, int | float):
            yield value

    found = {shape: list(numbers(pool(shape))) for shape in SHAPES}
    assert {shape: len(of) for shape, of in found.items()} == {
        **{"T1": 160, "T2": 0, "T3": 131, "T4": 0, "T5": 384},
        **{"telemetry": 12_000, "chat": 1_058},
    }
    for of in found.values():
        assert all((number * 4).is_integer() for number in of if isinstance(number, float))
        assert all(abs(number) < 2**53 for number in of if isinstance(number, int))


def test_golden_bytes_have_their_digests() -> None:
    lines = (SUITE / "vectors/golden.txt").read_text("utf-8").splitlines()
    assert len(lines) == 16
    for line in lines:
        form, _, length, digest, content = line.split(" ", 4)
        encoded = content.encode() if form == "json" else bytes.fromhex(content)
        assert len(encoded) == int(length)
        assert hashlib.sha256(encoded).hexdigest() == digest


def test_the_bad_inputs_are_what_their_script_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = script("vectors")
    (tmp_path / "golden.txt").write_bytes((SUITE / "vectors/golden.txt").read_bytes())
    monkeypatch.setattr(made, "__file__", str(tmp_path / "make.py"))
    made.main()
    assert (tmp_path / "negative.json").read_bytes() == (
        SUITE / "vectors/negative.json"
    ).read_bytes()


def test_bad_inputs_are_for_known_formats_and_steps() -> None:
    vectors = json.loads((SUITE / "vectors/negative.json").read_text("utf-8"))
    assert len({(v["format"], v["step"], v["name"]) for v in vectors}) == len(vectors)
    for vector in vectors:
        assert vector["step"] in script("shapes").POOLS
        assert vector["expect"] in ("reject", "either")
        bytes.fromhex(vector["hex"])
