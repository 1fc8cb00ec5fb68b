"""The repository of jars that builds by Maven share: filled with the network, read without.

Plugins of a POM are code, and so are its extensions. A POM that wirelab wrote has none but its own,
so that packaging no sources at all fetches what packaging takes. Of a POM that came with the
sources everything is resolved that it names; what its plugins ask for beside that, Maven names when
it goes without.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from wirelab.build.builder import Job
from wirelab.build.unavailable import Unavailable

_SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Maven ends before the better of Java's two compilers pays for itself: half of its CPU time."""

_RESOLVER = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0"

_MISSING = re.compile(
    r"the artifact ([\w.-]+(?::[\w.-]+){2,4}) has not been downloaded from it before"
)

_FETCHES_ONLY = ("-DoutputFile=", "-DappendOutput=false")
"""Against properties of a POM that have the resolver write its answer to a file."""

_LEFT_OUT = (
    *("extensions", "configuration", "executions"),
    *("repositories", "pluginRepositories", "distributionManagement"),
)
"""Elements that decide what is run, how, and from where it comes: a repository of its own could be
asked for the plugin that fetches, and what it gives would lie where other builds look."""

_OURS = re.compile(r"-Dwirelab\.[a-z.]+=[\w,.-]*")
"""Options that a POM written by wirelab reads."""

_MOST_ASKED = 12
"""Most times that a build may ask for what nobody foresaw; a POM and its jar are two of them."""

_NO_SETTINGS = "<settings/>\n"


def places(job: Job) -> list[str]:
    """Properties that say where things of this build are."""
    return [
        f"-Dwirelab.sdk={job.sdk}",
        f"-Dwirelab.suite={job.part.room}",
        f"-Dwirelab.output={job.output}",
    ]


def fetch_written(job: Job, pom: Path) -> None:
    """Everything that a POM written by wirelab takes."""
    empty = job.ours / "fetching"
    empty.mkdir()
    shutil.copyfile(pom, empty / pom.name)
    nothing, output = empty / "nothing", empty / "output"
    properties = [f"-Dwirelab.{name}={nothing}" for name in ("sdk", "suite")]
    properties.append(f"-Dwirelab.output={output}")
    # Any other option could name a goal, or an extension of Maven.
    properties += filter(_OURS.fullmatch, job.part.build.options)
    _fetch(job, [*properties, "package"], empty)


def fetch_own(job: Job, pom: Path) -> None:
    """Everything that a POM names itself, but for what decides what is run: extensions,
    repositories, and dependencies of plugins, which Maven also gives to the plugin that fetches.
    What is left out is fetched when it is asked for, from the repositories of this machine.

    A parent's would be loaded, so that a POM with a parent is for the sandbox to ask for.
    """
    reduced = job.ours / "fetching"
    reduced.mkdir()
    try:
        tree = ElementTree.parse(pom)
    except ElementTree.ParseError as error:
        raise Unavailable(f"{job.part.source / pom.name} is no XML: {error}") from None
    if tree.getroot().find("{*}parent") is not None:
        return
    _reduce(tree.getroot())
    tree.write(reduced / pom.name, "utf-8", xml_declaration=True)
    _fetch(job, [*places(job), *_FETCHES_ONLY, f"{_RESOLVER}:go-offline"], reduced)


def offline(job: Job) -> list[str]:
    """Maven, without a network and without the settings of the user."""
    settings = job.work / "settings.xml"
    settings.write_text(_NO_SETTINGS)
    return [
        *_maven(job),
        "--offline",
        *("--settings", str(settings), "--global-settings", str(settings)),
        # Whoever has mirrored a repository has another name for it than the one asked here.
        "-Daether.enhancedLocalRepository.trackingFilename=wirelab.none",
    ]


def compile_with_what_it_asks_for(job: Job, command: Sequence[str], copy: Path) -> None:
    """Run Maven in the sandbox, and fetch what it misses there, which its plugins may choose."""
    asked = set[str]()
    while True:
        try:
            job.log.compile(command, cwd=copy, environment={"MAVEN_OPTS": _SHORT_LIVED})
        except Unavailable as failure:
            missing = set(_MISSING.findall(failure.reason)) - asked
            if not missing or len(asked) >= _MOST_ASKED:
                raise
        else:
            return
        for artifact in sorted(missing):
            _fetch_one(job, artifact)
        asked |= missing


def _fetch_one(job: Job, artifact: str) -> None:
    """An artifact as Maven names it: group, artifact, kind, perhaps a classifier, version."""
    group, name, *kind, version = artifact.split(":")
    coordinates = ":".join([group, name, version, *kind])
    asked = [f"{_RESOLVER}:get", f"-Dartifact={coordinates}"]
    empty = job.ours / "asking"
    empty.mkdir(exist_ok=True)
    _fetch(job, asked, empty)


def _fetch(job: Job, arguments: Sequence[str], folder: Path) -> None:
    # The user's own may choose another collector, and Java refuses two.
    environment = {"MAVEN_OPTS": os.environ.get("MAVEN_OPTS") or _SHORT_LIVED}
    with job.fetching():
        # Checksums of the repository must hold for plugins too, which no lock of ours covers.
        command = [*_maven(job), "--strict-checksums", *arguments]
        job.log.run(command, cwd=folder, environment=environment)


def _maven(job: Job) -> list[str]:
    repository = f"-Dmaven.repo.local={job.downloads}"
    return [job.tool("mvn"), "--batch-mode", "--quiet", repository]


def _reduce(element: ElementTree.Element) -> None:
    """Take away what runs, and names of namespaces, which Maven reads in no other spelling."""
    element.tag = _name_of(element)
    element.attrib.clear()
    for child in list(element):
        name = _name_of(child)
        if name in _LEFT_OUT or (name == "dependencies" and element.tag == "plugin"):
            element.remove(child)
        else:
            _reduce(child)


def _name_of(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
