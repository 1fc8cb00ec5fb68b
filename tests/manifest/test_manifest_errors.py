"""Every mistake in a manifest is told with file, line, key and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest
from manifest_texts import CONTENDER, SUITE, complaints

from wirelab.manifest import ManifestError, load_contender, load_library, load_suite

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    return tmp_path / "suite.toml"


def test_a_good_suite_is_read(manifest):
    manifest.write_text(SUITE)
    suite = load_suite(manifest)
    assert suite.scenarios["echo"].period == 100_000_000
    assert suite.scenarios["echo"].measured_role == "client"


def test_the_suites_of_the_repository_are_read():
    files = list((REPOSITORY / "suites").glob("*/suite.toml"))
    assert files
    for file in files:
        load_suite(file)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            'load.type = "paced"',
            'load.type = "pace"',
            '11: scenarios.echo.load.type: expected one of "paced", "open", "closed", '
            '"microbenchmark", found the text "pace"',
            id="value",
        ),
        pytest.param(
            'load.period = "100ms"',
            'load.period = "100 msec"',
            '12: scenarios.echo.load.period: expected a duration such as "100ms", "1.5s", "2min", '
            'found the text "100 msec"',
            id="duration",
        ),
        pytest.param(
            'read = { code = 1, deadline = "50ms" }',
            'read = { code = 1, deadline = "50ms", wire = "websocket:echo", wire_fields = ["a"] }',
            "19: scenarios.echo.operations.read.wire_fields: expected 2 fields with the wire "
            "websocket:echo, none with another",
            id="too few fields",
        ),
        pytest.param(
            'read = { code = 1, deadline = "50ms" }',
            'read = { code = 1, wire = "http:request", wire_fields = ["a", "b"] }',
            "19: scenarios.echo.operations.read.wire_fields: expected 2 fields with the wire "
            "websocket:echo, none with another",
            id="fields of another wire",
        ),
        pytest.param(
            'read = { code = 1, deadline = "50ms" }',
            'read = { code = 1, record = "intervals", kinds = ["a", "b"] }',
            "19: scenarios.echo.operations.read.kinds: only what has a record each and is due at "
            "ticks has kinds",
            id="kinds of what is counted",
        ),
        pytest.param(
            'read = { code = 1, deadline = "50ms" }',
            'read = { code = 1, kinds = ["a", "b", "a"] }',
            "19: scenarios.echo.operations.read.kinds: each kind once",
            id="a kind twice",
        ),
        pytest.param(
            "count = 20",
            'count = "20"',
            "23: scenarios.echo.profiles.smoke.count: expected a whole number of 1 or more, "
            'found the text "20"',
            id="type",
        ),
        pytest.param(
            "count = 20",
            "count = true",
            "23: scenarios.echo.profiles.smoke.count: expected a whole number of 1 or more, "
            "found true",
            id="true is no number",
        ),
        pytest.param(
            "code = 2,",
            "code = 300,",
            "20: scenarios.echo.operations.write.code: expected a whole number from 1 to 255, "
            "found the number 300",
            id="range",
        ),
        pytest.param(
            "trials = 1,",
            "",
            "23: scenarios.echo.profiles.smoke.trials: missing, expected a whole number of 1 or "
            "more",
            id="missing",
        ),
        pytest.param(
            'load.type = "paced"',
            'load.type = "paced"\ndrift_traget = "5ms"',
            '12: scenarios.echo.drift_traget: unknown key, did you mean "drift_target"?',
            id="misspelt key",
        ),
        pytest.param(
            '{ at = "500ms"',
            '{ xyzzy = 1, at = "500ms"',
            "29: scenarios.echo.variants.lost.faults[0].xyzzy: unknown key, known here: at, "
            "action, role",
            id="unknown key in a table of an array",
        ),
        pytest.param(
            'server = { provider = "service:server" }',
            'server = { provider = "service:server", beside = "client" }',
            '15: scenarios.echo.roles.server.beside: "beside" is called "colocated_with" now',
            id="key that was renamed",
        ),
        pytest.param(
            'client = { provider = "contender", measured = true }',
            'Client = { provider = "contender", measured = true }',
            "16: scenarios.echo.roles.Client: expected a name of lower-case letters, digits and "
            "dashes, at most 64 characters",
            id="name",
        ),
        pytest.param(
            "smoke = { trials = 1, count = 20 }",
            "smoke = 3",
            "23: scenarios.echo.profiles.smoke: expected a table with the keys trials, discard, "
            "count, loops, ramp, warmup, reruns, settle, steps, variants, operations, "
            "parameters, probes, repeats, highest, found the number 3",
            id="no table",
        ),
        pytest.param(
            'at = "500ms"',
            'at = "soon"',
            '29: scenarios.echo.variants.lost.faults[0].at: expected "before-client" or a duration '
            'such as "100ms", "1.5s", "2min", found the text "soon"',
            id="one of two kinds",
        ),
        pytest.param(
            "measured = true",
            "measured = false",
            "9: scenarios.echo: exactly one role must be measured, found 0",
            id="model",
        ),
    ],
)
def test_a_mistake_is_told(manifest, old, new, expected):
    assert old in SUITE
    assert complaints(manifest, SUITE.replace(old, new, 1)) == [expected]


def test_every_mistake_is_told_at_once_in_the_order_of_lines(manifest):
    text = SUITE.replace('"paced"', '"pace"').replace("every = 10", "evry = 10")
    assert [line.split(":")[0] for line in complaints(manifest, text)] == ["11", "20"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1\nb = ", "2: not valid TOML: Invalid value"),
        ("a = '\x1e\x85\u2028\n", '1: not valid TOML: Expected "\'"'),
        ("a = '\u2028", '1: not valid TOML: Expected "\'"'),
        ("a = 1\na = 2", "2: not valid TOML: the key has a value already"),
        ("[a]\n[b]\n[a]", "3: not valid TOML: the table stands in the file already"),
        ('a = "\n', "1: not valid TOML: Illegal character '\\n'"),
        (b'a = 1\nb = "\xff"', "2: not UTF-8 text"),
        ("a = " + "9" * 5000, " not valid TOML: a value is too large or too deep"),
        ("a = " + "[" * 5000, " not valid TOML: a value is too large or too deep"),
    ],
    ids=["value", "control", "no line", "key", "table", "text", "bytes", "number", "depth"],
)
def test_what_is_no_toml_is_told_with_its_line(manifest, text, expected):
    assert complaints(manifest, text) == [expected]


def test_a_file_that_cannot_be_read_is_told(tmp_path):
    with pytest.raises(ManifestError, match=r"suite.toml: cannot be read: No such file"):
        load_suite(tmp_path / "suite.toml")
    with pytest.raises(ManifestError, match="cannot be read: is no regular file"):
        load_suite(tmp_path)


def test_an_empty_manifest_lists_what_it_needs(manifest):
    found = complaints(manifest, "")
    assert [line.split(":")[1].strip() for line in found] == ["suite", "title", "scenarios"]


def test_keys_in_quotes_and_comments_keep_their_lines(manifest):
    text = SUITE + '\n[scenarios.echo.variants.lost."parameters"]\n# a comment\n"a b" = [\n1 ]\n'
    assert complaints(manifest, text) == [
        '34: scenarios.echo.variants.lost.parameters."a b": expected true or false or a whole '
        "number or a number or text, found a list"
    ]


def test_a_library_is_checked_too(tmp_path):
    text = 'library = "x"\nversion = 1\nlicence = "MIT"\nbuild = { kind = "cmake" }\n'
    assert complaints(tmp_path / "library.toml", text, load_library) == [
        "2: version: expected text, found the number 1"
    ]


def test_what_a_manifest_names_as_common_is_among_its_sources(manifest: Path) -> None:
    contender = manifest.with_name("contender.toml")
    named = CONTENDER.replace(
        "[library]", 'source = "src"\ncommon = ["here.c", "gone.c"]\n[library]'
    )
    assert named != CONTENDER
    (manifest.parent / "src").mkdir()
    (manifest.parent / "src" / "here.c").touch()
    line = named.splitlines().index('common = ["here.c", "gone.c"]') + 1
    assert complaints(contender, named, load_contender) == [
        f"{line}: common[1]: there is no file gone.c among the sources"
    ]
    assert common_of_a_library(manifest, "gone.py") == "there is no file gone.py among the sources"


def common_of_a_library(manifest: Path, name: str) -> str:
    """The complaint about a library whose manifest names a file as common."""
    library = 'library = "x"\nversion = "1"\nlicence = "MIT"\nbuild = { kind = "none" }\n'
    text = f'{library}source = "src"\ncommon = ["{name}"]\n'
    [said] = complaints(manifest.with_name("library.toml"), text, load_library)
    line, place, message = said.split(": ", 2)
    assert (line, place) == ("6", "common[0]")
    return message


@pytest.mark.parametrize("name", ["../other.c", "linked.c", "deep/../../other.c"])
def test_what_is_common_lies_in_the_sources_themselves(manifest: Path, name: str) -> None:
    (manifest.parent / "src").mkdir()
    (manifest.parent / "other.c").touch()
    (manifest.parent / "src" / "linked.c").symlink_to("../other.c")
    said = common_of_a_library(manifest, name)
    assert said == f"{name} leads out of the sources: name files among them"


def test_a_link_to_itself_is_no_common_file(manifest: Path) -> None:
    (manifest.parent / "src").mkdir()
    (manifest.parent / "src" / "round.c").symlink_to("round.c")
    said = common_of_a_library(manifest, "round.c")
    assert said == "there is no file round.c among the sources"


@pytest.mark.parametrize("name", ["A=B", "", "a b", "1A", "A\\u0000"])
def test_a_variable_is_one_that_an_environment_can_hold(manifest: Path, name: str) -> None:
    contender = manifest.with_name("contender.toml")
    held = CONTENDER.replace("[run]\n", f'[run]\nenvironment = {{ "{name}" = "1" }}\n')
    assert held != CONTENDER
    contender.write_text(held)
    with pytest.raises(ManifestError) as refused:
        load_contender(contender)
    assert "run.environment" in str(refused.value)


def test_a_key_that_is_too_long_is_told(manifest: Path) -> None:
    text = SUITE.replace("scenarios.echo", "scenarios." + "a" * 65)
    assert text != SUITE
    manifest.write_text(text)
    with pytest.raises(ManifestError, match="a name of at most 64 characters"):
        load_suite(manifest)
