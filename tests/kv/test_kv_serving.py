"""The application around a client: right answers, spans that add up, metrics, errors."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from test_kv_verify import CANDIDATES, SEED, verifier

from tree import suites_of_the_tree
from wirelab.build import PartBuilds, contender_part

ROOT = Path(__file__).parents[2]
SINGLE, GATHER, MERGE = (
    f"/predict?mode={mode}&request=7" for mode in ("single", "gather", "merge")
)
FEATURES = "/features?mode=gather&request=9"
WRONG = "/predict?mode=single&request=64"
SPEC = {
    "seed": SEED,
    "role": "generator",
    "parameters": {"universe": 10_000, "keys": CANDIDATES},
    "schedule": {"steps": []},
}


# The packages of the application are 200 MB.
pytestmark = pytest.mark.left_to_all


@pytest.fixture(scope="module")
def said() -> dict[str, Any]:
    suite = suites_of_the_tree().suite("kv")
    # Any contender that serves has the packages of the application.
    built = PartBuilds(ROOT).prepare(contender_part(suite, suite.contenders["redis-py-async"]))
    ended = subprocess.run(
        [
            *(built.places["python"], str(Path(__file__).with_name("serving_calls.py"))),
            *(SINGLE, GATHER, MERGE, FEATURES, WRONG, "/metrics", "/health"),
        ],
        env={**os.environ, **built.environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    answers: dict[str, Any] = json.loads(ended.stdout)
    return answers


def spans(answer: dict[str, Any]) -> dict[str, float]:
    """Durations in ms by name."""
    return {name: float(ms) for name, ms in re.findall(r"(\w+);dur=([\d.]+)", answer["timing"])}


@pytest.mark.parametrize("path", [SINGLE, GATHER, FEATURES])
def test_answers_are_right(said: dict[str, Any], path: str) -> None:
    answer = {"phase": "preflight", "operation": "request", "tick": 0, "answer": said[path]}
    spec = {**SPEC, "parameters": {**SPEC["parameters"], "model": "scores" in path}}  # type: ignore[dict-item]
    assert verifier.verify(spec, {}, [answer]) == []
    assert ("scores" in said[path]["body"]) == path.startswith("/predict")


@pytest.mark.skipif(
    not os.environ.get("WIRELAB_TORCH"),
    reason="PyTorch: pip install --target FOLDER torch, then WIRELAB_TORCH=FOLDER",
)
def test_pytorch_gives_the_same_scores(said: dict[str, Any]) -> None:
    ours, theirs = (said[name]["body"]["scores"] for name in (SINGLE, "torch"))
    assert theirs == pytest.approx(ours, abs=2e-6)


def test_one_call_or_nine_give_the_same(said: dict[str, Any]) -> None:
    assert said[SINGLE]["body"] == said[GATHER]["body"]


def test_spans_add_up_to_less_than_the_whole(said: dict[str, Any]) -> None:
    told = spans(said[SINGLE])
    total, reading = told.pop("total"), told.pop("reading")
    assert told["call"] + told["convert"] <= reading <= total
    assert set(told) == {"keys", "call", "convert", "features", "inference", "render"}
    assert 0 < sum(told.values()) <= total


def test_of_nine_calls_the_spans_are_those_of_the_last(said: dict[str, Any]) -> None:
    told = spans(said[GATHER])
    assert told["call"] == pytest.approx(9 * 3_000 / 1e6)
    assert told["convert"] == pytest.approx(5_000 / 1e6)
    # It slept for 20 ms outside of its own spans.
    assert told["wait"] >= 19


def test_a_client_that_cannot_merge_says_so(said: dict[str, Any]) -> None:
    assert said[MERGE]["status"] == 503
    assert "cannot convert calls together" in said[MERGE]["body"]


def test_a_request_that_does_not_exist_is_refused(said: dict[str, Any]) -> None:
    assert said[WRONG]["status"] == 422


def test_what_the_client_raises_travels_in_the_response(said: dict[str, Any]) -> None:
    assert said["broken"]["status"] == 503
    assert said["broken"]["body"] == "ConnectionRefusedError: the pool is exhausted"
    metrics = said["broken metrics"]["body"]
    assert 'predict_requests_total{client_type="broken",status="error"} 1.0' in metrics


def test_metrics_have_the_sources_names(said: dict[str, Any]) -> None:
    metrics = said["/metrics"]["body"]
    for name, times in {
        "predict_duration_seconds": 3,
        "key_extraction_duration_seconds": 3,
        "aerospike_batch_read_all_duration_seconds": 3,
        "feature_extraction_duration_seconds": 3,
        "dlrm_inference_duration_seconds": 2,
        "response_build_duration_seconds": 3,
        "aerospike_records_found_ratio": 3,
    }.items():
        assert f'{name}_count{{client_type="store"}} {times}.0' in metrics, name
    of_set = 'aerospike_batch_read_set_duration_seconds_count{client_type="store",set_name="set_9"}'
    assert f"{of_set} 2.0" in metrics
    assert 'predict_active_requests{client_type="store"} 0.0' in metrics
