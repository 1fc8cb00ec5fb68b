"""Mistakes across keys: names that must exist, figures that must fit, the suite's rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from manifest_texts import CONTENDER, SUITE, complaints

from wirelab.manifest import load_contender, load_suite


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    return tmp_path / "suite.toml"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            'provider = "service:server"',
            'provider = "service:srver"',
            '15: scenarios.echo.roles.server.provider: no service "srver", did you mean "server"?',
            id="service",
        ),
        pytest.param(
            'provider = "service:server"',
            'provider = "server"',
            '15: scenarios.echo.roles.server.provider: expected "contender", "service:NAME" or '
            '"engine:KIND", found "server"',
            id="role filled by nothing",
        ),
        pytest.param(
            'role = "server" }',
            'role = "broker" }',
            '29: scenarios.echo.variants.lost.faults[0].role: no role "broker", '
            "known: server, client",
            id="role of a fault",
        ),
        pytest.param(
            'load.period = "100ms"',
            'load.period = "100ms"\ncall_timeout = "operation_limt"',
            '13: scenarios.echo.call_timeout: no parameter in ns "operation_limt", '
            'did you mean "operation_limit"?',
            id="timeout of calls",
        ),
        pytest.param(
            'read = { code = 1, deadline = "50ms" }',
            'read = { code = 1, deadline = "50ms", connections = 1 }',
            "19: scenarios.echo.operations.read.connections: only what has a wire has connections",
            id="connections that nobody can see",
        ),
        pytest.param(
            'read = { code = 1, deadline = "50ms" }',
            'read = { code = 1, deadline = "50ms", own_connection = true }',
            "19: scenarios.echo.operations.read.own_connection: only what has a wire has "
            "connections",
            id="connections of users that nobody can see",
        ),
        pytest.param(
            'read = { code = 1, deadline = "50ms" }',
            'read = { code = 1, deadline = "50ms", wire = "keys:read", connections = 0 }',
            "19: scenarios.echo.operations.read.connections: expected a whole number of 1 or more "
            "or a name of lower-case letters, digits and dashes, at most 64 characters, found the "
            "number 0",
            id="no connection",
        ),
        pytest.param(
            'read = { code = 1, deadline = "50ms" }',
            'read = { code = 1, deadline = "50ms", wire = "keys:read", connections = "pool" }',
            '19: scenarios.echo.operations.read.connections: no parameter of type whole "pool", '
            "known: none",
            id="connections by a parameter that there is not",
        ),
        pytest.param(
            'read = { code = 1, deadline = "50ms" }',
            'read = { code = 1, deadline = "50ms", ledger_most = "sampled" }',
            "19: scenarios.echo.operations.read.ledger_most: nobody compares it without a ledger",
            id="bound of no ledger",
        ),
        pytest.param(
            'read = { code = 1, deadline = "50ms" }',
            'read = { code = 1, deadline = "50ms", record = "intervals", sent_by = "send" }',
            '19: scenarios.echo.operations.read.sent_by: no operation due at ticks "send", '
            "known: read, write",
            id="sender that there is not",
        ),
        pytest.param(
            'read = { code = 1, deadline = "50ms" }',
            'read = { code = 1, deadline = "50ms", sent_by = "write" }',
            "19: scenarios.echo.operations.read.sent_by: only what is recorded by the second is "
            "sent by another operation",
            id="sender of what has a record each",
        ),
        pytest.param(
            'operations = ["read"]',
            'operations = ["raed"]',
            '27: scenarios.echo.variants.lost.operations[0]: no operation "raed", '
            'did you mean "read"?',
            id="operation of a variant",
        ),
        pytest.param(
            "smoke = { trials = 1, count = 20 }",
            'smoke = { trials = 1, count = 20, variants = ["loss"] }',
            '23: scenarios.echo.profiles.smoke.variants[0]: no variant "loss", '
            'did you mean "lost"?',
            id="variant of a profile",
        ),
        pytest.param(
            'operations = ["read"]',
            'operations = ["read"]\nlimits.clint = { memory = "64MiB" }',
            '28: scenarios.echo.variants.lost.limits.clint: no role "clint", '
            'did you mean "client"?',
            id="limits of a role that there is not",
        ),
        pytest.param(
            'operations = ["read"]',
            'operations = ["read"]\nlimits.client = {}',
            "28: scenarios.echo.variants.lost.limits.client: expected processor, memory or both",
            id="limits that limit nothing",
        ),
        pytest.param(
            'load.period = "100ms"',
            'load.period = "100ms"\nload.hours = "hours"',
            '13: scenarios.echo.load.hours: no parameter that is a number "hours", known: none',
            id="hours of a load",
        ),
        pytest.param(
            "code = 2,",
            "code = 1,",
            "20: scenarios.echo.operations.write.code: 1 is the code of read",
            id="code used twice",
        ),
        pytest.param(
            '"read.latency.p50"',
            '"raed.latency.p50"',
            '13: scenarios.echo.rankings[0]: no metric "raed.latency.p50", '
            'did you mean "read.latency.p50"?',
            id="metric",
        ),
        pytest.param(
            '"read.latency.p50"',
            '"read.latncy.p50"',
            '13: scenarios.echo.rankings[0]: no metric "read.latncy.p50", '
            'did you mean "read.latency.p50"?',
            id="figure",
        ),
        pytest.param(
            '"cpu.mean"]',
            '"cpu"]',
            '13: scenarios.echo.rankings[1]: no metric "cpu", did you mean "cpu.p95"?',
            id="no figure",
        ),
        pytest.param(
            '"cpu.mean"]',
            '"cpu.men"]',
            '13: scenarios.echo.rankings[1]: no metric "cpu.men", did you mean "cpu.mean"?',
            id="statistic of a resource",
        ),
        pytest.param(
            '"read.latency.p50"',
            '"read.latency.p5000"',
            '13: scenarios.echo.rankings[0]: no metric "read.latency.p5000", '
            'did you mean "read.latency.p50"?',
            id="percentile that is not printed",
        ),
        pytest.param(
            '"cpu.mean"]',
            '"srver.cpu.mean"]',
            '13: scenarios.echo.rankings[1]: no metric "srver.cpu.mean", '
            'did you mean "server.cpu.mean"?',
            id="role",
        ),
        pytest.param(
            '"cpu.mean"]',
            '"client.cpu.mean"]',
            "13: scenarios.echo.rankings[1]: client.cpu.mean is no metric here: it is told "
            "of roles beside the contender's",
            id="role of the contender",
        ),
        pytest.param(
            '"cpu.mean"]',
            '"read.fairness"]',
            "13: scenarios.echo.rankings[1]: read.fairness is no metric here: it is told of "
            "operations that every user of a closed loop does once a step",
            id="metric of another load",
        ),
        pytest.param(
            '"cpu.mean"]',
            '{ metric = "read.rate", better = "lower" }]',
            '13: scenarios.echo.rankings[1]: write rankings = ["read.rate", …]: its better way is '
            "known",
            id="a way of a metric that has one",
        ),
        pytest.param(
            '"cpu.mean"]',
            '"server.cpu.mean"]',
            "13: scenarios.echo.rankings[1]: no way of it is known to be better: write "
            '{ metric = "server.cpu.mean", better = "lower" }, or "higher"',
            id="no way of a metric that has none",
        ),
        pytest.param(
            '"cpu.mean"]',
            '"fault.outage.time"]',
            "13: scenarios.echo.rankings[1]: fault.outage.time is no metric here: it is "
            "told of faults",
            id="metric of another kind",
        ),
        pytest.param(
            'load.period = "100ms"',
            'load.period = "0ms"',
            '12: scenarios.echo.load.period: expected a duration such as "100ms", "1.5s", "2min", '
            'above 0, found the text "0ms"',
            id="period of nothing",
        ),
        pytest.param(
            'at = "500ms"',
            'at = "2s"',
            "29: scenarios.echo.variants.lost.faults[0].at: after the end: the shortest profile "
            "lasts 2 s",
            id="fault after the end",
        ),
        pytest.param(
            "count = 20 }",
            "count = 20, warmup = 15 }",
            "23: scenarios.echo.profiles.smoke.count: write is due at every 10th tick: none of "
            "the 5 measured ticks",
            id="operation that is never measured",
        ),
        pytest.param(
            '["{source}/serve"]',
            '["{sorce}/serve"]',
            '7: services.server.run.command[0]: no placeholder "sorce", did you mean "source"?',
            id="placeholder",
        ),
        pytest.param(
            'kind = "none" }',
            'kind = "none", crates = true }',
            "6: services.server.build.crates: only builds of the kind cmake use crates",
            id="option of another kind of build",
        ),
        pytest.param(
            'kind = "none" }',
            'kind = "none", frameworks = ["Microsoft.AspNetCore.App"] }',
            "6: services.server.build.frameworks: only builds of the kind dotnet use frameworks",
            id="framework of another kind of build",
        ),
        pytest.param(
            'kind = "none" }',
            'kind = "none", brought = { HEADERS = "a.h" } }',
            "6: services.server.build.brought: only builds of the kind cmake use folders that are "
            "brought",
            id="folder for another kind of build",
        ),
        pytest.param(
            'load.period = "100ms"',
            'load.period = "100ms"\nstatuses = { late = 3, ok = 70 }',
            "13: scenarios.echo.statuses.late: expected a whole number from 64 to 255, found 3",
            id="status",
        ),
    ],
)
def test_what_does_not_fit_together_is_told(manifest, old, new, expected):
    assert old in SUITE
    assert expected in complaints(manifest, SUITE.replace(old, new, 1))


class TestContender:
    def load(self, suite_text, tmp_path):
        (tmp_path / "suite.toml").write_text(suite_text)
        suite = load_suite(tmp_path / "suite.toml")
        return lambda file: load_contender(file, suite)

    def test_a_good_one_is_read(self, tmp_path):
        file = tmp_path / "contender.toml"
        file.write_text(CONTENDER)
        assert load_contender(file).notes.en == ""
        assert self.load(SUITE, tmp_path)(file).contender == "swift"

    @pytest.mark.parametrize(
        ("mode", "expected"),
        [
            ("fresh, ubvalidated", '4: mode: no mode "ubvalidated", did you mean "unvalidated"?'),
            (
                "fresh,unvalidated",
                '4: mode: no mode "fresh,unvalidated", did you mean "unvalidated"?',
            ),
        ],
    )
    def test_its_modes_are_those_of_its_suite(self, tmp_path, mode, expected):
        modes = "\n".join(
            f'[modes.{name}]\ntitle = {{ en = "{name}" }}\nmeaning = {{ en = "made so" }}'
            for name in ("fresh", "unvalidated")
        )
        read = self.load(f"{SUITE}{modes}\n", tmp_path)
        file = tmp_path / "contender.toml"
        file.write_text(CONTENDER.replace('language = "C"', 'language = "C"\nmode = "fresh"', 1))
        assert read(file).modes == ["fresh"]
        text = file.read_text().replace('"fresh"', '"fresh, unvalidated"', 1)
        file.write_text(text)
        assert read(file).modes == ["fresh", "unvalidated"]
        assert expected in complaints(file, text.replace("fresh, unvalidated", mode, 1), read)

    @pytest.mark.parametrize(
        ("old", "new", "expected"),
        [
            (
                'language = "C"',
                'language = "C"\nscenarios = ["echo", "ehco"]',
                '4: scenarios[1]: no scenario "ehco", did you mean "echo"?',
            ),
            (
                'language = "C"',
                'language = "C"\nroles = ["server"]',
                '4: roles[0]: no role for a contender "server", known: client',
            ),
            (
                'command = ["{source}/run"]',
                'command = ["{source}/run"]\ncontract = 1',
                "15: run.contract: version 1 is spoken no more, leave it out and see "
                "docs/reference/worker-contract.md",
            ),
            ('version = "1"\n', "", "5: library.version: missing, expected text"),
            (
                'kind = "none"',
                'kind = "engine"\nneeds = ["x"]',
                "12: build.needs: a build of the kind engine is built on nothing",
            ),
            (
                'kind = "none"',
                'kind = "nix"',
                '11: build.kind: expected one of "python", "maven", "cmake", "cargo", "npm", '
                '"go", "dotnet", "none", "engine", found the text "nix"',
            ),
            (
                '["{source}/run"]',
                "[]",
                "14: run.command: expected a list that is not empty, each element text, "
                "found an empty list",
            ),
        ],
    )
    def test_a_mistake_is_told(self, tmp_path, old, new, expected):
        load = self.load(SUITE, tmp_path)
        text = CONTENDER.replace(old, new, 1)
        assert complaints(tmp_path / "contender.toml", text, load) == [expected]
