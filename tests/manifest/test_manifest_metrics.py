"""Metrics that a suite declares, and those that manifests name: told by file, line and key."""

from __future__ import annotations

from pathlib import Path

import pytest
from manifest_texts import SUITE, complaints

from tree import suites_of_the_tree
from wirelab.catalog import suite_at
from wirelab.manifest import ManifestError, load_suite
from wirelab.model.metrics import Disturbed

OWN = """
[metrics."encoded.size"]
unit = "B"
better = "lower"
disturbed = "nothing"
title = { en = "encoded size", ko = "인코딩 크기" }
column = { en = "encoded", ko = "인코딩" }
meaning = { en = "Bytes of an answer.", ko = "응답의 바이트 수입니다." }
"""
RULE = 'kind = "below", scenario = "echo", otherwise = "echo", metric = "read.latency.p50"'
PUBLISHED = f"""
title = "A paper"
[[claims]]
key = "fast"
rules = [{{ {RULE} }}]
[[summary]]
metric = "own.size"
[[summary]]
metric = "cpu.mean"
[[fields]]
metrics = ["read.latency.p9*", "write.rate"]
"""


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    return tmp_path / "suite.toml"


def test_a_suite_has_metrics_of_its_own(manifest: Path) -> None:
    manifest.write_text(SUITE + OWN)
    own = load_suite(manifest).metrics
    assert {key: (one.unit, one.better, one.disturbed) for key, one in own.items()} == {
        "encoded.size": ("B", "lower", Disturbed.NOTHING)
    }
    assert own["encoded.size"].title.of("ko") == "인코딩 크기"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"encoded.size"', '"encoded"', "32: metrics.encoded: expected a name with dots"),
        ('"encoded.size"', '"cpu.mean"', '32: metrics."cpu.mean": a metric of wirelab\'s own'),
        ('"encoded.size"', '"size.rate"', '32: metrics."size.rate": a metric of wirelab\'s own'),
        ('"encoded.size"', '"server.size"', '32: metrics."server.size": server is a role'),
        ('"nothing"', '"noting"', 'disturbed: expected one of "time", "count", "upper bound"'),
        ('"lower"', '"less"', 'better: expected one of "lower", "higher", "neither"'),
        ("unit", "units", 'units: unknown key, did you mean "unit"?'),
    ],
)
def test_what_cannot_be_declared_is_told(manifest: Path, old: str, new: str, expected: str) -> None:
    assert old in OWN
    said = complaints(manifest, SUITE + OWN.replace(old, new, 1))
    assert [line for line in said if expected in line], said


def test_an_operation_is_not_called_as_an_own_metric_begins(manifest: Path) -> None:
    text = SUITE.replace("write = { code = 2", "encoded = { code = 2")
    said = complaints(manifest, text + OWN)
    assert (
        "20: scenarios.echo.operations.encoded: encoded is a word of metrics and cannot name an "
        "operation" in said
    )


def test_a_ceiling_is_of_a_metric_that_both_sides_have(manifest: Path) -> None:
    ceiling = SUITE.partition("[scenarios.echo]")[2].partition("[[scenarios")[0]
    text = SUITE.replace(
        'period = "100ms"', 'period = "100ms"\nceiling = { scenario = "top", metric = "read.rat" }'
    )
    said = complaints(
        manifest, text + "[scenarios.top]\nreference_only = true" + ceiling.replace("echo", "top")
    )
    assert said == [
        '13: scenarios.echo.ceiling.metric: no metric "read.rat", did you mean "read.rate"?'
    ]


def test_a_scenario_that_comes_along_has_every_profile(manifest: Path) -> None:
    ceiling = SUITE.partition("[scenarios.echo]")[2].partition("[[scenarios")[0]
    text = SUITE.replace(
        'period = "100ms"', 'period = "100ms"\nceiling = { scenario = "top", metric = "read.rate" }'
    )
    other = ceiling.replace("echo", "top").replace("\nsmoke =", "\nquick =")
    assert other != ceiling.replace("echo", "top")
    said = complaints(manifest, text + "[scenarios.top]\nreference_only = true" + other)
    assert said == [
        "13: scenarios.echo.ceiling.scenario: top is measured with it, and has no profile smoke"
    ]


class TestPublished:
    def complaints(self, folder: Path, old: str, new: str, suite: str = SUITE) -> str:
        assert old in PUBLISHED
        (folder / "suite.toml").write_text(suite)
        (folder / "published.toml").write_text(PUBLISHED.replace(old, new, 1))
        try:
            suite_at(folder / "suite.toml")
        except ManifestError as error:
            return str(error)
        return ""

    def test_a_good_one_is_read(self, tmp_path: Path) -> None:
        assert self.complaints(tmp_path, "echo", "echo") == ""

    @pytest.mark.parametrize(
        ("old", "new", "expected"),
        [
            (
                "read.latency.p50",
                "reed.latency.p50",
                'published.toml:5: claims[0].rules[0].metric: no metric "reed.latency.p50", '
                'did you mean "read.latency.p50"?',
            ),
            (
                "read.latency.p50",
                "fault.outage.time",
                "published.toml:5: claims[0].rules[0].metric: fault.outage.time is no metric here",
            ),
            (
                'scenario = "echo"',
                'scenario = "ehco"',
                'published.toml:5: claims[0].rules[0].scenario: no scenario "ehco", did you mean '
                '"echo"?',
            ),
            (
                'otherwise = "echo"',
                'otherwise = "ehco"',
                'published.toml:5: claims[0].rules[0].otherwise: no scenario "ehco", did you mean '
                '"echo"?',
            ),
            (
                RULE,
                'kind = "stands-out", scenario = "ehco", operation = "read", causes = ["wire"]',
                'published.toml:5: claims[0].rules[0].scenario: no scenario "ehco", did you mean '
                '"echo"?',
            ),
            (
                RULE,
                'kind = "stands-out", scenario = "echo", operation = "raed", causes = ["wire"]',
                'published.toml:5: claims[0].rules[0].operation: no operation "raed", did you mean '
                '"read"?',
            ),
            (
                '"cpu.mean"',
                '"cpu.men"',
                'published.toml:9: summary[1].metric: no metric "cpu.men", did you mean "cpu.mean"',
            ),
            (
                '"write.rate"',
                '"wrote.rate"',
                'published.toml:11: fields[0].metrics[1]: no metric "wrote.rate", did you mean '
                '"write.rate"',
            ),
        ],
    )
    def test_a_name_that_no_scenario_has_is_told(
        self, tmp_path: Path, old: str, new: str, expected: str
    ) -> None:
        assert expected in self.complaints(tmp_path, old, new)

    def test_a_scenario_that_takes_the_place_of_another_has_its_metric(
        self, tmp_path: Path
    ) -> None:
        other = SUITE.partition("[scenarios.echo]")[2]
        other = f"[scenarios.quiet]{other.replace('echo', 'quiet').replace('read', 'fetch')}"
        said = self.complaints(tmp_path, 'otherwise = "echo"', 'otherwise = "quiet"', SUITE + other)
        assert 'published.toml:5: claims[0].rules[0].metric: no metric "read.latency.p50"' in said


def test_own_metrics_of_suites_are_told_in_both_languages() -> None:
    suites = suites_of_the_tree().suites
    own = {key: one for suite in suites.values() for key, one in suite.manifest.metrics.items()}
    assert set(own) == {
        *("encoded.size", "encoded.zstd", "to-bytes.memory", "from-bytes.memory"),
    }
    texts = [text for one in own.values() for text in (one.title, one.column, one.meaning)]
    assert len(texts) == 12
    assert [text for text in texts if not text.ko] == []
