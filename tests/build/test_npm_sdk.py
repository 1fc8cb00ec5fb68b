"""The SDK that the npm builder puts beside a contender's packages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from build_parts import Sources, output_of

from wirelab.build import Built, Part, PartBuilds
from wirelab.build.content import tree_bytes

IMPORTING = """
import { greeting } from 'wirelab-sdk';
console.log(greeting);
"""
BUILDING = """
import { writeFileSync } from 'node:fs';
import ms from 'ms';
import { greeting } from 'wirelab-sdk';
writeFileSync('built.json', JSON.stringify([greeting, ms('2s')]));
"""


pytestmark = pytest.mark.needs("npm")


@pytest.fixture
def part(sources: Sources) -> Part:
    """The fixture with a worker that imports an SDK, which has tests of its own."""
    sdk = sources.root / "sdk" / "node"
    (sdk / "src").mkdir()
    (sdk / "test").mkdir()
    (sdk / "package.json").write_text('{"type": "module", "exports": "./src/index.js"}')
    (sdk / "src" / "index.js").write_text("export const greeting = 'hello';\n")
    (sdk / "test" / "index.test.js").write_text("throw new Error('not for contenders');\n")
    part = sources.part("npm")
    change(part.source / "package.json", type="module")
    (part.source / "worker.js").write_text(IMPORTING)
    return part


def change(file: Path, **keys: object) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | keys))


def prepared(workshop: PartBuilds, part: Part) -> Built:
    if refused := workshop.lacking(part):
        pytest.skip(refused.reason)
    return workshop.prepare(part)


def test_a_worker_imports_the_sdk(workshop, part):
    built = prepared(workshop, part)
    assert output_of(built.command("client")) == "hello"
    placed = built.output / "node_modules" / "wirelab-sdk"
    assert {file.name for file in placed.rglob("*.js")} == {"index.js"}


def test_the_sdk_is_no_cost_of_the_contender(workshop, part):
    built = prepared(workshop, part)
    assert [d.name for d in built.ownership.dependencies] == ["ms"]
    packages = built.output / "node_modules"
    own = tree_bytes(packages / "ms") + (packages / ".package-lock.json").stat().st_size
    assert built.ownership.install_bytes == own


def test_another_sdk_is_another_build(workshop, sources, part):
    first = prepared(workshop, part)
    sdk = sources.root / "sdk" / "node" / "src" / "index.js"
    sdk.write_text("export const greeting = 'goodbye';\n")
    second = PartBuilds(sources.root).prepare(part)
    assert second.output != first.output
    assert output_of(second.command("client")) == "goodbye"


def test_the_build_script_has_the_sdk_and_the_worker_keeps_it(workshop, part):
    (part.source / "build.js").write_text(BUILDING)
    change(part.source / "package.json", scripts={"build": "node build.js"})
    develop = {"dependencies": {}, "devDependencies": {"ms": "2.1.3"}}
    change(part.source / "package.json", **develop)
    lock = json.loads((part.source / "package-lock.json").read_text())
    lock["packages"][""] |= develop
    lock["packages"]["node_modules/ms"]["dev"] = True
    (part.source / "package-lock.json").write_text(json.dumps(lock))

    built = prepared(workshop, part)
    assert json.loads((built.output / "built.json").read_text()) == ["hello", 2000]
    assert output_of(built.command("client")) == "hello"
    assert built.ownership.dependencies == [], "what only building takes is gone"
    assert not (built.output / "node_modules" / "ms").exists()
