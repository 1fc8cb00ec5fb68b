"""Cost of the witness: the figures of made-up blocks, and one short real run."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from cli.command_lines import said
from wirelab.bench import witness
from wirelab.bench.figure import BenchError, BenchFigure, BenchVerdict
from wirelab.bench.stamped import SIZE, errors_of
from wirelab.bench.witness import Block, MeasuredWitness, figures_of


def block(slower: float = 1.0, *, cpu: float = 1.0, matched: float = 100.0) -> Block:
    """A block on a host that was so many times as slow as usual."""
    return Block(
        latency=(110.0 * slower, 100.0 * slower),
        cost=(9.0 * slower, 10.0 * slower),
        cpu=cpu,
        matched=matched,
        spoken_of=80.0,
    )


def made(measured: MeasuredWitness, *, whole: bool = True) -> dict[str, BenchFigure]:
    return {figure.name: figure for figure in figures_of(measured, whole=whole)}


def test_ratios_are_those_of_blocks() -> None:
    found = made(MeasuredWitness(blocks={10_000: [block(), block(3.0), block(0.5)]}))
    added, cost = found["witness.10000.latency"], found["witness.10000.cost"]
    assert added.value == pytest.approx(1.1)
    assert added.interval == pytest.approx((1.1, 1.1))
    assert cost.value == pytest.approx(0.9)
    assert found["witness.10000.spoken"].value == pytest.approx(80)


def test_it_is_held_against_its_targets_up_to_the_rate_they_are_said_for() -> None:
    blocks = [block(cpu=5.0, matched=99.0)] * 3
    found = made(MeasuredWitness(blocks=dict.fromkeys(witness.RATES, blocks)))
    for name in ("cpu", "matched"):
        verdicts = [found[f"witness.{rate}.{name}"].verdict for rate in witness.RATES]
        assert verdicts == [BenchVerdict.MISSED, BenchVerdict.MISSED, BenchVerdict.NO_TARGET]
    short = made(MeasuredWitness(blocks=dict.fromkeys(witness.RATES, blocks)), whole=False)
    assert {figure.target for figure in short.values()} == {None}


def test_a_block_of_which_it_cannot_speak_is_in_no_share() -> None:
    found = made(MeasuredWitness(blocks={50_000: [block(), block(matched=math.nan)]}))
    assert found["witness.50000.matched"].each == [100.0]
    assert len(found["witness.50000.cpu"].each) == 2


def test_a_stamp_is_right_within_the_call_that_wrote() -> None:
    written = np.array([[100, 200], [300, 400], [500, 600], [700, 800]])
    # The last two messages departed in one packet.
    reached, stamps = SIZE * np.array([1, 2, 4]), np.array([150, 290, 630])
    assert errors_of(reached, stamps, written) == [0, 10, 30, 70]
    with pytest.raises(BenchError, match="2 messages were not seen"):
        errors_of(reached[:2], stamps[:2], written)


def test_what_keeps_it_from_looking_is_said() -> None:
    found = made(MeasuredWitness(why_not="cargo is not installed"))
    assert len(found) == 17
    assert {figure.value for figure in found.values()} == {None}
    assert {figure.why_not for figure in found.values()} == {"cargo is not installed"}


@pytest.mark.e2e
@pytest.mark.needs("cargo")
def test_a_short_run(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    ended = said("bench", "witness", "--profile", "smoke", "--json", str(path), cwd=tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    found = {figure["name"]: figure for figure in json.loads(path.read_text())["figures"]}
    assert len(found) == 17
    refused = {figure["why_not"] for figure in found.values()} - {""}
    if refused:  # without the right to capture: said, and nothing is made up
        assert refused == {figure["why_not"] for figure in found.values()}
        assert "may not look" in refused.pop()
        return
    for rate in witness.RATES:
        assert found[f"witness.{rate}.cpu"]["value"] > 0
        assert found[f"witness.{rate}.latency"]["value"] > 0
    # Two trials, and not one of them twice.
    assert found["witness.10000.latency"]["value"] != 1
    assert found["witness.100.matched"]["value"] == 100
    assert found["witness.100.spoken"]["value"] == 100
    assert found["witness.stamp.error.max"]["value"] >= 0
