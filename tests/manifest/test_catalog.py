"""Suites, contenders and libraries are found; what cannot be read stops nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from manifest_texts import CONTENDER, SUITE

from wirelab.catalog import find_catalog
from wirelab.manifest import ManifestError
from wirelab.model.known_name import UnknownNameError, known_name
from wirelab.model.measure import CHECK

ROOT = Path(__file__).parents[2]

LIBRARY = 'library = "lib"\nversion = "1"\nlicence = "MIT"\nbuild = { kind = "cmake" }\n'


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    demo = tmp_path / "suites" / "demo"
    write(demo / "suite.toml", SUITE)
    for name in ("swift", "slow", "steady"):
        text = CONTENDER.replace('"swift"', f'"{name}"', 1)
        write(demo / "contenders" / name / "contender.toml", text)
    write(demo / "libraries" / "lib" / "library.toml", LIBRARY)
    return tmp_path


def test_everything_is_found(root):
    catalog = find_catalog(root)
    demo = catalog.suite("demo")
    assert list(demo.contenders) == ["slow", "steady", "swift"]
    assert list(demo.libraries) == ["lib"]
    assert not catalog.broken
    assert not demo.broken
    assert [entry.name for entry in demo.chosen_contenders([])] == ["slow", "steady", "swift"]
    assert [entry.name for entry in demo.chosen_contenders(["swift", "slow"])] == ["swift", "slow"]
    assert demo.chosen_scenarios([], "smoke") == ["echo"]


def test_every_suite_can_be_checked_and_offers_other_profiles_to_measure_with():
    suites = find_catalog(ROOT).suites
    assert set(suites) == {"codec", "kv", "messaging", "opcua", "websocket"}
    for suite in suites.values():
        for name in suite.chosen_scenarios([], CHECK):
            scenario = suite.scenario(name)
            assert scenario.profiles[CHECK].trials == 1, (suite.name, name)
            assert CHECK not in scenario.offered
            assert {"quick", "publish"} <= set(scenario.offered), (suite.name, name)
            # One that is measured brings the scenario that finds the ceiling of its generator.
            assert scenario.ceiling is None or (
                CHECK in suite.scenario(scenario.ceiling.scenario).profiles
            )


def test_suites_that_nobody_asked_for_are_not_read() -> None:
    assert list(find_catalog(ROOT, names=["opcua"]).suites) == ["opcua"]
    assert list(find_catalog(ROOT, names=["opcua", "kv"]).suites) == ["kv", "opcua"]
    assert list(find_catalog(ROOT, names=iter(["opcua"])).suites) == ["opcua"]
    # Who is not known is told of all that are.
    assert len(find_catalog(ROOT, names=["opcua", "opcuax"]).suites) > 2


def test_unknown_names_come_with_the_nearest(root):
    catalog = find_catalog(root)
    with pytest.raises(UnknownNameError, match='no suite "dmeo"; nearest: demo'):
        catalog.suite("dmeo")
    demo = catalog.suite("demo")
    with pytest.raises(UnknownNameError, match='no scenario "ehco" in suite demo; nearest: echo'):
        demo.scenario("ehco")
    with pytest.raises(UnknownNameError) as raised:
        demo.chosen_contenders(["swfit"])
    assert raised.value.nearest[0] == "swift"
    with pytest.raises(UnknownNameError, match=r'no profile "smokey".*nearest: smoke'):
        demo.chosen_scenarios(["echo"], "smokey")
    with pytest.raises(UnknownNameError, match='no profile "publish" in suite demo; known: smoke'):
        demo.chosen_scenarios([], "publish")
    with pytest.raises(UnknownNameError, match=r'no metric "read.latency.p59".*read.latency.p50'):
        known_name("metric", "read.latency.p59", {"read.latency.p50": 1, "cpu.mean": 2})


def test_a_broken_contender_stops_only_what_asks_for_it(root):
    file = root / "suites/demo/contenders/slow/contender.toml"
    file.write_text(CONTENDER.replace('language = "C"', ""))
    demo = find_catalog(root).suite("demo")
    assert list(demo.broken) == ["slow"]
    assert [entry.name for entry in demo.chosen_contenders(["swift"])] == ["swift"]
    for asked in ([], ["slow"]):
        with pytest.raises(ManifestError, match=r"slow/contender.toml:1: language: missing"):
            demo.chosen_contenders(asked)


def test_a_broken_suite_is_named_by_its_folder(root):
    write(root / "suites/other/suite.toml", "suite = 3\n")
    catalog = find_catalog(root)
    assert list(catalog.suites) == ["demo"]
    with pytest.raises(ManifestError, match=r"other/suite.toml:1: suite: expected a name"):
        catalog.suite("other")


def test_a_contender_outside_the_tree(root, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    write(elsewhere / "contender.toml", CONTENDER.replace('"swift"', '"mine"', 1))
    demo = find_catalog(root).suite("demo")
    chosen = demo.chosen_contenders([str(elsewhere), "swift"])
    assert [entry.name for entry in chosen] == ["mine", "swift"]
    assert chosen[0].folder == elsewhere
    (elsewhere / "contender.toml").write_text(CONTENDER)
    with pytest.raises(ManifestError, match="the name is taken by"):
        demo.chosen_contenders(["swift", str(elsewhere)])
    with pytest.raises(ManifestError, match="cannot be read"):
        demo.chosen_contenders([str(elsewhere / "nothing")])


def test_names_are_taken_once(root):
    write(root / "suites/later/suite.toml", SUITE)
    write(root / "suites/demo/contenders/swift2/contender.toml", CONTENDER)
    catalog = find_catalog(root)
    assert "the name is taken by" in str(catalog.broken["later"])
    assert "the name is taken by" in str(catalog.suites["demo"].broken["swift2"])


def test_a_library_that_is_not_there(root):
    text = CONTENDER.replace('kind = "none"', 'kind = "cmake"\nneeds = ["lbi"]')
    write(root / "suites/demo/contenders/swift/contender.toml", text)
    demo = find_catalog(root).suite("demo")
    assert 'no library "lbi" in suite demo, known: lib' in str(demo.broken["swift"])


def test_the_catalog_of_the_repository_has_nothing_broken():
    catalog = find_catalog(ROOT)
    assert catalog.suites
    assert not catalog.broken
    assert not any(suite.broken for suite in catalog.suites.values())
